"""Find the topics of a question or of an entry in a venue's profile, in any language: hours, refunds, animals, parking.

An entry answers a question only if it covers all topics of the question: an entry on parking does not answer "may dogs
wait in the car park?". So a topic is listed even if no shipped venue has an entry on it.

Each allergen is a topic of its own: an entry on gluten states nothing about lactose. They are the fourteen allergens of
Regulation (EU) 1169/2011, annex II, and other things that guests avoid; any other ingredient that a dish should be
without is a topic by its own word.
"""

import re
from functools import partial

from language.locales import alternatives, in_all
from language.text.lexer import fold

_words = partial(alternatives, "venue_topics")


def joined_tables(module: str, name: str) -> dict[str, str]:
    """Return one table from the tables that the languages define as `name` in their `module`: for each topic, one
    expression that joins all of theirs."""
    tables = in_all(module, name)
    topics = dict.fromkeys(topic for table in tables for topic in table)
    return {topic: "|".join(table[topic] for table in tables if topic in table) for topic in topics}


_DIET = joined_tables("venue_topics", "DIET")
_FREE_OF = re.compile(
    rf"\b(?:{_words('WITHOUT')}|(?:{_words('CANNOT_HAVE')}) (?:{_words('CANNOT_HAVE_TO')})) ?"
    rf"(?:(?:{_words('ARTICLE')}) ?)*([^\W\d_]{{3,}})|"
    rf"\b([^\W\d_]{{3,}})[- ](?:{_words('FREE')})\b(?! (?:{_words('BEHIND_FREE')}))"
)
_NO_THING = re.compile(_words("NO_THING"))
_EATEN = frozenset(("food", "dish", "meals"))
_OTHERWISE = [
    (re.compile(rf"\b(?:{name})\b"), thing) for rows in in_all("venue_topics", "OTHERWISE") for name, thing in rows
]
_TOPICS = {
    topic: re.compile(rf"\b(?:{words})\b") for topic, words in (joined_tables("venue_topics", "TOPICS") | _DIET).items()
}
_NOT_A_PRICE = re.compile(rf"\b({'|'.join(_DIET.values())})[- ](?:{_words('FREE')})\b")
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
    return "" if known or _NO_THING.fullmatch(word) else f"without {word[:5].rstrip('aeious')}"


def things_in(text: str) -> frozenset[str]:
    """Return the topics of a text without the aspects that apply to anything: duration, price, opening hours."""
    return topics_in(text) - _WAYS
