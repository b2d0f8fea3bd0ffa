"""A text in small plain letters that keeps every place: the character at offset 7 is still the one at offset 7."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class WordToken:
    """One word in plain letters; `start` and `end` (exclusive) are its place in the text."""

    text: str
    start: int
    end: int


def normalize_text(text: str) -> str:
    """Small letters without accents, straight apostrophes; as long as the text itself."""
    if text.isascii():
        return text.lower().replace("`", "'")
    return "".join(_letter(char) for char in text)


def tokenize(text: str) -> list[WordToken]:
    """Return the words of a plain text, in order."""
    return [WordToken(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]


def _letter(char: str) -> str:
    if char in "’ʼ`‘":
        return "'"
    folded = unicodedata.normalize("NFD", char.casefold())
    return folded[0] if folded else char
