"""Moves that count from the booking's own day and time: "an hour later", "the next day", "il giorno dopo"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from language.lexer import Lexed
from language.resolution import Candidate, Resolution, Shift, Status
from language.when.amounts import ELAPSED, minutes_of
from language.when.outcome import Context, refuse, with_time
from language.when.rules import Part

_CODE = "relative_to_booking"
_BACK = frozenset(("EARLIER", "BEFORE", "ADVANCE"))


def from_booking(lexed: Lexed, points: Sequence[Part], context: Context) -> Resolution:
    """The shift, which is no value before the caller knows the booking.

    "The next day" can also be the day after today, so that is its one candidate. A time said with a shift of days
    stands: "the day after at 3".
    """
    delta = next(part for part in points if part.kind == "delta")
    refused = refuse(lexed, points, context, Status.NOT_UNDERSTOOD, _CODE)
    shift = _shift(delta)
    times = [part for part in points if part.kind == "time"]
    periods = [part.values["period"] for part in points if part.kind == "period"]
    if shift is None or shift.minutes or len(points) > 1 + len(times) + len(periods) or (periods and not times):
        return replace(refused, shift=shift) if len(points) == 1 else refused
    tomorrow = context.today + timedelta(days=1) if delta.values.get("way") == "NEXT" and shift.days == 1 else None
    asked = replace(refused, status=Status.AMBIGUOUS, shift=shift, suggestions=())
    if times:
        clock = with_time(lexed, points, times, periods, None, replace(context, any_day=True))
        if clock.time is None:
            return refused
        return replace(asked, time=clock.time, candidates=(Candidate(tomorrow, clock.time, None, "stated"),))
    return replace(asked, candidates=(Candidate(tomorrow, None, None, "stated"),)) if tomorrow else (
        replace(refused, shift=shift)
    )  # fmt: skip


def _shift(part: Part) -> Shift | None:
    if "way" not in part.values:
        return None
    sign = -1 if part.values["way"] in _BACK else 1
    unit = part.values["unit"]
    if unit in ("mo", "y") or ("frac" in part.values and unit not in ELAPSED):
        return None
    days = {"d": 1, "w": 7, "f": 14}.get(unit, 0) * part.number
    return Shift(sign * days, sign * int(minutes_of(part)))
