"""The whole stack at a moment and with bookings of one's choice: what chats of a case file are played on.

Everything is real but the venue, which is the sandbox, and the clock of what is asked of a model and of the venue's
words; timers, deadlines and time-outs keep to the machine's.
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

from activities.drafting import Drafting
from activities.lookups import LookUps
from activities.model import Model
from cli.dev import Ports, Stack
from cli.serving import Workers, activities_of
from clients.services import Services
from evals.tally import BadCasesError
from infra.settings import Settings
from sandbox import roller
from sandbox.roller.rehearsal import Rehearsed, rehearsed

_CLOCKED = (Model.reason, LookUps.look_up, Drafting.draft)
"""What is told the time by its request."""


_SATURDAY = datetime(2026, 11, 21, 10, 0)
_VENUES = {
    "en": {"locale": "en-AU", "time_zone": "Australia/Melbourne", "country": "AU"},
    "it": {"locale": "it-IT", "time_zone": "Europe/Rome", "country": "IT"},
}
"""Where and when the cases are typed (`../shared/cases/README.md`)."""


@dataclass(frozen=True, slots=True)
class Scene:
    """`now` is aware; `bookings` are all there are."""

    now: datetime
    time_zone: str
    bookings: tuple[Rehearsed, ...]


def scene_for(language: str, bookings: tuple[Rehearsed, ...]) -> Scene:
    """The moment at which chats of this language are typed."""
    zone = _VENUES[language]["time_zone"]
    return Scene(_SATURDAY.replace(tzinfo=ZoneInfo(zone)), zone, bookings)


def pack_for(language: str, pack: Path, folder: Path) -> Path:
    """A copy of a pack below `folder`, at the venue where this language is spoken."""
    copy = Path(shutil.copytree(pack, folder / "overlays" / pack.name))
    yaml, file = YAML(), copy / "venue.yaml"
    rows = yaml.load(file)
    rows.update(_VENUES[language])
    rows["opening_hours"] = {"opens": "09:00", "closes": "20:00"}
    with file.open("w") as out:
        yaml.dump(rows, out)
    return copy


class RehearsalStack(Stack):
    """A stack at another time, over bookings of its own."""

    def __init__(self, settings: Settings, ports: Ports, scene: Scene) -> None:
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
        found = [_told(a, self._ahead) if a.__name__ in names else a for a in activities_of(services)]
        return Workers(services, client, grace=grace, activities=found)


def _told(method: Callable[..., Any], ahead: timedelta) -> Callable[..., Any]:
    """The same activity, told another time."""

    @functools.wraps(method)
    async def told(request: Any) -> Any:
        return await method(request.model_copy(update={"now": request.now + ahead}))

    definition = getattr(method, "__temporal_activity_definition", None)
    name = definition.name if definition else method.__name__
    del told.__dict__["__temporal_activity_definition"]
    return activity.defn(name=name)(told)


def bookings_beside(cases: Path) -> tuple[Rehearsed, ...]:
    """The bookings of a case file: `NAME-bookings.json` beside NAME.jsonl; single requests may share those of the chats
    of the same number; else `dialogues-bookings.json`. Raises `BadCasesError`."""
    names = (cases.stem, cases.stem.replace("requests", "dialogues"), "dialogues")
    beside = [cases.with_name(f"{name}-bookings.json") for name in names]
    path = next((one for one in beside if one.exists()), beside[-1])
    try:
        rows = json.loads(path.read_text())
        return tuple(
            Rehearsed(
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
        raise BadCasesError(f"{path}: {error.strerror}: the bookings stand beside the cases") from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadCasesError(f"{path}: not a list of bookings: {error!r}") from None
