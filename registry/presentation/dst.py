"""Ambiguous times on the night when daylight saving time ends. The plan shows which of the two is meant, from the
request."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from contracts.base import Answer
from contracts.credentials import HttpRequest
from contracts.enums import ParameterRole
from contracts.plan import PreviewLine
from language import time_label
from language.dates.times import instants
from language.messages.catalogue import translate
from registry.templating.datetimes import is_instant
from registry.templating.scope import Scope

_LONGEST = timedelta(hours=24)
"""A moment in the request within this time after the start is its end."""


def twice_line(scope: Scope) -> PreviewLine | None:
    """Return the preview line with the meant one of two times; None where the time is unambiguous. `scope` has the
    request."""
    days, starts = _given(scope, ParameterRole.DATE), _given(scope, ParameterRole.TIME)
    zone = _zone(scope)
    if zone is None or scope.sent is None or not (days or starts):
        return None
    sent = list(_moments(scope.sent, zone))
    for start in (moment for moment in sent if _is_meant(moment, days, starts)):
        ends = sorted({moment for moment in sent if timedelta() < _apart(moment, start) <= _LONGEST})
        twice = [moment for moment in (start, *ends) if _comes_twice(moment, zone)]
        # An end of that hour's first time is read so, behind a start that comes once.
        if any(moment.fold or moment == start for moment in twice):
            lines = [_line("second" if moment.fold else "first", moment, scope) for moment in twice]
            return lines[0].model_copy(update={"after": "; ".join(str(line.after) for line in lines)})
    named = [found for day in days for start in starts if (found := _wall(day, start)) is not None]
    either = next((one for one in named if len(instants(one.date(), one.time(), zone)) > 1), None)
    return None if either is None else _line("either", either, scope)


def _is_meant(moment: datetime, days: list[str], starts: list[str]) -> bool:
    return (not starts or f"{moment:%H:%M}" in starts) and (not days or f"{moment:%Y-%m-%d}" in days)


def _comes_twice(moment: datetime, zone: tzinfo) -> bool:
    return len(instants(moment.date(), moment.time(), zone)) > 1


def _apart(one: datetime, other: datetime) -> timedelta:
    """Return the absolute difference, because local times may be in the wrong order."""
    return one.astimezone(UTC) - other.astimezone(UTC)


def _line(which: str, moment: datetime, scope: Scope) -> PreviewLine:
    at = time_label(moment.time(), str(scope.venue.get("locale") or "en"))
    offset = f"{moment:%z}"
    text = translate(f"clock_twice.{which}", time=at, offset=f"UTC{offset[:3]}:{offset[3:]}" if offset else "")
    return PreviewLine(field=translate("clock_twice.field"), before=None, after=text)


def _given(scope: Scope, role: ParameterRole) -> list[str]:
    values = (scope.parameters.get(p.name) for p in scope.action.with_role(role))
    return [str(value) for value in values if value is not None]


def _zone(scope: Scope) -> tzinfo | None:
    [name, *_] = [*_given(scope, ParameterRole.TIME_ZONE), str(scope.venue.get("time_zone") or "")]
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):
        return None


def _moments(request: HttpRequest, zone: tzinfo) -> Iterator[datetime]:
    """Yield the instants of a request in a time zone."""
    for text in _texts([request.body, [value for _, value in request.query]]):
        if is_instant(text):
            try:
                yield datetime.fromisoformat(text.upper()).astimezone(zone)
            except (ValueError, OverflowError):
                continue


def _texts(tree: Answer) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    for inner in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _texts(inner)


def _wall(day: str, start: str) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(day), time.fromisoformat(start))
    except ValueError:
        return None
