"""Answers without the secrets of their requests: some servers repeat what they were sent, in an error or in a field,
and what they answer is shown, kept and sent back. In the forms in which servers are seen to repeat things; a venue that
disguises our keys could do with them what it likes anyway.
"""

import base64
import html
import json
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from contracts.base import Json

HIDDEN = "***"
_SHORTEST = 6
"""Characters: what is shorter is no secret, and stands in many a text by chance."""


def scrubbed(answer: Json, secrets: Iterable[str]) -> Json:
    """An answer with `***` wherever a text of it repeats a secret."""
    forms = sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)
    return _without(answer, forms) if forms else answer


def _forms(secret: str) -> set[str]:
    if len(secret) < _SHORTEST:
        return set()
    escaped = json.dumps(secret)[1:-1]
    encoded = base64.b64encode(secret.encode()).decode().rstrip("=")
    slashed = {secret.replace("/", r"\/"), escaped.replace("/", r"\/")}
    written = {secret, escaped, *slashed, html.escape(secret), quote(secret, safe="")}
    return written | {quote_plus(secret), encoded, quote(secret)}


def _without(value: Json, forms: list[str]) -> Json:
    if isinstance(value, str):
        for form in forms:
            if form in value:
                value = value.replace(form, HIDDEN)
        return value
    if isinstance(value, dict):
        return {_without(name, forms): _without(inner, forms) for name, inner in value.items()}
    return [_without(inner, forms) for inner in value] if isinstance(value, list) else value
