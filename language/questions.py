"""What a text asks, without anything that it states or announces beside: of "I'll refund it. Which one?" it is "Which
one?"."""

import re

from language import effects
from language.lexer import fold
from language.venue_claims import sentences_in, states_of_venue

ASKING = re.compile(
    r"^\W*(?:(?:and|so|but|then|or|e|ma|o|allora|quindi) )?(?:which|what|who|whom|whose|when|where|why|how|in which|"
    r"on which|"
    r"at what|at which|for which|for whom|by when|shall|should|do|does|did|is|are|was|were|can|could|would|will|may|"
    r"have|"
    r"has|any|"
    r"quale|quali|qual|che|cosa|chi|quando|dove|come|quant[oiae]|perche|a che|a quale|di quale|in quale|per quale|"
    r"con chi|"
    r"vuole|vuoi|devo|posso|puo|puoi|intende|intendeva|desidera|preferisce|e|sono|ha|si tratta)\b"
)
"""How a question begins, in plain small letters."""
_TAG = re.compile(
    r"^\W*(?:(?:is|are|was|were|do|does|did|has|have|will|would|can|should|isn't|aren't|wasn't|don't|doesn't|didn't|"
    r"hasn't|"
    r"haven't|won't|wouldn't|can't) (?:it|that|this|they|you|i|we|he|she)(?: not)?(?: (?:ok|okay|fine|right|all right|"
    r"alright|correct|good))?|(?:all )?right|ok|okay|alright|fine|yes|no|sure|correct|good|agreed|deal|yeah|"
    r"va bene|d'accordo|giusto|vero|no|si|bene|corretto|e corretto|e giusto)\W*$"
)
_ANNOUNCES = re.compile(
    r"\b(?:i|we)(?:'ll|'ve|'d|'m| will| have| had| am| are going| shall now| just)\b|\b(?:done|sorted|completed|"
    r"refunded|"
    r"cancelled|canceled|moved|booked|changed|confirmed)\W*$|\b(?:ho|abbiamo) \w+t[oaie]\b|\bfatto\b"
)
_PARTS = re.compile(r"(?<=[,;:])\s+|\s+[-–—]\s+|(?<=[.!…])\s+")


def questions_in(text: str, locale: str) -> str:
    """The questions of a text, each from where it begins to ask; "" where nothing is asked but whether that is all
    right."""
    asked = [_asked(sentence.strip(), locale) for sentence in sentences_in(text)]
    return " ".join(question for question in asked if question)


def _asked(sentence: str, locale: str) -> str:
    bare = sentence.rstrip("\"'”’) ")
    if not bare.endswith("?"):
        return ""
    parts = [part for part in _PARTS.split(bare) if part]
    first = next(
        (n for n, part in enumerate(parts) if ASKING.match(_plain(part)) and not _TAG.match(_plain(part))), None
    )
    if first is None:
        # "Cash or card?" asks without a word for it; beside a statement, what is left of it asks nothing.
        first = 0 if len(parts) == 1 and not _TAG.match(_plain(bare)) else None
    question = " ".join(parts[first:]) if first is not None else ""
    if not question or (first and effects.is_fragment(question)) or _asserts(question, locale):
        return ""
    question = re.sub(r"^(?:and|so|but|then|e|ma|allora|quindi) ", "", question, flags=re.IGNORECASE)
    return question[:1].upper() + question[1:]


def _asserts(question: str, locale: str) -> bool:
    stated = f"{question.rstrip('? ')}."
    claims = effects.without_effect_claims(stated, locale) != stated
    return claims or bool(_ANNOUNCES.search(_plain(stated))) or states_of_venue(question)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", fold(text)).replace("’", "'").strip()
