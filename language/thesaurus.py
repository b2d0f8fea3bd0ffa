"""What the words of a text may mean at a venue: groups of words used for the same thing (`venue_things.toml`,
`venue_deeds.toml`), English and Italian side by side. It is for finding, not for understanding: a word may stand in
several groups, and counts for each.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from language.inflect import forms
from language.plain import plain
from language.tongue import tongue_of

TO = "to "
"""What the name of a group of deeds begins with: "to cancel"."""

FILES = {"": Path(__file__).parent / "venue_things.toml", TO: Path(__file__).parent / "venue_deeds.toml"}
"""The groups, by what their names begin with."""
_STEMMERS = {"en": "english", "it": "italian"}
_APART = 4
"""The words that may stand between the parts of a phrase where it says "…"."""
_GAP = "…"
_WORD = re.compile(rf"[a-z]+|[0-9]+|{_GAP}")

Phrase = tuple[tuple[str, bool], ...]
"""Stems in order, each with whether other words may stand before it."""


class Thesaurus:
    """Groups of words and phrases, ready to be found. `groups` are by name, then by language ("en", "it"); an entry of
    the language "" counts in each."""

    def __init__(self, groups: Mapping[str, Mapping[str, Iterable[str]]]) -> None:
        self._starting: dict[str, defaultdict[str, list[tuple[Phrase, str]]]] = {
            code: defaultdict(list) for code in _STEMMERS
        }
        for name, words in groups.items():
            for code, entries in words.items():
                for entry in entries:
                    for language in [code] if code else _STEMMERS:
                        for phrase in _phrases(entry, language):
                            self._starting[language][phrase[0][0]].append((phrase, name))
        for starting in self._starting.values():
            for found in starting.values():
                found.sort(key=lambda row: -len(row[0]))

    def meant(self, words: Sequence[str], languages: Iterable[str]) -> list[tuple[str, tuple[int, ...]]]:
        """The groups that these words (small, plain, in order) of some languages speak of, each with the places of the
        words that do, in order and as often as they do. A word that is part of a phrase ("gift card") counts for the
        phrase alone."""
        stems = {code: _stems(words, code) for code in languages}
        found: dict[tuple[str, tuple[int, ...]], None] = {}
        taken: set[int] = set()
        for longer in (True, False):
            for code, row in stems.items():
                for place, stem in enumerate(row):
                    for phrase, name in self._starting[code].get(stem, ()):
                        if (len(phrase) > 1) is not longer or (not longer and place in taken):
                            continue
                        places = _match(phrase, row, place)
                        if places:
                            found[name, tuple(places)] = None
                            taken |= set(places) if longer else set()
        return sorted(found, key=lambda row: row[1])


def languages_of(text: str) -> tuple[str, ...]:
    """The languages whose words a text is read by: the one that it is clearly in, else all. In an Italian one "fine" is
    no English word."""
    clear = {tongue_of(text, home) for home in _STEMMERS}
    return tuple(clear) if len(clear) == 1 else tuple(_STEMMERS)


@lru_cache(maxsize=1)
def venue_words() -> Thesaurus:
    """The thesaurus that all venues share."""
    return Thesaurus(dict(_read()))


@lru_cache(maxsize=1)
def listed_words() -> frozenset[str]:
    """Every single word that stands in it, in plain letters."""
    return frozenset(
        word
        for _, words in _read()
        for entries in words.values()
        for entry in entries
        for word in _WORD.findall(plain(entry))
    )


def _read() -> Iterator[tuple[str, dict[str, list[str]]]]:
    for prefix, file in FILES.items():
        for name, words in tomllib.loads(file.read_text(encoding="utf-8")).items():
            yield f"{prefix}{name}", {code: [e.strip() for e in text.split(",")] for code, text in words.items()}


def _phrases(entry: str, code: str) -> set[Phrase]:
    """The entry, and the forms of an Italian verb: its pronouns ("rimborsala") are no ending to a stemmer."""
    verb = code == "it" and entry.endswith(("are", "ere", "ire"))
    found = {_phrase(form, code) for form in (entry, *(forms(entry, code) if verb else ()))}
    return found - {()}


def _phrase(entry: str, code: str) -> Phrase:
    parts = _WORD.findall(plain(entry))
    stems = iter(_stems([part for part in parts if part != _GAP], code))
    made: list[tuple[str, bool]] = []
    apart = False
    for part in parts:
        if part != _GAP:
            made.append((next(stems), apart))
        apart = part == _GAP
    return tuple(made)


def _match(phrase: Phrase, row: Sequence[str], place: int) -> list[int]:
    """The places of a phrase's words in a row of stems that has its first at `place`; [] when it is not all there."""
    places = [place]
    for stem, apart in phrase[1:]:
        start = places[-1] + 1
        reach = row[start : start + (_APART + 1 if apart else 1)]
        if stem not in reach:
            return []
        places.append(start + reach.index(stem))
    return places


def _stems(words: Sequence[str], code: str) -> list[str]:
    return list(map(str, _stemmer(code).stemWords(list(words))))


@lru_cache
def _stemmer(code: str) -> Any:
    return import_module("Stemmer").Stemmer(_STEMMERS[code])
