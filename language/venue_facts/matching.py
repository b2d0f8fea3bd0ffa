"""Finds the entry that answers a question, among entries of a question, an answer and synonyms: a restaurant's FAQ and
the frequent questions of a venue.

A score is between 0 and 1, and the higher of two:

- by synonyms: 1 if the question has all words of one, near one another, in any order and any form. So a synonym of one
  word is enough by itself, and an ambiguous word is given with another: "mangiare fuori".
- by content: the share of the question's words that are of the entry's question, or on a topic that no other entry has
  (`topics`). Words of nearly any question ("posso", "stasera", "tavolo") and of the entry's answer do not count. A
  synonym that ends in a question mark is another wording of the question: "bancomat?" counts if nothing else is asked.

A wrong letter takes 0.2: long words may have one or two. An entry scores 0 for a question about an allergen that it
does not name. Stems are Snowball's (PyStemmer), letters are compared by rapidfuzz; `docs/restaurant.md` has the
measurements.

Topics are those of a question or of an entry, in any language: hours, refunds, animals, parking. An entry answers a
question only if it covers all topics of the question: an entry on parking does not answer "may dogs wait in the car
park?". So a topic is listed even if no shipped venue has an entry on it. Each allergen is a topic of its own: an
entry on gluten states nothing about lactose. They are the fourteen allergens of Regulation (EU) 1169/2011, annex II,
and other things that guests avoid; any other ingredient that a dish should be without is a topic by its own word.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Protocol, TypeVar

import Stemmer
from rapidfuzz.distance import OSA

from language.locales import alternatives, in_all, words_in_all
from language.text.lexer import fold
from language.text.normalize import normalize_text

_topic_words = partial(alternatives, "venue_topics")


def joined_tables(module: str, name: str) -> dict[str, str]:
    """Return one table from the tables that the languages define as `name` in their `module`: for each topic, one
    expression that joins all of theirs."""
    tables = in_all(module, name)
    topics = dict.fromkeys(topic for table in tables for topic in table)
    return {topic: "|".join(table[topic] for table in tables if topic in table) for topic in topics}


_DIET = joined_tables("venue_topics", "DIET")
_FREE_OF = re.compile(
    rf"\b(?:{_topic_words('WITHOUT')}|(?:{_topic_words('CANNOT_HAVE')}) (?:{_topic_words('CANNOT_HAVE_TO')})) ?"
    rf"(?:(?:{_topic_words('ARTICLE')}) ?)*([^\W\d_]{{3,}})|"
    rf"\b([^\W\d_]{{3,}})[- ](?:{_topic_words('FREE')})\b(?! (?:{_topic_words('BEHIND_FREE')}))"
)
_NO_THING = re.compile(_topic_words("NO_THING"))
_AVOIDED = _DIET.keys() - {"allergy"}
_WITHOUT = "without "
_EATEN = frozenset(("food", "dish", "meals"))
_OTHERWISE = [
    (re.compile(rf"\b(?:{name})\b"), thing) for rows in in_all("venue_topics", "OTHERWISE") for name, thing in rows
]
_TOPICS = {
    topic: re.compile(rf"\b(?:{words})\b") for topic, words in (joined_tables("venue_topics", "TOPICS") | _DIET).items()
}
_NOT_A_PRICE = re.compile(rf"\b({'|'.join(_DIET.values())})[- ](?:{_topic_words('FREE')})\b")
_WAYS = frozenset(("hours", "howlong", "price"))
"""The aspects of a thing that a question asks for. An entry that mentions a thing in passing is not the entry on it."""


def topics_in(text: str) -> frozenset[str]:
    """Return the topics of a text."""
    message = fold(text).replace("’", "'")
    for name, thing in _OTHERWISE:
        message = name.sub(thing, message)
    found = {topic for topic, words in _TOPICS.items() if words.search(_NOT_A_PRICE.sub(r"\1", message))}
    found |= {topic for match in _FREE_OF.finditer(message) if (topic := _left_out(match[1] or match[2]))}
    # A diet is asked of meals even without a word for food: "she is a coeliac, can she eat with you?"
    eaten = _EATEN if found & _DIET.keys() else frozenset(("meals",)) if "outdoor" in found else frozenset()
    return frozenset(found - eaten)


def _left_out(word: str) -> str:
    """Return the topic of an ingredient to leave out, by its stem, where no other topic has its word."""
    known = any(words.search(word) for words in _TOPICS.values())
    return "" if known or _NO_THING.fullmatch(word) else f"{_WITHOUT}{word[:5].rstrip('aeious')}"


def diets_in(text: str) -> frozenset[str]:
    """Return the allergens and other things to avoid that a text names."""
    return frozenset(topic for topic in topics_in(text) if topic in _AVOIDED or topic.startswith(_WITHOUT))


def things_in(text: str) -> frozenset[str]:
    """Return the topics of a text without the aspects that apply to anything: duration, price, opening hours."""
    return topics_in(text) - _WAYS


THRESHOLD = 0.6
"""Below it there is no answer (the restaurant's contract)."""
SAME = 0.8
"""The least score of an entry that has the same question: "how long is my meeting with Aviad?" is another one."""

_LETTERS = ((9, 2), (6, 1))
"""Pairs: the least length of a word, and the wrong letters that it may have."""
_BETWEEN = 3
"""Words between those of a synonym, at most."""
_OF_WORDING = 0.6
"""The share of a wording's own words that must be in the question."""

_WORD = re.compile(r"[^\W_]+")
_STEMMERS = (Stemmer.Stemmer("english"), Stemmer.Stemmer("italian"))
_COMMON = words_in_all("venue_matching", "COMMON")
_ONE_FORM = frozenset(word for word in _COMMON if len(word) <= 3)
"""Common words without other forms: "can" is none of "cane"."""

Stems = frozenset[tuple[int, str]]
"""The stems of a word, each with its language, because an Italian and an English stem may be equal by chance."""


class Entry(Protocol):
    """What may answer a question. Hashable, because entries are prepared once."""

    @property
    def question(self) -> str:
        """Return the question, "" for an entry that has none."""

    @property
    def answer(self) -> str:
        """Return its answer."""

    @property
    def synonyms(self) -> tuple[str, ...]:
        """Return other words for the question."""


E = TypeVar("E", bound=Entry)


def best_entry(question: str, entries: Sequence[E], least: float = THRESHOLD) -> E | None:
    """Return the entry that answers a question; None below the least score. The first of equals wins."""
    scored = zip(scores(question, entries), entries, strict=True)
    score, entry = max(scored, key=lambda one: one[0], default=(0.0, None))
    return entry if score >= least else None


def scores(question: str, entries: Sequence[Entry]) -> list[float]:
    """Return the score of every entry, in their order."""
    prepared, spelling = _prepared(tuple(entries))
    words = [_asked_word(word, spelling) for word in _words(question)]
    text = " ".join(word.text for word in words)
    diets, topics = diets_in(text), topics_in(text)
    return [
        max(_by_synonyms(one, words), _by_content(one, words, topics)) if diets <= one.diets else 0.0
        for one in prepared
    ]


@dataclass(frozen=True, slots=True)
class _Prepared:
    phrases: tuple[tuple[Stems, ...], ...]
    wordings: tuple[tuple[Stems, ...], ...]
    answer: Stems
    topics: frozenset[str]
    own_topics: frozenset[str]
    """Those that no other entry has, and that it has not by its common words: "a menu for children" is not on menus."""
    diets: frozenset[str]


@dataclass(frozen=True, slots=True)
class _AskedWord:
    """A word of a question, in the entries' spelling; `right` is less than 1 if letters were wrong."""

    text: str
    right: float
    stems: Stems
    topics: frozenset[str]


@lru_cache(maxsize=256)
def _prepared(entries: tuple[Entry, ...]) -> tuple[tuple[_Prepared, ...], dict[str, Stems]]:
    """Return the entries as they are compared, and the stems of every word in their questions and synonyms."""
    shared = Counter(topic for one in entries for topic in topics_in(one.question))
    found = []
    for one in entries:
        texts = (one.question, *one.synonyms)
        wordings = [one.question, *(text for text in one.synonyms if text.endswith("?"))]
        topics = topics_in(one.question)
        common = topics_in(" ".join(word for word in _words(one.question) if word in _COMMON))
        found.append(
            _Prepared(
                phrases=_stems_of(_words(text) for text in one.synonyms if not text.endswith("?")),
                wordings=_stems_of([word for word in _words(text) if word not in _COMMON] for text in wordings),
                answer=Stems().union(*map(_stems, _words(one.answer))),
                topics=topics,
                own_topics=frozenset(topic for topic in topics - common if shared[topic] == 1),
                diets=diets_in(" . ".join((*texts, one.answer))),
            )
        )
    words = {word for one in entries for text in (one.question, *one.synonyms) for word in _words(text)}
    return tuple(found), {word: _stems(word) for word in sorted(words)}


def _by_synonyms(entry: _Prepared, words: Sequence[_AskedWord]) -> float:
    return max((_together(phrase, words) for phrase in entry.phrases), default=0.0)


def _together(phrase: Sequence[Stems], words: Sequence[_AskedWord]) -> float:
    """Return the score of the worst word of a synonym; 0 unless all are near one another."""
    length = len(phrase) + (_BETWEEN if len(phrase) > 1 else 0)
    found = 0.0
    for start in range(len(words)):
        near = words[start : start + length]
        found = max(found, min(max((word.right for word in near if word.stems & one), default=0.0) for one in phrase))
    return found


def _by_content(entry: _Prepared, words: Sequence[_AskedWord], topics: frozenset[str]) -> float:
    there = Stems().union(*(word.stems for word in words))
    asked = any(sum(bool(one & there) for one in wording) >= _OF_WORDING * len(wording) for wording in entry.wordings)
    own = Stems().union(*(one for wording in entry.wordings for one in wording)) if asked else Stems()
    counted = []
    for word in words:
        # In "hot dog" and "fuori menu" a word has another topic than by itself.
        fits = not word.topics or word.topics & topics & entry.topics
        about = fits and (word.stems & own or word.topics & entry.own_topics)
        if word.text not in _COMMON and (about or not word.stems & entry.answer):
            counted.append(word.right if about else 0.0)
    return sum(counted) / len(counted) if counted else 0.0


def _asked_word(word: str, spelling: dict[str, Stems]) -> _AskedWord:
    nearest, wrong = _nearest(word, spelling)
    return _AskedWord(nearest, 1.0 - 0.2 * wrong, _stems(nearest), _topics(nearest))


def _nearest(word: str, spelling: dict[str, Stems]) -> tuple[str, int]:
    """Return a word as an entry spells it, and its wrong letters; unchanged if it is in an entry, or near none."""
    allowed = next((limit for letters, limit in _LETTERS if len(word) >= letters), 0)
    stems = _stems(word)
    if not allowed or word in _COMMON or any(stems & own for own in spelling.values()):
        return word, 0
    # Who mistypes or mishears a word has its beginning right: "festeggiare" is no "posteggiare".
    near = ((OSA.distance(word, other, score_cutoff=allowed), other) for other in spelling if other[0] == word[0])
    wrong, other = min(near, default=(allowed + 1, word))
    return (other, wrong) if wrong <= allowed else (word, 0)


def _stems_of(phrases: Iterable[list[str]]) -> tuple[tuple[Stems, ...], ...]:
    return tuple(tuple(map(_stems, words)) for words in phrases if words)


def _words(text: str) -> list[str]:
    return _WORD.findall(normalize_text(text))


@lru_cache(maxsize=20_000)
def _topics(word: str) -> frozenset[str]:
    return topics_in(word)


@lru_cache(maxsize=20_000)
def _stems(word: str) -> Stems:
    if word in _ONE_FORM:
        return Stems({(-1, word)})
    # "parking" is no form of "park".
    return Stems(enumerate(word if word.endswith("ing") else stemmer.stemWord(word) for stemmer in _STEMMERS))
