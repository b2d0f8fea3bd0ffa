"""A choice: a message that picks one of the bookings that our question listed, and says nothing else.

Code recognises it, whatever the model, so that a number, a label, a name or a place in the list is never read as a
count, a day or a time. What was asked for before the question is kept.
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from contracts.booking import BookingSummary
from language.booking_names import MASK, bare, marks_of, spans_naming, without_names
from language.places import BESIDE, LAST, OTHER, PLACES, counts_from_the_end, picked_by, place_in
from language.plain import plain
from language.plain import words as words_in

_BESIDE = BESIDE | frozenset("number numero no nr n ref reference riferimento codice with di con id a".split())
"""Words of an answer that only picks."""


def chosen(
    message: str, listed: Sequence[BookingSummary], now: datetime, things: Collection[str] = ()
) -> BookingSummary | None:
    """The one booking that an answer picks from those listed, in their order; None where it says more, or picks none or
    several. `now` is the time anywhere, `things` are the venue's own words for a booking, plain."""
    named = _named(message, listed)
    said = [
        word.text.removeprefix("l'")
        for word in words_in(plain(without_names(message, named)))
        if MASK * 2 not in word.text
    ]
    rest = {bare(word) for word in said if word not in _BESIDE and word not in things}
    if named:
        return named[0] if len(named) == 1 and rest <= marks_of(named[0]) else None
    if place_in(said) == LAST:
        listed = _ahead(listed, now)
    elif counts_from_the_end(said) or OTHER & set(said):
        return None
    compared = picked_by(said, [(b.date or "", b.start_time or "", b.guest_count) for b in listed])
    if compared is not None:
        return listed[compared]
    places = {PLACES[word] for word in rest if word in PLACES}
    if places:
        place = min(places)
        return listed[place] if len(places) == 1 and rest <= PLACES.keys() and place < len(listed) and listed else None
    fits = [booking for booking in listed if rest and rest <= marks_of(booking)]
    return fits[0] if len(fits) == 1 else None


def _ahead(listed: Sequence[BookingSummary], now: datetime) -> Sequence[BookingSummary]:
    """Those that "the last one" may mean: what is over stands at the end of a list. None where that cannot be told
    without the venue's own clock."""
    today, days = now.date(), [date.fromisoformat(b.date[:10]) for b in listed if b.date]
    if len(days) < len(listed) or any(abs((day - today).days) <= 1 for day in days):
        return ()
    return [b for b, day in zip(listed, days, strict=True) if day > today and not b.cancelled]


def _named(message: str, listed: Sequence[BookingSummary]) -> list[BookingSummary]:
    """Those whose number or label the message has. A label may be the beginning of another, which is meant then."""
    spans = {b.booking_id: spans_naming(message, b) for b in listed}
    longest = max((end - start for found in spans.values() for start, end in found), default=0)
    return [b for b in listed if any(end - start == longest for start, end in spans[b.booking_id])]
