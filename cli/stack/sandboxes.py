"""The simulations of venues' systems, by the pack whose API each of them simulates."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from starlette.types import ASGIApp

from cli.stack import restaurant
from infra.config.settings import Settings
from sandbox import bookeo, calendar, roller


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A simulation: its name, and how its app is made. `data` is a folder for its state, `controls` whether tests and
    the demo may make it misbehave. `port` is its offset from the stack's base; `keys` are the values of the pack's
    variables at sign-in. `tries` are example requests about its bookings, by language. `kind` describes it on the
    terminal, `page` is its address in a browser."""

    title: str
    port: int
    create: Callable[[Path, bool], ASGIApp]
    keys: Mapping[str, str] = field(default_factory=dict)
    tries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kind: str = "a sandbox: simulated"
    page: str = ""

    def tries_in(self, locale: str) -> tuple[str, ...]:
        """Return the example requests for a venue of this locale, as "it-IT"; none if its language has none."""
        return self.tries.get(locale[:2].lower(), ())


def _roller(data: Path, controls: bool) -> ASGIApp:
    return roller.create_app(database=data / "roller.db", controls=controls)


def _bookeo(data: Path, controls: bool) -> ASGIApp:
    return bookeo.create_app(database=data / "bookeo.db", controls=controls)


def _calendar(data: Path, controls: bool) -> ASGIApp:
    return calendar.create_app(database=data / "calendar.db", controls=controls)


_BOOKEO_KEYS = {"BOOKEO_API_KEY": bookeo.API_KEY, "BOOKEO_SECRET_KEY": bookeo.SECRET_KEY}
_ROLLER_TRIES = {
    "en": (
        "move John Smith's party to Saturday at 3pm",
        "change Emma's booking to 6 guests",
        "cancel Emma Wilson's booking",
    ),
    "it": (
        "sposta la festa di John Smith a sabato alle 15",
        "porta la prenotazione di Emma a 6 ospiti",
        "annulla la prenotazione di Emma Wilson",
    ),
}
_CALENDAR_TRIES = {
    "en": (
        "i want a meeting with Aviad on Wednesday at 14:00",
        "i want a meeting with Aviad tomorrow at 2pm",
        "i want a meeting with Aviad on Tuesday at 3pm",
    ),
    "it": (
        "vorrei un incontro con Aviad mercoledì alle 14",
        "vorrei un incontro con Aviad domani alle 14",
        "vorrei un incontro con Aviad martedì alle 15",
    ),
}
_RESTAURANT_TRIES = {
    "en": (
        "move Mario Rossi's table to 9pm",
        "make Anna Bianchi's booking 5 people",
        "cancel Luca Verdi's booking",
    ),
    "it": (
        "sposta il tavolo di Mario Rossi alle 21",
        "porta la prenotazione di Anna Bianchi a 5 persone",
        "annulla la prenotazione di Luca Verdi",
    ),
}
SANDBOXES = {
    "roller": Sandbox("ROLLER", 1, _roller, tries=_ROLLER_TRIES),
    "bookeo": Sandbox("Bookeo", 7, _bookeo, _BOOKEO_KEYS),
    "restaurant": Sandbox(
        "Restaurant",
        2,
        restaurant.create,
        {"IQ_RESTAURANT_SECRET": restaurant.SECRET},
        _RESTAURANT_TRIES,
        f"its staff's page, with invented bookings: any name, password {restaurant.SECRET}",
        f"/staff/{restaurant.PLACE}",
    ),
    "calendar": Sandbox("Calendar", 3, _calendar, tries=_CALENDAR_TRIES),
}


def wanted(settings: Settings) -> Sequence[str]:
    """Return the packs to simulate: those that are served, have a simulation, and have no address set."""
    names = [folder.name for folder in settings.packs]
    return [name for name in names if name in SANDBOXES and name not in settings.venue_urls]
