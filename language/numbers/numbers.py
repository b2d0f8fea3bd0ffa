"""Numbers in a text, in figures or in words ("12", "twelve", "a hundred and twenty", "una ventina"), and places in a
list, counted from 0 and from the end ("the second one", "l'ultima")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from language.dates.resolution import Span
from language.locales import alternatives, in_all, words_in_all
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


def _all(name: str) -> frozenset[str]:
    return words_in_all("ordinals", name)


def _ordinals_by_word(place: int, name: str) -> dict[str, int]:
    return dict.fromkeys(" ".join(in_all("ordinals", name)).split(), place)


PLACES = {
    word: int(place) for rows in in_all("ordinals", "PLACES") for place, words in rows.items() for word in words.split()
}
"""Places by word; -1 is the last one."""
LAST = -1
OTHER = _all("OTHER")
"""Words for the second of two, which the message has not named yet."""

IN_TIME = _ordinals_by_word(0, "EARLY") | _ordinals_by_word(-1, "LATE")
"""Places by the clock and the calendar, whatever the order of the list: "the later one"."""

_IN_SIZE = _ordinals_by_word(0, "SMALL") | _ordinals_by_word(-1, "LARGE")
_PARTS: dict[str, tuple[str, str]] = {
    part: edges for parts in in_all("ordinals", "PARTS") for part, edges in parts.items()
}
"""Parts of a day that distinguish bookings, by first and last start."""
_MONTHS = {
    name: number
    for rows in in_all("ordinals", "MONTHS")
    for names in rows
    for number, name in enumerate(names.split(), 1)
}
_ORDINAL = re.compile(rf"(\d{{1,2}})(?:{alternatives('ordinals', 'ORDINAL')})")
_ELIDED = re.compile(rf"\A(?:{alternatives('ordinals', 'ELIDED')})")
_ALONE = _all("ALONE")
BESIDE = _all("BESIDE")
"""Words of an answer that only picks."""


def _dated(messages: Sequence[str], days: Sequence[str]) -> int | None:
    """Return the index of the only row in a month, or on a day of a month: "the December one", "the 16th one"."""
    months = [_MONTHS[word] for word in messages if word in _MONTHS]
    ordinals = [int(match[1]) for word in messages if (match := _ORDINAL.fullmatch(word)) and int(match[1]) > len(days)]
    others = {word for word in messages if word not in _MONTHS and not _ORDINAL.fullmatch(word)}
    if not (months or ordinals) or not BESIDE.issuperset(others) or len(days) < _FEWEST:
        return None
    fit = [
        n
        for n, day in enumerate(days)
        if day and all(int(day[5:7]) == month for month in months) and all(int(day[8:10]) == one for one in ordinals)
    ]
    return fit[0] if len(fit) == 1 else None


_FEWEST, _ODD = 2, 3


def is_selector(word: str) -> bool:
    """Return whether a word in front of "one" picks: "last one", "the earlier one", "the bigger one"."""
    picks = any(word in words for words in (PLACES, OTHER, IN_TIME, _IN_SIZE, _PARTS, _MONTHS))
    return picks or _ORDINAL.fullmatch(word) is not None


_MIDDLE = _all("MIDDLE")


def counts_from_the_end(messages: Sequence[str]) -> bool:
    """Return whether an answer picks by the end of a list: "the last one", "the middle one"."""
    return place_in(messages) == LAST or bool(_MIDDLE & set(messages))


def place_in(messages: Sequence[str]) -> int | None:
    """Return the place in a list that an answer names; None if it names none."""
    bare = (_ELIDED.sub("", word) for word in messages)
    return next((PLACES[word] for word in bare if word in PLACES), None)


def select_by_comparison(messages: Sequence[str], rows: Sequence[tuple[str, str, int | None]]) -> int | None:
    """Return which of the rows shown (day, start time, guests) an answer picks by comparing them: "the earlier of the
    two", "the afternoon one", "la più grande". None if the answer does more than pick, or if several rows fit."""
    messages = [word.removesuffix("'s") for word in messages]
    if (dated := _dated(messages, [day for day, _, _ in rows])) is not None:
        return dated
    if _MIDDLE & set(messages) and len(rows) == _ODD and BESIDE.issuperset(set(messages) - _MIDDLE):
        return 1
    telling = [word for word in messages if word in IN_TIME or word in _IN_SIZE or word in _PARTS]
    # "Later" alone postpones something, "morning" is a greeting.
    if (
        len(telling) != 1
        or (messages[0] in _ALONE and len(messages) == 1)
        or len(rows) < 2
        or not BESIDE.issuperset(set(messages) - set(telling))
    ):
        return None
    word, order = telling[0], range(len(rows))
    if word in _PARTS:
        first, last = _PARTS[word]
        fit = [n for n in order if rows[n][1] and first <= rows[n][1] <= last]
        return fit[0] if len(fit) == 1 else None
    if word in _IN_SIZE:
        keys: list[Any] = [guests for _, _, guests in rows]
        end = _IN_SIZE[word]
    else:
        keys, end = [(day, at) for day, at, _ in rows], IN_TIME[word]
    if any(key is None or key == ("", "") for key in keys):
        return None
    wanted = sorted(keys)[end]
    return keys.index(wanted) if keys.count(wanted) == 1 else None
