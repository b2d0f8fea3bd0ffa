"""A cached read of a sheet, read again once it is too old."""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import date

from restaurant.providers.errors import ProviderUnavailableError
from restaurant.providers.protocol import Booking, Phones
from restaurant.providers.sheets.client import SheetsClient
from restaurant.providers.sheets.rows import SheetRow, read
from restaurant.providers.timeouts import Deadline


@dataclass(frozen=True)
class SheetSnapshot:
    """All bookings of a sheet at a moment, in row order."""

    rows: list[SheetRow]
    empty: bool
    """Whether the sheet is empty, without even the names of columns."""
    at: float = field(default_factory=time.monotonic)

    def find(self, booking_id: str) -> SheetRow | None:
        """Return the first row with that id."""
        return next((row for row in self.rows if row.booking.booking_id == booking_id), None)

    def bookings(self) -> list[Booking]:
        """Return all bookings, in row order."""
        return [row.booking for row in self.rows]

    def of_day(self, day: date) -> list[Booking]:
        """Return the bookings of a day, in row order."""
        return [row.booking for row in self.rows if row.booking.day == day]


class Sheet:
    """Reads one sheet. Callers during a read share its result."""

    def __init__(self, access: SheetsClient, phones: Phones) -> None:
        self.access, self._phones = access, phones
        self._last: SheetSnapshot | None = None
        self._reading = asyncio.Lock()

    async def fresh(self, deadline: Deadline) -> SheetSnapshot:
        """Read the sheet now."""
        values = await self.access.values(deadline)
        self._last = SheetSnapshot(read(values, self._phones), empty=not values)
        return self._last

    async def recent(self, age: float, deadline: Deadline) -> SheetSnapshot:
        """Return a snapshot that is at most `age` seconds old."""
        try:
            async with asyncio.timeout(deadline.left()):
                await self._reading.acquire()
        except TimeoutError:
            raise ProviderUnavailableError("google_sheets: other reads took too long") from None
        try:
            if self._last is not None and time.monotonic() - self._last.at <= age:
                return self._last
            return await self.fresh(deadline)
        finally:
            self._reading.release()
