"""The knowledge base's answer to a guest's question, or none.

A score is between 0 and 1 and means how sure it is that the question is of an entry's kind:

- 1: one of the entry's keywords is there, in any form of the word (a stem), phrases with their words side by side;
- 0.8, 0.6: the same with one letter wrong, or two in a long word: what was typed or heard amiss;
- otherwise: how much of the entry's own question is in the guest's, words that few entries share counting for more.

Stems are of the Snowball stemmer (PyStemmer), letters are compared by rapidfuzz. `docs/restaurant.md` has the measure.
"""

import math
import re
from dataclasses import dataclass
from functools import lru_cache

import Stemmer
from rapidfuzz.distance import OSA

from language.plain import plain
from restaurant.knowledge import FaqEntry, KnowledgeBase

THRESHOLD = 0.6
"""Below it there is no answer (the contract)."""

_LETTERS = ((9, 2), (6, 1))
"""A word of so many letters may have so many wrong."""

_WORD = re.compile(r"[^\W_]+")
_STEMMERS = tuple(Stemmer.Stemmer(name) for name in ("italian", "english"))
_SAY_NOTHING = frozenset(
    plain(word)
    for word in """
    a ad ai al alla alle allo anche avere avete avrei c ce che chi ci con cosa cui da dal dalla dei del della delle di
    dove e ed essere fa fate fare favore gli ha hai hanno ho i il in io l la le lei li lo ma mi mia mio nei nel nella
    non noi o per perché più può posso possiamo potete potrei prego qualche quale quali quando quanto quel quella
    questa questo qui se sei si siamo siete sono su sua sul suo te ti tra un una uno va vi vorrei voi vostro volevo
    buongiorno buonasera salve ciao grazie scusi sapere chiedere c'è avremmo
    a am an and any are at be can could do does for from have hello hi how i if in is it me my of on or our please
    the there to us we what where which with would you your
    """.split()
)


@dataclass(frozen=True)
class Scored:
    """An entry and how sure it is that it is meant."""

    entry: FaqEntry
    score: float


def best_entry(kb: KnowledgeBase, question: str) -> FaqEntry | None:
    """The entry that a question is of; None below the threshold. Of two alike the first in the file."""
    ranked = scores(kb, question)
    best = max(ranked, key=lambda one: one.score, default=None)
    return best.entry if best is not None and best.score >= THRESHOLD else None


def scores(kb: KnowledgeBase, question: str) -> list[Scored]:
    """Every entry with its score, in the file's order."""
    words = _words(question)
    # An entry's index and not the entry: what is compared was prepared once a knowledge base.
    prepared = _prepared(kb.faq)
    return [Scored(entry, _score(one, words)) for entry, one in zip(kb.faq, prepared, strict=True)]


Stems = tuple[str, ...]
"""A word, then its stems, one a language. A word that says nothing by itself has none: "can" is no "cane"."""


@dataclass(frozen=True)
class _Prepared:
    phrases: tuple[tuple[Stems, ...], ...]
    weights: tuple[tuple[Stems, float], ...]


@lru_cache(maxsize=256)
def _prepared(entries: tuple[FaqEntry, ...]) -> tuple[_Prepared, ...]:
    asked = [_content(entry.question) for entry in entries]
    return tuple(
        _Prepared(
            tuple(_words(keyword) for keyword in entry.keywords),
            tuple((stems, math.log(1 + len(entries) / sum(stems in other for other in asked))) for stems in own),
        )
        for entry, own in zip(entries, asked, strict=True)
    )


def _score(entry: _Prepared, words: tuple[Stems, ...]) -> float:
    by_keyword = max((_phrase(phrase, words) for phrase in entry.phrases), default=0.0)
    whole = sum(weight for _, weight in entry.weights)
    there = sum(weight * max((_alike(stems, word) for word in words), default=0.0) for stems, weight in entry.weights)
    return max(by_keyword, there / whole if whole else 0.0)


def _phrase(phrase: tuple[Stems, ...], words: tuple[Stems, ...]) -> float:
    windows = (words[at : at + len(phrase)] for at in range(len(words) - len(phrase) + 1))
    return max(
        (min(_alike(a, b) for a, b in zip(phrase, window, strict=True)) for window in windows if phrase), default=0.0
    )


@lru_cache(maxsize=20_000)
def _alike(one: Stems, other: Stems) -> float:
    # An English and an Italian stem may be the same by chance: each is compared with its like.
    if any(a == b for a, b in zip(one, other, strict=False)):
        return 1.0
    word, heard = one[0], other[0]
    allowed = next((most for letters, most in _LETTERS if min(len(word), len(heard)) >= letters), 0)
    wrong = OSA.distance(word, heard, score_cutoff=allowed) if allowed else 1
    return 1.0 - 0.2 * wrong if wrong <= allowed else 0.0


def _words(text: str) -> tuple[Stems, ...]:
    return tuple(_stems(word) for word in _WORD.findall(plain(text)))


def _content(text: str) -> tuple[Stems, ...]:
    return tuple(_stems(word) for word in _WORD.findall(plain(text)) if word not in _SAY_NOTHING)


def _stems(word: str) -> Stems:
    if word in _SAY_NOTHING:
        return (word,)
    return (word, *(stemmer.stemWord(word) for stemmer in _STEMMERS))
