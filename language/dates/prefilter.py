"""What a pattern cannot match without, read off its source, so that most rules are passed over at no cost."""

from __future__ import annotations

import re
from itertools import count

Needs = tuple[tuple[str, ...], ...]
"""Every match holds at least one word of each tuple."""

_WEEKDAY_OR_MONTH = re.compile(r"\[(Ww|Mm)\]")
_CLASS = re.compile(r"\[[^\]]*\]|\\.")
_GROUP = re.compile(r"\((?P<open>\?(?:P<\w+>|:|=|!|<=|<!))?(?P<body>[^()]*)\)(?P<again>[?*]|\{0?,?[0-9]*\}\??)?")
_LITERAL = re.compile(r"[A-Z]+(?![a-zA-Z?*])")
_FOLDED = re.compile(r"<(\d+)>")


def required_symbols(pattern: str) -> Needs:
    """Return the words that stand in every match; none if the pattern has alternatives on its outermost level."""
    folded: list[tuple[str, ...]] = [("W", "w"), ("M", "m")]
    bare = _CLASS.sub("", _WEEKDAY_OR_MONTH.sub(lambda found: "<0>" if found[1] == "Ww" else "<1>", pattern))

    def fold(found: re.Match[str]) -> str:
        if found["again"] or (found["open"] or "").strip("?")[:1] in ("=", "!", "<"):
            return ""
        words: set[str] = set()
        for option in found["body"].split("|"):
            inner = _words(option, folded)
            if not inner:
                return ""
            words.update(inner[0])
        folded.append(tuple(sorted(words)))
        return f"<{len(folded) - 1}>"

    before = ""
    while bare != before:
        before, bare = bare, _GROUP.sub(fold, bare)
    return () if "|" in bare else _words(bare, folded)


_numbers = count()
_BITS: dict[tuple[str, ...], int] = {}
"""Every tuple of words that some rule needs, with its bit."""


def bitmask(needs: Needs) -> int:
    """Needs as bits, to be held against those that a row lacks."""
    mask = 0
    for words in needs:
        mask |= _BITS.setdefault(words, 1 << next(_numbers))
    return mask


def missing_mask(line: str) -> int:
    """Return the bits of all needs that a row of symbols does not meet."""
    lacking = 0
    for words, bit in tuple(_BITS.items()):
        for word in words:
            if word in line:
                break
        else:
            lacking |= bit
    return lacking


def _words(text: str, folded: list[tuple[str, ...]]) -> Needs:
    literal = [(word,) for word in dict.fromkeys(_LITERAL.findall(text))]
    return (*literal, *(folded[int(number)] for number in dict.fromkeys(_FOLDED.findall(text))))
