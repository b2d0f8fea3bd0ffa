"""Find how long something takes, in whole minutes ("for an hour", "un'ora e mezza"), and whether it recurs ("every
Monday")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from language.dates.resolution import Span
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
