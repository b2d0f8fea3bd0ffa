"""An amount of time that says no direction: "by a week", "di 20 minuti"; another message says which way."""

from __future__ import annotations

from language.lexer import MAX_CHARACTERS, UNKNOWN, lex
from language.locales import get_locale
from language.resolution import Shift, Span
from language.when.amounts import ELAPSED, minutes_of
from language.when.rules import choose, matches, when_rules

_MOST_UNKNOWN = 3
_BESIDE = frozenset((UNKNOWN, ",", ";", "BY", "OF", "FOR", "A", "ISH"))
_DAYS = {"d": 1, "w": 7, "f": 14}


def amount_alone(text: str, locale: str) -> tuple[Shift, Span] | None:
    """The amount that a whole text states, as a shift to later, and its place; None where the text states more."""
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
    shift = Shift(_DAYS.get(unit, 0) * part.number, int(minutes_of(part)))
    return shift, (lexed.tokens[part.first].start, lexed.tokens[part.last - 1].end)
