"""The words of a request, by what they do in it: verbs of change by families, nouns, hedges, courtesies.

The words stand in `language/locales/<language>/words/requests.toml`. A word may do several things, and the longest
phrase wins.

Verbs with the same meaning are one cluster: a title has "Cancel booking", an operator writes "call it off". A
high-risk action is never planned without one of its own verbs. Therefore the clusters hold verbs for a booking
itself, and none for a change ("scrap that").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from language.dates.resolution import Span
from language.locales import LanguageData, alternatives, data_of, get_locale, in_all
from language.requests.cues import ordinary_words
from language.text.lexer import expand_abbreviation, lex
from language.text.normalize import normalize_text, tokenize
from language.text.spelling import same_but_a_slip
from language.vocabulary.thesaurus import forms

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_ELIDED = re.compile(r"[^\W_]+'|[^\W_]+")
_LONGEST = 6
_DRAWN = re.compile(alternatives("requests", "DRAWN"))
"""A short verb that is drawn to the word in front."""
_SHORTEST_NAME = 2
_SLIPPING = 4
"""Letters from which a word can be a slip of another."""
_SLIPS = ("move", "cancel", "change", "rename", "booking", "event", "note", "polite", "count", "phone", "now")


@dataclass(frozen=True, slots=True)
class RequestWord:
    """A word or phrase of a text and its possible functions. Without senses it is in no list. `slip`: read as another
    word with one letter wrong; `owner`: ends in a possessive; `ordinary`: a word of the language, no name."""

    text: str
    span: Span
    senses: frozenset[str]
    ordinary: bool = False
    slip: bool = False
    owner: bool = False

    def does(self, *senses: str) -> bool:
        """Return whether it may do one of these."""
        return not self.senses.isdisjoint(senses)


def expand_abbreviations(text: str, locale: str) -> str:
    """Return the text with abbreviations expanded: "u" is "you", "nn" is "non"."""
    data = request_words(locale)
    code = get_locale(locale).code
    for hurried, full in data.HURRIED:
        text = re.sub(hurried, full, text, flags=re.IGNORECASE)
    return re.sub(r"(?<![\w@.'-])[A-Za-z0-9]{1,6}(?![\w@'-]|\.\w)", lambda m: _in_full(m.group(), code), text)


def _in_full(word: str, code: str) -> str:
    bare = word.lower()
    full = expand_abbreviation(bare, code)
    listed = is_listed(bare, code) and bare not in request_words(code).SHORT
    return word if full == bare or listed else full


def without_courtesies(text: str, locale: str) -> str:
    """Return the text with spaces in place of courtesies; its length stays the same."""
    return re.sub(request_words(locale).COURTESY, lambda m: " " * len(m.group()), text, flags=re.IGNORECASE)


def request_words(locale: str) -> LanguageData:
    """Return a language's words of requests."""
    return data_of(get_locale(locale).code, "requests")


def tag_words(text: str, locale: str) -> list[RequestWord]:
    """Return the words of a text, left to right, those of a listed phrase together."""
    code = get_locale(locale).code
    letters = normalize_text(text)
    found = list((_ELIDED if get_locale(code).elision else _WORD).finditer(letters))
    known, parts, index = _senses(code), list[RequestWord](), 0
    keys = [match.group().replace("'", "") for match in found]
    keys = [key if key in known else normalize_text(expand_abbreviation(key, code)) for key in keys]
    while index < len(found):
        lengths = range(min(_LONGEST, len(found) - index), 1, -1)
        phrases = (n for n in lengths if " ".join(keys[index : index + n]) in known)
        length = next((n for n in phrases if _together(letters, found, index, n)), 1)
        span = (found[index].start(), found[index + length - 1].end())
        parts.append(_part(text, span, " ".join(keys[index : index + length]), found[index].group(), code))
        index += length
    return parts


def may_be(word: str, code: str, *senses: str) -> bool:
    """Return whether a word of a language may have one of these functions."""
    return not _senses(code).get(word, frozenset()).isdisjoint(senses)


def is_listed(word: str, locale: str) -> bool:
    """Return whether a plain word has a function in requests of this language, so that it is no name."""
    return word in _senses(get_locale(locale).code)


def _together(letters: str, found: list[re.Match[str]], index: int, length: int) -> bool:
    """Return whether no stop is between the words of a phrase."""
    return all(
        re.fullmatch(r"[\s'-]*", letters[found[n].end() : found[n + 1].start()])
        for n in range(index, index + length - 1)
    )


def _part(text: str, span: Span, key: str, word: str, code: str) -> RequestWord:
    known = _senses(code)
    senses, slip = known.get(key, frozenset()), False
    data = request_words(code)
    owner = word.endswith(getattr(data, "OWNER", ()))
    bare = key.removesuffix("s") if owner else key
    if owner and not senses:
        senses = known.get(bare, frozenset()) if bare in known else senses
    if not senses and re.fullmatch(getattr(data, "WISH", r"(?!)"), key):
        senses = frozenset(("want",))
    ordinary = bool(senses) or any(form in ordinary_words(code) for form in _bare_forms(word, key, bare))
    if not ordinary and [t.symbol for t in lex(key, get_locale(code)).tokens] != ["_"]:
        ordinary = True
    named = text[span[0]].isupper() and not _opens(text, span[0]) and not text[slice(*span)].isupper()
    if not (ordinary or named) and key.isalpha() and len(key) >= _SLIPPING and (meant := _slip_of(key, code)):
        senses, slip = meant, True
    return RequestWord(text[slice(*span)], span, senses, ordinary, slip, owner)


def _opens(text: str, index: int) -> bool:
    """Return whether a sentence begins here, where a capital says nothing."""
    return re.search(r"(?:^|[.!?;:]\s)\W*$", text[:index]) is not None


def _bare_forms(word: str, key: str, bare: str) -> tuple[str, ...]:
    """Return a word, and what it is without a plural or a verb that is drawn to it: "somethings", "they've",
    "theyve"."""
    return key, bare, _DRAWN.sub("", word), key.removesuffix("s") if len(key) > 5 else key


@cache
def _slip_of(key: str, code: str) -> frozenset[str]:
    for word, senses in _senses(code).items():
        if " " in word or senses.isdisjoint(_SLIPS):
            continue
        if same_but_a_slip(key, word) or _swapped(key, word):
            return senses
    return frozenset()


def _swapped(key: str, word: str) -> bool:
    """Return whether a short word has two letters swapped, or lacks its vowels: "mvoe", "prty"."""
    if key[0] != word[0] or len(word) < _SLIPPING:
        return False
    skeleton = re.sub(r"(?<!^)[aeiou]", "", word)
    return (len(key) == len(word) and sorted(key) == sorted(word)) or (len(skeleton) >= 4 and key == skeleton)


@cache
def _senses(code: str) -> Mapping[str, frozenset[str]]:
    """Return every word and phrase with what it may do."""
    data = request_words(code)
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


def is_unknown_word(bare: str, locale: str) -> bool:
    """Return whether a plain word is unknown to the language, so that it may be a name."""
    if (
        expand_abbreviation(bare, get_locale(locale).code) != bare
        or len(bare) < _SHORTEST_NAME
        or not bare.isalpha()
        or bare in ordinary_words(locale)
        or is_listed(bare, locale)
    ):
        return False
    return [token.symbol for token in lex(bare, get_locale(locale)).tokens] == ["_"]


_CLUSTERS = {
    name: (" ".join(in_all("verbs", name.upper())), "|".join(in_all("verbs", f"{name.upper()}_PHRASES")))
    for name in ("cancel", "note")
}


def verb_groups(title: str) -> frozenset[str]:
    """Return the clusters whose verbs a title uses: "Cancel booking" → cancel."""
    used = {word.text for word in tokenize(normalize_text(title))}
    return frozenset(name for name, (single, _) in _CLUSTERS.items() if used & _words(single))


def find_verb_loose(cluster: str, text: str, locale: str) -> list[tuple[int, int]]:
    """Return where a text has a verb of a cluster in any known form, including abbreviations and typos."""
    senses = ("cancel", "cancelled") if cluster == "cancel" else (cluster,)
    loosely = [part.span for part in tag_words(text, locale) if part.does(*senses)]
    return sorted({*find_verb(cluster, text), *loosely})


def find_verb(cluster: str, text: str) -> list[tuple[int, int]]:
    """Return where a text has a verb of a cluster in a plain form: places (start, end)."""
    single, phrases = _CLUSTERS[cluster]
    letters = normalize_text(text)
    row = tokenize(letters)
    found = [(w.start, w.end) for w in row if w.text in _words(single) or w.text.rpartition("'")[2] in _words(single)]
    for phrase in _phrases(phrases):
        found += [match.span() for match in phrase.finditer(letters)]
    return sorted(found)


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@cache
def _phrases(text: str) -> tuple[re.Pattern[str], ...]:
    """Apostrophes may be left out, as people do."""
    listed = [" ".join(phrase.split()) for phrase in text.split("|") if phrase.strip()]
    pieces = [phrase.replace("nt ", "n'?t ").replace("its ", "it'?s ").replace(" ", r"\s+") for phrase in listed]
    return tuple(re.compile(rf"(?<!\w){piece}(?!\w)") for piece in pieces)
