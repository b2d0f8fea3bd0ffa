"""What comes again and again: "every Monday", "weekly", "on Mondays", "ogni lunedì". The words stand in
`language/locales/<language>/days.py`."""

from __future__ import annotations

import re

from language.dates.resolution import Span
from language.locales import alternatives
from language.text.normalize import normalize_text

_AGAIN = re.compile(
    rf"\b(?:(?:{alternatives('rules', 'EVERY')})\s+"
    rf"(?:(?:{alternatives('rules', 'EVERY_OTHER')})\s+)?[\w-]+|"
    rf"{alternatives('rules', 'AGAIN')})\b"
)
_ONCE = re.compile(rf"(?:{alternatives('rules', 'NOT_AGAIN')})\b")


def recurs(text: str) -> Span | None:
    """Return the place of the first words that say so; None if nothing does."""
    letters = normalize_text(text)
    return next((m.span() for m in _AGAIN.finditer(letters) if not _ONCE.match(m.group())), None)
