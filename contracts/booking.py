"""What the product knows of a booking: only what tells one from another."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from contracts.base import FrozenModel


def _text(value: object) -> object:
    """Venue APIs give references and ids as numbers or text; here they are always text."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Text = Annotated[str, BeforeValidator(_text)]


class BookingSummary(FrozenModel):
    """One candidate for "which booking?" (HTTP contract, `candidates[]`).

    `date` is YYYY-MM-DD and `start_time` HH:MM, both venue local; `guest_count` is heads. `cancelled` where the venue
    tells that it is, None where only the booking's own read would tell and was not made, or failed; `found_by` are the
    words it was found by, such as its guest's name where it is called otherwise. `thing` is its kind, where a
    venue singles out other things than bookings.
    """

    booking_id: Text
    reference: Text = ""
    guest_name: str = ""
    date: str | None = None
    start_time: str | None = None
    guest_count: int | None = None
    status: str = ""
    label: str = ""
    cancelled: bool | None = False
    found_by: str = ""
    thing: str = "booking"


class DaySchedule(FrozenModel):
    """What a venue has on one day (YYYY-MM-DD, its own), by start time. `more` when there are, or may be, others."""

    date: str
    bookings: tuple[BookingSummary, ...]
    more: bool = False


class FoundBookings(FrozenModel):
    """The matches of one look-up, and what was looked for. `more`: its list was not read to the end."""

    rows: tuple[BookingSummary, ...]
    asked: tuple[str, ...] = ()
    more: bool = False


class BookingSearchQuery(FrozenModel):
    """The words, day and time a booking is looked for by; at least one is set."""

    keywords: str | None = Field(default=None, min_length=3)
    date: str | None = None
    start_time: str | None = None
