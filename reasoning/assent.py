"""Plain typed assent and refusal, decided by code and never by a model (design, "Two workflows").

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
    yes|y|yep|yeah|yes please|yes do it|yes go ahead|yes confirm|do it|go ahead|please do|confirm|confirmed|
    confirm it|confirm plan|ok|okay|ok do it|okay do it|ok go ahead|sure|sure do it|looks good|sounds good|
    looks good do it|perfect|that is right|thats right|correct|yes thats right|yes thats correct|approve|
    approved|proceed|go for it|
    si|si grazie|si procedi|si fallo|si conferma|confermo|conferma|procedi|va bene|ok procedi|fallo|perfetto|
    certo|d accordo|daccordo
""")
_NO = _phrases("""
    no|n|nope|no thanks|no thank you|no dont|dont|dont do it|do not|do not do it|stop|never mind|nevermind|
    forget it|no forget it|no cancel|discard|discard it|discard plan|drop it|leave it|no leave it|no stop|
    no grazie|lascia stare|lascia perdere|annulla tutto|non farlo|fermati|niente
""")


def bare_word(text: str) -> Word | None:
    """YES or NO when the message is nothing else, else None. A question is never assent."""
    if "?" in text:
        return None
    plain = text.casefold().replace("’", "'").replace("'", "").replace("ì", "i")
    plain = " ".join(re.sub(r"[^\w\s]", " ", plain).split())
    if plain in _YES:
        return Word.YES
    return Word.NO if plain in _NO else None
