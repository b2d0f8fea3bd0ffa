"""Finds the bookings that a message names by their own words: guest, title, number."""

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher

from contracts.booking import BookingSummary
from language.extraction import Assertion, Extraction, MentionKind
from language.extraction.message import Message
from language.locales import alternatives, get_locale
from language.requests.booking_names import booking_words, spans_naming, strip_possessive
from language.requests.parts import is_unknown_word
from language.text.lexer import expand_abbreviation
from language.text.normalize import normalize_text
from language.text.normalize import tokenize as words_in
from language.text.spelling import same_but_a_slip

_SHORTEST = 3


_OR = re.compile(rf"\b(?:{alternatives('drafting', 'OR')})\b")


_NUMBER = re.compile(r"[0-9]{4,6}")
"""Matches a booking number among other figures."""


_ALIKE = 0.75
"""The least similarity at which two words count as one word mistyped: "Smth" and "Smith" have 0.89."""


def is_of(word: str, marks: Collection[str], message: Message) -> bool:
    """Return whether a word is one of a booking's own, by its spelling or its abbreviation."""
    full = expand_abbreviation(word, get_locale(message.locale).code)
    return any(same_but_a_slip(strip_possessive(word), mark) or full == mark for mark in marks)


def bookings_named(
    evidence: Extraction, match: BookingSummary, rivals: Sequence[BookingSummary], beside: Collection[str]
) -> list[BookingSummary]:
    """Return the bookings that the latest message with such a number names by number or id; none if a later message
    names the match by name. The plan's other bookings (`beside`) are no rivals, unless the message corrects something.
    """
    for message in evidence.messages:
        named = [b for b in (match, *rivals) if is_named(message, evidence, b)]
        if match not in named and not message.of_kind("CORRECT", "NO", "INSTEAD"):
            named = [b for b in named if not {b.booking_id, b.reference} & set(beside)]
        names = {m for m in booking_words(match) if len(m) >= _SHORTEST and is_unknown_word(m, message.locale)}
        if named or mentioned_bookings(names, message, evidence):
            return named
    return []


def is_named(message: Message, evidence: Extraction, booking: BookingSummary) -> bool:
    """Return whether a message names the booking and does not negate it."""
    named = spans_naming(message.text, booking)
    return any(evidence.assertion_of(message, span) is not Assertion.NEGATED for span in named)


def mentioned_bookings(
    marks: Iterable[str], message: Message, evidence: Extraction, called: Collection[str] = frozenset()
) -> set[str]:
    """Return which of the marks a message mentions and does not negate. A word that is itself a name in `called` is no
    misspelling of another one: "Clarke" does not match "Clark" if both exist."""
    return {
        mark
        for word in message.words
        for mark in marks
        if (mark == text if (text := strip_possessive(word.text)) in called else is_of(word.text, (mark,), message))
        and evidence.assertion_of(message, (word.start, word.end)) is not Assertion.NEGATED
    }


def own_words_of(booking: BookingSummary, evidence: Extraction, number: int) -> bool:
    """Return whether a message holds a word that is the booking's own."""
    return bool(
        mentioned_bookings(
            {m for m in booking_words(booking) if len(m) >= _SHORTEST}, evidence.messages[number], evidence
        )
    )


def values_named(requested: Sequence[str], evidence: Extraction, used: Collection[str]) -> bool:
    """Return whether the operator mentioned every value of a look-up; typing errors are tolerated. A day or a time must
    be among those mentioned, and if the look-up has nothing else, the plan must not set it."""
    spoken = {strip_possessive(word.text) for message in evidence.messages for word in message.words}
    digits = "".join(re.sub(r"\D", "", message.text) for message in evidence.messages)
    stated = {value for mention in evidence.of(MentionKind.DAY, MentionKind.TIME) for value in mention.values}
    emails = {value.casefold() for claim in evidence.of(MentionKind.EMAIL) for value in claim.values}
    only_moment = True
    for text in requested:
        if re.fullmatch(r"\d{4}-\d\d-\d\d|\d\d:\d\d", text):
            if text not in stated or (text in used and only_moment):
                return False
            continue
        only_moment = False
        if text.casefold() in emails:
            continue
        for word in words_in(normalize_text(text)):
            number = re.sub(r"\D", "", word.text)
            if len(number) >= 4 and number[-8:] in digits:
                continue
            if not any(is_alike(strip_possessive(word.text), one) for one in spoken):
                return False
    return bool(requested)


def is_alike(wanted: str, text: str) -> bool:
    """Return whether a word matches, more loosely than when words pick: the venue found only this booking by it."""
    inside = len(wanted) >= _SHORTEST and wanted in text
    return inside or same_but_a_slip(wanted, text) or SequenceMatcher(None, wanted, text).ratio() >= _ALIKE
