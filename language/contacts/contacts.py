"""E-mail addresses and phone numbers as written by people, found and checked without any network."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from language.dates.resolution import Span

_EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+")
_TRAILING = ".,;:!?'\"-"
_MARKS = "\u00a0\u00ad\u2007\u200b-\u200f\u2010-\u2015\u202a-\u202f\u2060\u2066-\u2069\u2212"
"""What the cards of an address book put into a number: spaces and hyphens that do not break, marks of direction."""
_PHONE = re.compile(rf"(?<![\w/.#:-])(?:\+|00)?\(?[0-9][0-9 ().\-/{_MARKS}]{{4,30}}[0-9](?![\w/:])")
_E164 = re.compile(r"\+[1-9][0-9]{6,14}")
_LEFT_OUT = frozenset(("Cf", "Pd"))
"""Unicode's categories of invisible marks and of hyphens."""
_DATE = re.compile(
    r"(?<![0-9])(?<![0-9][-/.])(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}"
    r"|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[0-9]{4}|[0-9]{2}))(?![-/.]?[0-9])"
)
_LOCAL_STYLE = re.compile(r"[0-9]{3}[-. ][0-9]{4}")
_MINIMUM_DIGITS = 7
_UNMISTAKABLE_DIGITS = 9


@dataclass(frozen=True, slots=True)
class EmailReading:
    """An address as checked: `normalised` is what to store; `problem` says in words why it cannot be one."""

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

    `warning` (`unlikely`: not a number in service by the numbering plan; `local`: too short to dial from
    abroad) never refuses: an operator may know a number that the plan does not.
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
    """A phone number inside a longer text, with its reading in the venue's country."""

    text: str
    span: Span
    phone: PhoneReading


def find_emails(text: str) -> list[FoundEmail]:
    """Return every e-mail address in a text, punctuation around it left out."""
    found: list[FoundEmail] = []
    for match in _EMAIL.finditer(text):
        piece = match.group().rstrip(_TRAILING)
        start = match.start() + len(piece) - len(piece := piece.lstrip(_TRAILING))
        found.append(FoundEmail(piece, (start, start + len(piece))))
    return found


def check_email(address: str) -> EmailReading:
    """Syntax and normal form by email-validator; the domain is not looked up."""
    from email_validator import EmailNotValidError, validate_email

    try:
        checked = validate_email(address.strip(), check_deliverability=False)
    except EmailNotValidError as problem:
        return EmailReading(address, None, str(problem))
    return EmailReading(address, checked.normalized)


def find_phones(text: str, country: str) -> list[FoundPhone]:
    """Return every phone number in a text (`country`: ISO 3166 code of the venue); days and references are passed over.

    A run of figures is a phone when it has seven or more and is written like one: a leading + or 0, groups, or nine
    figures and more.
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
    """Return where the number begins in "7200 0433 000 999": a booking's number may stand right in front of it."""
    group = re.match(r"[0-9]{3,6}\s+(?=[0-9+(])", piece)
    if group is None or to_e164(piece, country).e164 is not None:
        return 0
    return group.end() if to_e164(piece[group.end() :], country).e164 is not None else 0


def one_number(phone: str, country: str | None = None) -> str | None:
    """Return the one form in which two spellings of a number are compared: E.164 by its form alone, for a number that
    is out of use, or new, is one too; None if it cannot be brought to it. `country` (ISO 3166) is that of a number
    which names none. A zero for calls inside a country ("+44 (0)20 …") is left out, and kept where it is part of the
    number (Italy)."""
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
    """Return the digits as typed, with a leading + and other characters; without separators between digits."""
    text = unicodedata.normalize("NFKC", phone)
    return "".join(
        char
        for char in text
        if not char.isspace() and char not in "()./\u2212" and unicodedata.category(char) not in _LEFT_OUT
    )


def to_e164(phone: str, country: str) -> PhoneReading:
    """E.164 by the venue's country where the number is valid there, else its digits with a warning."""
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
