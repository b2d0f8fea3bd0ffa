"""Which language a message is in: staff write in their own, whatever the venue speaks."""

from __future__ import annotations

import re
from functools import cache

from language.locales import SUPPORTED, data_of, get_locale
from language.requests.cues import function_words, ordinary_words
from language.text.normalize import normalize_text

_WORD = re.compile(r"[^\W\d_]+")


def detect_language(text: str, home: str) -> str:
    """Return the locale to read a text in: the venue's (`home`) unless the words are clearly of another language, which
    is then given by its code."""
    own = get_locale(home).code
    used = set(_WORD.findall(normalize_text(text)))
    scores = {code: len(used & _only_in(code)) for code in SUPPORTED}
    best = max(scores, key=lambda code: (scores[code], code == own))
    clear = scores[best] > 2 * scores[own] if scores[own] else scores[best] > 0
    return best if best != own and clear else home


@cache
def _only_in(code: str) -> frozenset[str]:
    """Words that this language has and no other."""
    others = frozenset[str]().union(*(_words_of(other) for other in SUPPORTED if other != code))
    return _words_of(code) - others


@cache
def _words_of(code: str) -> frozenset[str]:
    locale = get_locale(code)
    cues = data_of(code, "cues").CUES
    cued = {word for phrases in cues.values() for word in _WORD.findall(phrases)}
    return frozenset({*locale.words, *locale.phrase_words, *ordinary_words(code), *function_words(code), *cued})
