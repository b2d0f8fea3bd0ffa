"""Chooses the provider of a restaurant's bookings: the one its knowledge base names, or one set for all (a rehearsal).

A provider is added by a line in `MAKERS`. One that cannot be created answers every call with `NotConfiguredError`, so
that the other restaurants are still served.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NoReturn

from infra.ledger.database import Database
from restaurant.knowledge import KnowledgeBase
from restaurant.providers.config import ProviderConfig
from restaurant.providers.database import DatabaseProvider
from restaurant.providers.errors import NotConfiguredError
from restaurant.providers.octotable import provider as octotable
from restaurant.providers.protocol import Admit, Booking, NewBooking, Provider
from restaurant.providers.resos import provider as resos
from restaurant.providers.timeouts import Timeouts


@dataclass(frozen=True)
class ProviderDeps:
    """What providers need beside the knowledge base."""

    database: Database
    """The database of the embedded sheet."""
    environment: Mapping[str, str]
    """The keys of providers' systems; never in a knowledge base."""
    timeouts: Timeouts | None = None
    """Timeouts of providers with remote servers; each provider's default if None."""


Maker = Callable[[KnowledgeBase, ProviderDeps], Provider]
"""Creates one restaurant's provider. Raises `NotConfiguredError` that names the missing key or option."""


def _sheets(kb: KnowledgeBase, around: ProviderDeps) -> Provider:
    # Google's libraries take a quarter of a second to load, and most restaurants do not use them.
    from restaurant.providers import sheets

    return sheets.made(kb, ProviderConfig(kb, around.environment), around.timeouts)


MAKERS: dict[str, Maker] = {
    "database": lambda kb, around: DatabaseProvider(around.database, kb.restaurant_id),
    "google_sheets": _sheets,
    "octotable": lambda kb, around: octotable.made(kb, ProviderConfig(kb, around.environment), around.timeouts),
    "resos": lambda kb, around: resos.made(kb, ProviderConfig(kb, around.environment), around.timeouts),
}


def provider_for(kb: KnowledgeBase, around: ProviderDeps, instead: str | None = None) -> Provider:
    """Return the provider of a restaurant. `instead` overrides the name in the knowledge base."""
    name = instead or kb.provider
    maker = MAKERS.get(name)
    if maker is None:
        return UnconfiguredProvider(name, f"the provider {name} is not part of this service")
    try:
        return maker(kb, around)
    except NotConfiguredError as error:
        return UnconfiguredProvider(name, str(error))


class UnconfiguredProvider:
    """Replaces a provider that cannot be created. Implements `Provider`."""

    server_decides = False

    def __init__(self, name: str, why: str) -> None:
        self.name = name
        self.why = why

    async def create(self, wanted: NewBooking, admit: Admit) -> Booking:
        """Raise `NotConfiguredError`."""
        self._refuse()

    async def of_phone(self, phone: str, since: date) -> list[Booking]:
        """Raise `NotConfiguredError`."""
        self._refuse()

    async def of_day(self, day: date) -> list[Booking]:
        """Raise `NotConfiguredError`."""
        self._refuse()

    async def by_id(self, booking_id: str) -> Booking:
        """Raise `NotConfiguredError`."""
        self._refuse()

    async def change(self, before: Booking, after: Booking, admit: Admit) -> Booking:
        """Raise `NotConfiguredError`."""
        self._refuse()

    async def cancel(self, booking_id: str) -> None:
        """Raise `NotConfiguredError`."""
        self._refuse()

    async def purge(self, before: date) -> int | None:
        """Return None: it has no data to delete."""
        return None

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _refuse(self) -> NoReturn:
        raise NotConfiguredError(self.why)
