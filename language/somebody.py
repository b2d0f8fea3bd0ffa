"""Names in a text, as far as capitals tell them: "the Murphys", "Marco Conti", "the Rowing Club"."""

from __future__ import annotations

import re
from functools import cache

from language.cues import ordinary_words
from language.locales import SUPPORTED, get_locale
from language.plain import plain
from language.thesaurus import listed_words

_WORD = re.compile(r"[^\W\d_]+")
_ENDS = re.compile(r"[.!?:;\n]\s*$")
_BACK = 8
"""Characters before a word in which a sentence may end."""


def names_in(text: str) -> list[str]:
    """The words of a text that are a name, in plain letters: runs of capitals inside a sentence that have at least one
    word which is neither of the language nor of venues ("on Monday", "her Visa" name nobody)."""
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
            runs[-1].append((plain(word), opens))
        end = match.end()
    found: list[str] = []
    for run in runs:
        if any(word not in _known() and not opens for word, opens in run):
            found += [word for word, opens in run if not opens or word not in _known()]
    return found


@cache
def _known() -> frozenset[str]:
    words = {word for code in SUPPORTED for word in (*get_locale(code).words, *ordinary_words(code))}
    return listed_words() | words
