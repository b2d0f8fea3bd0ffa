"""Conversions between instants with an offset, as half of all APIs want them, and the venue's local time, which people
use.

A day and a time are the venue's (`venue.time_zone`); an instant is ISO 8601 with an offset, `Z` or `+02:00` (RFC 3339).
A filter raises ValueError with a message for the author of an overlay, or of the plan that cannot be made.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from jinja2 import pass_context
from jinja2.runtime import Context

from contracts.base import Value

_OFFSET = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}.*([Zz]|[+-]\d{2}(:?\d{2})?)")


def zone_of(context: Context) -> tzinfo:
    """Return the venue's time zone; UTC where the template has no venue."""
    venue = context.get("venue")
    name = str(venue.get("time_zone") or "") if isinstance(venue, Mapping) else ""
    return ZoneInfo(name) if name else UTC


def is_instant(value: object) -> bool:
    """Return whether a value is a day and a time with an offset."""
    return isinstance(value, str) and _OFFSET.fullmatch(value) is not None


def local(value: object, zone: tzinfo) -> object:
    """Return an instant as local day and time of the venue, "2026-11-28T15:00"; anything else unchanged."""
    return _at(value, zone).isoformat()[:16] if is_instant(value) else value


def as_utc(value: object) -> str:
    """Return an instant in UTC, the form in which instants compare as text. Raises ValueError for anything else."""
    return _utc(_read(value))


@pass_context
def instant(context: Context, day: Value, start: Value = None, zone: Value = None) -> str:
    """Return a local day and time of the venue, or of `zone`, as an instant in UTC: "2026-11-28" with "15:00" →
    "2026-11-28T04:00:00Z"."""
    return _utc(_moment(day, start, _named(zone) if zone else zone_of(context)))


def on_clock(value: Value, zone: Value) -> str:
    """Return an instant as local day and time of a zone, "2026-11-28T15:00"."""
    return str(local(as_utc(value), _named(zone)))


@pass_context
def local_instant(context: Context, day: Value, start: Value = None) -> str:
    """Return an instant as `instant` does, with the venue's own offset: "2026-11-28T15:00:00+11:00"."""
    return _moment(day, start, zone_of(context)).isoformat(timespec="seconds")


@pass_context
def day_start(context: Context, value: Value, days: int = 0) -> str:
    """Return the first moment of a local day of the venue, or of the day `days` later, with the venue's own offset. A
    day is not always 24 hours, nor is there always a midnight."""
    zone = zone_of(context)
    try:
        day = date.fromisoformat(str(local(value, zone))[:10]) + timedelta(days=int(days))
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{value!r} is no day (YYYY-MM-DD)") from error
    return datetime.combine(day, time(), zone).astimezone(UTC).astimezone(zone).isoformat(timespec="seconds")


@pass_context
def local_day(context: Context, value: Value) -> str:
    """Return the local day of an instant at the venue, "2026-11-28"."""
    return _at(value, zone_of(context)).date().isoformat()


@pass_context
def local_time(context: Context, value: Value) -> str:
    """Return the local time of an instant at the venue, "15:00"."""
    return f"{_at(value, zone_of(context)):%H:%M}"


@pass_context
def later(context: Context, value: Value, minutes: float) -> str:
    """Return an instant `minutes` later, in the form it has: in UTC, or with the venue's offset."""
    moment = _read(value).astimezone(UTC) + timedelta(minutes=float(minutes))
    utc = str(value).upper().endswith("Z")
    return _utc(moment) if utc else moment.astimezone(zone_of(context)).isoformat(timespec="seconds")


def minutes_to(value: Value, end: Value) -> int:
    """Return the minutes from one instant to another: a duration."""
    return round((_read(end) - _read(value)).total_seconds() / 60)


def same_instant(value: Value, other: Value) -> bool:
    """Return whether two texts mean the same instant, in any notation."""
    return is_instant(value) and is_instant(other) and _read(value) == _read(other)


def epoch(value: Value) -> int:
    """Return an instant as seconds since 1970 (POSIX)."""
    return int(_read(value).timestamp())


def from_epoch(value: float | str) -> str:
    """Return seconds since 1970 as an instant."""
    return _utc(datetime.fromtimestamp(float(value), UTC))


def _named(zone: Value) -> tzinfo:
    try:
        return ZoneInfo(str(zone))
    except (ValueError, OSError, KeyError) as error:
        raise ValueError(f"{zone!r} is no time zone (Europe/Rome)") from error


def _at(value: object, zone: tzinfo) -> datetime:
    """Return a moment in a zone; one at the limits of the calendar, as APIs write "never", unchanged."""
    try:
        return _read(value).astimezone(zone)
    except OverflowError:
        return _read(value)


def _read(value: object) -> datetime:
    if not is_instant(value):
        raise ValueError(f"{value!r} is no instant (2026-11-28T15:00:00Z); a day and a time make one by `instant`")
    try:
        return datetime.fromisoformat(str(value).upper())
    except ValueError as error:
        raise ValueError(f"{value!r} is no moment that there is") from error


def _moment(day: Value, start: Value, zone: tzinfo) -> datetime:
    if is_instant(day) and not start:
        return _read(day).astimezone(zone)
    # An instant's day is the venue's, whatever day it is in UTC.
    text, clock = str(local(day, zone)), str(local(start, zone) if start else "")
    if "T" in clock:
        clock = clock.partition("T")[2]
    if not clock:
        text, _, clock = text.partition("T")
    try:
        wall = datetime.combine(date.fromisoformat(text[:10]), time.fromisoformat(clock))
    except ValueError as error:
        raise ValueError(f"{day!r} with {start!r} is no day (YYYY-MM-DD) and time (HH:MM)") from error
    found = wall.replace(tzinfo=zone)
    if found.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wall:
        raise ValueError(f"there is no {clock} on {text[:10]} at the venue: the clocks go forward over it")
    return found


def _utc(moment: datetime) -> str:
    whole = "microseconds" if moment.microsecond else "seconds"
    return moment.astimezone(UTC).isoformat(timespec=whole).replace("+00:00", "Z")


INSTANTS = (
    instant, local_instant, day_start, local_day, local_time, on_clock, later, minutes_to, same_instant, epoch,
    from_epoch,
)  # fmt: skip
