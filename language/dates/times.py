"""Times of day and durations: which wall times a phrase can mean, and what the clocks of the zone make of them; how
long something takes, in whole minutes ("for an hour", "un'ora e mezza"), and whether it recurs ("every Monday")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import partial
from typing import Literal

from language.dates.resolution import Span, VenuePolicy
from language.dates.rules import DatePart
from language.locales import alternatives, in_all
from language.text.normalize import normalize_text

_of = partial(alternatives, "numbers")
_NUMBERS = {word: number for words in in_all("numbers", "DURATION_NUMBERS") for word, number in words.items()}
_NUMBER = rf"(?:\d{{1,3}}(?:[.,]5)?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_HOURS = rf"(?:{_of('HOURS')})(?:{_of('LONG')})?"
_MINUTES = rf"(?:{_of('MINUTES')})(?:{_of('LONG')})?"
_LONG = re.compile(
    rf"(?<![\w:.,])(?:(?P<half>{_of('HALF_HOUR')})"
    rf"|(?P<hours>{_of('ONE_HOUR')}|{_NUMBER}(?!{_of('NOT_HOURS')}))\s?-?\s?{_HOURS}"
    rf"(?P<more>\s(?:{_of('AND_A_HALF')})|\s?(?:{_of('AND')})?(?P<rest>{_NUMBER})\s?{_MINUTES})?"
    rf"|(?P<minutes>{_NUMBER})\s?-?\s?{_MINUTES})(?!\w)"
)
_STEPS = re.compile(rf"\s*(?:{_of('STEPS')})\b")
_COUNTED_FROM_NOW = re.compile(rf"\b(?:{_of('COUNTED_FROM_NOW')})\s*$")


def find_durations(text: str) -> Iterator[tuple[int, Span]]:
    """Yield (minutes, place) of each duration, left to right. "An hour later" and "in two hours" are no durations."""
    letters = normalize_text(text)
    for match in _LONG.finditer(letters):
        if _STEPS.match(letters, match.end()) or _COUNTED_FROM_NOW.search(letters[: match.start()]):
            continue
        minutes = _minutes(match)
        if minutes:
            yield minutes, match.span()


def _minutes(match: re.Match[str]) -> int:
    if match["half"]:
        return 30
    if match["minutes"]:
        return round(_number(match["minutes"]))
    more = 0.0 if not match["more"] else _number(match["rest"]) if match["rest"] else 30.0
    return round(_number(match["hours"]) * 60 + more)


def _number(text: str) -> float:
    return float(_NUMBERS[text]) if text in _NUMBERS else float(text.replace(",", "."))


ELAPSED = {"s": 1 / 60, "mi": 1.0, "h": 60.0}
"""Minutes in the units of elapsed time; days and longer are calendar time."""


def minutes_of(part: DatePart) -> float:
    """Return the elapsed minutes of a part; days and longer units count as 0."""
    unit = ELAPSED.get(part.values.get("unit", "mi"), 0)
    minutes = unit * (fraction(part.values["frac"]) if "frac" in part.values else part.number)
    if "n2" in part.values:
        minutes += ELAPSED[part.values["unit2"]] * int(part.values["n2"].rstrip("w").replace("A", "1"))
    return minutes


def fraction(text: str) -> float:
    """Return "1.5", "1,5" or "1/2" as a number; a division by zero gives 0."""
    if "/" in text:
        top, bottom = text.split("/")
        return int(top) / int(bottom) if int(bottom) else 0.0
    return float(text.replace(",", "."))


_AGAIN = re.compile(
    rf"\b(?:(?:{alternatives('rules', 'EVERY')})\s+"
    rf"(?:(?:{alternatives('rules', 'EVERY_OTHER')})\s+)?[\w-]+|"
    rf"{alternatives('rules', 'AGAIN')})\b"
)
_ONCE = re.compile(rf"(?:{alternatives('rules', 'NOT_AGAIN')})\b")


def recurs(text: str) -> Span | None:
    """Return the place of the first words that state a recurrence; None if there are none."""
    letters = normalize_text(text)
    return next((m.span() for m in _AGAIN.finditer(letters) if not _ONCE.match(m.group())), None)


DAY = 1440
NOON = 720
"""Minutes."""

_WINDOWS = {
    "m": (0, 720),
    "a": (720, 1201),
    "e": (960, 1440),
    "n": (960, 1440),
    "l": (660, 960),
    "d": (1020, 1440),
    "b": (300, 721),
}
"""The minutes of a day that its parts can name: morning, afternoon, evening, night, lunch, dinner, breakfast."""

_DAWN = 300
"""Minutes; what comes before is hardly called a morning."""

_LOOSE = frozenset("ldb")
"""Meals say what the visit is for as often as when it is, so they decide between readings and never refuse one."""


@dataclass(slots=True)
class TimeReading:
    """Minutes after midnight of the day meant (1440 and more: the next day), best first; `error` when none.

    `style`: "digital" is HH:MM in figures, taken as written where the venue is open then; "continental" stands
    beside a date such as 3.08., whose writers use the 24-hour clock, so opening hours do not overrule it.
    `contrary`: what the figures mean in the other half of the day, where `minutes` are hours that the part of the day
    said with them hardly names: "tonight at 3:20", "in the morning at 12".
    """

    minutes: list[int] = field(default_factory=list)
    error: str | None = None
    midnight: bool = False
    style: Literal["", "continental", "digital"] = ""
    contrary: list[int] = field(default_factory=list)


def read_time(part: DatePart, period: str | None, policy: VenuePolicy) -> TimeReading:
    """Return the readings of one time, narrowed by the part of the day beside it."""
    if part.values.get("named") == "MIDNIGHT" and not part.values.keys() & {"past", "to"}:
        return TimeReading([0], midnight=True)
    minutes = _half_days(part)
    if not minutes:
        return TimeReading(error="invalid_time")
    if period is None:
        return TimeReading(minutes, style=_style(part.values))
    return _narrow(minutes, period, policy)


def _style(values: dict[str, str]) -> Literal["", "continental", "digital"]:
    if "continental" in values:
        return "continental"
    return "digital" if "colon" in values and values["h"] in ("10", "11", "12") and "ap" not in values else ""


def _half_days(part: DatePart) -> list[int]:
    values = part.values
    named, meridiem = values.get("named"), values.get("ap")
    if named:
        return [((NOON if named == "NOON" else 0) + _distance(values)) % DAY]
    stated = values.get("h") or values.get("h24", "")
    minute = int(values.get("m", "0"))
    if "hm" in values:
        stated, minute = values["hm"][:-2], int(values["hm"][-2:])
    hour = int(stated)
    distance = _distance(values)
    if hour > 24 or minute > 59 or abs(distance) > 59 or (hour == 24 and minute):
        return []
    offset = minute + distance
    if hour > 12 or hour == 0:
        if meridiem == "a" and hour > 12:
            return []
        return [hour * 60 + offset if hour == 24 else (hour * 60 + offset) % DAY]
    if meridiem:
        return [((hour % 12) * 60 + (NOON if meridiem == "p" else 0) + offset) % DAY]
    if len(stated) == 2 and stated[0] == "0":
        return [(hour * 60 + offset) % DAY]
    if "continental" in values and "m" in values:
        return [(hour * 60 + offset) % DAY, ((hour + 12) * 60 + offset) % DAY]
    half = ((hour % 12) * 60 + offset) % NOON
    return [half + NOON, half] if hour == 12 else [half, half + NOON]


def _distance(values: dict[str, str]) -> int:
    if "half" in values:
        return 30
    for group, sign in (("past", 1), ("to", -1)):
        if group in values:
            read = values[group]
            named = {"QUARTER": 15, "3QUARTER": 45}
            return sign * (named[read] if read in named else int(read.partition(" ")[0].rstrip("w")))
    return 0


def moved(clock: TimeReading, amounts: Sequence[DatePart]) -> TimeReading:
    """Return a time with amounts added or taken away: "half past five less three minutes"; no other day is reached."""
    if clock.error or not amounts:
        return clock
    by = sum((-1 if part.values["way"] == "EARLIER" else 1) * int(minutes_of(part)) for part in amounts)
    minutes = [minute + by for minute in clock.minutes if 0 <= minute + by < DAY]
    return TimeReading(minutes) if minutes else TimeReading(error="invalid_time")


def _narrow(minutes: Sequence[int], period: str, policy: VenuePolicy) -> TimeReading:
    low, high = _WINDOWS[period]
    kept = [minute for minute in minutes if low <= minute < high]
    if kept:
        small_hours = period == "m" and max(kept) < _DAWN
        return TimeReading(kept, contrary=[minute for minute in minutes if minute not in kept] if small_hours else [])
    if period in "en":
        cutoff = policy.after_midnight_until.hour * 60 + policy.after_midnight_until.minute
        late = [minute + DAY for minute in minutes if minute < cutoff]
        if late:
            return TimeReading(late, contrary=[m for m in minutes if m + DAY not in late] if period == "e" else [])
    if period in _LOOSE:
        return TimeReading(list(minutes))
    return TimeReading(error="invalid_time")


def at_minute(day: date, minute: int) -> tuple[date, time]:
    """Return the day and wall time that lie this many minutes after a day's midnight, by the calendar."""
    days, rest = divmod(minute, DAY)
    return day + timedelta(days=days), time(rest // 60, rest % 60)


def instants(day: date, at: time, tz: tzinfo) -> list[datetime]:
    """Return the instants that show this wall time: none in a gap, two in a fold, else one."""
    found: list[datetime] = []
    for fold in (0, 1):
        local = datetime.combine(day, at, tzinfo=tz).replace(fold=fold)
        back = local.astimezone(UTC).astimezone(tz)
        if back.replace(tzinfo=None) == local.replace(tzinfo=None) and all(
            other.utcoffset() != local.utcoffset() for other in found
        ):
            found.append(local)
    return found


def after(now: datetime, minutes: float) -> datetime:
    """Elapsed time from now, added in UTC so that a clock change does not stretch it; whole minutes."""
    moved = (now.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(now.tzinfo)
    return moved.replace(second=0, microsecond=0)
