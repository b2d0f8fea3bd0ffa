"""Patterns of personal data in records: e-mail addresses, phone, card and account numbers, keys and tokens, wherever
they occur (`docs/state-model.md`, "Personal data"). Names have no pattern: `trace_redaction.py` removes them."""

import re
from functools import partial

from contracts.base import Json

_MASKS = (
    # The formats of well-known vendors' keys and tokens, and of bank accounts (ISO 13616).
    (re.compile(r"\beyJ[\w-]{8,}(?:\.[\w-]+){1,2}"), "[token]"),
    (re.compile(r"\b(?:[spr]k_(?:live|test)_|gh[pousr]_|glpat-|xox[abeprs]-|AKIA|AIza)[\w-]{8,}"), "[key]"),
    (re.compile(r"\b[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b"), "[account]"),
    # Possessive, and from the first letter on, so that a long text without an @ is scanned once, not once per letter.
    (re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"), "[email]"),
    (re.compile(r"(?i)bearer\s+[\w.~+/=-]+"), "Bearer [token]"),
    # A line break inside JSON inside text is written \\n: the n is not part of a word.
    (re.compile(r"(?:(?<![\w-])(?<!\d:)|(?<=\\[nrt]))\+?\d[\d ()/.-]{6,}\d(?![\w-])"), "[number]"),
)
_DATE = re.compile(
    r"(?<!\d)(?:(?:19|20)\d\d-\d\d-\d\d|\d\d?[/.]\d\d?[/.](?:19|20)\d\d)(?!\d)(?: \d\d?(?:\.\d+)?(?!\d))?"
)


def mask(data: Json, **_: Json) -> Json:
    """Return the JSON with personal patterns replaced. Dates and times stay readable."""
    if isinstance(data, str):
        for pattern, word in _MASKS:
            data = pattern.sub(partial(_masked, word), data)
        return data
    if isinstance(data, dict):
        return {k: mask(v) for k, v in data.items()}
    if isinstance(data, list | tuple):
        return [mask(v) for v in data]
    return data


def _masked(word: str, match: re.Match[str]) -> str:
    return match[0] if _only_dates(match[0]) else word


def _only_dates(text: str) -> bool:
    """Return whether the text has only dates, the hour after one, and what is between them."""
    return _DATE.search(text) is not None and not re.search(r"\d", _DATE.sub("", text))
