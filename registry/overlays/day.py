"""The read of a venue's day: `day` in `venue.yaml` names a look-up of the pack and its arguments."""

from collections.abc import Collection, Mapping
from pathlib import Path

from contracts.action import AtomicAction, Finding
from contracts.base import Value
from contracts.enums import ParameterRole
from contracts.venue import DayQuery, VenueProfile
from registry.errors import TemplateRenderError, did_you_mean
from registry.overlays.findings import Findings
from registry.overlays.venue import DayOverlay, VenueFile
from registry.overlays.yaml_file import read_yaml
from registry.templating.templates import render_fields
from registry.tools.arguments import argument_problems

_SOME_DAYS = ("2026-11-28", "2026-12-01")
_WHERE = "venue.yaml: day.with"


def day_of(
    venue: VenueFile, folder: Path, profile: VenueProfile, actions: Mapping[str, AtomicAction], skipped: Collection[str]
) -> tuple[DayQuery | None, list[Finding]]:
    """Return the read of a day by one of these actions, or None; and the findings about the file's entry. `skipped`
    names the actions that failed to compile."""
    findings = Findings(read_yaml(folder / "venue.yaml"), f"{folder.name}/venue.yaml", None)
    found = _checked(venue.day, profile, actions, skipped, findings) if venue.day is not None else None
    return None if findings.fatal else found, findings.rows


def day_arguments(read: DayQuery, date: str, profile: VenueProfile) -> dict[str, Value]:
    """Return the look-up's arguments for a day, YYYY-MM-DD. Raises TemplateRenderError."""
    return render_fields(read.arguments, {"date": date, "venue": profile.model_dump(mode="json")}, _WHERE)


def _checked(
    written: DayOverlay,
    profile: VenueProfile,
    actions: Mapping[str, AtomicAction],
    skipped: Collection[str],
    findings: Findings,
) -> DayQuery | None:
    action = actions.get(written.action)
    if action is None:
        hint = "look at its own file" if written.action in skipped else did_you_mean(written.action, actions)
        findings.error(("day", "action"), f"no action in use is called {written.action}", hint)
        return None
    if not action.read_only or action.output.candidates is None:
        finding = [name for name, one in actions.items() if one.read_only and one.output.candidates is not None]
        hint = f"write one of {', '.join(finding)}" if finding else "give a look-up `output.candidates`"
        findings.error(("day", "action"), f"{action.name} finds no bookings", hint)
        return None
    days = [p.name for p in action.with_role(ParameterRole.DATE)]
    if not written.inputs and len(days) != 1:
        text = f"{action.name} has {len(days) or 'no'} parameters with the role date"
        findings.error(("day",), text, 'say what it is called with: `with: {from: "{{ date }}", to: "{{ date }}"}`')
        return None
    read = DayQuery(action=action.name, arguments=written.inputs or {days[0]: "{{ date }}"})
    _try(read, action, profile, findings)
    return read


def _try(read: DayQuery, action: AtomicAction, profile: VenueProfile, findings: Findings) -> None:
    """Build the request for some day, without sending it."""
    try:
        called, again = (day_arguments(read, day, profile) for day in _SOME_DAYS)
        if called == again:
            findings.error(("day", "with"), "nothing takes the day", 'write "{{ date }}" where it goes')
        for problem in argument_problems(action, called)[:1]:
            findings.error(("day", "with"), problem)
    except TemplateRenderError as fault:
        findings.error(("day", "with"), fault.reason)
