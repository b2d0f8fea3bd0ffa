"""A word in the place of a day that no calendar here knows: "on stocktake day at 2" is not today at 2."""

from __future__ import annotations

from collections.abc import Sequence

from language.dates.days import DAY_KINDS
from language.dates.rules import DatePart
from language.locales import Locale
from language.text.lexer import UNKNOWN, Lexed

_NAMELESS = frozenset((UNKNOWN, "Ud", "LONG"))
_BETWEEN = frozenset(("AT", ",", "LE", "Uh"))
_LONGEST = 4
_START = frozenset((("TO",), ("TO", "ON")))
"""What opens a phrase about a day; inside a sentence "to" and "al" lead to places and people as often."""


def unknown_day(lexed: Lexed, points: Sequence[DatePart], locale: Locale) -> bool:
    """Return whether a time without a day is beside unknown words that are marked as a day."""
    if any(part.kind in DAY_KINDS or part.kind == "delta" for part in points):
        return False
    if not any(part.kind == "time" for part in points):
        return False
    symbols = [token.symbol for token in lexed.tokens]
    return _in_front(symbols, points[0].first, locale) or _behind(symbols, points[-1].last, locale)


def _in_front(symbols: Sequence[str], first: int, locale: Locale) -> bool:
    index = first - 1
    while index >= 0 and symbols[index] in _BETWEEN:
        index -= 1
    last = index
    while index >= 0 and last - index < _LONGEST and _is_nameless(symbols, index):
        index -= 1
    if UNKNOWN not in symbols[index + 1 : last + 1]:
        return False
    before = tuple(symbols[: index + 1])
    bare = before[:-1] if before[-1:] == ("THE",) else before
    return bare in _START or any(row[-len(mark) :] == mark for mark in locale.day_markers for row in (before, bare))


def _is_nameless(symbols: Sequence[str], index: int) -> bool:
    inside = index > 0 and symbols[index] == "OF" and symbols[index - 1] in _NAMELESS
    return symbols[index] in _NAMELESS or inside


def _behind(symbols: Sequence[str], last: int, locale: Locale) -> bool:
    for mark in locale.day_markers:
        start = last + len(mark)
        if tuple(symbols[last:start]) != mark:
            continue
        start += symbols[start : start + 1] == ["THE"]
        end = start
        while end < len(symbols) and symbols[end] in _NAMELESS:
            end += 1
        if (
            UNKNOWN in symbols[start:end]
            and end <= start + _LONGEST
            and (end == len(symbols) or symbols[end] in (",", ";"))
        ):
            return True
    return False
