"""Splits names into words, and tells plurals."""

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


def singular(word: str) -> str:
    """Return the singular of an English plural, roughly: enough to match both forms."""
    if len(word) > 4 and word.endswith("ies") and word not in ("series", "movies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "series")):
        return word[:-1]
    return word


def is_plural(name: str) -> bool:
    """Return whether the last word of a name is an English plural, as roughly."""
    words = words_of(name)
    return bool(words) and singular(words[-1]) != words[-1]
