"""One wrong letter in a word, read as what was meant: in the name of a day, a month or a part of the day, or in a word
that is held against another.

Only long words are corrected, only where one word alone lies that near and shares the first letter, and never an
ordinary word or a name (each language lists those that lie near).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_UNMISTAKABLE = re.compile(r"[WMm][0-9]+|R-?[0-9](?: P[a-z])?")
_PARTS_OF_DAY = re.compile(r"P[mae]|NOON|MIDNIGHT|EARLIER|Umi")
_LONG, _LONGER, _SHORTEST = 6, 7, 5
_DOUBLED = re.compile(r"(.)\1+")


Near = tuple[str, str]
"""A word whose slips are read, as it is and without doubled letters."""


def correctable(words: Mapping[str, str]) -> dict[str, tuple[Near, ...]]:
    """Return the words of a lexicon whose slips are read, by their first letter."""
    found: dict[str, list[Near]] = {}
    for word, symbols in words.items():
        day = len(word) >= _LONG and _UNMISTAKABLE.fullmatch(symbols)
        part = len(word) >= _LONGER and _PARTS_OF_DAY.fullmatch(symbols)
        if day or part:
            found.setdefault(word[0], []).append((word, _undoubled(word)))
    return {letter: tuple(near) for letter, near in found.items()}


def meant_by(word: str, near: Sequence[Near]) -> list[str]:
    """Return those of `near` that are one slip away: a letter wrong, missing, too many or swapped, or letters
    doubled."""
    if len(word) < _SHORTEST:
        return []
    bare = _undoubled(word)
    return [known for known, undoubled in near if bare == undoubled or one_slip(word, known)]


def _undoubled(word: str) -> str:
    return _DOUBLED.sub(r"\1", word)


def one_slip(word: str, known: str) -> bool:
    """Return whether two words differ by one letter that is wrong, missing or too many, or by two that are swapped."""
    longer = len(word) - len(known)
    if abs(longer) > 1:
        return False
    same = 0
    while same < min(len(word), len(known)) and word[same] == known[same]:
        same += 1
    rest, wanted = word[same:], known[same:]
    if longer == 1:
        return rest[1:] == wanted
    if longer == -1:
        return rest == wanted[1:]
    swapped = rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:]
    return rest[1:] == wanted[1:] or swapped


_SHORTEST_WORD = 5
"""The length from which a word differs enough from similar words to match with one wrong letter."""


def same_but_a_slip(one: str, other: str) -> bool:
    """Return whether two plain words are the same, a single slip aside; figures and short words allow none."""
    if one == other or one.replace("'", "") == other.replace("'", ""):
        return True
    return min(len(one), len(other)) >= _SHORTEST_WORD and (one + other).isalpha() and one_slip(one, other)
