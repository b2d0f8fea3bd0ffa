"""Which provider keeps a restaurant's bookings: the one its knowledge base names, or one set for all (a rehearsal).

A provider joins by a line in `MAKERS`. One that is named and cannot be made answers every call with
`NotConfiguredError`: the other restaurants are served all the same.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NoReturn

from infra.ledger.database import Database
from restaurant.knowledge import KnowledgeBase
from restaurant.providers import octotable, resos
from restaurant.providers.database import DatabaseProvider
from restaurant.providers.errors import NotConfiguredError
from restaurant.providers.patience import Patience
from restaurant.providers.protocol import Admit, Booking, NewBooking, Provider
from restaurant.providers.settings import Told


@dataclass(frozen=True)
class Surroundings:
    """What providers are made of beside the knowledge base."""

    database: Database
    """Of the embedded sheet."""
    environment: Mapping[str, str]
    """Where keys of providers' systems are; never in a knowledge base."""
    patience: Patience | None = None
    """Of whoever asks other people's systems; each provider's own where None."""


Maker = Callable[[KnowledgeBase, Surroundings], Provider]
"""Makes one restaurant's provider. Raises `NotConfiguredError` naming the key or option that is missing."""


def _sheets(kb: KnowledgeBase, around: Surroundings) -> Provider:
    # Google's libraries take a quarter of a second to load, and most restaurants have none of theirs.
    from restaurant.providers import sheets

    return sheets.made(kb, Told(kb, around.environment), around.patience)


MAKERS: dict[str, Maker] = {
    "database": lambda kb, around: DatabaseProvider(around.database, kb.restaurant_id),
    "google_sheets": _sheets,
    "octotable": lambda kb, around: octotable.made(kb, Told(kb, around.environment), around.patience),
    "resos": lambda kb, around: resos.made(kb, Told(kb, around.environment), around.patience),
}


def provider_of(kb: KnowledgeBase, around: Surroundings, instead: str | None = None) -> Provider:
    """The provider of a restaurant; `instead` is a name to use whatever the knowledge base says."""
    name = instead or kb.provider
    maker = MAKERS.get(name)
    if maker is None:
        return Unconfigured(name, f"the provider {name} is not part of this service")
    try:
        return maker(kb, around)
    except NotConfiguredError as error:
        return Unconfigured(name, str(error))


class Unconfigured:
    """Stands for a provider that cannot be asked. Implements `Provider`."""

    server_decides = False

    def __init__(self, name: str, why: str) -> None:
        self.name = name
        self.why = why

    async def create(self, wanted: NewBooking, admit: Admit) -> Booking:
        """Raises `NotConfiguredError`."""
        self._refuse()

    async def of_phone(self, phone: str, since: date) -> list[Booking]:
        """Raises `NotConfiguredError`."""
        self._refuse()

    async def of_day(self, day: date) -> list[Booking]:
        """Raises `NotConfiguredError`."""
        self._refuse()

    async def by_id(self, booking_id: str) -> Booking:
        """Raises `NotConfiguredError`."""
        self._refuse()

    async def change(self, before: Booking, after: Booking, admit: Admit) -> Booking:
        """Raises `NotConfiguredError`."""
        self._refuse()

    async def cancel(self, booking_id: str) -> None:
        """Raises `NotConfiguredError`."""
        self._refuse()

    async def purge(self, before: date) -> int | None:
        """None: there is nothing of ours."""
        return None

    async def close(self) -> None:
        """Nothing to give back."""

    def _refuse(self) -> NoReturn:
        raise NotConfiguredError(self.why)
