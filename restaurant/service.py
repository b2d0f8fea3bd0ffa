"""Builds the service from settings: knowledge bases, providers, clock. Deletes old bookings."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from infra.config.settings import Settings
from infra.ledger.database import Database
from restaurant.auth import SharedSecretAuth, refuse_open_door
from restaurant.clock import Clock, read_moment
from restaurant.knowledge import read_folder
from restaurant.providers import ProviderError, ProviderUnavailableError
from restaurant.providers.config import Environment
from restaurant.providers.database import sheet_database, sheet_url
from restaurant.providers.factory import ProviderDeps, UnconfiguredProvider, provider_for
from restaurant.providers.timeouts import Timeouts
from restaurant.tools.context import Restaurant, ToolContext

log = logging.getLogger("restaurant")

_EVERY = 6 * 3600.0
"""Seconds between two deletions of old bookings."""


@dataclass
class RestaurantService:
    """The service that all routes use."""

    desk: ToolContext
    doors: SharedSecretAuth
    database: Database
    keep_days: int
    max_body: int
    controls: bool
    proven_callers: bool = False
    """Whether a message of Vapi's without a number may access no booking."""

    async def purge(self, now: datetime | None = None) -> dict[str, int | None]:
        """Delete every restaurant's bookings of days before today minus `IQ_RESTAURANT_KEEP_DAYS`. Return the number by
        restaurant; None if the provider's own rules apply. `now`: aware; else by the clock. Raises
        `ProviderUnavailableError` that names the restaurants whose provider failed, once all others are done."""
        found, failed = {}, []
        for restaurant_id, restaurant in self.desk.restaurants.items():
            today = (now.astimezone(restaurant.kb.zone) if now is not None else restaurant.now()).date()
            try:
                found[restaurant_id] = await restaurant.provider.purge(today - timedelta(days=self.keep_days))
            except ProviderError as error:
                # An unavailable provider must not keep the other restaurants' data from being deleted.
                failed.append(f"{restaurant_id}: {error}")
            except Exception as error:
                # The same for an unexpected error, whose text may quote a guest.
                failed.append(f"{restaurant_id}: {type(error).__name__}")
        if failed:
            raise ProviderUnavailableError("; ".join(failed))
        return found

    async def keep_forgetting(self) -> None:
        """Purge now and every few hours, until cancelled. Not while the clock is stopped, because bookings of a
        simulated day would count as old."""
        while True:
            if self.desk.clock.real and not self.controls:
                try:
                    await self.purge(datetime.now(UTC))
                except ProviderError as error:
                    log.warning("bookings that are over could not be purged: %s", error)
            await asyncio.sleep(_EVERY)

    async def close(self) -> None:
        """Close all providers and connections."""
        for restaurant in self.desk.restaurants.values():
            with suppress(ProviderError):
                await restaurant.provider.close()
        self.database.close()


def assemble(
    settings: Settings, environment: Mapping[str, str] | None = None, timeouts: Timeouts | None = None
) -> RestaurantService:
    """Return the service of the settings; `timeouts` is that of `ProviderDeps`. Raises `KnowledgeError`, and
    `MissingSecretError` if it would listen beyond this machine without a secret."""
    refuse_open_door(settings.restaurant_host, settings.restaurant_secret)
    database = sheet_database(sheet_url(settings.restaurant_database, settings.data))
    around = ProviderDeps(database, environment if environment is not None else Environment(), timeouts)
    clock = Clock(read_moment(settings.restaurant_clock) if settings.restaurant_clock else None)
    looks = (timeouts or Timeouts()).looks
    restaurants = {
        restaurant_id: Restaurant(kb, provider_for(kb, around, settings.restaurant_provider), clock, looks=looks)
        for restaurant_id, kb in read_folder(settings.restaurant_kb).items()
    }
    for restaurant_id, restaurant in restaurants.items():
        if isinstance(restaurant.provider, UnconfiguredProvider):
            log.warning("%s is served without its bookings: %s", restaurant_id, restaurant.provider.why)
    return RestaurantService(
        ToolContext(restaurants, clock),
        SharedSecretAuth(settings.restaurant_secret),
        database,
        settings.restaurant_keep_days,
        settings.max_body,
        settings.restaurant_controls,
        settings.restaurant_proven_callers,
    )
