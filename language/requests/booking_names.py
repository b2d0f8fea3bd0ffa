"""Find the words that name a booking.

A choice is a message that picks one of the bookings that our question listed, and says nothing else. Code recognises
it, whatever the model, so that a number, a label, a name or a place in the list is never read as a count, a day or a
time. What was asked for before the question is kept.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import partial
from itertools import takewhile
from typing import NamedTuple, Protocol

from contracts.booking import BookingSummary
from language.dates.resolution import Span
from language.locales import alternatives, get_locale, words_in_all
from language.numbers.numbers import BESIDE, LAST, OTHER, PLACES, counts_from_the_end, place_in, select_by_comparison
from language.requests.cues import Cue, find_cues
from language.requests.parts import find_verb
from language.text.lexer import lex
from language.text.normalize import WordToken, normalize_text
from language.text.normalize import tokenize as words_in
from language.text.spelling import same_but_a_slip

MASK = "\u00f8"
"""Replaces each letter of masked text: readers see a word, but an unknown one."""
_SHORTEST = 3
_ENDS = re.compile(r"[.!?:;\n]")
_UNMISTAKABLE = 4
"""Characters from which a number beside other words is no count of people."""


class ListedBooking(Protocol):
    """The data of a booking that a list shows."""

    @property
    def booking_id(self) -> str:
        """Return the venue's own id."""

    @property
    def reference(self) -> str:
        """Return the number that people use; "" if there is none."""

    @property
    def label(self) -> str:
        """Return the displayed label; "" if there is none."""


def spans_naming(text: str, booking: ListedBooking, shortest: int = _SHORTEST) -> list[Span]:
    """Return the places where a text names a booking as listed: by its number, its id or its whole label, of at least
    `shortest` characters."""
    letters = normalize_text(text)
    names = {normalize_text(name) for name in (booking.label, booking.reference, booking.booking_id)}
    found = (
        re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-]|[.:][0-9])", letters)
        for name in names
        if len(name) >= shortest
    )
    return [match.span() for matches in found for match in matches]


def masked(text: str, spans: Iterable[Span]) -> str:
    """Return the text with these places masked; its length stays the same."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = MASK * (end - start)
    return "".join(letters)


def spans_naming_any(text: str, bookings: Sequence[ListedBooking]) -> list[Span]:
    """Return the places where a text can only name one of these bookings. A short number does so only as the whole
    message: "make it 120" may be a count even if a booking has that number."""
    alone = text.strip()
    shortest = _SHORTEST if any(alone in (b.reference, b.booking_id) for b in bookings) else _UNMISTAKABLE
    return [span for booking in bookings for span in spans_naming(text, booking, shortest)]


class BookingName(NamedTuple):
    """The name of a person (`name`), and the whole `title` of the booking."""

    name: str
    title: str


def called_by(bookings: Sequence[BookingSummary], venue: str) -> list[BookingName]:
    """Return the names that a message may contain: of these bookings and of the venue. A one-word venue name counts
    like a person's, because that word alone names it."""
    own = [BookingName(b.guest_name, b.label.partition(",")[0]) for b in bookings]
    return [*dict.fromkeys(own), BookingName("" if " " in venue else venue, venue)]


def names_among_values(text: str, cues: Sequence[Cue], called: Sequence[BookingName], locale: str) -> list[Span]:
    """Return the places where the words of a name may be read as a value: "the Fourteen party", "Ann Card", "Mrs
    Sunday". Nouns of bookings remain readable, and so does such a word by itself ("make it fourteen")."""
    row = words_in(normalize_text(text))
    spoken = {strip_possessive(word.text) for word in row}
    found: set[Span] = set()
    for one in called:
        for name in {one.name, one.title}:
            order = [strip_possessive(word.text) for word in words_in(normalize_text(name))]
            if len(spoken.intersection(order)) > 1:
                found |= {_stem(word) for word in _in_runs(text, row, order, locale)}
        own = {strip_possessive(word.text) for word in words_in(normalize_text(one.name))} & spoken
        found |= {
            _stem(w)
            for n, w in enumerate(row)
            if strip_possessive(w.text) in own and _is_a_name(text, row, n, cues, locale)
        }
    nouns = [cue.span for cue in cues if cue.kind in _NOUNS]
    return sorted(s for s in found if not any(start <= s[0] < end for start, end in nouns))


_NOUNS = ("BOOKING", "FAMILY")


def _stem(word: WordToken) -> Span:
    """Return the place of a name without its possessive ending."""
    return word.start, word.start + len(word.text.removesuffix("'s"))


def _in_runs(text: str, row: Sequence[WordToken], order: Sequence[str], locale: str) -> Iterator[WordToken]:
    """Yield the words of a name that are side by side, two or more, in its order. A number or a day at the end belongs
    to the name only as its last word: "emma clarke 8th december" does not name "Emma Clarke 8th birthday"."""
    first = 0
    while first < len(row):
        taken: list[WordToken] = []
        location = -1
        for at in range(first, len(row)):
            beside = not taken or not text[taken[-1].end : row[at].start].strip(" -&")
            found = next(
                (n for n in range(location + 1, len(order)) if order[n] == strip_possessive(row[at].text)), None
            )
            if not beside or found is None:
                break
            taken.append(row[at])
            location = found
        while taken and strip_possessive(taken[-1].text) != order[-1] and _may_be_value(taken[-1].text, locale):
            taken.pop()
        if len(taken) > 1:
            yield from taken
        first += max(len(taken), 1)


def _is_a_name(text: str, row: Sequence[WordToken], at: int, cues: Sequence[Cue], locale: str) -> bool:
    """Return whether one word of a person's name is used as that name: with a possessive, a title, an introduction or a
    verb of moving."""
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
        or (at > 0 and bool(find_verb("cancel", row[at - 1].text)))
        or (bool(behind & set(_NOUNS)) and not counted)
        or (capital and not opens and not dated)
        or (capital and opens and bool(behind & {"RESET", "REPORT"}))
    )


def _may_be_value(word: str, locale: str) -> bool:
    return any(character.isdigit() for character in word) or _symbols(word, locale) != ["_"]


def _symbols(word: str, locale: str) -> list[str]:
    return [token.symbol for token in lex(word, get_locale(locale)).tokens]


def without_names(text: str, bookings: Sequence[ListedBooking]) -> str:
    """Return the text in which no number or label of these bookings can be read as a count, a day or a time."""
    return masked(text, spans_naming_any(text, bookings))


def booking_words(booking: BookingSummary) -> frozenset[str]:
    """Return the words that name a booking: of its guest and its title, not of its head count and time."""
    own = own_words(booking)
    # A misspelling by which a tolerant venue found the guest ("Clark" for "Clarke") is no other name of the guest.
    return own | {w for w in _words_of(booking.found_by) if not any(same_but_a_slip(w, one) for one in own)}


def own_words(booking: BookingSummary) -> frozenset[str]:
    """Return the words of the booking's own guest and title alone."""
    return _words_of(f"{booking.guest_name} {booking.label.partition(',')[0]}")


def _words_of(text: str) -> frozenset[str]:
    return frozenset(
        strip_possessive(word.text) for word in words_in(normalize_text(text)) if not word.text.isdecimal()
    )


def strip_possessive(word: str) -> str:
    """Return a word without a possessive or plural ending: "clarke's", "the smiths"."""
    word = word.removesuffix("'s").removesuffix("'")
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word


_of = partial(alternatives, "answers")
_ALL_ANSWER = re.compile(rf"(?:(?P<both>{_of('BOTH_ANSWER')})|{_of('ALL_ANSWER')})")
_ALL = re.compile(rf"\b(?:(?P<both>{_of('BOTH')})|(?:{_of('ALL')}))(?:{_of('OF_THE')})?(?= )")
_MOST_AT_ONCE = 5
"""Bookings that "all" may mean: more are no slip of a few words, but a list to look at."""


def means_all(text: str, listed: Sequence[BookingSummary], locale: str, things: tuple[str, ...] = ()) -> bool:
    """Return whether a message asks for all of these bookings: "both Petrov parties", "all of Hannah's bookings", or
    "both" as an answer. `things` are the venue's own words for a booking, plain."""
    if not 1 < len(listed) <= _MOST_AT_ONCE:
        return False
    letters = normalize_text(text)
    answer = _ALL_ANSWER.fullmatch(" ".join(word.text for word in words_in(letters)))
    if answer is not None:
        return answer["both"] is None or len(listed) == 2
    names = frozenset[str]().union(*(own_words(booking) for booking in listed))
    return any(len(listed) == 2 or not both for both in quantified(letters, names, locale, things))


def quantified(text: str, names: Collection[str], locale: str, things: tuple[str, ...] = ()) -> Iterator[bool]:
    """Yield, for each place where plain words ask for all bookings of some names, whether they are for two of them:
    "both Petrov parties"; not "both Petrov kids"."""
    row = list(words_in(text))
    nouns = {cue.span[0] for cue in find_cues(text, locale, things) if cue.kind in ("BOOKING", "THINGS")}
    for match in _ALL.finditer(text):
        rest = [word for word in row if word.start >= match.end()]
        named = list(takewhile(lambda word: strip_possessive(word.text) in names, rest))
        behind = rest[len(named)] if len(rest) > len(named) else None
        noun = behind is not None and behind.start in nouns
        if not any(strip_possessive(word.text) in names for word in rest):
            continue
        if noun or (named and (behind is None or "PEOPLE" not in _symbols(behind.text, locale))):
            yield match["both"] is not None


_BESIDE = BESIDE | words_in_all("answers", "PICKS")
"""Words of an answer that only picks."""


def chosen(
    message: str, listed: Sequence[BookingSummary], now: datetime, things: Collection[str] = ()
) -> BookingSummary | None:
    """Return the one booking that an answer picks from those listed, in their order; None if it contains more, or picks
    none or several. `now` is an aware time, `things` are the venue's own words for a booking, plain."""
    named = _named(message, listed)
    messages = [
        word.text.removeprefix("l'")
        for word in words_in(normalize_text(without_names(message, named)))
        if MASK * 2 not in word.text
    ]
    rest = {strip_possessive(word) for word in messages if word not in _BESIDE and word not in things}
    if named:
        return named[0] if len(named) == 1 and rest <= booking_words(named[0]) else None
    if place_in(messages) == LAST:
        listed = _ahead(listed, now)
    elif counts_from_the_end(messages) or OTHER & set(messages):
        return None
    compared = select_by_comparison(messages, [(b.date or "", b.start_time or "", b.guest_count) for b in listed])
    if compared is not None:
        return listed[compared]
    indexes = {PLACES[word] for word in rest if word in PLACES}
    if indexes:
        index = min(indexes)
        return listed[index] if len(indexes) == 1 and rest <= PLACES.keys() and index < len(listed) and listed else None
    fits = [booking for booking in listed if rest and rest <= booking_words(booking)]
    return fits[0] if len(fits) == 1 else None


def _ahead(listed: Sequence[BookingSummary], now: datetime) -> Sequence[BookingSummary]:
    """Return those that "the last one" may mean: past bookings are at the end of a list. None if that needs the venue's
    own clock."""
    today, days = now.date(), [date.fromisoformat(b.date[:10]) for b in listed if b.date]
    if len(days) < len(listed) or any(abs((day - today).days) <= 1 for day in days):
        return ()
    return [b for b, day in zip(listed, days, strict=True) if day > today and not b.cancelled]


def _named(message: str, listed: Sequence[BookingSummary]) -> list[BookingSummary]:
    """Return those whose number or label is in the message. If a label is the beginning of another, the longer one
    counts."""
    spans = {b.booking_id: spans_naming(message, b) for b in listed}
    longest = max((end - start for found in spans.values() for start, end in found), default=0)
    return [b for b in listed if any(end - start == longest for start, end in spans[b.booking_id])]
