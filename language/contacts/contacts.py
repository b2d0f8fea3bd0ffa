"""Find and check e-mail addresses and phone numbers as people write them, without any network access, and contact
details as they are spoken: "emma dot clarke at gmail dot com", "oh four one two…", "S-M-Y-T-H"."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from language.dates.resolution import Span
from language.locales import data_of, get_locale
from language.text.normalize import WordToken, normalize_text, tokenize

_EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+")
_TRAILING = ".,;:!?'\"-"
_MARKS = "\u00a0\u00ad\u2007\u200b-\u200f\u2010-\u2015\u202a-\u202f\u2060\u2066-\u2069\u2212"
"""Characters that address-book entries put into a number: non-breaking spaces and hyphens, direction marks."""
_PHONE = re.compile(rf"(?<![\w/.#:-])(?:\+|00)?\(?[0-9][0-9 ().\-/{_MARKS}]{{4,30}}[0-9](?![\w/:])")
_E164 = re.compile(r"\+[1-9][0-9]{6,14}")
_LEFT_OUT = frozenset(("Cf", "Pd"))
"""The Unicode categories of invisible marks and of hyphens."""
_DATE = re.compile(
    r"(?<![0-9])(?<![0-9][-/.])(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}"
    r"|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[0-9]{4}|[0-9]{2}))(?![-/.]?[0-9])"
)
_LOCAL_STYLE = re.compile(r"[0-9]{3}[-. ][0-9]{4}")
_MINIMUM_DIGITS = 7
_UNMISTAKABLE_DIGITS = 9


@dataclass(frozen=True, slots=True)
class EmailReading:
    """A checked address: `normalised` is the form to store; `problem` states in words why the address is invalid."""

    text: str
    normalised: str | None
    problem: str | None = None

    @property
    def ok(self) -> bool:
        """Return whether the address is well formed."""
        return self.normalised is not None


@dataclass(frozen=True, slots=True)
class PhoneReading:
    """A phone number as read: `e164` when the number is valid in the country, else only its `digits`.

    `warning` (`unlikely`: no number in service by the numbering plan; `local`: too short to dial from abroad) never
    refuses a number: the operator may know one that the plan lacks.
    """

    text: str
    digits: str
    e164: str | None
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class FoundEmail:
    """An e-mail address inside a longer text."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class FoundPhone:
    """A phone number inside a longer text, read for the venue's country."""

    text: str
    span: Span
    phone: PhoneReading


def find_emails(text: str) -> list[FoundEmail]:
    """Return every e-mail address in a text, without the punctuation around it."""
    found: list[FoundEmail] = []
    for match in _EMAIL.finditer(text):
        piece = match.group().rstrip(_TRAILING)
        start = match.start() + len(piece) - len(piece := piece.lstrip(_TRAILING))
        found.append(FoundEmail(piece, (start, start + len(piece))))
    return found


def check_email(address: str) -> EmailReading:
    """Return the address in its normal form, its syntax checked by email-validator; the domain is not looked up."""
    from email_validator import EmailNotValidError, validate_email

    try:
        checked = validate_email(address.strip(), check_deliverability=False)
    except EmailNotValidError as problem:
        return EmailReading(address, None, str(problem))
    return EmailReading(address, checked.normalized)


def find_phones(text: str, country: str) -> list[FoundPhone]:
    """Return every phone number in a text (`country`: ISO 3166 code of the venue), but no dates and no references.

    A run of digits is a phone number if it has seven or more digits and the form of one: a leading + or 0, groups, or
    nine digits or more.
    """
    taken = [found.span for found in find_emails(text)]
    found: list[FoundPhone] = []
    for match in _PHONE.finditer(text):
        piece = match.group()
        digits = "".join(char for char in piece if char in "0123456789")
        if any(start < match.end() and match.start() < end for start, end in taken) or _DATE.search(piece):
            continue
        if len(digits) < _MINIMUM_DIGITS:
            continue
        if not (piece[0] in "+(0" or len(digits) >= _UNMISTAKABLE_DIGITS or _LOCAL_STYLE.fullmatch(piece)):
            continue
        start = match.start() + _reference_before(piece, country)
        piece = text[start : match.end()]
        found.append(FoundPhone(piece, (start, match.end()), to_e164(piece, country)))
    return found


def _reference_before(piece: str, country: str) -> int:
    """Return where the number begins in "7200 0433 000 999": a booking's number may be directly in front of it."""
    group = re.match(r"[0-9]{3,6}\s+(?=[0-9+(])", piece)
    if group is None or to_e164(piece, country).e164 is not None:
        return 0
    return group.end() if to_e164(piece[group.end() :], country).e164 is not None else 0


def one_number(phone: str, country: str | None = None) -> str | None:
    """Return the form in which two spellings of a number are compared: E.164 by its form alone, since a number that is
    new or out of use counts too; None if the number has no such form. `country` (ISO 3166) applies to a number without
    a country code. A trunk zero ("+44 (0)20 …") is left out, and kept where it is part of the number (Italy)."""
    import phonenumbers

    bare = unmarked(phone)
    bare = f"+{bare[2:]}" if bare.startswith("00") else bare
    abroad = _E164.fullmatch(bare) is not None
    if not (abroad or country):
        return None
    try:
        number = phonenumbers.parse(bare, country)
    except phonenumbers.NumberParseException:
        return bare if abroad else None
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def unmarked(phone: str) -> str:
    """Return the digits as typed, with a leading + and other characters, but without separators between digits."""
    text = unicodedata.normalize("NFKC", phone)
    return "".join(
        char
        for char in text
        if not char.isspace() and char not in "()./\u2212" and unicodedata.category(char) not in _LEFT_OUT
    )


def to_e164(phone: str, country: str) -> PhoneReading:
    """Return the number in E.164 where it is valid in the venue's country, else its digits with a warning."""
    import phonenumbers

    digits = "".join(char for char in phone if char in "0123456789")
    try:
        number = phonenumbers.parse(unmarked(phone), country.upper())
    except phonenumbers.NumberParseException:
        return PhoneReading(phone, digits, None, "unlikely")
    if phonenumbers.is_valid_number(number):
        return PhoneReading(phone, digits, phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))
    reason = phonenumbers.is_possible_number_with_reason(number)
    if reason == phonenumbers.ValidationResult.IS_POSSIBLE_LOCAL_ONLY:
        return PhoneReading(phone, digits, None, "local")
    return PhoneReading(phone, digits, None, "unlikely")


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
