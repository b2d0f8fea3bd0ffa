"""Bookings as they are told: in the order in which they come up, marked when they are over or cancelled, and counted
where there are more than fit."""

from collections.abc import Sequence
from datetime import datetime

from contracts import bounds
from contracts.booking import BookingSummary
from language.catalogue import say
from language.plain import plain, words
from reasoning.evidence import Claim, Kind

TOLD = 12
"""Rows that a phone shows without scrolling for long."""
_MOMENT = "%Y-%m-%d %H:%M"


def found_by_all(lists: Sequence[Sequence[BookingSummary]]) -> list[tuple[BookingSummary, ...]]:
    """The same lists, where each booking has all the words that it was ever found by: "jasmine", then "reid"."""
    words: dict[str, dict[str, None]] = {}
    for row in (row for rows in lists for row in rows):
        words.setdefault(row.booking_id, {}).update(dict.fromkeys(row.found_by.split()))
    return [tuple(r.model_copy(update={"found_by": " ".join(words[r.booking_id])}) for r in rows) for rows in lists]


def in_order(found: Sequence[BookingSummary], now: datetime) -> tuple[BookingSummary, ...]:
    """What is ahead, soonest first; then what is cancelled; then what is past, latest first. `now` is the venue's."""
    moment = now.strftime(_MOMENT)
    past = [b for b in found if is_past(b, moment)]
    off = [b for b in found if b.cancelled and not is_past(b, moment)]
    ahead = [b for b in found if not b.cancelled and not is_past(b, moment)]
    return (*sorted(ahead, key=_when), *sorted(off, key=_when), *sorted(past, key=_when, reverse=True))


def marked(found: Sequence[BookingSummary], now: datetime) -> tuple[BookingSummary, ...]:
    """The same bookings, the labels of those that are cancelled, past or not looked at saying so."""
    moment = now.strftime(_MOMENT)
    how = [
        "cancelled" if b.cancelled else "past" if is_past(b, moment) else "unread" if b.cancelled is None else ""
        for b in found
    ]
    return tuple(_marked(b, one) if one else b for b, one in zip(found, how, strict=True))


def unread(found: Sequence[BookingSummary]) -> list[BookingSummary]:
    """The same bookings, of those that are not known to be cancelled nothing said."""
    return [b.model_copy(update={"cancelled": b.cancelled or None}) for b in found]


def is_past(booking: BookingSummary, moment: str) -> bool:
    """Whether it has begun before a moment, YYYY-MM-DD HH:MM; one without a time has its whole day."""
    return bool(booking.date) and f"{booking.date} {booking.start_time or '23:59'}" < moment


def _marked(booking: BookingSummary, how: str) -> BookingSummary:
    label = booking.label or booking.guest_name or booking.reference
    return booking.model_copy(update={"label": say(f"booking.{how}", label=label)})


def named(booking: BookingSummary, guest: str) -> BookingSummary:
    """The same booking, its label telling whose it is where its title does not: "St Brigid's (Delphine Arnaud)"."""
    title, comma, rest = booking.label.partition(",")
    own = {word.text for word in words(plain(title))}
    if not guest or not title or all(word.text in own for word in words(plain(guest))):
        return booking
    return booking.model_copy(update={"label": f"{title} ({guest}){comma}{rest}"})


def told(found: Sequence[BookingSummary], *, more: bool = False) -> str:
    """The rows of a look-up for an operator, with how many more there are. `more`: it was not read to its end."""
    return f"{_told(found)} {say('read.not_all')}" if more else _told(found)


def _told(found: Sequence[BookingSummary]) -> str:
    if not found:
        return say("read.nothing")
    if len(found) == 1 and found[0].label and found[0].reference:
        return say("read.one", row=found[0].label, reference=found[0].reference)
    rows = [b.label or " ".join(x for x in (b.guest_name, b.reference) if x) for b in found[:TOLD]]
    return say("read.found", rows=rows, more=len(found) - len(rows), at_least=cut(found))


def tells_which(claim: Claim, bookings: Sequence[BookingSummary]) -> bool:
    """Whether a day, a time or a number is a booking's own, and not what one is moved to."""
    if claim.to:
        return False
    own: dict[Kind, set[str | None]] = {
        Kind.DAY: {b.date for b in bookings},
        Kind.TIME: {b.start_time for b in bookings},
        Kind.COUNT: {str(b.guest_count) for b in bookings},
    }
    values = (f"{claim.count.amount:g}",) if claim.count is not None else claim.values
    return not own.get(claim.kind, set()).isdisjoint(values)


def cut(found: Sequence[BookingSummary]) -> bool:
    """Whether a look-up may have found more than these: no more of it are taken in."""
    return len(found) >= bounds.CANDIDATES


def _when(booking: BookingSummary) -> tuple[str, str]:
    return booking.date or "9999", booking.start_time or ""
