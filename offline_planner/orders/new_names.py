"""A person's new name inside a longer text: "change the surname to Green", "il cognome è Greco".

A name has capitals, or is one or two words unknown to the language; anything else is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from language.dates.resolution import Span
from language.locales import alternatives, get_locale, words_in_all
from language.requests.cues import ordinary_words
from language.text.normalize import normalize_text
from offline_planner.replies import words_of

NamePart = Literal["first", "last", "whole"]

_CAPITALS = rf"(?-i:[A-ZÀ-Ý][\w'’-]*(?:\s(?:(?:{alternatives('planner_names', 'PARTICLES')})\s)*[A-ZÀ-Ý][\w'’-]*)*)"
_SMALL = r"(?-i:[a-zà-ÿ][\w'’-]*(?:\s[a-zà-ÿ][\w'’-]*)?)"
_GAP = rf"(?:(?!\b(?:{alternatives('planner_names', 'NOT')})\b)[^.;]){{0,70}}?"
_NOW = rf"(?:(?:{alternatives('planner_names', 'NOW')})\s+)?"
_NO_NAMES = words_in_all("planner_names", "NO_NAMES")


@dataclass(frozen=True, slots=True)
class NewName:
    """Represent a new name as written, its place, and which part of a person's name it is."""

    text: str
    span: Span
    part: NamePart


def find_names(text: str, spoken: str, locale: str) -> list[NewName]:
    """Return every new name in a text; `spoken` is the same text without the masks of `text`."""
    code = get_locale(locale).code
    found: list[NewName] = []
    for span, part in _matches(text, code):
        if not any(n.span[0] < span[1] and span[0] < n.span[1] for n in found):
            found.append(NewName(spoken[slice(*span)], span, part))
    return sorted(found, key=lambda name: name.span)


def _matches(text: str, code: str) -> Iterator[tuple[Span, NamePart]]:
    words = words_of(code, "names")
    never = "(?!)"
    for part, topic in words.get("TOPICS", ()):
        for name, gives in ((_CAPITALS, words.get("GIVES", never)), (_SMALL, words.get("SURELY", never))):
            pattern = rf"{topic}(?:['’]s\s+|{_GAP}(?<![\w'’]){gives}\s+){_NOW}(?P<name>{name})(?![\w.+-]*@|\w)"
            found = list(_named(text, pattern, part, code, small=name is _SMALL))
            yield from found
            if found:
                break
    yield from _named(text, rf"(?:{words.get('IN_NAME', never)})\s+(?P<name>{_CAPITALS})", "whole", code, small=False)


def _named(text: str, pattern: str, part: NamePart, code: str, small: bool) -> Iterator[tuple[Span, NamePart]]:
    for match in re.finditer(pattern, text, re.IGNORECASE):
        span = match.span("name")
        messages = [normalize_text(word) for word in re.findall(r"[\w'’-]+", match["name"])]
        known = [word.replace("'", "") in ordinary_words(code) for word in messages]
        if small and any(known):
            span, messages = (span[0], span[0] + len(match["name"].split()[0])), messages[:1]
            if known[0] or text[span[1] :].lstrip()[:1].isdigit():
                continue
        if not small and all(known) and len(messages) == 1 and messages[0] in _NO_NAMES:
            continue
        yield span, part
