"""Reads the control tokens of a stream (`api.event_tokens`) back into their fields, as a client does."""

import re
from typing import NamedTuple

from api.event_tokens import PATTERNS

_OPENING = "[[PERIN_"
_ANY = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in PATTERNS.items()))
_LONGEST = 65_536
"""Characters: a token that has not ended by then never will."""
_WRITTEN = re.compile(r"%(5D|5B|3A|0D|0A|25)")


class EventToken(NamedTuple):
    """One token: its name in `PATTERNS`, and its fields unescaped."""

    name: str
    fields: tuple[str, ...]


def unescaped(field: str) -> str:
    """Return the text that a field holds."""
    return _WRITTEN.sub(lambda found: chr(int(found[1], 16)), field)


class TokenReader:
    """Reads tokens out of text that comes in pieces, cut anywhere. Skips everything that is no token."""

    def __init__(self) -> None:
        self._rest = ""

    def feed(self, piece: str) -> list[EventToken]:
        """Return the tokens that this piece completes, in order."""
        text = self._rest + piece
        found: list[EventToken] = []
        end = 0
        for match in _ANY.finditer(text):
            name = match.lastgroup or ""
            fields = re.fullmatch(PATTERNS[name], match.group())
            found.append(EventToken(name, tuple(unescaped(field) for field in fields.groups()) if fields else ()))
            end = match.end()
        self._rest = _unended(text[end:])
        return found


def _unended(text: str) -> str:
    """Return a possible beginning of a token."""
    start = text.rfind(_OPENING)
    if start >= 0:
        return text[start : start + _LONGEST]
    tails = (text[-length:] for length in range(min(len(text), len(_OPENING) - 1), 0, -1))
    return next((tail for tail in tails if _OPENING.startswith(tail)), "")
