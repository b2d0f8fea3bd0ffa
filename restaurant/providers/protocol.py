"""What a provider of reservations does: the one protocol behind all nine tools, and the nouns it speaks in.

A provider belongs to one restaurant: it is made from that restaurant's knowledge base. It keeps bookings and knows no
rule: hours, cut-off, past, limits, duplicates and how many stays overlap are the service's, and reach a provider as
`admit`, a function over the bookings of the day. Where the provider's own server decides about tables (resOS), it does
not call `admit` and raises `NoTableError` instead.

Times are the restaurant's wall clock. Phones are E.164 ("+393331234567"), whatever form the provider keeps them in: it
brings them to that form when it reads, and compares the number itself where its server's filter is not to be trusted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Protocol


@dataclass(frozen=True)
class Booking:
    """One booking, as the provider has it now."""

    booking_id: str
    """The provider's own id, opaque."""
    day: date
    time: time
    """Start, to the minute."""
    people: int
    name: str
    phone: str
    """E.164; as the provider has it where it cannot be brought to that form; "" where it has none."""
    notes: str | None = None
    status: str = "approved"
    """The provider's own word, for the staff."""
    live: bool = True
    """Whether it holds a table: counted in capacity and among duplicates, and open to change and cancel. resOS:
    request, approved, arrived and seated. OctoTable: WAITING, ACCEPTED and CONFIRMED. A sheet: every row."""
    listed: bool = True
    """Whether a guest is told of it: resOS only `approved`; a sheet every row. Never true where `live` is not."""
    key: str | None = None
    """`NewBooking.key` of the call that made it, where the provider keeps it."""


@dataclass(frozen=True)
class NewBooking:
    """A booking to make. It is sent as settled (resOS `approved`): a guest was told so."""

    key: str
    """32 hexadecimal digits, new for each call. A provider that names its bookings itself uses it as the id; one whose
    server keeps metadata stores it there, so that a read-back can prove what landed."""
    day: date
    time: time
    people: int
    name: str
    phone: str
    """E.164."""
    notes: str | None = None


Admit = Callable[[Sequence[Booking]], None]
"""Called by a provider with every booking of the day that is being written to (any status; the booking being changed
among them), read as late as it can: under the lock or in the transaction of the write where there is one, immediately
before it where there is none. It returns when the write may go ahead. It raises otherwise: the provider writes nothing,
ends its transaction and lets the exception pass as it is.

Without a lock (OctoTable, Google Sheets) it is called once more after the write: of a new booking with those that came
before it, of a change with all of the day. When it raises then, the provider takes out what it wrote, or puts it back,
and lets the exception pass; where that may not have been done it raises `AmbiguousError` or `OutcomeUnknownError`."""


class Provider(Protocol):
    """Bookings of one restaurant.

    All methods may raise `NotConfiguredError`, `UnavailableError`, `SheetNotFoundError` and `FailedError`
    (`restaurant/providers/errors.py`); others are named below. A method that only reads never raises
    `OutcomeUnknownError`. A write is sent once, whatever it is answered. Where that is no success it raises
    `OutcomeUnknownError`, with the reason that the answer gives, and the service looks for what became of it.
    """

    name: str
    """`database`, `google_sheets`, `resos` or `octotable`: which codes of the contract apply, and a label of counts."""
    server_decides: bool
    """Whether the provider's server decides about tables: then `admit` is not called by `create` and `change`."""

    async def create(self, wanted: NewBooking, admit: Admit) -> Booking:
        """Make a booking and return it as the provider then has it.

        Raises `NoTableError`; `OutcomeUnknownError` or `AmbiguousError` when it may have landed; whatever `admit`
        raises.
        """

    async def of_phone(self, phone: str, since: date) -> list[Booking]:
        """All bookings of a phone on `since` or later, in any status, by day and time. `phone` is E.164."""

    async def of_day(self, day: date) -> list[Booking]:
        """All bookings of a day, in any status, by time: for capacity and the staff."""

    async def by_id(self, booking_id: str) -> Booking:
        """One booking in any status the provider still tells of. Raises `BookingNotFoundError`."""

    async def change(self, before: Booking, after: Booking, admit: Admit) -> Booking:
        """Write the day, time and people of `after` (nothing else differs) over `before`, as it was read a moment ago.

        `admit` is given the bookings of `after.day`. Returns the booking as the provider then has it, with the same id.
        Raises `BookingNotFoundError` when it is gone or no longer live; `ConflictError` when day, time or people are no
        longer those of `before`; `NoTableError`; `OutcomeUnknownError` or `AmbiguousError`; whatever `admit` raises.
        """

    async def cancel(self, booking_id: str) -> None:
        """Cancel: resOS a status, OctoTable its DELETE, a sheet removes the row. Not idempotent, by the contract.

        Raises `BookingNotFoundError` when there is none or it was cancelled before; `OutcomeUnknownError` or
        `AmbiguousError`.
        """

    async def purge(self, before: date) -> int | None:
        """Forget the bookings of days before `before`; how many. None where the data is kept by somebody else under
        rules of their own (resOS, OctoTable)."""

    async def close(self) -> None:
        """Give connections back. Nothing is called afterwards."""
