"""Names taken apart into words, and sets of words."""

import re

_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def word_set(text: str) -> frozenset[str]:
    """The words of a text that spaces separate."""
    return frozenset(text.split())


def words_of(name: str) -> list[str]:
    """The words in a name, small: `getUserByID` and `get_user-by-id` give the same."""
    return [word.lower() for word in _CAMEL.findall(name)]


def spoken_name(name: str) -> str:
    """A name as words: "Get user by id"."""
    return " ".join(words_of(name)).capitalize()
