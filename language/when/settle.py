"""Which of the chosen parts stand: words that mostly mean something else need company to be a day or a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from language.lexer import Lexed
from language.locales import Locale
from language.when.days import DAY_KINDS
from language.when.rules import Part, choose, is_leftover, matches, when_rules

Expected = Literal["any", "day", "time"]
"""What the phrase answers, which decides only what a lone number is."""

TIME_KINDS = frozenset(("time", "period", "now", "lone"))
REFUSED = frozenset(("range", "recurring", "vague_day", "vague_time"))
POINT_KINDS = DAY_KINDS | TIME_KINDS | REFUSED | {"delta"}
JOINERS = frozenset(("AT", "ON", "THE", "OF", ",", "-", "/", "IN", "A", "TIME", "FOR"))
APPROXIMATE = frozenset(("ABOUT", "AROUND"))
BOUNDS = frozenset(("BEFORE", "AFTER", "BY", "UNTIL", "SINCE", "FROM", "WITHIN"))
_LEADING = frozenset(("ON", "TO", "FOR", "BY", "AT", "FROM", "UNTIL", "OR", "BEFORE", "AFTER"))
_NOUNS = frozenset(("_", "X", "PLACE", "PEOPLE", "MORE", "FEWER", "MONEY"))


def read_parts(lexed: Lexed, locale: Locale, expect: Expected = "any") -> list[Part]:
    """The parts of a text about days and times, counts included, in order."""
    if not lexed.tokens:
        return []
    if (lone := _lone_number(lexed, expect)) is not None:
        return [lone]
    chosen = choose(matches(lexed, when_rules(locale)), len(lexed.tokens))
    standing = [part for part in chosen if part.kind != "bare"]
    parts = [part for part in chosen if _stands(part, lexed, standing)]
    for part in parts:
        if part.kind == "bare":
            part.kind = "time"
        elif part.kind in ("duration", "delta") and "way" not in part.values and (way := _direction(part, lexed)):
            part.kind = "delta"
            part.values["way"] = way
    return parts


def _lone_number(lexed: Lexed, expect: Expected) -> Part | None:
    """A number that is the whole phrase: an hour, a day of the month, or (nothing expected) either."""
    figures = [index for index, token in enumerate(lexed.tokens) if token.symbol not in JOINERS]
    if len(figures) != 1 or len(lexed.tokens) > 2:
        return None
    read = lexed.tokens[figures[0]].symbol.removesuffix("w")
    if not (read.isascii() and read.isdigit()) or int(read) > 31 or (expect == "any" and len(lexed.tokens) > 1):
        return None
    part = Part("lone", figures[0], figures[0] + 1, {"h": read, "day": read})
    if expect == "time" or int(read) > 24:
        part.kind = "time" if expect == "time" else "day"
    elif expect == "day":
        part.kind = "day"
    return part


def _direction(part: Part, lexed: Lexed) -> str:
    """ "Push it back an hour": the verb or adverb in front says which way the booking moves."""
    symbols = [token.symbol for token in lexed.tokens[: part.first]]
    for symbol in reversed(symbols):
        if symbol in ("POSTPONE", "ADVANCE"):
            return "LATER" if symbol == "POSTPONE" else "EARLIER"
    return ""


def leftover(lexed: Lexed, parts: Sequence[Part], first: int = 0, last: int | None = None) -> bool:
    """Whether a digit or a date word between two tokens belongs to no part."""
    covered = {index for part in parts for index in range(part.first, part.last)}
    last = len(lexed.tokens) if last is None else last
    return any(index not in covered and is_leftover(lexed.tokens[index].symbol) for index in range(first, last))


def stray_neighbour(lexed: Lexed, group: Sequence[Part]) -> bool:
    """Whether a date word that nothing read stands right beside a group: "the week of 5 December"."""
    before = group[0].first - 1
    while before >= 0 and lexed.tokens[before].symbol in JOINERS:
        before -= 1
    behind = group[-1].last
    neighbours = (_symbol(lexed, before), _symbol(lexed, behind))
    return any(
        symbol
        and not symbol[0].isdigit()
        and symbol != "VAGUE"
        and is_leftover(symbol)
        and not any(part.first <= index < part.last for part in group)
        for symbol, index in zip(neighbours, (before, behind), strict=True)
    )


def marker_before(lexed: Lexed, first: int, skip: frozenset[str] = JOINERS, taken: Sequence[Part] = ()) -> str | None:
    """The first symbol in front of a part that is not a mere joiner, unless another part has read it."""
    index = first - 1
    while index >= 0 and lexed.tokens[index].symbol in skip:
        index -= 1
    if index < 0 or any(part.first <= index < part.last for part in taken):
        return None
    return lexed.tokens[index].symbol


def touching(left: Part, right: Part, lexed: Lexed) -> bool:
    """Whether only joiners stand between two parts."""
    return all(
        lexed.tokens[index].symbol in JOINERS or lexed.tokens[index].symbol in APPROXIMATE
        for index in range(left.last, right.first)
    )


def _symbol(lexed: Lexed, index: int) -> str:
    return lexed.tokens[index].symbol if 0 <= index < len(lexed.tokens) else ""


def _has_company(part: Part, lexed: Lexed, others: Sequence[Part]) -> bool:
    return any(
        other is not part
        and other.kind in POINT_KINDS
        and (touching(other, part, lexed) if other.last <= part.first else touching(part, other, lexed))
        for other in others
    )


def _stands(  # noqa: PLR0911 - one return a kind
    part: Part, lexed: Lexed, standing: Sequence[Part]
) -> bool:
    before, after = _symbol(lexed, part.first - 1), _symbol(lexed, part.last)
    match part.kind:
        case "bare":
            return _bare_stands(part, lexed, standing, before, after)
        case "wd":
            if any(_symbol(lexed, index)[0] == "W" for index in range(part.first, part.last)) or part.values.get("mod"):
                return True
            alone = len(lexed.tokens) - (part.last - part.first) == 0
            return alone or before in _LEADING or after in ("OR", "-", "TO") or _has_company(part, lexed, standing)
        case "day" if "wd" not in part.values and "mod" not in part.values:
            if part.values.get("on", "").startswith("ON") and part.values.get("ord") == "o" and after == "_":
                return True
            if after in _NOUNS or after.startswith("U") or (after == "OF" and _symbol(lexed, part.last + 1) == "_"):
                return False
            return part.values.get("ord") != "wo" or "on" in part.values or _has_company(part, lexed, standing)
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


def _bare_stands(part: Part, lexed: Lexed, standing: Sequence[Part], before: str, after: str) -> bool:
    if int(part.values["h"]) > 24 or after in _NOUNS:
        return False
    if before in APPROXIMATE or after == "ISH" or before in ("BY", "BEFORE", "AFTER", "UNTIL", "FROM", "OR"):
        return True
    neighbours = [
        other
        for other in standing
        if other.kind in DAY_KINDS | {"period"}
        and (touching(other, part, lexed) if other.last <= part.first else touching(part, other, lexed))
    ]
    return bool(neighbours) and not any(
        other.kind == "time" and _has_company(other, lexed, [*neighbours, part]) for other in standing
    )
