"""Find and check e-mail addresses and phone numbers as people write them, without any network access."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from language.dates.resolution import Span

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
