"""Words typed in a hurry: those of a short list ("u" is "you"), and those that have lost their vowels ("sn" is "sono",
"bkng" is "booking")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module

from language.plain import plain

_VOWELS = re.compile(r"[aeiou]")
_DOUBLED = re.compile(r"(.)\1+")
_BARE = re.compile(r"[bcdfghjklmnpqrstvwxyz]{2,7}")


@lru_cache(maxsize=4096)
def full_form(word: str, code: str) -> str:
    """The word that a plain word stands for; itself where it is none that is typed in a hurry."""
    short: Mapping[str, str] = import_module(f"language.locales.{code}.requests").SHORT
    if word in short:
        return short[word]
    if _BARE.fullmatch(word) is None:
        return word
    return _by_skeleton(code).get(_DOUBLED.sub(r"\1", word), word)


@cache
def _by_skeleton(code: str) -> Mapping[str, str]:
    """The commonest words of a language by their consonants; those in front win."""
    data = import_module(f"language.locales.{code}.requests")
    known = {_DOUBLED.sub(r"\1", word) for word in data.ABBREVIATIONS.split()}
    found: dict[str, str] = {}
    for word in data.COMMON.split():
        found.setdefault(_DOUBLED.sub(r"\1", _VOWELS.sub("", plain(word))), word)
    return {bones: word for bones, word in found.items() if bones not in known}
