"""What the words of a text may mean at a venue: groups of words used for the same thing (`venue_things.toml`,
`venue_actions.toml` of each language). It is for finding, not for understanding: a word may stand in
several groups, and counts for each.

The forms of a listed verb, so that a lexicon holds each verb once and still knows "rescheduling" and "spostala".
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from language.locales import SUPPORTED, data_of, defined
from language.text.language_detection import detect_language
from language.text.normalize import normalize_text


def forms(word: str, code: str) -> Iterator[str]:
    """Regular forms of one verb; some are not words of the language, and match nothing."""
    if not word.isalpha() or len(word) < 3:
        return
    yield from (form for form in data_of(code, "inflection").forms(word) if len(form) >= 4)


TO = "to "
"""What the name of a group of actions begins with: "to cancel"."""

_FILES = {"": "venue_things.toml", TO: "venue_actions.toml"}
"""The files of each language, by what the names of their groups begin with."""
_STEMMERS = {
    code: defined(code, "inflection")["STEMMER"] for code in SUPPORTED if "STEMMER" in defined(code, "inflection")
}
_LOCALES = Path(__file__).parents[1] / "locales"
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
        """Return the groups that these words (small, plain, in order) of some languages speak of, each with the places
        of the words that do, in order and as often as they do. A word that is part of a phrase ("gift card") counts for
        the phrase alone."""
        stems = {code: _stems(words, code) for code in languages}
        found: dict[tuple[str, tuple[int, ...]], None] = {}
        taken: set[int] = set()
        for longer in (True, False):
            for code, row in stems.items():
                for index, stem in enumerate(row):
                    for phrase, name in self._starting[code].get(stem, ()):
                        if (len(phrase) > 1) is not longer or (not longer and index in taken):
                            continue
                        indexes = _match(phrase, row, index)
                        if indexes:
                            found[name, tuple(indexes)] = None
                            taken |= set(indexes) if longer else set()
        return sorted(found, key=lambda row: row[1])


def languages_of(text: str) -> tuple[str, ...]:
    """Return the languages whose words a text is read by: the one that it is clearly in, else all. In an Italian one
    "fine" is no English word."""
    clear = {detect_language(text, home) for home in _STEMMERS}
    return tuple(clear) if len(clear) == 1 else tuple(_STEMMERS)


@lru_cache(maxsize=1)
def venue_words() -> Thesaurus:
    """Return the thesaurus that all venues share."""
    return Thesaurus(entries())


@lru_cache(maxsize=1)
def listed_words() -> frozenset[str]:
    """Return every single word of the thesaurus, in plain letters."""
    return frozenset(
        word
        for words in entries().values()
        for rows in words.values()
        for entry in rows
        for word in _WORD.findall(normalize_text(entry))
    )


@cache
def entries() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the entries of each group, by language."""
    found: dict[str, dict[str, list[str]]] = {}
    for prefix, name in _FILES.items():
        for file in sorted(_LOCALES.glob(f"*/{name}")):
            for group, text in tomllib.loads(file.read_text(encoding="utf-8")).items():
                rows = [entry.strip() for entry in text.split(",")]
                found.setdefault(f"{prefix}{group}", {})[file.parent.name] = rows
    return found


def _phrases(entry: str, code: str) -> set[Phrase]:
    """Return the entry, and the forms of a verb where the language's stemmer knows no pronouns ("rimborsala")."""
    verb = entry.endswith(getattr(data_of(code, "inflection"), "UNSTEMMED_VERBS", ()))
    found = {_phrase(form, code) for form in (entry, *(forms(entry, code) if verb else ()))}
    return found - {()}


def _phrase(entry: str, code: str) -> Phrase:
    parts = _WORD.findall(normalize_text(entry))
    stems = iter(_stems([part for part in parts if part != _GAP], code))
    made: list[tuple[str, bool]] = []
    apart = False
    for part in parts:
        if part != _GAP:
            made.append((next(stems), apart))
        apart = part == _GAP
    return tuple(made)


def _match(phrase: Phrase, row: Sequence[str], index: int) -> list[int]:
    """Return the places of a phrase's words in a row of stems that has its first at `index`; [] when it is not all
    there."""
    indexes = [index]
    for stem, apart in phrase[1:]:
        start = indexes[-1] + 1
        reach = row[start : start + (_APART + 1 if apart else 1)]
        if stem not in reach:
            return []
        indexes.append(start + reach.index(stem))
    return indexes


def _stems(words: Sequence[str], code: str) -> list[str]:
    return list(map(str, _stemmer(code).stemWords(list(words))))


@lru_cache
def _stemmer(code: str) -> Any:
    return import_module("Stemmer").Stemmer(_STEMMERS[code])
