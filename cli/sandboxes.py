"""The stand-ins for venues' systems, by the pack whose API each of them simulates."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.types import ASGIApp

from infra.settings import Settings
from sandbox import roller


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A stand-in: what it calls itself, and how its app is made. `data` is a folder for its state, `controls` whether
    tests and the demo may make it misbehave."""

    title: str
    create: Callable[[Path, bool], ASGIApp]


def _roller(data: Path, controls: bool) -> ASGIApp:
    return roller.create_app(database=data / "roller.db", controls=controls)


SANDBOXES = {"roller": Sandbox("ROLLER", _roller)}


def wanted(settings: Settings) -> Sequence[str]:
    """The packs to simulate: those that are served, have a stand-in, and were not pointed at an address."""
    names = [folder.name for folder in settings.packs]
    return [name for name in names if name in SANDBOXES and name not in settings.venue_urls]
