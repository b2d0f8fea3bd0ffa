"""Google Sheets: a row is a booking, a cancelled one is deleted, and there is no status.

Reads are cached briefly and writes are batched, so that hundreds of calls in a few seconds stay within sixty requests a
minute (`quota`). Times and phones are written as text, unchanged.
"""

from collections.abc import Iterable
from datetime import date

from restaurant.knowledge import KnowledgeBase
from restaurant.providers.config import ProviderConfig
from restaurant.providers.errors import BookingNotFoundError, NotConfiguredError
from restaurant.providers.protocol import Admit, Booking, NewBooking, Phones
from restaurant.providers.sheets.client import URL, SheetsClient, credentials, pace_of
from restaurant.providers.sheets.operations import Cancel, Change, Create, Purge
from restaurant.providers.sheets.snapshot import Sheet, SheetSnapshot
from restaurant.providers.sheets.writer import SheetWriter
from restaurant.providers.timeouts import Deadline, Timeouts

SHEET = "Bookings"
PATIENCE = Timeouts(read=1.5, write=5.0)
"""More for writes than other providers have, because they are batched. Most reads are answered from the cache."""
_KEPT = 0.5
"""Seconds for which a read is cached, at least."""


def made(kb: KnowledgeBase, config: ProviderConfig, timeouts: Timeouts | None = None) -> "SheetsProvider":
    """Return a restaurant's sheet provider. Raises `NotConfiguredError` without an account or a spreadsheet's id."""
    url = config.option("url", "IQ_SHEETS_URL") or URL
    token, file = config.get("IQ_SHEETS_TOKEN"), config.get("IQ_SHEETS_CREDENTIALS")
    spreadsheet = config.option("spreadsheet_id", "IQ_SHEETS_SPREADSHEET")
    if spreadsheet is None:
        raise NotConfiguredError(f"{kb.restaurant_id}: provider_options.spreadsheet_id is not set")
    title = config.option("sheet", "IQ_SHEETS_SHEET") or SHEET
    access = SheetsClient(url, credentials(token, file), spreadsheet, title, pace_of(url, token or file or ""))
    return SheetsProvider(access, Phones(kb.phone), timeouts=timeouts or PATIENCE)


class SheetsProvider:
    """The bookings of one restaurant in one sheet. Implements `Provider`."""

    name = "google_sheets"
    server_decides = False

    def __init__(self, access: SheetsClient, phones: Phones, *, timeouts: Timeouts = PATIENCE) -> None:
        self._access, self._timeouts = access, timeouts
        self._sheet = Sheet(access, phones)
        self._writer = SheetWriter(self._sheet, timeouts)

    async def create(self, wanted: NewBooking, admit: Admit) -> Booking:
        """See `Provider`."""
        return await self._writer.carry_out(Create(wanted=wanted, admit=admit))

    async def of_phone(self, phone: str, since: date) -> list[Booking]:
        """See `Provider`."""
        found = (await self._recent()).bookings()
        return _ordered(booking for booking in found if booking.phone == phone and booking.day >= since)

    async def of_day(self, day: date) -> list[Booking]:
        """See `Provider`."""
        return _ordered((await self._recent()).of_day(day))

    async def by_id(self, booking_id: str) -> Booking:
        """See `Provider`."""
        row = (await self._recent()).find(booking_id)
        if row is None:
            raise BookingNotFoundError("google_sheets: no such row")
        return row.booking

    async def change(self, before: Booking, after: Booking, admit: Admit) -> Booking:
        """See `Provider`."""
        return await self._writer.carry_out(Change(before=before, after=after, admit=admit))

    async def cancel(self, booking_id: str) -> None:
        """See `Provider`."""
        await self._writer.carry_out(Cancel(booking_id=booking_id))

    async def purge(self, before: date) -> int | None:
        """See `Provider`."""
        return await self._writer.carry_out(Purge(before=before))

    async def close(self) -> None:
        """See `Provider`."""
        await self._writer.close()
        self._access.close()

    async def _recent(self) -> SheetSnapshot:
        age = max(_KEPT, self._access.quota.gathering())
        return await self._sheet.recent(age, Deadline.reading(self._timeouts.read))


def _ordered(bookings: Iterable[Booking]) -> list[Booking]:
    return sorted(bookings, key=lambda booking: (booking.day, booking.time, booking.booking_id))
