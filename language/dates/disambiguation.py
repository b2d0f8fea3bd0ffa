"""Decide which of the chosen parts to keep: a word that mostly means something else needs a day or a time beside it.

A word in the place of a day that no calendar here knows is kept: "on stocktake day at 2" is not today at 2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from language.dates.days import DAY_KINDS
from language.dates.rules import DatePart, choose, is_leftover, matches, when_rules
from language.locales import Locale, alternatives
from language.text.lexer import ARROW, UNKNOWN, Lexed

Expected = Literal["any", "day", "time"]
"""What the phrase answers, which decides only how a lone number is read."""

TIME_KINDS = frozenset(("time", "period", "now", "lone"))
REFUSED = frozenset(("range", "recurring", "vague_day", "vague_time"))
POINT_KINDS = DAY_KINDS | TIME_KINDS | REFUSED | {"delta", "adjust"}
JOINERS = frozenset(("AT", "ON", "THE", "OF", ",", "-", "/", "IN", "A", "TIME", "FOR", "THEN"))
APPROXIMATE = frozenset(("ABOUT", "AROUND"))
BOUNDS = frozenset(("BEFORE", "AFTER", "BY", "UNTIL", "SINCE", "FROM", "WITHIN"))
_LEADING = frozenset(("ON", "TO", "FOR", "BY", "AT", "FROM", "UNTIL", "OR", "BEFORE", "AFTER"))
_NOUNS = frozenset(("_", "X", "PLACE", "PEOPLE", "MORE", "FEWER", "MONEY"))


def parse_parts(lexed: Lexed, locale: Locale, expect: Expected = "any") -> list[DatePart]:
    """Return the parts of a text about days and times, counts included, in order."""
    if not lexed.tokens:
        return []
    if (lone := _lone_number(lexed, expect)) is not None:
        return [lone]
    chosen = choose(matches(lexed, when_rules(locale)), len(lexed.tokens))
    accepted = [part for part in chosen if part.kind != "bare"]
    parts = [part for part in chosen if _stands(part, lexed, accepted)]
    for part in parts:
        if part.kind == "bare":
            part.kind = "time"
    parts = [part for part in parts if part.kind != "adjust" or _adjusts(part, parts, lexed)]
    for part in parts:
        if part.kind in ("duration", "delta") and "way" not in part.values and (way := _direction(part, lexed)):
            part.kind = "delta"
            part.values["way"] = way
    return parts


_FOUR_FIGURES = re.compile(r"(?:0[6-9]|1[0-9]|2[0-3])[0-5][05]")
"""A time without a colon, "1530". A number with unusual minutes is more likely a booking's number."""

_ANY_FOUR = re.compile(r"[0-2][0-9][0-5][0-9]")


def _lone_number(lexed: Lexed, expect: Expected) -> DatePart | None:
    """Return the part for a number that is the whole phrase: an hour, a day of the month, or (nothing expected)
    either."""
    figures = [index for index, token in enumerate(lexed.tokens) if token.symbol not in JOINERS]
    if len(figures) != 1 or len(lexed.tokens) > 2:
        return None
    read = lexed.tokens[figures[0]].symbol.removesuffix("w")
    if expect != "day" and (_FOUR_FIGURES if expect == "any" else _ANY_FOUR).fullmatch(read):
        return DatePart("time", figures[0], figures[0] + 1, {"hm": read})
    if not (read.isascii() and read.isdigit()) or int(read) > 31 or (expect == "any" and len(lexed.tokens) > 1):
        return None
    part = DatePart("lone", figures[0], figures[0] + 1, {"h": read, "day": read})
    if expect == "time" or int(read) > 24:
        part.kind = "time" if expect == "time" else "day"
    elif expect == "day":
        part.kind = "day"
    return part


_SIGNS = {"PLUS": "LATER", "AFTER": "LATER", "MORE": "LATER", "MINUS": "EARLIER", "LESS": "EARLIER",
          "FEWER": "EARLIER", "BEFORE": "EARLIER"}  # fmt: skip


def _adjusts(part: DatePart, parts: Sequence[DatePart], lexed: Lexed) -> bool:
    """Return whether an amount is used: it belongs to the time beside it ("4pm plus 10 minutes"), shifts the booking's
    own time ("plus 10 minutes") or is a duration."""
    sign = part.values["sign"]
    part.values["way"] = _SIGNS[sign]
    in_front = sign in ("AFTER", "BEFORE")
    for other in parts:
        if other.kind == "time" and (adjacent(part, other, lexed) if in_front and part.last <= other.first else
                                     not in_front and other.last == part.first):  # fmt: skip
            return True
    alone = not any(other.kind == "time" for other in parts) and _symbol(lexed, part.last) in ("", ",", ";")
    part.kind = "delta" if sign in ("PLUS", "MINUS") and alone else "duration"
    return "unit" in part.values and not in_front


def has_dropped_duration(lexed: Lexed, parts: Sequence[DatePart]) -> bool:
    """Return whether a duration is to be added to or subtracted from a time that does not include it."""
    times = {part.last for part in parts if part.kind == "time"}
    return any(
        part.kind == "duration" and part.first - 1 in times and lexed.tokens[part.first - 1].symbol in (*_SIGNS, "AND")
        for part in parts
    )


def _direction(part: DatePart, lexed: Lexed) -> str:
    """Return which way the booking moves, by the verb or adverb in front: "push it back an hour"."""
    symbols = [token.symbol for token in lexed.tokens[: part.first]]
    for symbol in reversed(symbols):
        if symbol in ("POSTPONE", "ADVANCE"):
            return "LATER" if symbol == "POSTPONE" else "EARLIER"
    return ""


def leftover(lexed: Lexed, parts: Sequence[DatePart], first: int = 0, last: int | None = None) -> bool:
    """Return whether a digit or a date word between two tokens belongs to no part."""
    covered = {index for part in parts for index in range(part.first, part.last)}
    last = len(lexed.tokens) if last is None else last
    return any(index not in covered and is_leftover(lexed.tokens[index].symbol) for index in range(first, last))


def stray_neighbour(lexed: Lexed, group: Sequence[DatePart], others: Sequence[DatePart] = ()) -> bool:
    """Return whether an unread date word is directly beside a group: "the week of 5 December". Words in `others` count
    as read."""
    before = group[0].first - 1
    while before >= 0 and lexed.tokens[before].symbol in JOINERS:
        before -= 1
    offset = group[-1].last
    neighbours = (_symbol(lexed, before), _symbol(lexed, offset))
    return any(
        symbol
        and not symbol[0].isdigit()
        and symbol != "VAGUE"
        and is_leftover(symbol)
        and not any(part.first <= index < part.last for part in (*group, *others))
        for symbol, index in zip(neighbours, (before, offset), strict=True)
    )


def marker_before(
    lexed: Lexed, first: int, skip: frozenset[str] = JOINERS, taken: Sequence[DatePart] = ()
) -> str | None:
    """Return the first symbol in front of a part that is not only a joiner, unless another part has read it."""
    index = first - 1
    while index >= 0 and lexed.tokens[index].symbol in skip:
        index -= 1
    if index < 0 or any(part.first <= index < part.last for part in taken):
        return None
    return lexed.tokens[index].symbol


def adjacent(left: DatePart, right: DatePart, lexed: Lexed) -> bool:
    """Return whether there are only joiners between two parts."""
    return all(
        lexed.tokens[index].symbol in JOINERS or lexed.tokens[index].symbol in APPROXIMATE
        for index in range(left.last, right.first)
    )


def _symbol(lexed: Lexed, index: int) -> str:
    return lexed.tokens[index].symbol if 0 <= index < len(lexed.tokens) else ""


def _has_company(part: DatePart, lexed: Lexed, others: Sequence[DatePart]) -> bool:
    return any(
        other is not part
        and other.kind in POINT_KINDS
        and (adjacent(other, part, lexed) if other.last <= part.first else adjacent(part, other, lexed))
        for other in others
    )


def _stands(  # noqa: PLR0911 - one return a kind
    part: DatePart, lexed: Lexed, accepted: Sequence[DatePart]
) -> bool:
    before, after = _symbol(lexed, part.first - 1), _symbol(lexed, part.last)
    match part.kind:
        case "bare":
            return _bare_stands(part, lexed, accepted, before, after)
        case "wd":
            if any(_symbol(lexed, index)[0] == "W" for index in range(part.first, part.last)) or part.values.get("mod"):
                return True
            alone = len(lexed.tokens) - (part.last - part.first) == 0
            return (
                alone
                or before in _LEADING
                or after in ("OR", "-", "TO", ARROW)
                or before == ARROW
                or _wished(part, lexed)
                or _has_company(part, lexed, accepted)
            )
        case "day" if "wd" not in part.values and "mod" not in part.values:
            if part.values.get("on", "").startswith("ON") and part.values.get("ord") == "o" and after == "_":
                return True
            if after in _NOUNS or after.startswith("U") or (after == "OF" and _symbol(lexed, part.last + 1) == "_"):
                return False
            return part.values.get("ord") != "wo" or "on" in part.values or _has_company(part, lexed, accepted)
        case "now" if part.values["now"] == "now":
            return len(lexed.tokens) == part.last - part.first
        case "numeric" if "year" not in part.values:
            return part.values.get("sep", "/") == "/" or after not in _NOUNS
        case "delta" if "way" not in part.values and "by" not in part.values:
            return bool(_direction(part, lexed))
        case "period" if part.values["period"] in "n" and part.last - part.first == 1:
            return before != "_" or after != "_"
        case _:
            return True


_WISHES = re.compile(rf"(?:\b(?:{alternatives('rules', 'WISHES')})|,)\s*$", re.IGNORECASE)
_GIVES_WAY = re.compile(rf"\s*(?:{alternatives('rules', 'GIVES_WAY')})\b", re.IGNORECASE)


def _wished(part: DatePart, lexed: Lexed) -> bool:
    """Return whether a short day is requested or replaced: "wants wed instead of tues"."""
    start, end = lexed.tokens[part.first].start, lexed.tokens[part.last - 1].end
    return bool(_WISHES.search(lexed.text[:start]) or _GIVES_WAY.match(lexed.text[end:]))


def _bare_stands(part: DatePart, lexed: Lexed, accepted: Sequence[DatePart], before: str, after: str) -> bool:
    if int(part.values["h"]) > 24 or after in _NOUNS:
        return False
    if ARROW in (before, after):
        here = part.first - 1 if before == ARROW else part.last + 1
        return any(other.kind == "time" and here in (other.last, other.first) for other in accepted)
    if before in APPROXIMATE or after == "ISH" or before in ("BY", "BEFORE", "AFTER", "UNTIL", "FROM", "OR"):
        return True
    neighbours = [
        other
        for other in accepted
        if other.kind in DAY_KINDS | {"period"}
        and (adjacent(other, part, lexed) if other.last <= part.first else adjacent(part, other, lexed))
    ]
    return bool(neighbours) and not any(
        other.kind == "time" and _has_company(other, lexed, [*neighbours, part]) for other in accepted
    )


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
