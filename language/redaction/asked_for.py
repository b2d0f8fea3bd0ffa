"""What a question asks for, by the words in it: for engineers who read traces. Nothing that is acted on comes of it."""

import re
from functools import cache

from contracts.enums import ParameterRole as Role
from language.locales import SUPPORTED, alternatives, data_of
from language.replies.questions import questions_in

_ROLES = {
    "day": Role.DATE,
    "time": Role.TIME,
    "count": Role.COUNT,
    "email": Role.EMAIL,
    "phone": Role.PHONE,
    "note": Role.NOTE,
}
"""Of the parts of a plan (`locales/*/requests.py`), those that a value is asked for."""
_NUMBER = re.compile(
    rf"\b(?:{alternatives('redaction', 'NUMBER')})\b(?: (?:{alternatives('redaction', 'NUMBER_OF')})\b)?", re.IGNORECASE
)
"""By itself it may be of guests, a phone's or a booking's."""


def asked_for(question: str, locale: str) -> list[Role]:
    """Return the kinds of value that it asks for, as far as its words tell."""
    asks = _NUMBER.sub("", questions_in(question, locale))
    return [role for part, role in _ROLES.items() if any(p.search(asks) for p in _words()[part])]


@cache
def _words() -> dict[str, list[re.Pattern[str]]]:
    """By part, in every language: a chat's language is not always its venue's."""
    parts = [data_of(language, "requests").PARTS for language in SUPPORTED]
    return {name: [re.compile(rf"\b(?:{one[name]})\b", re.IGNORECASE) for one in parts] for name in _ROLES}
