"""Lists of bookings for the operator: in order of time, marked if they are over or cancelled, and counted if there are
too many to show."""

from collections.abc import Sequence
from datetime import datetime

from contracts import limits
from contracts.booking import BookingSummary
from language.extraction import Mention, MentionKind
from language.messages.catalogue import translate
from language.text.normalize import normalize_text, tokenize

LISTED = 12
"""Rows that a phone shows without long scrolling."""
_MOMENT = "%Y-%m-%d %H:%M"


def merge_search_terms(lists: Sequence[Sequence[BookingSummary]]) -> list[tuple[BookingSummary, ...]]:
    """Return the same lists, where each booking has all the search terms that ever found it: "jasmine", then "reid"."""
    words: dict[str, dict[str, None]] = {}
    for row in (row for rows in lists for row in rows):
        words.setdefault(row.booking_id, {}).update(dict.fromkeys(row.found_by.split()))
    return [tuple(r.model_copy(update={"found_by": " ".join(words[r.booking_id])}) for r in rows) for rows in lists]


def sort_for_display(found: Sequence[BookingSummary], now: datetime) -> tuple[BookingSummary, ...]:
    """Sort bookings: upcoming, soonest first; then cancelled; then past, latest first. `now` is local to the venue."""
    moment = now.strftime(_MOMENT)
    past = [b for b in found if is_past(b, moment)]
    off = [b for b in found if b.cancelled and not is_past(b, moment)]
    ahead = [b for b in found if not b.cancelled and not is_past(b, moment)]
    return (*sorted(ahead, key=_when), *sorted(off, key=_when), *sorted(past, key=_when, reverse=True))


def with_status(found: Sequence[BookingSummary], now: datetime) -> tuple[BookingSummary, ...]:
    """Return the same bookings, with labels that mark those that are cancelled, past or not read."""
    moment = now.strftime(_MOMENT)
    how = [
        "cancelled" if b.cancelled else "past" if is_past(b, moment) else "unread" if b.cancelled is None else ""
        for b in found
    ]
    return tuple(_marked(b, one) if one else b for b, one in zip(found, how, strict=True))


def unread(found: Sequence[BookingSummary]) -> list[BookingSummary]:
    """Return the same bookings, without a status unless they are known to be cancelled."""
    return [b.model_copy(update={"cancelled": b.cancelled or None}) for b in found]


def is_past(booking: BookingSummary, moment: str) -> bool:
    """Return whether a booking began before a moment, YYYY-MM-DD HH:MM. A booking without a time lasts its whole
    day."""
    return bool(booking.date) and f"{booking.date} {booking.start_time or '23:59'}" < moment


def _marked(booking: BookingSummary, how: str) -> BookingSummary:
    label = booking.label or booking.guest_name or booking.reference
    return booking.model_copy(update={"label": translate(f"booking.{how}", label=label)})


def with_guest(booking: BookingSummary, guest: str) -> BookingSummary:
    """Return the same booking with the guest in its label if the title lacks it: "St Brigid's (Delphine Arnaud)"."""
    title, comma, rest = booking.label.partition(",")
    own = {word.text for word in tokenize(normalize_text(title))}
    if not guest or not title or all(word.text in own for word in tokenize(normalize_text(guest))):
        return booking
    return booking.model_copy(update={"label": f"{title} ({guest}){comma}{rest}"})


def list_text(found: Sequence[BookingSummary], *, more: bool = False) -> str:
    """Return the rows of a look-up for an operator, with the number of further ones. `more`: the look-up was not read
    to its end."""
    return f"{_list_text(found)} {translate('read.not_all')}" if more else _list_text(found)


def _list_text(found: Sequence[BookingSummary]) -> str:
    if not found:
        return translate("read.nothing")
    if len(found) == 1 and found[0].label and found[0].reference:
        return translate("read.one", row=found[0].label, reference=found[0].reference)
    rows = [b.label or " ".join(x for x in (b.guest_name, b.reference) if x) for b in found[:LISTED]]
    return translate("read.found", rows=rows, more=len(found) - len(rows), at_least=may_be_truncated(found))


def tells_which(mention: Mention, bookings: Sequence[BookingSummary]) -> bool:
    """Return whether a day, a time or a number identifies a booking, and is not the value it is moved to."""
    if mention.is_target:
        return False
    own: dict[MentionKind, set[str | None]] = {
        MentionKind.DAY: {b.date for b in bookings},
        MentionKind.TIME: {b.start_time for b in bookings},
        MentionKind.COUNT: {str(b.guest_count) for b in bookings},
    }
    values = (f"{mention.count.amount:g}",) if mention.count is not None else mention.values
    return not own.get(mention.kind, set()).isdisjoint(values)


def may_be_truncated(found: Sequence[BookingSummary]) -> bool:
    """Return whether a look-up may have found more bookings than these, because no more are read."""
    return len(found) >= limits.CANDIDATES


def _when(booking: BookingSummary) -> tuple[str, str]:
    return booking.date or "9999", booking.start_time or ""
