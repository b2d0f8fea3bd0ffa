"""Contact details as they are spoken: "emma dot clarke at gmail dot com", "oh four one two…", "S-M-Y-T-H"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from language.dates.resolution import Span
from language.locales import data_of, get_locale
from language.text.normalize import WordToken, normalize_text, tokenize

_NAME = re.compile(r"[a-z0-9][\w.+-]*")
_LETTERS = re.compile(r"(?<![\w'])[a-z](?:[-. ][a-z]){2,}(?![\w'])")
_FIGURES = re.compile(r"[0-9]+")
_MINIMUM = 6
"""Figures that a number must have to be a phone number in words."""
_IN_WORDS = 3
"""Of those, the words: "the 2026-11-29 one" is none."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What was spoken, as it is written, and the words it was read from."""

    written: str
    span: Span


@dataclass(frozen=True, slots=True)
class _Speech:
    marks: dict[str, str]
    figures: dict[str, str]
    times: dict[str, int]


def spoken_emails(text: str, locale: str) -> list[Spoken]:
    """Return every address spelled in words: at least its "at" or one of its dots is a word."""
    speech = _speech(get_locale(locale).code)
    pieces = re.finditer(r"[\w.+@-]*\w", normalize_text(text))
    row = [WordToken(match.group(), match.start(), match.end()) for match in pieces]
    found: list[Spoken] = []
    position = 0
    while position < len(row):
        written, last = _address(row, position, speech)
        if written:
            found.append(Spoken(written, (row[position].start, row[last].end)))
            position = last
        position += 1
    return found


def spoken_phones(text: str, locale: str) -> list[Spoken]:
    """Return every number of six figures and more in which some are words: "oh four nine one double five …"."""
    return [
        run for run, words_in_it in _runs(text, locale) if words_in_it >= _IN_WORDS and len(run.written) >= _MINIMUM
    ]


def spoken_figures(text: str, locale: str) -> list[Spoken]:
    """Return every run of digits, in figures or words, however short: "ends in zero nine four"."""
    return [run for run, _ in _runs(text, locale)]


def _runs(text: str, locale: str) -> list[tuple[Spoken, int]]:
    """Runs of figures, and how many words each holds."""
    speech = _speech(get_locale(locale).code)
    found: list[tuple[Spoken, int]] = []
    digits, start, end, times, in_words = "", 0, 0, 1, 0
    for word in [*tokenize(normalize_text(text)), WordToken("", len(text), len(text))]:
        figure = word.text if _FIGURES.fullmatch(word.text) else speech.figures.get(word.text)
        if figure is not None:
            in_words += word.text in speech.figures
            start = start if digits else word.start
            digits, end, times = digits + figure * times, word.end, 1
        elif word.text in speech.times:
            start = start if digits else word.start
            times, in_words = speech.times[word.text], in_words + 1
        else:
            if digits:
                found.append((Spoken(digits, (start, end)), in_words))
            digits, times, in_words = "", 1, 0
    return found


def spelled_names(text: str) -> list[Spoken]:
    """Return every name spelled letter by letter: "S-M-Y-T-H", "s m y t h"."""
    return [Spoken(re.sub(r"[^a-z]", "", m.group()), m.span()) for m in _LETTERS.finditer(normalize_text(text))]


def _address(row: list[WordToken], first: int, speech: _Speech) -> tuple[str, int]:
    """Return the address that starts at this word and the place of its last word; "" if none does."""
    if not _NAME.fullmatch(row[first].text) or row[first].text in speech.marks:
        return "", first
    written, position, spoken, last = row[first].text, first + 1, False, first
    while position + 1 < len(row) + 1 and position < len(row):
        mark = speech.marks.get(row[position].text)
        if mark is not None and position + 1 < len(row) and row[position + 1].text not in speech.marks:
            written, spoken = f"{written}{mark}{row[position + 1].text}", True
            last, position = position + 1, position + 2
        else:
            break
    local, _, domain = written.partition("@")
    whole = spoken and local and re.fullmatch(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}", domain)
    return (written, last) if whole and written.count("@") == 1 else ("", first)


@cache
def _speech(code: str) -> _Speech:
    data = data_of(code, "spoken")
    return _Speech(
        {word: mark for mark, words in data.MARKS.items() for word in words.split()},
        {word: figure for figure, words in data.FIGURES.items() for word in words.split()},
        {word: int(times) for times, words in data.TIMES.items() for word in words.split()},
    )
