"""A sheet as it was read a moment ago, and read anew when that is too long ago."""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import date

from restaurant.providers.errors import UnavailableError
from restaurant.providers.patience import Deadline
from restaurant.providers.phones import Phones
from restaurant.providers.protocol import Booking
from restaurant.providers.sheets.access import Access
from restaurant.providers.sheets.rows import Row, read


@dataclass(frozen=True)
class Snapshot:
    """All bookings of a sheet at a moment, in the order of rows."""

    rows: list[Row]
    empty: bool
    """Nothing stands there, not even the names of columns."""
    at: float = field(default_factory=time.monotonic)

    def find(self, booking_id: str) -> Row | None:
        """The first row with that id."""
        return next((row for row in self.rows if row.booking.booking_id == booking_id), None)

    def bookings(self) -> list[Booking]:
        """In the order of rows."""
        return [row.booking for row in self.rows]

    def of_day(self, day: date) -> list[Booking]:
        """In the order of rows."""
        return [row.booking for row in self.rows if row.booking.day == day]


class Sheet:
    """Reads one sheet. Whoever asks while it is being read waits for that answer."""

    def __init__(self, access: Access, phones: Phones) -> None:
        self.access, self._phones = access, phones
        self._last: Snapshot | None = None
        self._reading = asyncio.Lock()

    async def fresh(self, deadline: Deadline) -> Snapshot:
        """Read now."""
        values = await self.access.values(deadline)
        self._last = Snapshot(read(values, self._phones), empty=not values)
        return self._last

    async def recent(self, age: float, deadline: Deadline) -> Snapshot:
        """No older than `age` seconds."""
        try:
            async with asyncio.timeout(deadline.left()):
                await self._reading.acquire()
        except TimeoutError:
            raise UnavailableError("google_sheets: other reads took too long") from None
        try:
            if self._last is not None and time.monotonic() - self._last.at <= age:
                return self._last
            return await self.fresh(deadline)
        finally:
            self._reading.release()
