"""Detects requests for a person: "vorrei parlare con una persona", "get me a human".

Only a message that begins with the request counts, in the first person or as an order: "she wants to talk to somebody"
is about others, and a note may hold any words.
"""

import re
from functools import partial

from language.locales import alternatives
from language.text.normalize import normalize_text

_words = partial(alternatives, "asks_for_person")
_ASKS = re.compile(
    rf"(?:(?:{_words('COURTESY')})[\s,.!]+)*(?:{_words('ASKS')})(?:[\s,]+(?:{_words('ENDS')})\b.*)?[\s.!?]*"
)
_LONGEST = 200


def asks_for_a_person(text: str) -> bool:
    """Return whether a message asks for a reply by a person, in any language."""
    letters = normalize_text(" ".join(text[: _LONGEST + 1].split()))
    return len(letters) <= _LONGEST and _ASKS.fullmatch(letters) is not None
