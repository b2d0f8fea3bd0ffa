"""A choice: a message that picks one of the bookings that our question listed, and says nothing else.

Code recognises it, whatever the model, so that a number, a label, a name or a place in the list is never read as a
count, a day or a time. What was asked for before the question is kept.
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from contracts.booking import BookingSummary
from language.locales import words_in_all
from language.numbers.ordinals import BESIDE, LAST, OTHER, PLACES, counts_from_the_end, place_in, select_by_comparison
from language.requests.booking_names import MASK, booking_words, spans_naming, strip_possessive, without_names
from language.text.normalize import normalize_text
from language.text.normalize import tokenize as words_in

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
