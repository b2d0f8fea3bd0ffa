"""The service put together from settings: knowledge bases, providers, clock; and what it forgets."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from infra.ledger.database import Database
from infra.settings import Settings
from restaurant.clock import Clock, read_moment
from restaurant.doors import Doors, refuse_open_door
from restaurant.knowledge import read_folder
from restaurant.providers import ProviderError, UnavailableError
from restaurant.providers.chosen import Surroundings, Unconfigured, provider_of
from restaurant.providers.database import sheet_database, sheet_url
from restaurant.providers.patience import Patience
from restaurant.providers.settings import Environment
from restaurant.tools.desk import Desk, Restaurant

log = logging.getLogger("restaurant")

_EVERY = 6 * 3600.0
"""Seconds between two looks for bookings that need not be kept any more."""


@dataclass
class Service:
    """All that its doors lead to."""

    desk: Desk
    doors: Doors
    database: Database
    keep_days: int
    max_body: int
    controls: bool
    proven_callers: bool = False
    """Whether a message of Vapi's that names no number is nobody's."""

    async def purge(self, now: datetime | None = None) -> dict[str, int | None]:
        """Forget every restaurant's bookings of days before today less `IQ_RESTAURANT_KEEP_DAYS`. How many, by
        restaurant; None where somebody else keeps them. `now`: aware; else by the clock. Raises `UnavailableError`
        that names those whose provider failed, once all others are done."""
        found, failed = {}, []
        for restaurant_id, place in self.desk.restaurants.items():
            today = (now.astimezone(place.kb.zone) if now is not None else place.now()).date()
            try:
                found[restaurant_id] = await place.provider.purge(today - timedelta(days=self.keep_days))
            except ProviderError as error:
                # One that is away keeps nobody else's guests.
                failed.append(f"{restaurant_id}: {error}")
            except Exception as error:
                # Nor does one that nobody foresaw, whose text may quote a guest.
                failed.append(f"{restaurant_id}: {type(error).__name__}")
        if failed:
            raise UnavailableError("; ".join(failed))
        return found

    async def keep_forgetting(self) -> None:
        """Purge now and every few hours, until cancelled. Not while the clock is set by somebody: bookings of a day
        that is played would be taken for old ones."""
        while True:
            if self.desk.clock.real and not self.controls:
                try:
                    await self.purge(datetime.now(UTC))
                except ProviderError as error:
                    log.warning("bookings that are over could not be purged: %s", error)
            await asyncio.sleep(_EVERY)

    async def close(self) -> None:
        """Give back what is open."""
        for place in self.desk.restaurants.values():
            with suppress(ProviderError):
                await place.provider.close()
        self.database.close()


def assemble(
    settings: Settings, environment: Mapping[str, str] | None = None, patience: Patience | None = None
) -> Service:
    """The service of some settings; `patience` is that of `Surroundings`. Raises `KnowledgeError`, and `OpenDoorError`
    where it would listen beyond this machine without a secret."""
    refuse_open_door(settings.restaurant_host, settings.restaurant_secret)
    database = sheet_database(sheet_url(settings.restaurant_database, settings.data))
    around = Surroundings(database, environment if environment is not None else Environment(), patience)
    clock = Clock(read_moment(settings.restaurant_clock) if settings.restaurant_clock else None)
    looks = (patience or Patience()).looks
    restaurants = {
        restaurant_id: Restaurant(kb, provider_of(kb, around, settings.restaurant_provider), clock, looks=looks)
        for restaurant_id, kb in read_folder(settings.restaurant_kb).items()
    }
    for restaurant_id, place in restaurants.items():
        if isinstance(place.provider, Unconfigured):
            log.warning("%s is served without its bookings: %s", restaurant_id, place.provider.why)
    return Service(
        Desk(restaurants, clock),
        Doors(settings.restaurant_secret),
        database,
        settings.restaurant_keep_days,
        settings.max_body,
        settings.restaurant_controls,
        settings.restaurant_proven_callers,
    )
