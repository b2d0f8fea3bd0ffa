"""resOS: bookings in a remote system, which assigns tables.

docs/restaurant-providers.md separates what resOS documents from what is assumed. Its write responses hold little (a
bare id, `true`), so each write is read back. Its filter by phone is unreliable and not used: the bookings of one or all
days are read, and the number is compared here.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from datetime import date, time
from typing import Any

import httpx

from restaurant.knowledge import KnowledgeBase
from restaurant.providers.config import ProviderConfig
from restaurant.providers.errors import (
    AmbiguousError,
    BookingNotFoundError,
    ConflictError,
    FailedError,
    NoTableError,
    OutcomeUnknownError,
    ProviderError,
)
from restaurant.providers.http import HttpClient, HttpResponse, Json, not_accepted
from restaurant.providers.protocol import Admit, Booking, NewBooking, Phones
from restaurant.providers.timeouts import Deadline, KeyedLock, Timeouts

URL = "https://api.resos.com/v1"
LIVE = frozenset({"request", "approved", "arrived", "seated"})
_SETTLED = "approved"
"""resOS's default, `request`, is hidden from a guest's list."""
_CANCELLED = "canceled"
_PAGE = 100
_AT_ONCE = 4
"""Pages requested together after a full first page."""
_MOST_PAGES = 40
_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
_NO_TABLE = "no suitable table"


def made(kb: KnowledgeBase, config: ProviderConfig, timeouts: Timeouts | None = None) -> "ResosProvider":
    """Return a restaurant's resOS provider. Raises `NotConfiguredError` without `IQ_RESOS_KEY`."""
    url = config.option("url", "IQ_RESOS_URL") or URL
    key = config.need("IQ_RESOS_KEY")
    return ResosProvider(key, url, Phones(kb.phone), stay=kb.avg_stay_minutes, timeouts=timeouts)


class ResosProvider:
    """The bookings of one restaurant in resOS. Implements `Provider`. `stay`: minutes; resOS's default if None."""

    name = "resos"
    server_decides = True

    def __init__(
        self, key: str, url: str, phones: Phones, *, stay: int | None = None, timeouts: Timeouts | None = None
    ) -> None:
        # resOS sends `Retry-After` in milliseconds.
        self._wire = HttpClient(self.name, url, wait_unit=0.001, auth=httpx.BasicAuth(key, ""))
        self._phones, self._stay = phones, stay
        self._timeouts = timeouts or Timeouts()
        # resOS has no conditional writes: of two writes of this process, the second must read the result of the first.
        self._alone = KeyedLock()

    async def create(self, wanted: NewBooking, admit: Admit) -> Booking:
        """See `Provider`. `admit` is not called: resOS assigns the tables."""
        deadline = Deadline.writing(self._timeouts.write)
        answer = await self._wire.write("POST", "/bookings", deadline, json=self._body(wanted))
        if _no_table(answer):
            return await self._all_the_same(lambda: self._of_key(wanted, deadline))
        self._accepted(answer)
        if not isinstance(answer.body, str) or not _ID.fullmatch(answer.body):
            raise AmbiguousError("resos: POST: the answer is no id")
        booking = await self._read_back(answer.body, deadline)
        if booking.key not in (wanted.key, None):
            raise AmbiguousError("resos: POST: the answer is another booking's id")
        return booking

    async def of_phone(self, phone: str, since: date) -> list[Booking]:
        """See `Provider`."""
        deadline = Deadline.reading(self._timeouts.read)
        found = await self._listed({"fromDateTime": f"{since.isoformat()}T00:00:00"}, deadline)
        return [booking for booking in found if booking.phone == phone and booking.day >= since]

    async def of_day(self, day: date) -> list[Booking]:
        """See `Provider`."""
        return await self._day(day, Deadline.reading(self._timeouts.read))

    async def by_id(self, booking_id: str) -> Booking:
        """See `Provider`."""
        return await self._one(booking_id, Deadline.reading(self._timeouts.read))

    async def change(self, before: Booking, after: Booking, admit: Admit) -> Booking:
        """See `Provider`. `admit` is not called: resOS assigns the tables."""
        deadline = Deadline.writing(self._timeouts.write)
        async with self._alone(before.booking_id, deadline):
            now = await self._live(before.booking_id, deadline)
            if _when(now) != _when(before):
                raise ConflictError("resos: the booking was changed by somebody else")
            answer = await self._put(before.booking_id, _changes(now, after), deadline)
            if _no_table(answer):
                return await self._all_the_same(lambda: self._as_asked(after, deadline))
            self._accepted(answer)
            written = await self._read_back(before.booking_id, deadline)
        if _when(written) != _when(after):
            raise AmbiguousError("resos: PUT: the booking is not as it was asked for")
        return written

    async def cancel(self, booking_id: str) -> None:
        """See `Provider`."""
        deadline = Deadline.writing(self._timeouts.write)
        async with self._alone(booking_id, deadline):
            await self._live(booking_id, deadline)
            self._accepted(await self._put(booking_id, {"status": _CANCELLED}, deadline))
            if (await self._read_back(booking_id, deadline)).live:
                raise AmbiguousError("resos: PUT: the booking is not cancelled")

    async def purge(self, before: date) -> int | None:
        """Return None: resOS's own rules decide how long it keeps guests' data."""
        return None

    async def close(self) -> None:
        """See `Provider`."""
        await self._wire.close()

    def _body(self, wanted: NewBooking) -> Json:
        body: Json = {
            "date": wanted.day.isoformat(),
            "time": f"{wanted.time:%H:%M}",
            "people": wanted.people,
            "status": _SETTLED,
            "guest": {"name": wanted.name, "phone": wanted.phone},
            "metadata": {"key": wanted.key},
        }
        if wanted.notes:
            body["comment"] = wanted.notes
        if self._stay is not None:
            body["duration"] = self._stay
        return body

    async def _put(self, booking_id: str, body: Json, deadline: Deadline) -> HttpResponse:
        return await self._wire.write("PUT", f"/bookings/{booking_id}", deadline, json=body)

    async def _all_the_same(self, look: Callable[[], Awaitable[Booking | None]]) -> Booking:
        """Return the booking that a "no table" refusal hides: an earlier copy of the write may have taken that table.
        That copy was applied before the refusal, so one look is enough. Raises `NoTableError`."""
        refused = NoTableError("resos: 422: no suitable table")
        try:
            found = await look()
        except ProviderError:
            raise OutcomeUnknownError("resos: 422, and no look", refused) from None
        if found is None:
            raise refused
        return found

    async def _of_key(self, wanted: NewBooking, deadline: Deadline) -> Booking | None:
        found = await self._day(wanted.day, deadline)
        return next((booking for booking in found if booking.live and booking.key == wanted.key), None)

    async def _as_asked(self, after: Booking, deadline: Deadline) -> Booking | None:
        found = await self._one(after.booking_id, deadline)
        return found if found.live and _when(found) == _when(after) else None

    async def _day(self, day: date, deadline: Deadline) -> list[Booking]:
        text = day.isoformat()
        found = await self._listed({"fromDateTime": f"{text}T00:00:00", "toDateTime": f"{text}T23:59:59"}, deadline)
        return [booking for booking in found if booking.day == day]

    async def _listed(self, which: dict[str, str], deadline: Deadline) -> list[Booking]:
        rows: dict[Any, Any] = {}
        first = 0
        size = 1
        while first < _MOST_PAGES:
            pages = await asyncio.gather(*(self._page(which, first + n, deadline) for n in range(size)))
            # By id, because a booking that is created between two requests shifts another onto the next page.
            rows |= {row.get("_id"): row for page in pages for row in page}
            if len(pages[-1]) < _PAGE:
                return _ordered(booking for row in rows.values() if (booking := self._booking(row)))
            first, size = first + size, _AT_ONCE
        raise FailedError(f"resos: GET: more than {_MOST_PAGES * _PAGE} bookings")

    async def _page(self, which: dict[str, str], number: int, deadline: Deadline) -> list[Json]:
        params = {**which, "limit": _PAGE, "skip": number * _PAGE}
        answer = await self._wire.read("/bookings", deadline, params=params)
        if not answer.ok or not isinstance(answer.body, list):
            raise FailedError(f"resos: GET: {answer.status}, or the answer is no list")
        return [row for row in answer.body if isinstance(row, dict)]

    async def _one(self, booking_id: str, deadline: Deadline) -> Booking:
        if not _ID.fullmatch(booking_id):
            raise BookingNotFoundError("resos: no id of resOS")
        answer = await self._wire.read(f"/bookings/{booking_id}", deadline)
        if not answer.ok and answer.status != httpx.codes.NOT_FOUND:
            raise FailedError(f"resos: GET: {answer.status}")
        found = self._booking(answer.body) if answer.ok and isinstance(answer.body, dict) else None
        if found is None:
            raise BookingNotFoundError("resos: no such booking")
        return found

    async def _live(self, booking_id: str, deadline: Deadline) -> Booking:
        found = await self._one(booking_id, deadline)
        if not found.live:
            raise BookingNotFoundError("resos: the booking is no longer live")
        return found

    async def _read_back(self, booking_id: str, deadline: Deadline) -> Booking:
        """Return the booking after an answered write. If it is missing, only the read can have failed."""
        try:
            return await self._one(booking_id, deadline)
        except ProviderError as error:
            raise AmbiguousError(f"resos: written, but not read back: {error}") from None

    def _accepted(self, answer: HttpResponse) -> None:
        """Raise `OutcomeUnknownError` for anything but a success."""
        if answer.status == httpx.codes.UNPROCESSABLE_ENTITY:
            # resOS uses the same status for an unknown key and for no table, so the two cannot be distinguished.
            raise AmbiguousError("resos: 422 of another kind")
        if not answer.ok:
            raise not_accepted(self.name, answer)

    def _booking(self, row: Json) -> Booking | None:
        try:
            guest = row.get("guest") or {}
            status = str(row.get("status", ""))
            return Booking(
                booking_id=str(row["_id"]),
                day=date.fromisoformat(row["date"]),
                time=time.fromisoformat(row["time"]),
                people=int(row["people"]),
                name=str(guest.get("name") or ""),
                phone=self._phones.e164(guest.get("phone")),
                notes=row.get("comment") or row.get("note") or None,
                status=status,
                live=status in LIVE,
                listed=status == _SETTLED,
                key=_key(row.get("metadata")),
            )
        except (KeyError, TypeError, ValueError, AttributeError):
            return None


def _key(metadata: Any) -> str | None:
    key = metadata.get("key") if isinstance(metadata, dict) else None
    return key if isinstance(key, str) else None


def _no_table(answer: HttpResponse) -> bool:
    return answer.status == httpx.codes.UNPROCESSABLE_ENTITY and _NO_TABLE in answer.text.casefold()


def _when(booking: Booking) -> tuple[date, time, int]:
    return booking.day, booking.time, booking.people


def _changes(now: Booking, after: Booking) -> Json:
    texts = {
        "date": (now.day, after.day, after.day.isoformat()),
        "time": (now.time, after.time, f"{after.time:%H:%M}"),
        "people": (now.people, after.people, after.people),
    }
    return {key: text for key, (old, new, text) in texts.items() if old != new}


def _ordered(bookings: Iterable[Booking]) -> list[Booking]:
    return sorted(bookings, key=lambda booking: (booking.day, booking.time, booking.booking_id))
