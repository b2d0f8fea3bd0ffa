"""Preflight: obstacles that are known before a plan is shown (no change, a time in the past, the venue closed, the
booking already begun). The operator gets the obstacle instead of a plan that cannot work."""

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
from language.dates.times import instants
from language.messages.catalogue import translate
from language.text.invisible import shown
from reasoning.grounding.grounding import policy_of

_OF_ITS_DAY = (ParameterRole.DATE, ParameterRole.TIME, ParameterRole.COUNT)
"""What can only be changed before the day. A name or a note may be corrected later."""


def find_obstacle(
    action: AtomicAction,
    arguments: Mapping[str, Json],
    booking: BookingSummary | None,
    now: datetime,
    venue: VenueProfile,
) -> str | None:
    """Return why a step cannot work, in words for the operator; None if no obstacle is known. `now` is local to the
    venue."""
    touched = [r for r in _OF_ITS_DAY if any(arguments.get(p.name) is not None for p in action.with_role(r))]
    whom = booking_label(booking)
    at = _moment(booking.date, booking.start_time) if booking else None
    if at is not None and at < now.replace(tzinfo=None) and (touched or action.safety is SafetyTier.HIGH_RISK):
        began = at.time() if booking and booking.start_time else None
        return translate("preflight.over", whom=whom, when=_label(at.date(), began, now, venue))
    day, start = _value_text(action, arguments, ParameterRole.DATE), _value_text(action, arguments, ParameterRole.TIME)
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
        theirs = _value_text(action, arguments, ParameterRole.TIME_ZONE) not in (None, venue.time_zone)
        zone = venue.time_zone.replace("_", " ") if theirs else ""
        at_clock = time_label(target.time(), venue.locale)
        return translate("preflight.closed", time=at_clock, zone=zone, opens=opens, closes=closes)
    return None


def dst_gap_error(
    action: AtomicAction,
    arguments: Mapping[str, Json],
    booking: BookingSummary | None,
    now: datetime,
    venue: VenueProfile,
) -> str | None:
    """Return that the requested time is skipped by the change to daylight saving time, in words for the operator; None
    if the time exists. Needs no look-up."""
    day, start = _value_text(action, arguments, ParameterRole.DATE), _value_text(action, arguments, ParameterRole.TIME)
    on = day or (booking.date if booking else None)
    clock = start or (booking.start_time if booking else None)
    wall = _moment(on, clock) if clock and (day or start) else None
    theirs = _value_text(action, arguments, ParameterRole.TIME_ZONE)
    if wall is None or instants(wall.date(), wall.time(), ZoneInfo(theirs or venue.time_zone)):
        return None
    zone = theirs.replace("_", " ") if theirs and theirs != venue.time_zone else ""
    return translate("preflight.never_comes", when=_label(wall.date(), wall.time(), now, venue), zone=zone)


def is_no_op(preview: Sequence[PreviewLine]) -> bool:
    """Return whether a step would leave everything it changes (`registry.intended_lines`) as it is, as far as known."""
    items = [line for line in preview if line.before is not None]
    return bool(items) and all(line.before == line.after for line in preview)


def no_change_text(booking: BookingSummary | None, preview: Sequence[PreviewLine], asked: Mapping[str, Json]) -> str:
    """Return the text that a step would change nothing, with the current values of what was `asked` for."""
    values = {str(value) for value in asked.values()}
    line = next((line for line in preview if line.after in values), None)
    line = line or next((line for line in preview if line.after), preview[0])
    return translate("preflight.already", whom=booking_label(booking), field=line.field, value=line.after)


def in_flux(booking: BookingSummary | None) -> str:
    """Return the text that the booking may still be changing, so no plan can be based on it."""
    return translate("preflight.in_flux", whom=booking_label(booking))


def booking_label(booking: BookingSummary | None) -> str:
    """Return the label of a booking for an operator."""
    if booking is None:
        return ""
    name = shown(booking.guest_name or booking.label)
    return f"{name} ({booking.reference})" if name and booking.reference else name or booking.reference


def _value_text(action: AtomicAction, arguments: Mapping[str, Json], role: ParameterRole) -> str | None:
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
    """Convert a moment given in another time zone to the venue's clock."""
    zone = _value_text(action, arguments, ParameterRole.TIME_ZONE)
    if moment is None or zone is None:
        return moment
    return moment.replace(tzinfo=ZoneInfo(zone)).astimezone(ZoneInfo(venue.time_zone)).replace(tzinfo=None)


def _passed(day: date, at: time | None, now: datetime, venue: VenueProfile) -> str:
    return translate("preflight.passed", when=_label(day, at, now, venue))


def _label(day: date, at: time | None, now: datetime, venue: VenueProfile) -> str:
    return day_and_time_label(day, at, venue.locale, today=now.date())
