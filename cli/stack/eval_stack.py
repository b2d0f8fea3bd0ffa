"""The whole stack at a chosen moment and with chosen bookings, for the chats of a case file.

Everything is real except the venue, which is the sandbox, and the clock of model requests and the venue's texts;
timers, deadlines and timeouts use the machine's clock.
"""

import functools
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ruamel.yaml import YAML
from starlette.types import ASGIApp
from temporalio import activity
from temporalio.client import Client

from activities.drafting.activity import DraftActivity
from activities.look_up import LookUpActivity
from activities.reason import ReasonActivity
from cli.stack.dev import Ports, Stack
from cli.stack.worker import Workers, activities_of
from clients.services import Services
from evals.scorecard import BadCasesError
from infra.config.settings import Settings
from sandbox import roller
from sandbox.roller.seed.fixtures import FixtureBooking, rehearsed

_CLOCKED = (ReasonActivity.reason, LookUpActivity.look_up, DraftActivity.draft)
"""Activities whose request has the time."""


_SATURDAY = datetime(2026, 11, 21, 10, 0)
_VENUES = {
    "en": {"locale": "en-AU", "time_zone": "Australia/Melbourne", "country": "AU"},
    "it": {"locale": "it-IT", "time_zone": "Europe/Rome", "country": "IT"},
}
"""Where and when the cases are typed (`../shared/cases/README.md`)."""


@dataclass(frozen=True, slots=True)
class EvalScene:
    """`now` is aware; `bookings` are all that exist."""

    now: datetime
    time_zone: str
    bookings: tuple[FixtureBooking, ...]


def scene_for(language: str, bookings: tuple[FixtureBooking, ...]) -> EvalScene:
    """Return the moment at which chats of this language are typed."""
    zone = _VENUES[language]["time_zone"]
    return EvalScene(_SATURDAY.replace(tzinfo=ZoneInfo(zone)), zone, bookings)


def pack_for(language: str, pack: Path, folder: Path) -> Path:
    """Return a copy of a pack below `folder`, at the venue where this language is spoken."""
    copy = Path(shutil.copytree(pack, folder / "overlays" / pack.name))
    yaml, file = YAML(), copy / "venue.yaml"
    rows = yaml.load(file)
    rows.update(_VENUES[language])
    rows["opening_hours"] = {"opens": "09:00", "closes": "20:00"}
    with file.open("w") as out:
        yaml.dump(rows, out)
    return copy


class EvalStack(Stack):
    """A stack at another time, over bookings of its own."""

    def __init__(self, settings: Settings, ports: Ports, scene: EvalScene) -> None:
        super().__init__(settings, ports, controls=True)
        self._scene = scene
        self._ahead = scene.now - datetime.now(UTC)

    def _venue(self, pack: str) -> ASGIApp:
        assert pack == "roller"
        return roller.create_app(
            database=self.settings.data / "roller.db",
            controls=True,
            time_zone=self._scene.time_zone,
            clock=lambda: datetime.now(UTC) + self._ahead,
            seeding=rehearsed(self._scene.bookings),
        )

    def _worker(self, services: Services, client: Client, grace: float) -> Workers:
        names = {method.__name__ for method in _CLOCKED}
        found = [_at_time(a, self._ahead) if a.__name__ in names else a for a in activities_of(services)]
        return Workers(services, client, grace=grace, activities=found)


def _at_time(method: Callable[..., Any], ahead: timedelta) -> Callable[..., Any]:
    """Return the same activity with another time."""

    @functools.wraps(method)
    async def later(request: Any) -> Any:
        return await method(request.model_copy(update={"now": request.now + ahead}))

    definition = getattr(method, "__temporal_activity_definition", None)
    name = definition.name if definition else method.__name__
    del later.__dict__["__temporal_activity_definition"]
    return activity.defn(name=name)(later)


def bookings_beside(cases: Path) -> tuple[FixtureBooking, ...]:
    """Return the bookings of a case file: `NAME-bookings.json` beside NAME.jsonl; single requests may share those of
    the chats of the same number; else `dialogues-bookings.json`. Raises `BadCasesError`."""
    names = (cases.stem, cases.stem.replace("requests", "dialogues"), "dialogues")
    beside = [cases.with_name(f"{name}-bookings.json") for name in names]
    path = next((one for one in beside if one.exists()), beside[-1])
    try:
        rows = json.loads(path.read_text())
        return tuple(
            FixtureBooking(
                int(r["reference"]),
                r["guest"],
                r["title"],
                r["date"],
                r["time"],
                int(r["guests"]),
                r.get("status") == "cancelled",
            )
            for r in rows
        )
    except OSError as error:
        raise BadCasesError(f"{path}: {error.strerror}: the bookings must be beside the cases") from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadCasesError(f"{path}: not a list of bookings: {error!r}") from None
