"""Weekdays that count from the booking's own day: "the following Friday", "the sat before", "il venerdì successivo"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from language.dates.candidates import DateContext, refuse, with_time
from language.dates.resolution import Candidate, Resolution, Shift, Span, Status
from language.dates.rules import DatePart, choose, matches, when_rules
from language.dates.times import ELAPSED, minutes_of
from language.locales import data_of, get_locale
from language.text.lexer import MAX_CHARACTERS, UNKNOWN, Lexed, lex
from language.text.normalize import normalize_text

_WEEK = 7


@dataclass(frozen=True, slots=True)
class Anchor:
    """A weekday (Monday is 0): the next one (`step` 1) or the last one (-1) as counted from a booking's day, or with
    `step` 0 that of the week that lies `weeks` on from the booking's own."""

    weekday: int
    weeks: int
    step: int

    def day(self, own: date) -> date:
        """Return the day that is meant, for a booking on `own`."""
        if not self.step:
            return own + timedelta(days=_WEEK * self.weeks + self.weekday - own.weekday())
        ahead = (self.weekday - own.weekday()) * self.step % _WEEK or _WEEK
        return own + timedelta(days=self.step * ahead)


def anchored_days(text: str, locale: str) -> list[tuple[Span, Anchor]]:
    """Return every such weekday of a text, left to right."""
    data, letters = data_of(get_locale(locale).code, "rules"), normalize_text(text)
    found: list[tuple[Span, Anchor]] = []
    for form, weeks, step in data.FROM_BOOKING:
        for match in re.finditer(rf"\b{form}", letters):
            if not any(start < match.end() and match.start() < end for (start, end), _ in found):
                anchor = Anchor(data.WEEKDAYS.index(match["day"]), weeks, step)
                found.append(((match.start(), match.end()), anchor))
    return sorted(found, key=lambda one: one[0])


_CODE = "relative_to_booking"
_BACK = frozenset(("EARLIER", "BEFORE", "ADVANCE"))


def from_booking(lexed: Lexed, points: Sequence[DatePart], context: DateContext) -> Resolution:
    """Return the shift, which is no value before the caller knows the booking.

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


def _shift(part: DatePart) -> Shift | None:
    if "way" not in part.values:
        return None
    sign = -1 if part.values["way"] in _BACK else 1
    unit = part.values["unit"]
    if unit in ("mo", "y") or ("frac" in part.values and unit not in ELAPSED):
        return None
    days = {"d": 1, "w": 7, "f": 14}.get(unit, 0) * part.number
    return Shift(sign * days, sign * int(minutes_of(part)))


_MOST_UNKNOWN = 3
_BESIDE = frozenset((UNKNOWN, ",", ";", "BY", "OF", "FOR", "A", "ISH"))
_DAY_WORDS = {"d": 1, "w": 7, "f": 14}


def amount_alone(text: str, locale: str) -> tuple[Shift, Span] | None:
    """Return the amount that a whole text states, as a shift to later, and its place; None if the text states more."""
    grammar = get_locale(locale)
    lexed = lex(text[:MAX_CHARACTERS], grammar)
    if not lexed.tokens:
        return None
    parts = choose(matches(lexed, when_rules(grammar)), len(lexed.tokens))
    part = parts[0] if len(parts) == 1 else None
    if part is None or part.kind not in ("delta", "duration") or "way" in part.values:
        return None
    beside = [token.symbol for token in (*lexed.tokens[: part.first], *lexed.tokens[part.last :])]
    if not _BESIDE.issuperset(beside) or beside.count(UNKNOWN) > _MOST_UNKNOWN:
        return None
    unit = part.values.get("unit", "mi")
    if unit in ("mo", "y", "s") or ("frac" in part.values and unit not in ELAPSED):
        return None
    shift = Shift(_DAY_WORDS.get(unit, 0) * part.number, int(minutes_of(part)))
    return shift, (lexed.tokens[part.first].start, lexed.tokens[part.last - 1].end)
