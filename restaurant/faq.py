"""The knowledge base's answer to a guest's question, or none.

A score is between 0 and 1. It is the confidence that the question matches an entry:

- 1: the question has one of the entry's keywords, in any form of the word (by its stem), phrases with their words side
  by side; or one of the entry's ambiguous words, if the question has no other content or a clarifying word is near;
- 0.8, 0.6: the same with one wrong letter, or two in a long word, from mistyping or mishearing;
- otherwise: the share of the entry's own question that is in the guest's, weighted by how few entries use a word.

Stems come from the Snowball stemmer (PyStemmer), letters are compared by rapidfuzz. `docs/restaurant.md` has the
measurements.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import Stemmer
from rapidfuzz.distance import OSA

from language.text.normalize import normalize_text
from restaurant.knowledge import FaqEntry, KnowledgeBase

THRESHOLD = 0.6
"""Below it there is no answer (the contract)."""

_LETTERS = ((9, 2), (6, 1))
"""Pairs: the least length of a word, and the wrong letters that it may have."""

_NEAR = 4
"""Words between an ambiguous word and one that clarifies it, at most."""

_WORD = re.compile(r"[^\W_]+")
_STEMMERS = tuple(Stemmer.Stemmer(name) for name in ("italian", "english"))
_SAY_NOTHING = frozenset(
    normalize_text(word)
    for word in """
    a ad ai al alla alle allo anche avere avete avrei c ce che chi ci con cosa cui da dal dalla dei del della delle di
    dove e ed essere fa fate fare favore gli ha hai hanno ho i il in io l la le lei li lo ma mi mia mio nei nel nella
    non noi o per perché più può posso possiamo potete potrei prego qualche quale quali quando quanto quel quella
    questa questo qui se sei si siamo siete sono su sua sul suo te ti tra un una uno va vi vorrei voi vostro volevo
    senza without buongiorno buonasera salve ciao grazie scusi sapere chiedere c'è avremmo
    a am an and any are at be can could do does for from got have hello hi how i if in is it me my of on or our please
    the there to us we what where which with would you your
    """.split()
)


@dataclass(frozen=True)
class Scored:
    """An entry and its score."""

    entry: FaqEntry
    score: float


def best_entry(kb: KnowledgeBase, question: str) -> FaqEntry | None:
    """Return the entry that matches a question; None below the threshold. The first of equal scores wins."""
    ranked = scores(kb, question)
    best = max(ranked, key=lambda one: one.score, default=None)
    return best.entry if best is not None and best.score >= THRESHOLD else None


def scores(kb: KnowledgeBase, question: str) -> list[Scored]:
    """Return every entry with its score, in the file's order."""
    words = _words(question)
    # The index of an entry, because entries are prepared once per knowledge base.
    prepared = _prepared(kb.faq)
    return [Scored(entry, _score(one, words)) for entry, one in zip(kb.faq, prepared, strict=True)]


Stems = tuple[str, ...]
"""A word, then its stems, one per language. A word without content has no stems: "can" must not match "cane"."""

_OTHER: Stems = ("", "", "")
"""A word that is ignored, but still counts as content."""


Phrases = tuple[tuple[Stems, ...], ...]


@dataclass(frozen=True)
class _Prepared:
    keywords: Phrases
    words: Phrases
    beside: Phrases
    but_not: Phrases
    weights: tuple[tuple[Stems, float], ...]


@lru_cache(maxsize=256)
def _prepared(entries: tuple[FaqEntry, ...]) -> tuple[_Prepared, ...]:
    asked = [_content(entry.question) for entry in entries]
    return tuple(
        _Prepared(
            keywords=tuple(map(_words, entry.keywords)),
            words=tuple(map(_words, entry.words)),
            beside=tuple(map(_words, entry.beside)),
            but_not=tuple(map(_words, entry.but_not)),
            weights=tuple(
                (stems, math.log(1 + len(entries) / sum(stems in other for other in asked))) for stems in own
            ),
        )
        for entry, own in zip(entries, asked, strict=True)
    )


def _score(entry: _Prepared, words: tuple[Stems, ...]) -> float:
    words = _without(words, entry.but_not)
    by_keyword = max((score for phrase in entry.keywords for _, score in _places(phrase, words)), default=0.0)
    in_company = max((score for phrase in entry.words for score in _meant(phrase, entry, words)), default=0.0)
    whole = sum(weight for _, weight in entry.weights)
    there = sum(weight * max((_alike(stems, word) for word in words), default=0.0) for stems, weight in entry.weights)
    return max(by_keyword, in_company, there / whole if whole else 0.0)


def _without(words: tuple[Stems, ...], phrases: Phrases) -> tuple[Stems, ...]:
    """Return the words, with `_OTHER` in place of each that is in one of the phrases, letter by letter: "a park" is not
    "a parking"."""
    taken: set[int] = set()
    for phrase in phrases:
        for at in range(len(words) - len(phrase) + 1):
            if all(a[0] == b[0] for a, b in zip(phrase, words[at : at + len(phrase)], strict=True)):
                taken.update(range(at, at + len(phrase)))
    return tuple(_OTHER if at in taken else word for at, word in enumerate(words))


def _meant(phrase: tuple[Stems, ...], entry: _Prepared, words: tuple[Stems, ...]) -> Iterator[float]:
    """Yield the scores of an ambiguous phrase where it means this entry."""
    for at, score in _places(phrase, words):
        rest = (*words[:at], *words[at + len(phrase) :])
        near = words[max(0, at - _NEAR) : at], words[at + len(phrase) : at + len(phrase) + _NEAR]
        nearer = any(said >= THRESHOLD for by in entry.beside for side in near for _, said in _places(by, side))
        if nearer or not any(_says_something(word, entry) for word in rest):
            yield score


def _says_something(word: Stems, entry: _Prepared) -> bool:
    own = (one for phrase in (*entry.keywords, *entry.words) for one in phrase)
    return len(word) > 1 and not any(_alike(word, one) >= THRESHOLD for one in own)


def _places(phrase: tuple[Stems, ...], words: tuple[Stems, ...]) -> Iterator[tuple[int, float]]:
    """Yield the places of a phrase, with its score at each."""
    for at in range(len(words) - len(phrase) + 1 if phrase else 0):
        score = min(_alike(a, b) for a, b in zip(phrase, words[at : at + len(phrase)], strict=True))
        if score:
            yield at, score


@lru_cache(maxsize=20_000)
def _alike(one: Stems, other: Stems) -> float:
    # An English and an Italian stem may be equal by chance, so each is compared only with its own language.
    if any(a == b for a, b in zip(one, other, strict=False)):
        return 1.0
    word, received = one[0], other[0]
    allowed = next((limit for letters, limit in _LETTERS if min(len(word), len(received)) >= letters), 0)
    wrong = OSA.distance(word, received, score_cutoff=allowed) if allowed else 1
    return 1.0 - 0.2 * wrong if wrong <= allowed else 0.0


def _words(text: str) -> tuple[Stems, ...]:
    return tuple(_stems(word) for word in _WORD.findall(normalize_text(text)))


def _content(text: str) -> tuple[Stems, ...]:
    return tuple(_stems(word) for word in _WORD.findall(normalize_text(text)) if word not in _SAY_NOTHING)


def _stems(word: str) -> Stems:
    if word in _SAY_NOTHING:
        return (word,)
    return (word, *(stemmer.stemWord(word) for stemmer in _STEMMERS))
