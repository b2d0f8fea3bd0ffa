"""The words by which a booking is called."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from contracts.booking import BookingSummary
from language.alike import same_but_a_slip
from language.cues import Cue
from language.lexer import lex
from language.locales import get_locale
from language.plain import Word, plain
from language.plain import words as words_in
from language.resolution import Span
from language.verbs import said_of

MASK = "\u00f8"
"""Stands for each letter of what is not to be read: a word to every reader, and none that it knows."""
_SHORTEST = 3
_ENDS = re.compile(r"[.!?:;\n]")
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


class Called(NamedTuple):
    """What somebody or something is called: a person's `name`, and the whole `title` of what is booked."""

    name: str
    title: str


def called_by(bookings: Sequence[BookingSummary], venue: str) -> list[Called]:
    """The names that may stand in a message: of these bookings and of the venue. A venue of one word is called like a
    person, since that word alone names it."""
    own = [Called(b.guest_name, b.label.partition(",")[0]) for b in bookings]
    return [*dict.fromkeys(own), Called("" if " " in venue else venue, venue)]


def names_among_values(text: str, cues: Sequence[Cue], called: Sequence[Called], locale: str) -> list[Span]:
    """Where the words of a name may be read as a value: "the Fourteen party", "Ann Card", "Mrs Sunday". Nouns of
    bookings stay readable, and so does such a word where it stands for itself ("make it fourteen")."""
    row = words_in(plain(text))
    said = {bare(word.text) for word in row}
    found: set[Span] = set()
    for one in called:
        for name in {one.name, one.title}:
            order = [bare(word.text) for word in words_in(plain(name))]
            if len(said.intersection(order)) > 1:
                found |= {_stem(word) for word in _in_runs(text, row, order, locale)}
        own = {bare(word.text) for word in words_in(plain(one.name))} & said
        found |= {_stem(w) for n, w in enumerate(row) if bare(w.text) in own and _is_a_name(text, row, n, cues, locale)}
    nouns = [cue.span for cue in cues if cue.kind in _NOUNS]
    return sorted(s for s in found if not any(start <= s[0] < end for start, end in nouns))


_NOUNS = ("BOOKING", "FAMILY")


def _stem(word: Word) -> Span:
    """The place of a name without the ending of its owner."""
    return word.start, word.start + len(word.text.removesuffix("'s"))


def _in_runs(text: str, row: Sequence[Word], order: Sequence[str], locale: str) -> Iterator[Word]:
    """The words of a name that stand side by side, two or more, in its order. A figure or a day at the end belongs to
    the name only as its last word: "emma clarke 8th december" does not say "Emma Clarke 8th birthday"."""
    first = 0
    while first < len(row):
        taken: list[Word] = []
        place = -1
        for at in range(first, len(row)):
            beside = not taken or not text[taken[-1].end : row[at].start].strip(" -&")
            found = next((n for n in range(place + 1, len(order)) if order[n] == bare(row[at].text)), None)
            if not beside or found is None:
                break
            taken.append(row[at])
            place = found
        while taken and bare(taken[-1].text) != order[-1] and _may_be_value(taken[-1].text, locale):
            taken.pop()
        if len(taken) > 1:
            yield from taken
        first += max(len(taken), 1)


def _is_a_name(text: str, row: Sequence[Word], at: int, cues: Sequence[Cue], locale: str) -> bool:
    """Whether one word of a person's name is used as that name: by what owns, addresses, introduces or moves it."""
    word = row[at]
    before = row[at - 1].end if at else -1
    following = row[at + 1].start if at + 1 < len(row) else -1
    in_front = {cue.kind for cue in cues if cue.span[1] == before and len(text[slice(*cue.span)]) > 1}
    behind = {cue.kind for cue in cues if cue.span[0] == following}
    counted = following >= 0 and "PEOPLE" in _symbols(row[at + 1].text, locale)
    capital = text[word.start].isupper() and not text.isupper()
    opens = before < 0 or bool(_ENDS.search(text[before : word.start]))
    dated = any(symbol[0] in "Wm" for symbol in _symbols(word.text, locale))
    return (
        word.text.endswith("'s")
        or bool(in_front & {"TITLE", "MOVE"})
        or (at > 0 and bool(said_of("cancel", row[at - 1].text)))
        or (bool(behind & set(_NOUNS)) and not counted)
        or (capital and not opens and not dated)
        or (capital and opens and bool(behind & {"RESET", "REPORT"}))
    )


def _may_be_value(word: str, locale: str) -> bool:
    return any(character.isdigit() for character in word) or _symbols(word, locale) != ["_"]


def _symbols(word: str, locale: str) -> list[str]:
    return [token.symbol for token in lex(word, get_locale(locale)).tokens]


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
