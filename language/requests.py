"""The words of a request, by what they do in it: verbs of change by families, nouns, hedges, courtesies.

The words stand in `language/locales/<language>/requests.py`. A word may do several things, and the longest phrase wins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

from language.alike import same_but_a_slip
from language.cues import ordinary_words
from language.hurried import full_form
from language.inflect import forms
from language.lexer import lex
from language.locales import get_locale
from language.plain import plain
from language.resolution import Span

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_ELIDED = re.compile(r"[^\W_]+'|[^\W_]+")
_LONGEST = 6
_WISH = re.compile(r"[a-z]{2,}(?:rebbe|rebbero|remmo)")
"""An Italian conditional: "verrebbero" says what is wished."""
_SLIPPING = 4
"""Letters from which a word can be a slip of another."""
_SLIPS = ("move", "cancel", "change", "rename", "booking", "event", "note", "polite", "count", "phone", "now")


@dataclass(frozen=True, slots=True)
class Part:
    """A word or phrase of a text and what it may do there. No senses: a word that no list has. `slip`: read as another
    word with one letter wrong; `owner`: ends in a possessive; `ordinary`: a word of the language, nobody's name."""

    text: str
    span: Span
    senses: frozenset[str]
    ordinary: bool = False
    slip: bool = False
    owner: bool = False

    def does(self, *senses: str) -> bool:
        """Whether it may do one of these."""
        return not self.senses.isdisjoint(senses)


def spelled_out(text: str, locale: str) -> str:
    """The text with the words that are typed in a hurry written in full: "u" is "you", "nn" is "non"."""
    data = data_of(locale)
    code = get_locale(locale).code
    for hurried, full in data.HURRIED:
        text = re.sub(hurried, full, text, flags=re.IGNORECASE)
    return re.sub(r"(?<![\w@.'-])[A-Za-z0-9]{1,6}(?![\w@'-]|\.\w)", lambda m: _in_full(m.group(), code), text)


def _in_full(word: str, code: str) -> str:
    bare = word.lower()
    full = full_form(bare, code)
    listed = is_listed(bare, code) and bare not in data_of(code).SHORT
    return word if full == bare or listed else full


def without_courtesies(text: str, locale: str) -> str:
    """The text with spaces for the words that only ask nicely, as long as it was."""
    return re.sub(data_of(locale).COURTESY, lambda m: " " * len(m.group()), text, flags=re.IGNORECASE)


def data_of(locale: str) -> ModuleType:
    """A language's words of requests."""
    return import_module(f"language.locales.{get_locale(locale).code}.requests")


def parts_of(text: str, locale: str) -> list[Part]:
    """The words of a text, left to right, those of a listed phrase together."""
    code = get_locale(locale).code
    letters = plain(text)
    found = list((_ELIDED if code == "it" else _WORD).finditer(letters))
    known, parts, place = _senses(code), list[Part](), 0
    keys = [match.group().replace("'", "") for match in found]
    keys = [key if key in known else plain(full_form(key, code)) for key in keys]
    while place < len(found):
        lengths = range(min(_LONGEST, len(found) - place), 1, -1)
        phrases = (n for n in lengths if " ".join(keys[place : place + n]) in known)
        length = next((n for n in phrases if _together(letters, found, place, n)), 1)
        span = (found[place].start(), found[place + length - 1].end())
        parts.append(_part(text, span, " ".join(keys[place : place + length]), found[place].group(), code))
        place += length
    return parts


def does_anywhere(word: str, code: str, *senses: str) -> bool:
    """Whether a word of a language may do one of these."""
    return not _senses(code).get(word, frozenset()).isdisjoint(senses)


def is_listed(word: str, locale: str) -> bool:
    """Whether a plain word does something in requests of this language, so that it is nobody's name."""
    return word in _senses(get_locale(locale).code)


def _together(letters: str, found: list[re.Match[str]], place: int, length: int) -> bool:
    """Whether no stop stands between the words of a phrase."""
    return all(
        re.fullmatch(r"[\s'-]*", letters[found[n].end() : found[n + 1].start()])
        for n in range(place, place + length - 1)
    )


def _part(text: str, span: Span, key: str, word: str, code: str) -> Part:
    known = _senses(code)
    senses, slip = known.get(key, frozenset()), False
    owner = word.endswith("'s") and code == "en"
    bare = key.removesuffix("s") if owner else key
    if owner and not senses:
        senses = known.get(bare, frozenset()) if bare in known else senses
    if not senses and code == "it" and _WISH.fullmatch(key):
        senses = frozenset(("want",))
    ordinary = bool(senses) or any(form in ordinary_words(code) for form in _bare_forms(word, key, bare))
    if not ordinary and [t.symbol for t in lex(key, get_locale(code)).tokens] != ["_"]:
        ordinary = True
    named = text[span[0]].isupper() and not _opens(text, span[0]) and not text[slice(*span)].isupper()
    if not (ordinary or named) and key.isalpha() and len(key) >= _SLIPPING and (meant := _slip_of(key, code)):
        senses, slip = meant, True
    return Part(text[slice(*span)], span, senses, ordinary, slip, owner)


def _opens(text: str, place: int) -> bool:
    """Whether a sentence begins here, where a capital says nothing."""
    return re.search(r"(?:^|[.!?;:]\s)\W*$", text[:place]) is not None


def _bare_forms(word: str, key: str, bare: str) -> tuple[str, ...]:
    """A word, and what it is without a plural or a verb that is drawn to it: "somethings", "they've", "theyve"."""
    drawn = re.sub(r"(?:'(?:ve|ll|re|d|m|s)|(?<=[a-z]{4})(?:ve|ll|re))$", "", word)
    return key, bare, drawn, key.removesuffix("s") if len(key) > 5 else key


@cache
def _slip_of(key: str, code: str) -> frozenset[str]:
    for word, senses in _senses(code).items():
        if " " in word or senses.isdisjoint(_SLIPS):
            continue
        if same_but_a_slip(key, word) or _swapped(key, word):
            return senses
    return frozenset()


def _swapped(key: str, word: str) -> bool:
    """A short word with two letters in each other's place, or its vowels left out: "mvoe", "prty"."""
    if key[0] != word[0] or len(word) < _SLIPPING:
        return False
    skeleton = re.sub(r"(?<!^)[aeiou]", "", word)
    return (len(key) == len(word) and sorted(key) == sorted(word)) or (len(skeleton) >= 4 and key == skeleton)


@cache
def _senses(code: str) -> Mapping[str, frozenset[str]]:
    """Every word and phrase with what it may do."""
    data = data_of(code)
    found: dict[str, set[str]] = {}
    for sense, listed in data.VERBS.items():
        for phrase in listed.split("|"):
            head, *tail = phrase.split()
            for form in {head, *forms(head, code)}:
                found.setdefault(" ".join([form, *tail]).replace("-", " "), set()).add(sense)
    for sense, listed in data.WORDS.items():
        for phrase in listed.split("|"):
            found.setdefault(phrase.replace("'", "").replace("-", " "), set()).add(sense)
    return {phrase: frozenset(senses) for phrase, senses in found.items()}
