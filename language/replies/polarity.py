"""Polarity: yes, no and the words that negate a statement, in any language."""

import re
from functools import partial

from language.locales import words_in_all
from language.text.lexer import fold

_words = partial(words_in_all, "answers")
_NOT, _YES, _NO = _words("NOT"), _words("YES"), _words("NO")
_FILLERS = _words("FILLERS")
_TURNS = _NOT | _words("TURNS")
_REACH = 3
"""Words that a "not" reaches ahead: "not in cash", "senza il rimborso"."""


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded: small letters, no accents, no apostrophes."""
    return re.findall(r"\w+", fold(text).replace("'", "").replace("’", ""))


def says(text: str, words: list[str]) -> bool:
    """Return whether the text contains these words in sequence, as whole words and not negated anywhere. A "not"
    reaches no further than its clause: "not cash, by cheque"."""
    length, found = len(words), False
    for clause in re.split(r"[,;.!?:\n]+", text):
        messages = words_of(clause)
        for index in range(len(messages) - length + 1) if length else ():
            if messages[index : index + length] == words:
                if _NOT.intersection(messages[max(0, index - _REACH) : index]):
                    return False
                found = True
    return found


def only_says(text: str, words: list[str]) -> bool:
    """Return whether the text contains these words and nothing that could negate them: "in cash, please", not "keep the
    cash"."""
    messages = words_of(text)
    for index in range(len(messages) - len(words) + 1) if words else ():
        if messages[index : index + len(words)] == words:
            return _FILLERS.issuperset(messages[:index] + messages[index + len(words) :])
    return False


def denies(text: str) -> bool:
    """Return whether an answer begins with a no and contains no yes."""
    messages = words_of(text)
    return bool(messages) and "?" not in text and messages[0] in _NO | _NOT and _YES.isdisjoint(messages)


def negated(text: str) -> bool:
    """Return whether a statement is negated anywhere."""
    return not _TURNS.isdisjoint(words_of(text))
