"""Which language a message is in: staff write in their own, whatever the venue speaks."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module

from language.cues import function_words, ordinary_words
from language.locales import SUPPORTED, get_locale
from language.plain import plain

_WORD = re.compile(r"[^\W\d_]+")


def tongue_of(text: str, home: str) -> str:
    """The locale to read a text in: the venue's (`home`) unless the words are clearly of another language, which is
    then given by its code."""
    own = get_locale(home).code
    said = set(_WORD.findall(plain(text)))
    scores = {code: len(said & _only_in(code)) for code in SUPPORTED}
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
    cues = import_module(f"language.locales.{code}.cues").CUES
    cued = {word for said in cues.values() for word in _WORD.findall(said)}
    return frozenset({*locale.words, *locale.phrase_words, *ordinary_words(code), *function_words(code), *cued})
