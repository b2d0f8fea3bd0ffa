"""How many people: "14 kids", "a dozen", "2 more", "double it", "from 20 people to 12"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from language.dates.resolution import Span
from language.dates.rules import DatePart, Rule, choose, compile_rule, matches
from language.locales import Locale, alternatives, get_locale, words_in_all
from language.requests.cues import function_words
from language.text.lexer import MAX_CHARACTERS, Lexed, lex

CountKind = Literal["absolute", "add", "subtract", "multiply", "vague"]

_MANNERS = words_in_all("numbers", "MANNERS")
_ONLY_JOINS = re.compile(rf"(?:[\s,+&]|\b(?:{alternatives('numbers', 'ONLY_JOINS')})\b)*", re.IGNORECASE)
_FACTORS = {"DOUBLE": 2.0, "TRIPLE": 3.0, "HALVE": 0.5}


class CountError(ValueError):
    """A count that cannot be applied: vague, below zero, or half a person."""


@dataclass(frozen=True, slots=True)
class Count:
    """A mentioned head count: a number of people, or a change to the booked number.

    `amount` is people (a factor for `multiply`); `previous` is the number the speaker believes is booked, to be checked
    against the booking; `noun` is the word used for the people ("kids"), in the speaker's spelling.
    """

    kind: CountKind
    amount: float
    span: Span
    previous: int | None = None
    noun: str | None = None

    @property
    def is_relative(self) -> bool:
        """Return whether the booking's current count is needed."""
        return self.kind in ("add", "subtract", "multiply")

    def apply(self, current: int | None) -> int:
        """Return the new head count given the one booked (people); raises `CountError` where there is none."""
        if self.kind == "vague":
            raise CountError("A number of people is needed.")
        if self.kind == "absolute":
            return int(self.amount)
        if current is None:
            raise CountError("The number now booked is needed.")
        changed = {"add": current + self.amount, "subtract": current - self.amount, "multiply": current * self.amount}[
            self.kind
        ]
        if changed < 0 or changed != int(changed):
            raise CountError(f"{current} people cannot become {changed:g}.")
        return int(changed)


@dataclass(frozen=True, slots=True)
class FoundCount:
    """A count inside a longer text and the words it was read from."""

    text: str
    span: Span
    count: Count


def find_counts(text: str, locale: str) -> list[FoundCount]:
    """Return every head count in a text, left to right; "2 adults and 3 kids" gives two."""
    grammar = get_locale(locale)
    lexed = lex(text[:MAX_CHARACTERS], grammar)
    if not lexed.tokens:
        return []
    parts = choose(matches(lexed, _count_rules(grammar)), len(lexed.tokens))
    return [_found(lexed, part) for part in parts if not part.kind.startswith("not_")]


def parse_count(text: str, *, locale: str) -> Count | None:
    """Return the one count a text states, its numbers of people added up; None when there is none or they conflict."""
    found = [item.count for item in find_counts(text, locale=locale)]
    if not found:
        return None
    if len(found) == 1:
        return found[0]
    first = found[0]
    nouns = [count.noun for count in found if count.kind == first.kind]
    joined = all(_ONLY_JOINS.fullmatch(text[left.span[1] : right.span[0]]) for left, right in pairwise(found))
    if (
        joined
        and first.kind in ("absolute", "add")
        and len(set(nouns)) == len(nouns)
        and all(count.kind == "add" or (count.kind == first.kind and count.noun) for count in found[1:])
    ):
        total = sum(count.amount for count in found)
        return Count(first.kind, total, (first.span[0], found[-1].span[1]), first.previous)
    return None


def counts_objects(text: str, end: int, locale: str) -> bool:
    """Return whether the word right after a number is no person: "2 more chairs", but "2 more please"."""
    following = re.match(r"\s*([^\W\d]+)", text[end:])
    if following is None or following[1].lower() in function_words(locale) | _MANNERS:
        return False
    return [token.symbol for token in lex(following[1], get_locale(locale)).tokens] == ["_"]


@cache
def _count_rules(locale: Locale) -> tuple[Rule, ...]:
    return tuple(compile_rule(kind, pattern) for kind, pattern in locale.count_rules)


def _found(lexed: Lexed, part: DatePart) -> FoundCount:
    kind, amount = _amount(part)
    span = _span(lexed, part)
    if part.first and lexed.tokens[part.first - 1].symbol in ("ABOUT", "AROUND", "ISH", "BOUND"):
        kind = "vague"
    nouns = [token for token in lexed.tokens[part.first : part.last] if token.symbol == "PEOPLE"]
    noun = lexed.text[nouns[-1].start : nouns[-1].end] if nouns else None
    previous = part.values.get("previous")
    count = Count(kind, amount, span, int(previous.rstrip("w")) if previous else None, noun)
    return FoundCount(lexed.text[slice(*span)], span, count)


def _span(lexed: Lexed, part: DatePart) -> Span:
    """Return a loose reading ("number of kids for the party to 22") claims only the numbers, so that the rest stays
    free."""
    first = part.first
    if part.kind.endswith("_loose"):
        wanted = "FROM" if "previous" in part.values else part.values.get("n", "")
        first = max((i for i in range(part.first, part.last) if lexed.tokens[i].symbol == wanted), default=first)
    return lexed.tokens[first].start, lexed.tokens[part.last - 1].end


def _amount(part: DatePart) -> tuple[CountKind, float]:
    values = part.values
    if "factor" in values:
        return "multiply", _FACTORS[values["factor"]]
    amount = 1.0 if "one" in values else float(values.get("n", "0").rstrip("w"))
    kind = part.kind.removesuffix("_loose")
    match kind:
        case "add" | "subtract" | "vague":
            return kind, amount
        case _:
            return "absolute", amount
