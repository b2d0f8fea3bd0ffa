"""How a venue's day is read: `day` in `venue.yaml` names a look-up of the pack, and what it is called with."""

from collections.abc import Collection, Mapping
from pathlib import Path

from contracts.action import AtomicAction, Finding
from contracts.base import Value
from contracts.enums import ParameterRole
from contracts.venue import DayRead, VenueProfile
from registry.arguments import argument_problems
from registry.faults import UnrenderableError, nearest
from registry.findings import Findings
from registry.templates import render_fields
from registry.venue_file import DayOverlay, VenueFile
from registry.yaml_file import read_yaml

_SOME_DAYS = ("2026-11-28", "2026-12-01")
_WHERE = "venue.yaml: day.with"


def day_of(
    venue: VenueFile, folder: Path, profile: VenueProfile, actions: Mapping[str, AtomicAction], skipped: Collection[str]
) -> tuple[DayRead | None, list[Finding]]:
    """The read of a day by one of these actions, or None; and what is wrong with what the file says of it. `skipped`
    names those that there would be."""
    findings = Findings(read_yaml(folder / "venue.yaml"), f"{folder.name}/venue.yaml", None)
    found = _checked(venue.day, profile, actions, skipped, findings) if venue.day is not None else None
    return None if findings.fatal else found, findings.rows


def day_arguments(read: DayRead, date: str, profile: VenueProfile) -> dict[str, Value]:
    """What the look-up is called with for a day, YYYY-MM-DD. Raises UnrenderableError."""
    return render_fields(read.arguments, {"date": date, "venue": profile.model_dump(mode="json")}, _WHERE)


def _checked(
    written: DayOverlay,
    profile: VenueProfile,
    actions: Mapping[str, AtomicAction],
    skipped: Collection[str],
    findings: Findings,
) -> DayRead | None:
    action = actions.get(written.action)
    if action is None:
        hint = "look at its own file" if written.action in skipped else nearest(written.action, actions)
        findings.error(("day", "action"), f"no action in use is called {written.action}", hint)
        return None
    if not action.read_only or action.output.candidates is None:
        finding = [name for name, one in actions.items() if one.read_only and one.output.candidates is not None]
        hint = f"write one of {', '.join(finding)}" if finding else "give a look-up `output.candidates`"
        findings.error(("day", "action"), f"{action.name} finds no bookings", hint)
        return None
    days = [p.name for p in action.with_role(ParameterRole.DATE)]
    if not written.inputs and len(days) != 1:
        said = f"{action.name} has {len(days) or 'no'} parameters with the role date"
        findings.error(("day",), said, 'say what it is called with: `with: {from: "{{ date }}", to: "{{ date }}"}`')
        return None
    read = DayRead(action=action.name, arguments=written.inputs or {days[0]: "{{ date }}"})
    _try(read, action, profile, findings)
    return read


def _try(read: DayRead, action: AtomicAction, profile: VenueProfile, findings: Findings) -> None:
    """Call it for some day, without sending anything."""
    try:
        called, again = (day_arguments(read, day, profile) for day in _SOME_DAYS)
        if called == again:
            findings.error(("day", "with"), "nothing takes the day", 'write "{{ date }}" where it goes')
        for problem in argument_problems(action, called)[:1]:
            findings.error(("day", "with"), problem)
    except UnrenderableError as fault:
        findings.error(("day", "with"), fault.reason)
