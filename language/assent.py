"""Plain typed assent and refusal, decided by code and never by a model (`docs/state-model.md`).

Closed lists, matched whole: anything more than a bare yes or no is a new message for the planner.
"""

import re
from enum import Enum


class Word(Enum):
    """What a bare reply to a pending plan means."""

    YES = "yes"
    NO = "no"


def _phrases(text: str) -> frozenset[str]:
    """Phrases between bars; however the lines are broken, they stay what they are."""
    return frozenset(" ".join(phrase.split()) for phrase in text.split("|"))


_YES = _phrases("""
    yes|y|yep|yeah|yup|do it|go ahead|please do|confirm|confirmed|confirm it|confirm plan|confirm the plan|ok|okay|
    sure|looks good|sounds good|all good|perfect|great|fine|thats fine|that is right|thats right|thats correct|right|
    correct|approve|approved|proceed|go for it|lets do it|absolutely|of course|
    si|procedi|fallo|confermo|conferma|va bene|perfetto|certo|certamente|d accordo|daccordo|esatto|giusto|corretto|
    ottimo|benissimo|fai pure|vai|vai pure
""")
_STOP = _phrases("""
    stop|stop it|never mind|nevermind|forget it|no cancel|discard|discard it|discard plan|discard the plan|drop it|
    lascia stare|lascia perdere|annulla tutto|fermati
""")
_NO = _STOP | _phrases("""
    no|n|nope|dont|dont do it|do not|do not do it|leave it|
    non farlo|non confermare|non procedere|niente
""")
_POLITE = _phrases("please|thanks|thank you|thank you very much|grazie|grazie mille|per favore|per piacere")
_LONGEST = 4
"""Words of the longest phrase, and phrases of the longest reply."""


def bare_word(text: str) -> Word | None:
    """YES or NO when the message says that and nothing else, else None. A question is never assent, nor is a reply
    that says both."""
    if "?" in text:
        return None
    words = _words(text)
    if _made_of(words, _POLITE):
        return None
    if _made_of(words, _YES | _POLITE):
        return Word.YES
    return Word.NO if _made_of(words, _NO | _POLITE) else None


def stops(text: str) -> bool:
    """Whether a bare no asks to stop: beside a question, any other no may be the answer to it."""
    return any(f" {phrase} " in f" {' '.join(_words(text))} " for phrase in _STOP)


def _words(text: str) -> list[str]:
    plain = text.casefold().replace("’", "'").replace("'", "").replace("ì", "i")
    return re.sub(r"[^\w\s]", " ", plain).split()


def _made_of(words: list[str], phrases: frozenset[str], left: int = _LONGEST) -> bool:
    """Whether the words are up to `left` of these phrases, one after the other, and nothing else."""
    if not words or not left:
        return False
    return any(
        " ".join(words[:length]) in phrases and (length == len(words) or _made_of(words[length:], phrases, left - 1))
        for length in range(1, min(_LONGEST, len(words)) + 1)
    )
