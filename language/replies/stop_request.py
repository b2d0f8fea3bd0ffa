"""Plain typed assent and refusal, decided by code and never by a model (`docs/state-model.md`).

Closed lists, matched whole: anything more than a bare yes or no is a new message for the planner.
"""

import re
from enum import Enum

from language.locales import in_all


class Word(Enum):
    """The meaning of a bare reply to a pending plan."""

    YES = "yes"
    NO = "no"


def _listed(name: str) -> frozenset[str]:
    """Return the phrases that the languages list under this name; however the lines are broken, they stay what they
    are."""
    return frozenset(" ".join(phrase.split()) for text in in_all("answers", name) for phrase in text.split("|"))


_YES = _listed("ASSENTS")
_STOP = _listed("STOPS")
_NO = _STOP | _listed("REFUSALS")
_POLITE = _listed("POLITE")
_LONGEST = 4
"""Words of the longest phrase, and phrases of the longest reply."""


def bare_word(text: str) -> Word | None:
    """Return YES or NO if the message is only that, else None. A question is never assent, nor is a reply with both."""
    if "?" in text:
        return None
    words = _words(text)
    if _made_of(words, _POLITE):
        return None
    if _made_of(words, _YES | _POLITE):
        return Word.YES
    return Word.NO if _made_of(words, _NO | _POLITE) else None


def asks_to_stop(text: str) -> bool:
    """Return whether a bare no asks to stop: beside a question, any other no may be the answer to it."""
    return any(f" {phrase} " in f" {' '.join(_words(text))} " for phrase in _STOP)


def _words(text: str) -> list[str]:
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
