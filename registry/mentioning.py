"""Rows by what people call them, for APIs that look nothing up by words: a search by day alone, a list of all that is
sold."""

import re
from collections.abc import Iterable, Iterator, Mapping

from contracts.base import Value
from language.contacts import unmarked
from registry.words import unaccented

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\+?\d+")
_FEWEST_DIGITS, _LAST_DIGITS = 6, 9
"""Fewer digits are no phone number; more than the last ones are a country's prefix, which people leave out."""


def mentioning(rows: Iterable[Value], words: Value, *paths: str) -> list[Value]:
    """The rows that have every word at one of the paths or another, each as a word begins; all rows for no words.

    Case, accents and order do not matter, nor does how a phone number is written: "rossi giulia" finds Giulia Rossi,
    "347 123 4567" finds +39 3471234567, "024266" what begins so. Of an e-mail address the part before the @ is words.
    """
    wanted = str(words or "").strip()
    if not wanted:
        return list(rows)
    if "@" in wanted:
        return [row for row in rows if wanted.casefold() in (text.casefold() for text in _texts(row, paths))]
    if _is_number(wanted):
        end = _digits(wanted)[-_LAST_DIGITS:]
        begins = _digits(wanted)
        told = ((row, list(_texts(row, paths))) for row in rows)
        return [r for r, ts in told if any(_digits(t).endswith(end) or t.startswith(begins) for t in ts)]
    asked = _words(wanted)
    found = ((row, [w for text in _texts(row, paths) for w in _words(text.partition("@")[0])]) for row in rows)
    return [row for row, there in found if all(any(w.startswith(one) for w in there) for one in asked)]


def _texts(row: Value, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        found = [row]
        for name in path.split("."):
            found = [v for one in found for v in (one if isinstance(one, list) else [one])]
            found = [v[name] for v in found if isinstance(v, Mapping) and name in v]
        yield from (str(text) for text in found if text is not None)


def _words(text: str) -> list[str]:
    return _WORD.findall(unaccented(text.casefold()))


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdecimal())


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(unmarked(text)) is not None and len(_digits(text)) >= _FEWEST_DIGITS
