"""A provider of each kind with its storage: an embedded database, or the stand-in of its system over real HTTP."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date, time
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from restaurant.capacity import Capacity
from restaurant.knowledge import KnowledgeBase
from restaurant.providers import Admit, Booking, NewBooking, Provider
from restaurant.providers.database import sheet_database
from restaurant.providers.factory import ProviderDeps, provider_for
from restaurant.providers.sheets.client import pace_of
from restaurant.providers.timeouts import Timeouts
from sandbox import octotable, resos, sheets
from tests.integration.sandbox.conftest import serving
from tests.support.ledgers import a_database

KINDS = ("sqlite", "postgresql", "resos", "octotable", "sheets")
REMOTE = ("resos", "octotable", "sheets")
AT_ONCE, STAY = 3, 60
DAY = date(2026, 12, 2)
PHONE = "+393331234567"
UNHURRIED = Timeouts(read=60, write=60)
OPERATIONS = {
    "resos": {"create": "create-booking", "change": "update-booking", "cancel": "update-booking",
              "list": "list-bookings", "one": "get-booking"},
    "octotable": {"create": "create-reservation", "change": "update-reservation", "cancel": "cancel-reservation",
                  "list": "list-reservations", "one": "get-reservation"},
    "sheets": {"create": "values.append", "change": "values.batchUpdate", "cancel": "spreadsheets.batchUpdate",
               "list": "values.get", "one": "values.get"},
}  # fmt: skip
"""What each system calls what a provider does."""
_PROVIDERS = {"sqlite": "database", "postgresql": "database", "sheets": "google_sheets"}


class FullError(Exception):
    """There would be one stay too many."""


class TwiceError(Exception):
    """The phone has a booking at that time."""


def knowledge(kind: str, **more: Any) -> KnowledgeBase:
    """Return a knowledge base with three stays at once of an hour each."""
    dinner = {"dinner": ["19:00", "23:00"]}
    return KnowledgeBase.model_validate({
        "restaurant_id": "prova", "name": "Prova", "address": "Via Prova 1", "phone": "+390612345678",
        "provider": _PROVIDERS.get(kind, kind), "cutoff_minutes": 30, "max_people": 8,
        "max_concurrent_bookings": AT_ONCE, "avg_stay_minutes": STAY,
        "openings": {"wednesday": dinner, "thursday": dinner}, **more,
    })  # fmt: skip


def a_booking(at: str = "20:00", phone: str = PHONE, **more: Any) -> NewBooking:
    """Return a new booking with a key of its own."""
    return NewBooking(
        **{"key": uuid4().hex, "day": DAY, "people": 2, "name": "Mario Rossi", "phone": phone, **more},
        time=time.fromisoformat(at),
    )


def admitting(wanted: NewBooking | Booking, without: str | None = None) -> Admit:
    """Return the service's rule: no guest twice, no more stays than there are tables."""

    def admit(bookings: Sequence[Booking]) -> None:
        others = [one for one in bookings if one.live and one.booking_id != without]
        if any((one.phone, one.day, one.time) == (wanted.phone, wanted.day, wanted.time) for one in others):
            raise TwiceError
        if Capacity(AT_ONCE, STAY).full(wanted.time.hour * 60 + wanted.time.minute, others):
            raise FullError

    return admit


@dataclass
class Bench:
    """The storage of one kind. `provider` opens it like one more process; the bench closes all of them."""

    kind: str
    environment: dict[str, str]
    options: dict[str, Any] = field(default_factory=dict)
    url: str = ""
    control: httpx.Client | None = None
    opened: list[Any] = field(default_factory=list)

    @property
    def remote(self) -> bool:
        """Return whether it is a third party's system."""
        return self.kind in REMOTE

    def provider(self, patience: Timeouts = UNHURRIED, **environment: str) -> Provider:
        """Return a provider as a process of its own has it."""
        database = sheet_database(self.url or "sqlite://")
        kb = knowledge(self.kind, provider_options=self.options)
        made = provider_for(kb, ProviderDeps(database, {**self.environment, **environment}, patience))
        self.opened.append((made, database))
        return made

    async def create(self, provider: Provider, wanted: NewBooking) -> Booking:
        """Create the booking under the service's rule."""
        return await provider.create(wanted, admitting(wanted))

    async def change(self, provider: Provider, before: Booking, after: Booking) -> Booking:
        """Change the booking under the service's rule."""
        return await provider.change(before, after, admitting(after, after.booking_id))

    def fault(self, what: str, effect: str, **more: Any) -> None:
        """Let the next request of a kind fail ("create", "list", … or "*")."""
        assert self.control is not None
        operation = OPERATIONS[self.kind].get(what, what)
        answer = self.control.post("/_sandbox/faults", json={"operation": operation, "effect": effect, **more})
        assert answer.status_code == 201, answer.text

    def mended(self) -> None:
        """Clear all faults."""
        assert self.control is not None
        self.control.delete("/_sandbox/faults")

    def requests(self) -> dict[str, int]:
        """Return the number of requests by operation."""
        assert self.control is not None
        counted: dict[str, int] = self.control.get("/_sandbox/requests").json()
        return counted

    def reset(self) -> None:
        """Empty it."""
        if self.control is not None:
            self.control.post("/_sandbox/reset")
            self.control.delete("/_sandbox/requests")
        pace_of.cache_clear()

    async def close(self) -> None:
        """Close all providers opened since the last time."""
        while self.opened:
            made, database = self.opened.pop()
            await made.close()
            database.close()


@contextmanager
def a_bench(kind: str, folder: Path, **options: Any) -> Iterator[Bench]:
    """Open the storage of a kind; `options` are its sandbox's."""
    with ExitStack() as stack:
        if kind == "sqlite":
            yield Bench(kind, {}, url=f"sqlite:///{folder / 'restaurant.db'}")
            return
        if kind == "postgresql":
            yield Bench(kind, {}, url=stack.enter_context(a_database()))
            return
        app, environment, chosen = _SANDBOXES[kind](folder, options)
        address = stack.enter_context(serving(app))
        control = stack.enter_context(httpx.Client(base_url=address, timeout=60, verify=False))
        yield Bench(kind, {name: text.format(address) for name, text in environment.items()}, chosen, control=control)


def _resos(folder: Path, options: dict[str, Any]) -> Any:
    given = {"seats": (8,) * AT_ONCE, "stay": STAY, **options}
    app = resos.create_app(database=folder / "resos.db", controls=True, **given)
    return app, {"IQ_RESOS_KEY": resos.API_KEY, "IQ_RESOS_URL": "{}/v1"}, {}


def _octotable(folder: Path, options: dict[str, Any]) -> Any:
    app = octotable.create_app(database=folder / "octotable.db", controls=True, **options)
    environment = {
        "IQ_OCTOTABLE_URL": "{}" + octotable.PATH,
        "IQ_OCTOTABLE_AUTH_URL": "{}" + octotable.AUTH_PATH,
        "IQ_OCTOTABLE_CLIENT_ID": octotable.CLIENT_ID,
        "IQ_OCTOTABLE_CLIENT_SECRET": octotable.CLIENT_SECRET,
    }
    return app, environment, {"property_id": octotable.PROPERTY}


def _sheets(folder: Path, options: dict[str, Any]) -> Any:
    # Dozens of tests in a minute exceed one user's quota; quotas have tests of their own.
    given = {"user_quota": 10**6, "project_quota": 10**6, **options}
    app = sheets.create_app(database=folder / "sheets.db", controls=True, **given)
    return app, {"IQ_SHEETS_URL": "{}", "IQ_SHEETS_TOKEN": "somebody"}, {"spreadsheet_id": sheets.SPREADSHEET}


_SANDBOXES: dict[str, Callable[[Path, dict[str, Any]], Any]] = {
    "resos": _resos,
    "octotable": _octotable,
    "sheets": _sheets,
}
