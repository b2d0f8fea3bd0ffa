"""Figures beside a day: "Saturday 28-11" is a date, "Saturday 3-5" two hours, "this Saturday twelve" a date where this
Saturday is the 12th."""

from __future__ import annotations

import re
from collections.abc import Sequence

from language.lexer import Lexed
from language.when.days import read_days
from language.when.outcome import Context
from language.when.rules import Part

_LAST_HOUR = 24


def hours_or_date(lexed: Lexed, parts: Sequence[Part], context: Context) -> list[Part]:
    """The parts, where a pair that is no date on the weekday beside it is a range of hours. Nobody writes a date with
    spaces around its dash."""
    return [
        Part("range", part.first, part.last, {}) if _is_hours(lexed, part, parts[index - 1 : index], context) else part
        for index, part in enumerate(parts)
    ]


def _is_hours(lexed: Lexed, part: Part, before: Sequence[Part], context: Context) -> bool:
    if part.kind != "numeric" or part.values.get("sep") != "-" or "year" in part.values or not before:
        return False
    if before[0].kind != "wd" or max(int(part.values["a"]), int(part.values["b"])) > _LAST_HOUR:
        return False
    if lexed.tokens[part.first].end < lexed.tokens[part.first + 1].start:
        return True
    dated = read_days([before[0], part], context.today, context.policy, context.zone)
    return dated is None or dated.error is not None


_NUMBER = re.compile(r"([0-9]{1,2})w?")


def days_said_again(lexed: Lexed, parts: Sequence[Part], context: Context) -> list[Part]:
    """The parts, where a number right behind a day that needs none ("next Saturday twelve", "tomorrow 27") is the day
    of the month if that day has it; otherwise it stays a lone hour."""
    again = [day for part in parts if (day := _said_again(lexed, part, context))]
    places = {day.first for day in again}
    kept = [part for part in parts if not (_is_lone_hour(part) and part.first in places)]
    taken = {place for part in kept for place in range(part.first, part.last)}
    return sorted([*kept, *(day for day in again if day.first not in taken)], key=lambda part: part.first)


def _is_lone_hour(part: Part) -> bool:
    return part.kind == "time" and part.values.keys() == {"h"} and part.last - part.first == 1


def _said_again(lexed: Lexed, named: Part, context: Context) -> Part | None:
    if named.kind != "rel" and not (named.kind == "wd" and named.values.keys() & {"mod", "wk"}):
        return None
    symbols = [token.symbol for token in lexed.tokens[named.last :]]
    skipped = symbols[:1] == [","]
    number = _NUMBER.fullmatch(symbols[skipped]) if len(symbols) > skipped else None
    reading = read_days([named], context.today, context.policy, context.zone)
    same = [day for day, _ in reading.days if number and day.day == int(number[1])] if reading else []
    if not number or not same:
        return None
    place = named.last + skipped
    return Part("day", place, place + 1, {"day": number[1], "wd": str(same[0].weekday()), "plain": ""})
