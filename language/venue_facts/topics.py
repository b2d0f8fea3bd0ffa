"""What a question or an entry of a venue's profile is about, in any language: hours, refunds, animals, parking.

A question is answered by an entry only if that speaks of all that the question names: "may dogs wait in the car park?"
is none for what is said of parking. So a topic also stands here if no shipped venue says anything of it.

What can hurt who eats it is one topic each: what is said of gluten says nothing of lactose. They are the fourteen
allergens of Regulation (EU) 1169/2011, annex II, and what else guests do without; beside them whatever a dish is asked
to be without is a topic by its own word.
"""

import re
from functools import partial

from language.locales import alternatives, in_all
from language.text.lexer import fold

_words = partial(alternatives, "venue_topics")


def joined_tables(module: str, name: str) -> dict[str, str]:
    """Return one table of the tables that the languages define as `name` in their `module`: for each topic, one
    expression of all of theirs."""
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
"""What a question asks of a thing. That an entry speaks of it in passing does not make it the entry on that."""


def topics_in(text: str) -> frozenset[str]:
    """Return what a text names."""
    message = fold(text).replace("’", "'")
    for name, thing in _OTHERWISE:
        message = name.sub(thing, message)
    found = {topic for topic, words in _TOPICS.items() if words.search(_NOT_A_PRICE.sub(r"\1", message))}
    found |= {topic for match in _FREE_OF.finditer(message) if (topic := _left_out(match[1] or match[2]))}
    # What a dish is without is asked of no other food: "she is a coeliac, can she eat with you?"
    eaten = _EATEN if found & _DIET.keys() else frozenset(("meals",)) if "outdoor" in found else frozenset()
    return frozenset(found - eaten)


def _left_out(word: str) -> str:
    """Return the topic of what is to be left out, by its stem, where no other topic has its word."""
    known = any(words.search(word) for words in _TOPICS.values())
    return "" if known or _NO_THING.fullmatch(word) else f"without {word[:5].rstrip('aeious')}"


def things_in(text: str) -> frozenset[str]:
    """Return what a text names beside the ways in which one asks of anything: how long, how much, when open."""
    return topics_in(text) - _WAYS
