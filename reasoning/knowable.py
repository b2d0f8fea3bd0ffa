"""What is known before a plan is shown: that it would change nothing, that its time has passed or the venue is closed
then, that the booking has begun. The operator hears that instead of a plan that cannot help."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole, SafetyTier
from contracts.plan import PreviewLine
from contracts.venue import VenueProfile
from language import day_and_time_label, time_label
from language.catalogue import say
from language.invisible import shown
from language.when.clock import instants
from reasoning.grounding import policy_of

_OF_ITS_DAY = (ParameterRole.DATE, ParameterRole.TIME, ParameterRole.COUNT)
"""What can only be changed before the day; a name or a note may be put right afterwards."""


def hindrance(
    action: AtomicAction,
    arguments: Mapping[str, Json],
    booking: BookingSummary | None,
    now: datetime,
    venue: VenueProfile,
) -> str | None:
    """Why a step cannot be carried out, as is known beforehand, in words for the operator; None when nothing speaks
    against it. `now` is the venue's."""
    touched = [r for r in _OF_ITS_DAY if any(arguments.get(p.name) is not None for p in action.with_role(r))]
    whom = name_of(booking)
    at = _moment(booking.date, booking.start_time) if booking else None
    if at is not None and at < now.replace(tzinfo=None) and (touched or action.safety is SafetyTier.HIGH_RISK):
        began = at.time() if booking and booking.start_time else None
        return say("knowable.over", whom=whom, when=_label(at.date(), began, now, venue))
    day, start = _said(action, arguments, ParameterRole.DATE), _said(action, arguments, ParameterRole.TIME)
    if day is None and start is None:
        return None
    on = day or (booking.date if booking else None)
    clock = start or (booking.start_time if booking else None)
    target = _by_venue(_moment(on, clock), action, arguments, venue) if clock else None
    if target is None:
        last = _moment(on, "23:59")
        return _passed(last.date(), None, now, venue) if last and last.date() < now.date() else None
    if target < now.replace(tzinfo=None):
        return _passed(target.date(), target.time(), now, venue)
    if start is not None and not policy_of(venue).is_open(target.date(), target.time()):
        hours = venue.opening_hours
        opens, closes = time_label(hours.opens, venue.locale), time_label(hours.closes, venue.locale)
        theirs = _said(action, arguments, ParameterRole.TIME_ZONE) not in (None, venue.time_zone)
        zone = venue.time_zone.replace("_", " ") if theirs else ""
        at_clock = time_label(target.time(), venue.locale)
        return say("knowable.closed", time=at_clock, zone=zone, opens=opens, closes=closes)
    return None


def never_comes(
    action: AtomicAction,
    arguments: Mapping[str, Json],
    booking: BookingSummary | None,
    now: datetime,
    venue: VenueProfile,
) -> str | None:
    """That the clocks go forward over the time that is wanted, in words for the operator; None where there is such a
    time. Known without a look, and before one could be made for it."""
    day, start = _said(action, arguments, ParameterRole.DATE), _said(action, arguments, ParameterRole.TIME)
    on = day or (booking.date if booking else None)
    clock = start or (booking.start_time if booking else None)
    wall = _moment(on, clock) if clock and (day or start) else None
    theirs = _said(action, arguments, ParameterRole.TIME_ZONE)
    if wall is None or instants(wall.date(), wall.time(), ZoneInfo(theirs or venue.time_zone)):
        return None
    zone = theirs.replace("_", " ") if theirs and theirs != venue.time_zone else ""
    return say("knowable.never_comes", when=_label(wall.date(), wall.time(), now, venue), zone=zone)


def changes_nothing(preview: Sequence[PreviewLine]) -> bool:
    """Whether what a step is meant to change (`registry.intended_lines`) stays as it is, as far as it is told what is
    there."""
    told = [line for line in preview if line.before is not None]
    return bool(told) and all(line.before == line.after for line in preview)


def already_so(booking: BookingSummary | None, preview: Sequence[PreviewLine], asked: Mapping[str, Json]) -> str:
    """That a step would change nothing, and what there is of what was `asked` for."""
    values = {str(value) for value in asked.values()}
    line = next((line for line in preview if line.after in values), None)
    line = line or next((line for line in preview if line.after), preview[0])
    return say("knowable.already", whom=name_of(booking), field=line.field, value=line.after)


def name_of(booking: BookingSummary | None) -> str:
    """A booking as an operator is told of it."""
    if booking is None:
        return ""
    name = shown(booking.guest_name or booking.label)
    return f"{name} ({booking.reference})" if name and booking.reference else name or booking.reference


def _said(action: AtomicAction, arguments: Mapping[str, Json], role: ParameterRole) -> str | None:
    values = [arguments.get(p.name) for p in action.with_role(role)]
    return next((str(v) for v in values if v is not None), None)


def _moment(day: str | None, clock: str | None) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(day or ""), time.fromisoformat(clock or "23:59"))
    except ValueError:
        return None


def _by_venue(
    moment: datetime | None, action: AtomicAction, arguments: Mapping[str, Json], venue: VenueProfile
) -> datetime | None:
    """The moment on the venue's clock, where it was said by another."""
    zone = _said(action, arguments, ParameterRole.TIME_ZONE)
    if moment is None or zone is None:
        return moment
    return moment.replace(tzinfo=ZoneInfo(zone)).astimezone(ZoneInfo(venue.time_zone)).replace(tzinfo=None)


def _passed(day: date, at: time | None, now: datetime, venue: VenueProfile) -> str:
    return say("knowable.passed", when=_label(day, at, now, venue))


def _label(day: date, at: time | None, now: datetime, venue: VenueProfile) -> str:
    return day_and_time_label(day, at, venue.locale, today=now.date())
