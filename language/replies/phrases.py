"""The phrases of short replies (`language.replies.short_replies`), by what they do, in all languages at once: without
apostrophes, accents and capitals. Patterns of phrases are spelled out when read: each row of words goes with each of
the next."""

from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from typing import Any

from language.locales import in_all, words_in_all

_TABLES = {name: in_all("reply_phrases", name) for name in ("PHRASES", "PATTERNS", "SOFTENED")}
"""Read when imported: a workflow may not read files."""
reply_words = partial(words_in_all, "reply_phrases")
DEGREES = reply_words("DEGREES")
"""How much so: with or without them a phrase is the same."""
BARS = reply_words("BARS")
"""Words that may reverse a yes, restrict it, or attribute it to another person."""
JOINS = reply_words("JOINS")
"""Words that join something to a yes, or single it out: beside a word of no list they may order more, or less."""
TOWARDS = reply_words("TOWARDS")
"""Words that make what follows more than a cheer: "send it to Jane"."""
GLUE = reply_words("GLUE")
"""Words that carry nothing beside a yes."""
SIGNS = {"yes": "\U0001f44d\U0001f44c\u2705\u2714\U0001f4af", "no": "\U0001f44e\u274c\U0001f6d1\u270b"}
"""Signs by their kind, whose name is also a phrase of that kind: a sign alone is read as it."""


@cache
def kinds() -> dict[str, str]:
    """Return the kind of each phrase, by phrase."""
    found = {kind: kind for kind in SIGNS}
    for kind, text in _rows("PHRASES"):
        found |= {" ".join(phrase.split()): kind for phrase in text.split("|") if phrase.strip()}
    for kind, patterns in _rows("PATTERNS"):
        for phrase in (one for rows in patterns for one in _spelled(rows)):
            found.setdefault(phrase, kind)
    softened = {
        f"{word} {phrase}": kind
        for word, beginnings in _rows("SOFTENED")
        for phrase, kind in found.items()
        if phrase.startswith(beginnings)
    }
    return found | softened


def _rows(name: str) -> Iterator[tuple[str, Any]]:
    for table in _TABLES[name]:
        yield from table.items()


def _spelled(rows: tuple[str, ...]) -> Iterator[str]:
    for words in product(*(row.split("|") for row in rows)):
        yield " ".join(" ".join(words).split())
