"""Words typed in a hurry: those of a short list ("u" is "you"), and those that have lost their vowels ("sn" is "sono",
"bkng" is "booking")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from language.locales import data_of
from language.text.normalize import normalize_text

_VOWELS = re.compile(r"[aeiou]")
_DOUBLED = re.compile(r"(.)\1+")
_BARE = re.compile(r"[bcdfghjklmnpqrstvwxyz]{2,7}")


@lru_cache(maxsize=4096)
def expand_abbreviation(word: str, code: str) -> str:
    """Return the full form of a plain word; the word itself if it is no abbreviation."""
    short: Mapping[str, str] = data_of(code, "requests").SHORT
    if word in short:
        return short[word]
    if _BARE.fullmatch(word) is None:
        return word
    return _by_skeleton(code).get(_DOUBLED.sub(r"\1", word), word)


@cache
def _by_skeleton(code: str) -> Mapping[str, str]:
    """Return the commonest words of a language by their consonants; those in front win."""
    data = data_of(code, "requests")
    known = {_DOUBLED.sub(r"\1", word) for word in data.ABBREVIATIONS.split()}
    found: dict[str, str] = {}
    for word in data.COMMON.split():
        found.setdefault(_DOUBLED.sub(r"\1", _VOWELS.sub("", normalize_text(word))), word)
    return {bones: word for bones, word in found.items() if bones not in known}
