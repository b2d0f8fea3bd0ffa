"""The protocol of a provider of reservations, which all nine tools use, and its data types.

A provider belongs to one restaurant and is made from its knowledge base. It keeps bookings and has no rules: hours,
cut-off, past, limits, duplicates and overlapping stays are the service's, and reach a provider as `admit`, a function
over the bookings of the day. If the provider's own server assigns tables (resOS), it does not call `admit` and raises
`NoTableError` instead.

Times are the restaurant's wall clock. Phones are E.164 ("+393331234567"), in whatever form the provider stores them: it
converts them when it reads, and compares numbers itself if its server's filter is unreliable.

A provider's phone number in E.164 form if it can be converted, so that two numbers can be compared.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Protocol

import phonenumbers

from language.contacts.contacts import one_number


@dataclass(frozen=True)
class Booking:
    """One booking as the provider has it now."""

    booking_id: str
    """The provider's own id, opaque."""
    day: date
    time: time
    """Start, to the minute."""
    people: int
    name: str
    phone: str
    """E.164; the provider's text if it cannot be converted; "" if there is none."""
    notes: str | None = None
    status: str = "approved"
    """The provider's own status, for the staff."""
    live: bool = True
    """Whether it holds a table: it counts for capacity and duplicates, and can be changed and cancelled. resOS:
    request, approved, arrived and seated. OctoTable: WAITING, ACCEPTED and CONFIRMED. A sheet: every row."""
    listed: bool = True
    """Whether guests can see it: resOS only `approved`; a sheet every row. Never true if `live` is false."""
    key: str | None = None
    """`NewBooking.key` of the call that created it, if the provider keeps it."""


@dataclass(frozen=True)
class NewBooking:
    """A booking to create. It is sent as confirmed (resOS `approved`), because the guest is promised the table."""

    key: str
    """32 hexadecimal digits, new for each call. A provider that chooses its booking ids uses it as the id; one whose
    server keeps metadata stores it there, so that a read-back can identify the booking."""
    day: date
    time: time
    people: int
    name: str
    phone: str
    """E.164."""
    notes: str | None = None


Admit = Callable[[Sequence[Booking]], None]
"""Called by a provider with every booking of the day of the write (any status, including the booking being changed),
read as late as possible: under the lock or in the transaction of the write if there is one, immediately before the
write if not. If it returns, the write may go ahead. If it raises, the provider writes nothing, ends its transaction and
passes the exception on unchanged.

Without a lock (OctoTable, Google Sheets) it is called again after the write: for a new booking with those that came
before it, for a change with the whole day. If it raises then, the provider undoes its write and passes the exception
on. If the undo may have failed, it raises `AmbiguousError` or `OutcomeUnknownError`.
"""


class Provider(Protocol):
    """Bookings of one restaurant.

    All methods may raise `NotConfiguredError`, `ProviderUnavailableError`, `SheetNotFoundError` and `FailedError`
    (`restaurant/providers/errors.py`); others are named below. A method that only reads never raises
    `OutcomeUnknownError`. A write is sent once, whatever the response. Without a success response it raises
    `OutcomeUnknownError`, with the reason that the response gives, and the service reads back the outcome.
    """

    name: str
    """`database`, `google_sheets`, `resos` or `octotable`: selects the contract's codes and labels the counters."""
    server_decides: bool
    """Whether the provider's server assigns tables: then `create` and `change` do not call `admit`."""

    async def create(self, wanted: NewBooking, admit: Admit) -> Booking:
        """Create a booking and return it as the provider then has it.

        Raises `NoTableError`; `OutcomeUnknownError` or `AmbiguousError` if it may have been created; any exception of
        `admit`.
        """

    async def of_phone(self, phone: str, since: date) -> list[Booking]:
        """Return all bookings of a phone on `since` or later, in any status, by day and time. `phone` is E.164."""

    async def of_day(self, day: date) -> list[Booking]:
        """Return all bookings of a day, in any status, by time: for capacity and the staff."""

    async def by_id(self, booking_id: str) -> Booking:
        """Return one booking in any status that the provider still returns. Raises `BookingNotFoundError`."""

    async def change(self, before: Booking, after: Booking, admit: Admit) -> Booking:
        """Write the day, time and people of `after` (nothing else differs) over `before`, as it was last read.

        `admit` gets the bookings of `after.day`. Returns the booking as the provider then has it, with the same id.
        Raises `BookingNotFoundError` if it is gone or no longer live; `ConflictError` if day, time or people are no
        longer those of `before`; `NoTableError`; `OutcomeUnknownError` or `AmbiguousError`; any exception of `admit`.
        """

    async def cancel(self, booking_id: str) -> None:
        """Cancel: resOS sets a status, OctoTable uses its DELETE, a sheet removes the row. Not idempotent, by the
        contract.

        Raises `BookingNotFoundError` if there is none or it was cancelled before; `OutcomeUnknownError` or
        `AmbiguousError`.
        """

    async def purge(self, before: date) -> int | None:
        """Delete the bookings of days before `before`. Return their number, or None if the provider's own rules decide
        how long data is kept (resOS, OctoTable)."""

    async def close(self) -> None:
        """Close the connections. No method is called afterwards."""


class Phones:
    """Parses phones as they are written in the country of a restaurant, which its own number (E.164) identifies."""

    def __init__(self, own: str) -> None:
        self._region = phonenumbers.region_code_for_country_code(phonenumbers.parse(own).country_code or 0)

    def e164(self, text: object) -> str:
        """Return E.164; the text unchanged if it cannot be converted; "" for none."""
        if not isinstance(text, str):
            return "" if text is None else str(text)
        return one_number(text, self._region) or text.strip()
