"""Polarity: a bare yes or no, and the words that negate a statement, in any language."""

import re
from enum import Enum
from functools import partial

from language.locales import in_all, words_in_all
from language.text.lexer import fold

_words = partial(words_in_all, "answers")
_NOT, _YES, _NO = _words("NOT"), _words("YES"), _words("NO")
_FILLERS = _words("FILLERS")
_TURNS = _NOT | _words("TURNS")
_REACH = 3
"""Words that a "not" reaches ahead: "not in cash", "senza il rimborso"."""


class Word(Enum):
    """The meaning of a bare reply to a pending plan."""

    YES = "yes"
    NO = "no"


def _listed(name: str) -> frozenset[str]:
    """Return the phrases that the languages list under this name; however the lines are broken, they stay what they
    are."""
    return frozenset(" ".join(phrase.split()) for text in in_all("answers", name) for phrase in text.split("|"))


_ASSENTS, _STOPS, _POLITE = _listed("ASSENTS"), _listed("STOPS"), _listed("POLITE")
_REFUSALS = _STOPS | _listed("REFUSALS")
_LONGEST = 4
"""Words of the longest phrase, and phrases of the longest reply."""


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


def bare_word(text: str) -> Word | None:
    """Return YES or NO if the message is only that, else None. A question is never assent, nor is a reply with both."""
    if "?" in text:
        return None
    words = _plain_words(text)
    if _made_of(words, _POLITE):
        return None
    if _made_of(words, _ASSENTS | _POLITE):
        return Word.YES
    return Word.NO if _made_of(words, _REFUSALS | _POLITE) else None


def asks_to_stop(text: str) -> bool:
    """Return whether a bare no asks to stop: beside a question, any other no may be the answer to it."""
    return any(f" {phrase} " in f" {' '.join(_plain_words(text))} " for phrase in _STOPS)


def _plain_words(text: str) -> list[str]:
    plain = text.casefold().replace("’", "'").replace("'", "").replace("ì", "i")
    return re.sub(r"[^\w\s]", " ", plain).split()


def _made_of(words: list[str], phrases: frozenset[str], remaining: int = _LONGEST) -> bool:
    """Return whether the words are up to `remaining` of these phrases in sequence, and nothing else."""
    if not words or not remaining:
        return False
    return any(
        " ".join(words[:length]) in phrases
        and (length == len(words) or _made_of(words[length:], phrases, remaining - 1))
        for length in range(1, min(_LONGEST, len(words)) + 1)
    )
