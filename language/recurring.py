"""What comes again and again: "every Monday", "weekly", "on Mondays", "ogni lunedì"."""

from __future__ import annotations

import re

from language.plain import plain
from language.resolution import Span

_AGAIN = re.compile(
    r"\b(?:(?:every|each|ogni)\s+(?:other\s+|second\s+|due\s+)?[\w-]+|tutti\s+i\s+\w+|"
    r"(?:once|twice)\s+a\s+\w+|(?:una|due)\s+volt[ae]\s+(?:al|alla)\s+\w+|"
    r"(?:bi)?weekly|daily|fortnightly|(?:bi)?monthly|recurring|repeating|"
    r"settimanal[ei]|quindicinal[ei]|mensil[ei]|giornalier[oaie]|quotidian[oaie]|ricorrent[ei]|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b"
)
_ONCE = re.compile(r"(?:every|each)\s+(?:one|thing|body|time|reason|chance)\b")


def recurs(text: str) -> Span | None:
    """The place of the first words that say so; None where nothing does."""
    letters = plain(text)
    return next((m.span() for m in _AGAIN.finditer(letters) if not _ONCE.match(m.group())), None)
