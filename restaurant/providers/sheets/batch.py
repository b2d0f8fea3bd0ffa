"""Turns a batch of operations into row changes: rows to write, to delete and to append.

Each operation is checked against the sheet as the earlier ones of its batch leave it, except for the tables that a
cancellation frees: those are free once the row is confirmed to be deleted.
"""

from collections.abc import Sequence
from datetime import date

from restaurant.providers.errors import BookingNotFoundError
from restaurant.providers.protocol import Booking, NewBooking
from restaurant.providers.sheets.operations import Any_, Cancel, Change, Create, Purge
from restaurant.providers.sheets.rows import SheetRow
from restaurant.providers.sheets.snapshot import SheetSnapshot


class WriteBatch:
    """One batch over one snapshot. Rejected operations are answered at once."""

    def __init__(self, snapshot: SheetSnapshot, operations: Sequence[Any_]) -> None:
        self.snapshot = snapshot
        self.creates: list[Create] = []
        self.changes: list[tuple[Change, SheetRow]] = []
        self.cancels: list[tuple[Cancel, SheetRow]] = []
        self.purges: list[tuple[Purge, list[SheetRow]]] = []
        self._bookings = {row.number: row.booking for row in snapshot.rows}
        self._leaving: set[int] = set()
        for operation in operations:
            try:
                self._take(operation)
            except Exception as refused:
                operation.fail(refused)

    @property
    def leaving(self) -> list[SheetRow]:
        """Return the rows to delete."""
        return [row for row in self.snapshot.rows if row.number in self._leaving]

    def operations(self, part: str) -> Sequence[Any_]:
        """Return the operations that one request carries out."""
        match part:
            case "changes":
                return [change for change, _ in self.changes]
            case "leaving":
                return [*(cancel for cancel, _ in self.cancels), *(purge for purge, _ in self.purges)]
            case _:
                return self.creates

    def _take(self, operation: Any_) -> None:
        match operation:
            case Create():
                operation.admit(self._of_day(operation.wanted.day))
                self._bookings[len(self._bookings) + 1_000_000] = as_booking(operation.wanted)
                self.creates.append(operation)
            case Change():
                row = self._find(operation.before.booking_id)
                operation.refuse_drift(self._bookings[row.number])
                operation.admit(self._of_day(operation.after.day))
                self._bookings[row.number] = operation.after
                self.changes.append((operation, row))
            case Cancel():
                row = self._find(operation.booking_id)
                self._leaving.add(row.number)
                self.cancels.append((operation, row))
            case Purge():
                old = [row for row in self.snapshot.rows if row.booking.day < operation.before]
                if not old:
                    operation.succeed(0)
                    return
                self._leaving |= {row.number for row in old}
                self.purges.append((operation, old))

    def _of_day(self, day: date) -> list[Booking]:
        return [booking for booking in self._bookings.values() if booking.day == day]

    def _find(self, booking_id: str) -> SheetRow:
        row = self.snapshot.find(booking_id)
        if row is None or row.number in self._leaving:
            raise BookingNotFoundError("google_sheets: no such row")
        return row


def as_booking(wanted: NewBooking) -> Booking:
    """Return a booking as its row will be read."""
    return Booking(
        booking_id=wanted.key,
        day=wanted.day,
        time=wanted.time.replace(second=0, microsecond=0),
        people=wanted.people,
        name=wanted.name,
        phone=wanted.phone,
        notes=wanted.notes or None,
    )
