"""A person's new name inside a longer text: "change the surname to Green", "il cognome è Greco".

A name has capitals, or is one or two words that the language has not; what is no name is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from language.cues import ordinary_words
from language.locales import get_locale
from language.plain import plain
from language.resolution import Span

NamePart = Literal["first", "last", "whole"]

_CAPITALS = (
    r"(?-i:[A-ZÀ-Ý][\w'’-]*(?:\s(?:(?:van|von|de|di|della|del|da|der|den|la|le|el|al|bin|dos|du)\s)*[A-ZÀ-Ý][\w'’-]*)*)"
)
_SMALL = r"(?-i:[a-zà-ÿ][\w'’-]*(?:\s[a-zà-ÿ][\w'’-]*)?)"
_TOPICS: dict[str, tuple[tuple[NamePart, str], ...]] = {
    "en": (
        ("last", r"\b(?:surname|last name|family name|second name)"),
        ("first", r"\b(?:first name|given name|forename)"),
        (
            "whole",
            r"\b(?:(?:full|contact|guest|lead|party|booking)?\s?name|contact(?! details)(?: person)?|"
            r"booker|organi[sz]er)",
        ),
        ("whole", r"\bre-?name\b"),
    ),
    "it": (
        ("last", r"\bcognome"),
        ("first", r"\bnome di battesimo"),
        ("whole", r"\b(?:nome|nominativo|intestatari[oa]|referente|contatto)"),
        ("whole", r"\brinomin\w+"),
    ),
}
_GIVES = {
    "en": r"(?:to|is now|is now spel(?:t|led)|is spel(?:t|led)|spel(?:t|led)(?: as)?|is|['’]s|as|into|=|:|now|becomes|"
    r"should (?:now )?be(?: spel(?:t|led))?|shd be|should read|needs to be|must be|will be|it['’]s|its)",
    "it": r"(?:in|a|è ora|ora è|adesso è|è|e'|diventa|:|=|deve essere|dev['’]essere|si scrive|sarà|con|come)",
}
_SURELY = {
    "en": r"(?:to|as|into|should be(?: spel(?:t|led))?|shd be|=|:)",
    "it": r"(?:in|a|:|=|deve essere|dev['’]essere|si scrive)",
}
"""What hands over a name even where it has no capital."""
_IN_NAME = {
    "en": r"\b(?:put|change|move|switch|transfer|should be|should go|goes|needs to be|must be|"
    r"now)\b[^.;]*?\b(?:in|into|under) the name(?: of)?",
    "it": r"\b(?:metti\w*|intesta\w*|cambia\w*|passa\w*|dev['’]essere|deve essere|va)\b[^.;]*?\ba nome(?: di)?",
}


@dataclass(frozen=True, slots=True)
class NewName:
    """A new name as said, its place, and which part of a person's name it is."""

    text: str
    span: Span
    part: NamePart


def find_names(text: str, spoken: str, locale: str) -> list[NewName]:
    """Every new name in a text; `spoken` is the same text where `text` has places made unreadable."""
    code = get_locale(locale).code
    found: list[NewName] = []
    for span, part in _matches(text, code):
        if not any(n.span[0] < span[1] and span[0] < n.span[1] for n in found):
            found.append(NewName(spoken[slice(*span)], span, part))
    return sorted(found, key=lambda name: name.span)


def _matches(text: str, code: str) -> Iterator[tuple[Span, NamePart]]:
    for part, topic in _TOPICS[code]:
        gap = r"(?:(?!\bnot\b|\bnon\b)[^.;]){0,70}?"
        for name, gives in ((_CAPITALS, _GIVES[code]), (_SMALL, _SURELY[code])):
            pattern = (
                rf"{topic}(?:['’]s\s+|{gap}(?<![\w'’]){gives}\s+)(?:now\s+|ora\s+)?(?P<name>{name})(?![\w.+-]*@|\w)"
            )
            found = list(_named(text, pattern, part, code, small=name is _SMALL))
            yield from found
            if found:
                break
    yield from _named(text, rf"{_IN_NAME[code]}\s+(?P<name>{_CAPITALS})", "whole", code, small=False)


def _named(text: str, pattern: str, part: NamePart, code: str, small: bool) -> Iterator[tuple[Span, NamePart]]:
    for match in re.finditer(pattern, text, re.IGNORECASE):
        span = match.span("name")
        said = [plain(word) for word in re.findall(r"[\w'’-]+", match["name"])]
        known = [word.replace("'", "") in ordinary_words(code) for word in said]
        if small and any(known):
            span, said = (span[0], span[0] + len(match["name"].split()[0])), said[:1]
            if known[0] or text[span[1] :].lstrip()[:1].isdigit():
                continue
        if not small and all(known) and len(said) == 1 and said[0] in ("it", "on", "the"):
            continue
        yield span, part
