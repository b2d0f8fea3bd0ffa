"""What of `venue.yaml` the actions of a pack use, and what nobody does: most likely a typing error."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from contracts.action import AtomicAction, Finding
from language.nouns import DEFAULTS
from registry.credentials import Entry, variables_of
from registry.faults import nearest
from registry.venue_file import VenueFile


def variables_used(venue: VenueFile, actions: Iterable[AtomicAction]) -> tuple[str, ...]:
    """The variables that must be set where requests are sent from: the file's, and those of single overlays."""
    own = (a.operation.access.bound for a in actions if a.operation.access is not None)
    return tuple(sorted({*variables_of(venue.secrets), *(name for bound in own for name in variables_of(bound))}))


def unused(venue: VenueFile, folder: Path, entry: Entry, actions: Iterable[AtomicAction]) -> list[Finding]:
    """Findings for what `bound` gives and no call takes, and for words that no action speaks of."""
    return [*_idle(venue, folder, entry), *_unspoken(venue, folder, list(actions))]


def _idle(venue: VenueFile, folder: Path, entry: Entry) -> Iterator[Finding]:
    for target in venue.bound:
        if target not in entry.used:
            yield Finding(
                level="warning",
                file=f"{folder.name}/venue.yaml",
                pointer=f"bound.{target}",
                message=f"bound.{target}: no call of this pack takes it",
                hint="look at its name in the API document",
            )


def _unspoken(venue: VenueFile, folder: Path, actions: list[AtomicAction]) -> Iterator[Finding]:
    ours = {*DEFAULTS, *(p.thing for a in actions for p in a.parameters), *(a.output.thing for a in actions)}
    for kind in venue.words:
        if kind not in ours:
            message = f"words.{kind}: no action speaks of it"
            yield Finding(level="warning", file=f"{folder.name}/venue.yaml", message=message, hint=nearest(kind, ours))
