"""Splits names into words."""

import re
import unicodedata

_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text that spaces separate."""
    return frozenset(text.split())


def unaccented(text: str) -> str:
    """Return `text` without accents, because words are matched in ASCII and people leave accents out."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def words_of(name: str) -> list[str]:
    """Return the words in a name, in lower case: `getUserByID` and `get_user-by-id` give the same."""
    return [word.lower() for word in _CAMEL.findall(name)]


def spoken_name(name: str) -> str:
    """Return a name as words: "Get user by id"."""
    return " ".join(words_of(name)).capitalize()
