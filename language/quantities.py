"""Numbers in a text, in figures or in words: "12", "twelve", "a hundred and twenty", "una ventina"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from language.cues import number_words
from language.lexer import Token
from language.plain import Word, words
from language.resolution import Span

_NUMBER = re.compile(r"([0-9]{1,4})w?")
_EXCLAIMED = re.compile(r"oh?")
"""A nought inside "two oh five", by itself no number."""
_AND = re.compile(r"[ -](?:and |e )?")
_TENS = range(60, 100, 10)


def nearer_to_step(number: int, step: int, total: int) -> bool:
    """Whether a bare number that corrects "two less" is another step ("three, sorry") and no total: it lies nearer to
    the step than to the total that came of it."""
    return abs(number - step) < abs(number - total)


def find_quantities(plain_text: str, tokens: Sequence[Token], locale: str) -> list[tuple[Span, int]]:
    """Every number of a plain text and its place, left to right. `tokens` are the lexer's."""
    row = sorted(_single(plain_text, tokens, locale))
    found: list[tuple[Span, int]] = []
    for span, value in row:
        if found:
            (start, end), before = found[-1]
            whole = (before >= 100 and before % 100 == 0 and value < 100) or (before in _TENS and value < 10)
            if whole and not plain_text[start].isdigit() and _AND.fullmatch(plain_text[end : span[0]]):
                found[-1] = ((start, span[1]), before + value)
                continue
        found.append((span, value))
    return found


def number_phrase_at(plain_text: str, locale: str) -> int | None:
    """The number that a plain text begins with, if it is one of the locale's own phrases."""
    row = words(plain_text)
    found = _phrase_at(row, 0, plain_text, locale) if row else None
    return found[1] if found else None


def _single(plain_text: str, tokens: Sequence[Token], locale: str) -> Iterator[tuple[Span, int]]:
    row, place, taken = words(plain_text), 0, 0
    spans: list[Span] = []
    while place < len(row):
        found = _phrase_at(row, place, plain_text, locale)
        if found:
            spans.append((row[place].start, row[place + found[0] - 1].end))
            yield spans[-1], found[1]
        place += found[0] if found else 1
    for token in tokens:
        figures = _NUMBER.fullmatch(token.symbol)
        while taken < len(spans) and spans[taken][1] <= token.start:
            taken += 1
        free = taken == len(spans) or token.end <= spans[taken][0]
        if figures and free and not _EXCLAIMED.fullmatch(plain_text[token.start : token.end]):
            yield (token.start, token.end), int(figures[1])


def _phrase_at(row: Sequence[Word], place: int, plain_text: str, locale: str) -> tuple[int, int] | None:
    """How many words the longest phrase takes here, and its number."""
    for phrase, value in _by_word(locale).get(row[place].text, ()):
        last = place + phrase.count(" ")
        if last < len(row) and plain_text[row[place].start : row[last].end] == phrase:
            return last - place + 1, value
    return None


@cache
def _by_word(locale: str) -> dict[str, list[tuple[str, int]]]:
    known: dict[str, list[tuple[str, int]]] = {}
    for phrase, value in sorted(number_words(locale).items(), key=lambda pair: -len(pair[0])):
        known.setdefault(phrase.split()[0], []).append((phrase, value))
    return known
