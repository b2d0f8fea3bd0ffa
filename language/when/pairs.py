"""Two figures beside a weekday: "Saturday 28-11" is a date, "Saturday 3-5" two hours."""

from __future__ import annotations

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
