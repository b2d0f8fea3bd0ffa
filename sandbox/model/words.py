"""The closed lists of words the planner knows, one data file a language (`lexicon_en.py`, `lexicon_it.py`).

A lexicon file defines `WORDS`, one "kind sense: words and phrases" a line, separated by "|" and without accents and
apostrophes; an indented line goes on. A word of no list is a name, a word of a tool, or not understood.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sandbox.model import families_en, families_it, lexicon_en, lexicon_it
from sandbox.model.inflect import forms
from sandbox.model.kinds import Kind
from sandbox.model.phrases import phrases

_DATA = {"en": lexicon_en.WORDS, "it": lexicon_it.WORDS}
_FAMILIES = {"en": families_en.WORDS, "it": families_it.WORDS}
_ELISION = {"en": frozenset[str](), "it": lexicon_it.ELISION}
_GUESSABLE = frozenset({Kind.VERB, Kind.TOPIC, Kind.BOOK, Kind.FILL})


@dataclass(frozen=True, slots=True)
class Entry:
    """What a listed word stands for."""

    kind: Kind
    sense: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """One language's words. `phrases` holds multi-word entries by first word, longest first; `listed` are the words
    as the files have them, `words` those and the forms of its verbs; slips of the keyboard are of `common` words."""

    code: str
    words: Mapping[str, Entry]
    listed: Mapping[str, Entry]
    common: Mapping[str, Entry]
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], Entry], ...]]
    elision: frozenset[str]

    def nearest(self, key: str) -> Entry | None:
        """The entry of the one listed word that `key` is a slip of the keyboard for, if any."""
        if len(key) < 4:
            return None
        guessable = [(w, e) for w, e in self.common.items() if e.kind in _GUESSABLE]
        found = {e for w, e in guessable if is_slip(key, w)} or {e for w, e in guessable if _is_skeleton(key, w)}
        return next(iter(found)) if len(found) == 1 else None


def file_key(word: str) -> str:
    """How a word is filed: folded, but "è" (also typed "e'") is the verb and not the conjunction."""
    return "è" if word.lower() in ("è", "e'", "e’") else fold(word)


def fold(word: str) -> str:
    """Lower case without accents and apostrophes."""
    plain = unicodedata.normalize("NFD", word.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c) and c not in "'’ʼ`")


def stem(word: str) -> str:
    """A word without its commonest endings, so that "refunded" meets "refund"."""
    key = fold(word)
    for ending in ("ing", "ed", "es", "s", "e"):
        if key.endswith(ending) and len(key) - len(ending) >= 3:
            key = key.removesuffix(ending)
            break
    return key[:-1] if len(key) > 4 and key[-1] == key[-2] else key


def is_slip(typed: str, meant: str) -> bool:
    """One wrong, missing, extra or swapped letter (two in long words), the first letter right.

    Four letters are too few for a wrong one: "dave" is not "date".
    """
    if typed[0] != meant[0] or len(meant) < 4 or typed == meant:
        return False
    if len(typed) == len(meant) == 4 and sorted(typed) != sorted(meant):
        return False
    if len(typed) == 4 and len(meant) == 3:
        return False
    limit = 2 if min(len(typed), len(meant)) >= 8 else 1
    return abs(len(typed) - len(meant)) <= limit and _distance(typed, meant) <= limit


def _is_skeleton(typed: str, meant: str) -> bool:
    """ "cncl", "bkng", "rschdl": the consonants of a word and nothing else."""
    return not set(typed) & set("aeiouy") and re.sub("[aeiou]", "", meant) == typed


def _distance(a: str, b: str) -> int:
    """Optimal string alignment distance: edits and swaps of neighbours."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i] + [0] * len(b)
        for j, y in enumerate(b, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[j] = min(row[j], older[j - 2] + 1)
    return row[-1]


def lexicon(locale: str) -> Lexicon:
    """The words of a locale tag such as "en-AU"; English for a language without a list."""
    code = re.split(r"[-_]", locale)[0].lower()
    return _load(code if code in _DATA else "en")


@cache
def all_words() -> Mapping[str, Entry]:
    """The words of every language, English first."""
    return {**_load("it").listed, **_load("en").listed}


@cache
def _load(code: str) -> Lexicon:
    common, phrases = _read(_DATA[code])
    families, more = _read(_FAMILIES[code])
    words = {**families, **common}
    for first, found in more.items():
        known = {p for p, _ in phrases.get(first, [])}
        phrases.setdefault(first, []).extend(f for f in found if f[0] not in known)
    ordered = {first: tuple(sorted(found, key=lambda p: -len(p[0]))) for first, found in phrases.items()}
    verbs = ((w, e) for w, e in words.items() if e.kind in (Kind.VERB, Kind.OTHER))
    inflected = {form: entry for word, entry in verbs for form in forms(word, code) if form not in words}
    return Lexicon(code, {**inflected, **words}, words, common, ordered, _ELISION[code])


_Phrases = dict[str, list[tuple[tuple[str, ...], Entry]]]


def _read(text: str) -> tuple[dict[str, Entry], _Phrases]:
    """The single words of a file, and its phrases by first word."""
    words: dict[str, Entry] = {}
    found: _Phrases = {}
    for line in re.split(r"\n(?=\S)", text.strip()):
        name, _, listed = line.partition(": ")
        kind, _, sense = name.partition(" ")
        entry = Entry(Kind(kind), sense)
        for said in phrases(listed):
            first, *rest = (file_key(w) for w in said.split())
            if rest:
                found.setdefault(first, []).append(((first, *rest), entry))
            else:
                words[first] = entry
    return words, found
