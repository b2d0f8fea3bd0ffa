"""Numbers in a text, in figures or in words: "12", "twelve", "a hundred and twenty", "una ventina"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from language.dates.resolution import Span
from language.locales import alternatives, in_all
from language.requests.cues import number_words
from language.text.lexer import Token, fold
from language.text.normalize import WordToken, tokenize

_NUMBER = re.compile(r"([0-9]{1,4})w?")
_EXCLAIMED = re.compile(alternatives("numbers", "NOUGHT"))
"""A nought inside "two oh five", by itself no number."""
_AND = re.compile(rf"[ -](?:{alternatives('numbers', 'AND')})?")
_TENS = range(60, 100, 10)


def nearer_to_step(number: int, step: int, total: int) -> bool:
    """Return whether a bare number that corrects "two less" is another step ("three, sorry") and no total: it lies
    nearer to the step than to the total that came of it."""
    return abs(number - step) < abs(number - total)


def find_quantities(plain_text: str, tokens: Sequence[Token], locale: str) -> list[tuple[Span, int]]:
    """Return every number of a plain text and its place, left to right. `tokens` are the lexer's."""
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
    """Return the number that a plain text begins with, if it is one of the locale's own phrases."""
    row = tokenize(plain_text)
    found = _phrase_at(row, 0, plain_text, locale) if row else None
    return found[1] if found else None


def _single(plain_text: str, tokens: Sequence[Token], locale: str) -> Iterator[tuple[Span, int]]:
    row, index, taken = tokenize(plain_text), 0, 0
    spans: list[Span] = []
    while index < len(row):
        found = _phrase_at(row, index, plain_text, locale)
        if found:
            spans.append((row[index].start, row[index + found[0] - 1].end))
            yield spans[-1], found[1]
        index += found[0] if found else 1
    for token in tokens:
        figures = _NUMBER.fullmatch(token.symbol)
        while taken < len(spans) and spans[taken][1] <= token.start:
            taken += 1
        free = taken == len(spans) or token.end <= spans[taken][0]
        if figures and free and not _EXCLAIMED.fullmatch(plain_text[token.start : token.end]):
            yield (token.start, token.end), int(figures[1])


def _phrase_at(row: Sequence[WordToken], index: int, plain_text: str, locale: str) -> tuple[int, int] | None:
    """Return how many words the longest phrase takes here, and its number."""
    for phrase, value in _by_word(locale).get(row[index].text, ()):
        last = index + phrase.count(" ")
        if last < len(row) and plain_text[row[index].start : row[last].end] == phrase:
            return last - index + 1, value
    return None


@cache
def _by_word(locale: str) -> dict[str, list[tuple[str, int]]]:
    known: dict[str, list[tuple[str, int]]] = {}
    for phrase, value in sorted(number_words(locale).items(), key=lambda pair: -len(pair[0])):
        known.setdefault(phrase.split()[0], []).append((phrase, value))
    return known


_WORDS = {
    word: int(number)
    for numbers in in_all("numbers", "WORDS")
    for number, words in numbers.items()
    for word in words.split()
}
_FIGURE = re.compile(r"(?<![\w.,])(\d+)(?:[.,:](\d+))*(?:\s*([ap])\.?m\b)?|[^\W\d_]+")


def figures_in(text: str) -> frozenset[int]:
    """Return the whole numbers of a text; an hour of the afternoon as of 24."""
    found = set()
    for match in _FIGURE.finditer(fold(text)):
        if match[1] is None:
            found |= {_WORDS[match[0]]} if match[0] in _WORDS else set()
            continue
        first = int(match[1])
        found.add(first + 12 if match[3] == "p" and first < 12 else first)
        found |= {int(match[2])} if match[2] is not None and int(match[2]) else set()
    return frozenset(found)
