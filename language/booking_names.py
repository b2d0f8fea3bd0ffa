"""The words by which a booking is called."""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from contracts.booking import BookingSummary
from language.alike import same_but_a_slip
from language.plain import plain
from language.plain import words as words_in
from language.resolution import Span

MASK = "\u00f8"
"""Stands for each letter of what is not to be read: a word to every reader, and none that it knows."""
_SHORTEST = 3
_UNMISTAKABLE = 4
"""Characters from which a number is no count of people beside other words."""


class Listed(Protocol):
    """What a list of bookings shows of one."""

    @property
    def booking_id(self) -> str:
        """The venue's own id."""

    @property
    def reference(self) -> str:
        """The number that people use; "" without one."""

    @property
    def label(self) -> str:
        """The line that is shown of it; "" without one."""


def spans_naming(text: str, booking: Listed, shortest: int = _SHORTEST) -> list[Span]:
    """Where a text names a booking as a list shows it: by its number, its id or its whole label, with at least so many
    characters."""
    letters = plain(text)
    names = {plain(name) for name in (booking.label, booking.reference, booking.booking_id)}
    found = (
        re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-]|[.:][0-9])", letters)
        for name in names
        if len(name) >= shortest
    )
    return [match.span() for matches in found for match in matches]


def masked(text: str, spans: Iterable[Span]) -> str:
    """The text with these places made unreadable; as long as before."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = MASK * (end - start)
    return "".join(letters)


def spans_naming_any(text: str, bookings: Sequence[Listed]) -> list[Span]:
    """Where a text can only name one of these bookings. A short number does so where it is all that is said: "make it
    120" may well be a count where a booking has that number."""
    alone = text.strip()
    shortest = _SHORTEST if any(alone in (b.reference, b.booking_id) for b in bookings) else _UNMISTAKABLE
    return [span for booking in bookings for span in spans_naming(text, booking, shortest)]


def without_names(text: str, bookings: Sequence[Listed]) -> str:
    """The text in which no number or label of these bookings can be read as a count, a day or a time."""
    return masked(text, spans_naming_any(text, bookings))


def marks_of(booking: BookingSummary) -> frozenset[str]:
    """The words that name a booking: of its guest and its title, not of how many come and when."""
    own = called_words(booking)
    # What a venue that forgives slips has found "Clark" by, asked for "Clarke", is no other name of his.
    return own | {w for w in _words_of(booking.found_by) if not any(same_but_a_slip(w, one) for one in own)}


def called_words(booking: BookingSummary) -> frozenset[str]:
    """Those of its own guest and title alone."""
    return _words_of(f"{booking.guest_name} {booking.label.partition(',')[0]}")


def _words_of(text: str) -> frozenset[str]:
    return frozenset(bare(word.text) for word in words_in(plain(text)) if not word.text.isdecimal())


def bare(word: str) -> str:
    """Without the ending of an owner or of several: "clarke's", "the smiths"."""
    word = word.removesuffix("'s").removesuffix("'")
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word
