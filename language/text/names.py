"""Find names in a text by their capitals ("the Murphys", "Marco Conti", "the Rowing Club"), and the person for whom a
text gives a value: "15 guests for Marco Conti"."""

from __future__ import annotations

import re
from functools import cache

from contracts.message_reading import ReplyQualifiers
from language.locales import SUPPORTED, alternatives, get_locale
from language.numbers.counts import find_counts
from language.requests.cues import ordinary_words
from language.text.normalize import normalize_text
from language.vocabulary.thesaurus import listed_words

_WORD = re.compile(r"[^\W\d_]+")
_ENDS = re.compile(r"[.!?:;\n]\s*$")
_FOR = re.compile(
    rf"\b(?:{alternatives('text', 'FOR')})\b['\s]*(?:(?:{alternatives('text', 'TITLES')})\b[.\s]*)*"
    r"(?P<whom>[^\W\d_]+(?:\s+[^\W\d_]+)?)",
    re.IGNORECASE,
)
_OWNER = re.compile(r"(?P<whom>[^\W\d_]+)['\u2019]s\b")
_SHOUTED = 4
"""Letters from which a word in capitals is no abbreviation."""
_BACK = 8
"""Characters before a word that are searched for the end of a sentence."""


def find_names(text: str) -> list[str]:
    """Return the words of a text that are a name, in plain letters: runs of capitals inside a sentence with at least
    one word that belongs neither to the language nor to venues ("on Monday" and "her Visa" are no names)."""
    runs: list[list[tuple[str, bool]]] = [[]]
    end = 0
    for match in _WORD.finditer(text):
        word, start = match.group(), match.start()
        opens = start == 0 or bool(_ENDS.search(text[max(0, start - _BACK) : start]))
        apart = text[end:start]
        capital = word[0].isupper() and not word.isupper()
        if opens or not capital or apart.strip(" "):
            runs.append([])
        if capital:
            runs[-1].append((normalize_text(word), opens))
        end = match.end()
    found: list[str] = []
    for run in runs:
        if any(word not in _known() and not opens for word, opens in run):
            found += [word for word, opens in run if not opens or word not in _known()]
    return found


def for_whom(text: str) -> ReplyQualifiers:
    """Return for whom a text gives a value: `names` by their capitals, and `strange` words, which may be names. Empty
    where the text gives no value, or no owner of it: a name alone may be the value itself ("Marco Conti")."""
    if not any(char.isdigit() for char in text) and not any(find_counts(text, code) for code in SUPPORTED):
        return ReplyQualifiers()
    found = [m["whom"] for way in (_FOR, _OWNER) for m in way.finditer(text)]
    words = [normalize_text(word) for whom in found for word in whom.split()]
    shouted = (
        normalize_text(word) for whom in found for word in whom.split() if word.isupper() and len(word) >= _SHOUTED
    )
    names = {*find_names(text), *(word for word in shouted if word not in _known())}
    return ReplyQualifiers(
        names=tuple(word for word in words if word in names),
        strange=tuple(word for word in words if word not in names and word not in _known()),
    )


@cache
def _known() -> frozenset[str]:
    words = {word for code in SUPPORTED for word in (*get_locale(code).words, *ordinary_words(code))}
    return listed_words() | words
