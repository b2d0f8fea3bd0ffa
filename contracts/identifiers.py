"""Validation of ids and names from outside: ids that callers choose, and the names under which staff answer and switch
modes.

Databases reject control characters (PostgreSQL takes no NUL), and they end lines in logs. A character that changes the
writing direction, or is invisible, makes one name look like another. All APIs use this definition.

The form of a placeholder, `{{step_2.booking.id}}`: a whole text that refers to an output of an earlier step.

Each package accepts less than this form: `registry/tools/arguments.py` what it passes unchecked,
`reasoning/execution/placeholders.py` what it can resolve.
"""

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

UNSEEN = "unseen_character"
"""The type of the error in pydantic's report."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's categories of invisible characters: controls, formats (directions, joiners, tags), surrogates, private and
unassigned ones, ends of lines."""

_DRIVING = frozenset({"Cc", "Cs"})
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
"""Blank characters that Unicode classes as letters, marks or symbols, and the variation selectors."""

_VARIANTS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def is_printable(text: str) -> bool:
    """Return whether every character of a text is visible or a plain space."""
    return text.isprintable() and not _FILLERS.intersection(text) and not _VARIANTS.search(text)


def strip_unprintable(text: str) -> str:
    """Return the text without invisible characters; for names that cannot be refused, such as those in an answer."""
    return "".join(c for c in text if (unicodedata.category(c) not in _UNSEEN and is_printable(c)) or c == " ")


def sanitize_display_text(text: str) -> str:
    """Return a person's text without characters that control a terminal or change the writing direction. Ends of lines
    and joiners stay, because texts have them and names do not."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return "".join(c for c in lines if c == "\n" or (unicodedata.category(c) not in _DRIVING and c not in _TURNING))


def _refused_unseen(text: str) -> str:
    if not is_printable(text):
        raise PydanticCustomError(UNSEEN, "holds a character that is not seen")
    return text


Seen = AfterValidator(_refused_unseen)
"""For a field of text: 422 where it holds an invisible character."""

SeenText = Annotated[str, Seen]
"""Text on one line, of any length."""

Identifier = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=r"^[\w.:@+\-]+$"), Seen]
"""A caller's id (session, user, request): 1 to 128 of letters, digits and `_ . : @ + -`."""


_WHOLE = re.compile(r"\{\{\s*step_([0-9]+)\.([\w.\[\]-]+)\s*\}\}")


def step_output(value: object) -> tuple[str, str] | None:
    """Return (step, field) as written, when the value is a placeholder, else None."""
    match = _WHOLE.fullmatch(value) if isinstance(value, str) else None
    return (match[1], match[2]) if match else None
