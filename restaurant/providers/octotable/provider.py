"""OctoTable: reservations in a remote system that does not check capacity.

This provider therefore counts capacity itself. Writes to a day are serialized within this process. Between processes
the race is narrowed: after a new reservation the day is read again, and of two that exceed the capacity the later one,
by OctoTable's growing numbers, is cancelled by its own writer. docs/restaurant-providers.md separates what OctoTable
documents from what is assumed.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import date, time
from typing import Any, Literal

from restaurant.knowledge import KnowledgeBase
from restaurant.providers.config import ProviderConfig
from restaurant.providers.errors import (
    AmbiguousError,
    BookingNotFoundError,
    ConflictError,
    NotConfiguredError,
    OutcomeUnknownError,
    ProviderError,
)
from restaurant.providers.http import Json, looked_for
from restaurant.providers.octotable.client import OctoTableAccount, OctoTableClient, read_back
from restaurant.providers.protocol import Admit, Booking, NewBooking, Phones
from restaurant.providers.timeouts import Deadline, KeyedLock, Timeouts

log = logging.getLogger(__name__)

URL = "https://api.octotable.com/octotable-pms/api/v2"
LIVE = frozenset({"WAITING", "ACCEPTED", "CONFIRMED"})
_LISTED = frozenset({"ACCEPTED", "CONFIRMED"})
_SETTLED = "CONFIRMED"
"""A property may hold new reservations for approval by its staff, but the guest was promised the table."""
_CHANNEL = "PHONE"
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ALL = "/reservations"


def made(kb: KnowledgeBase, config: ProviderConfig, timeouts: Timeouts | None = None) -> "OctoTableProvider":
    """Return a restaurant's OctoTable provider. Raises `NotConfiguredError` without its client, secret and property."""
    url = config.option("url", "IQ_OCTOTABLE_URL") or URL
    property_id = config.option("property_id", "IQ_OCTOTABLE_PROPERTY")
    if property_id is None:
        raise NotConfiguredError(f"{kb.restaurant_id}: provider_options.property_id is not set")
    account = OctoTableAccount(
        url=url,
        auth_url=config.option("auth_url", "IQ_OCTOTABLE_AUTH_URL") or url,
        client_id=config.need("IQ_OCTOTABLE_CLIENT_ID"),
        client_secret=config.need("IQ_OCTOTABLE_CLIENT_SECRET"),
        property_id=property_id,
    )
    channel = config.option("channel", "IQ_OCTOTABLE_CHANNEL") or _CHANNEL
    ids = OctoTableIds(config.number("service_id"), config.number("room_id"), channel)
    return OctoTableProvider(OctoTableClient(account), Phones(kb.phone), ids, timeouts=timeouts)


class OctoTableIds:
    """The service and room of a reservation: those that the knowledge base names, else those that OctoTable lists: the
    service that contains the time, and the first bookable room."""

    def __init__(self, service_id: int | None, room_id: int | None, channel: str) -> None:
        self._service_id, self._room_id, self.channel = service_id, room_id, channel
        self._services: list[Json] = []

    async def service(self, access: OctoTableClient, at: time, deadline: Deadline) -> Any:
        """Return the service's id. Raises `NotConfiguredError` if there is none."""
        if self._service_id is not None:
            return self._service_id
        if not self._services:
            self._services = await _bookable(access, "/services", deadline)
        text = f"{at:%H:%M:%S}"
        for one in self._services:
            if str(one.get("start_time", "")) <= text <= str(one.get("end_time", "")):
                return one["id"]
        return self._services[-1]["id"]

    async def room(self, access: OctoTableClient, deadline: Deadline) -> Any:
        """Return the room's id. Raises `NotConfiguredError` if there is none."""
        if self._room_id is None:
            self._room_id = (await _bookable(access, "/rooms", deadline))[0]["id"]
        return self._room_id


class OctoTableProvider:
    """The reservations of one property in OctoTable. Implements `Provider`."""

    name = "octotable"
    server_decides = False

    def __init__(
        self, access: OctoTableClient, phones: Phones, ids: OctoTableIds, *, timeouts: Timeouts | None = None
    ) -> None:
        self._access, self._phones, self._ids = access, phones, ids
        self._timeouts = timeouts or Timeouts()
        self._alone = KeyedLock()

    async def create(self, wanted: NewBooking, admit: Admit) -> Booking:
        """See `Provider`."""
        deadline = Deadline.writing(self._timeouts.write)
        async with self._alone(wanted.day, deadline):
            before = await self._day(wanted.day, deadline)
            admit(before)
            body = await self._new(wanted, deadline)
            written = self._booking(await self._access.write("POST", _ALL, deadline, body))
            if written is None:
                raise AmbiguousError("octotable: POST: the answer has no reservation")
            return await self._settled(written, before, admit, deadline)

    async def of_phone(self, phone: str, since: date) -> list[Booking]:
        """See `Provider`."""
        found = await self._listed({"start_date": since.isoformat()}, Deadline.reading(self._timeouts.read))
        return [booking for booking in found if booking.phone == phone and booking.day >= since]

    async def of_day(self, day: date) -> list[Booking]:
        """See `Provider`."""
        return await self._day(day, Deadline.reading(self._timeouts.read))

    async def by_id(self, booking_id: str) -> Booking:
        """See `Provider`."""
        return (await self._one(booking_id, Deadline.reading(self._timeouts.read)))[1]

    async def change(self, before: Booking, after: Booking, admit: Admit) -> Booking:
        """See `Provider`."""
        deadline = Deadline.writing(self._timeouts.write)
        async with AsyncExitStack() as alone:
            # Lock the booking as well as the day: of two changes to different days one would overwrite the other.
            await alone.enter_async_context(self._alone(before.booking_id, deadline))
            await alone.enter_async_context(self._alone(after.day, deadline))
            whole, now = await self._live(before.booking_id, deadline)
            if _when(now) != _when(before):
                raise ConflictError("octotable: the reservation was changed by somebody else")
            admit(await self._day(after.day, deadline))
            service = await self._ids.service(self._access, after.time, deadline)
            await self._replace(_full(whole, after, service if after.time != now.time else None), deadline)
            written = await self._read_back(before.booking_id, deadline)
            if _when(written) != _when(after) or not written.live:
                raise AmbiguousError("octotable: PUT: the reservation is not as it was asked for")
            await self._put_back_if_full(whole, after, admit, deadline)
        return written

    async def cancel(self, booking_id: str) -> None:
        """See `Provider`."""
        deadline = Deadline.writing(self._timeouts.write)
        async with self._alone(booking_id, deadline):
            await self._live(booking_id, deadline)
            await self._access.write("DELETE", f"{_ALL}/{booking_id}", deadline)
            if (await self._read_back(booking_id, deadline)).live:
                raise AmbiguousError("octotable: DELETE: the reservation is not cancelled")

    async def purge(self, before: date) -> int | None:
        """Return None: OctoTable's own rules decide how long it keeps guests' data."""
        return None

    async def close(self) -> None:
        """See `Provider`."""
        await self._access.close()

    async def _settled(self, written: Booking, before: list[Booking], admit: Admit, deadline: Deadline) -> Booking:
        """Read the day again. Reservations that were written before ours count as if they had been there when `admit`
        was first called. Of several copies of ours, which a gateway may create, the first stays."""
        try:
            day = await self._day(written.day, deadline)
        except ProviderError as error:
            log.warning("octotable: the day was not read again after a write: %s", error)
            return written
        known = {one.booking_id for one in before}
        new = [one for one in day if one.booking_id not in known]
        copies = [one for one in new if replace(one, booking_id=written.booking_id) == written]
        first, *others = sorted(copies, key=lambda one: _number(one.booking_id)) or [written]
        for copy in others:
            await self._withdraw(copy.booking_id, deadline)
        mine = _number(first.booking_id)
        try:
            admit([one for one in day if _number(one.booking_id) < mine])
        except Exception:
            await self._withdraw(first.booking_id, deadline)
            raise
        return first

    async def _withdraw(self, booking_id: str, deadline: Deadline) -> None:
        async def gone() -> Literal[True] | None:
            try:
                return None if (await self._one(booking_id, deadline))[1].live else True
            except BookingNotFoundError:
                return True

        await self._taken_back(self._access.write("DELETE", f"{_ALL}/{booking_id}", deadline), gone, deadline)

    async def _taken_back(
        self, write: Awaitable[object], shows: Callable[[], Awaitable[object]], deadline: Deadline
    ) -> None:
        """Undo a write that exceeded the capacity. Raises `AmbiguousError` if it may not be undone, so that the caller
        does not report a refusal."""
        try:
            await write
        except ProviderError as error:
            sent = isinstance(error, OutcomeUnknownError)
            if not sent or await looked_for(shows, self._timeouts.looks, deadline) is None:
                raise AmbiguousError(f"octotable: one too many was not taken back: {error}") from None

    async def _put_back_if_full(self, whole: Json, after: Booking, admit: Admit, deadline: Deadline) -> None:
        try:
            day = await self._day(after.day, deadline)
        except ProviderError as error:
            log.warning("octotable: the day was not read again after a write: %s", error)
            return
        try:
            admit(day)
        except Exception:
            before = self._booking(whole)

            async def as_before() -> Literal[True] | None:
                now = (await self._one(after.booking_id, deadline))[1]
                return True if before is None or _when(now) == _when(before) else None

            await self._taken_back(self._replace(_full(whole, None, None), deadline), as_before, deadline)
            raise

    async def _new(self, wanted: NewBooking, deadline: Deadline) -> Json:
        first, _, last = wanted.name.partition(" ")
        body: Json = {
            "start_date": wanted.day.isoformat(),
            "start_hour": f"{wanted.time:%H:%M:%S}",
            "pax": wanted.people,
            "service_id": await self._ids.service(self._access, wanted.time, deadline),
            "room_id": await self._ids.room(self._access, deadline),
            "channel": self._ids.channel,
            "status": _SETTLED,
            "customer": {"first_name": first, "last_name": last, "phone": wanted.phone},
        }
        return {**body, "notes": wanted.notes} if wanted.notes else body

    async def _replace(self, body: Json, deadline: Deadline) -> None:
        booking_id = body.pop("id")
        await self._access.write("PUT", f"{_ALL}/{booking_id}", deadline, body)

    async def _day(self, day: date, deadline: Deadline) -> list[Booking]:
        text = day.isoformat()
        found = await self._listed({"start_date": text, "end_date": text}, deadline)
        return [booking for booking in found if booking.day == day]

    async def _listed(self, which: dict[str, str], deadline: Deadline) -> list[Booking]:
        rows = await self._access.pages(_ALL, which, deadline)
        by_id = {row.get("id"): row for row in rows}
        return _ordered(booking for row in by_id.values() if (booking := self._booking(row)))

    async def _one(self, booking_id: str, deadline: Deadline) -> tuple[Json, Booking]:
        if not _ID.fullmatch(booking_id):
            raise BookingNotFoundError("octotable: no id of OctoTable")
        whole = await self._access.get(f"{_ALL}/{booking_id}", deadline)
        found = self._booking(whole)
        if found is None:
            raise BookingNotFoundError("octotable: no such reservation")
        return whole, found

    async def _live(self, booking_id: str, deadline: Deadline) -> tuple[Json, Booking]:
        whole, found = await self._one(booking_id, deadline)
        if not found.live:
            raise BookingNotFoundError("octotable: the reservation is no longer live")
        return whole, found

    async def _read_back(self, booking_id: str, deadline: Deadline) -> Booking:
        try:
            return (await self._one(booking_id, deadline))[1]
        except ProviderError as error:
            raise read_back(error) from None

    def _booking(self, row: Any) -> Booking | None:
        try:
            customer, status = row.get("customer") or {}, str(row.get("status", ""))
            names = (str(customer.get(key) or "") for key in ("first_name", "last_name"))
            return Booking(
                booking_id=str(row["id"]),
                day=date.fromisoformat(row["start_date"]),
                time=time.fromisoformat(row["start_hour"]).replace(second=0),
                people=int(row["pax"]),
                name=" ".join(name for name in names if name),
                phone=self._phones.e164(customer.get("phone")),
                notes=row.get("notes") or row.get("special_request") or None,
                status=status,
                live=status in LIVE,
                listed=status in _LISTED,
            )
        except (KeyError, TypeError, ValueError, AttributeError):
            return None


async def _bookable(access: OctoTableClient, path: str, deadline: Deadline) -> list[Json]:
    rows = await access.pages(path, {}, deadline)
    found = [row for row in rows if row.get("bookable", True) and "id" in row]
    if not found:
        raise NotConfiguredError(f"octotable: {path} lists nothing that can be booked")
    return found


def _full(whole: Json, after: Booking | None, service: Any) -> Json:
    """Return a body that replaces a reservation: all its fields, with day, time and people of `after`, and the service.
    `customer` keeps its id, because without it the server fails."""
    body = {
        "id": whole["id"],
        "start_date": whole["start_date"],
        "start_hour": whole["start_hour"],
        "pax": whole["pax"],
        "service_id": service if service is not None else _id_of(whole, "service"),
        "room_id": _id_of(whole, "room"),
        "channel": whole.get("channel"),
        "customer": whole.get("customer"),
        "notes": whole.get("notes"),
        "special_request": whole.get("special_request"),
    }
    if after is not None:
        body |= {
            "start_date": after.day.isoformat(),
            "start_hour": f"{after.time:%H:%M:%S}",
            "pax": after.people,
        }
    return {key: value for key, value in body.items() if value is not None}


def _id_of(whole: Json, what: str) -> Any:
    inside = whole.get(what)
    return inside.get("id") if isinstance(inside, dict) else whole.get(f"{what}_id")


def _number(booking_id: str) -> tuple[int, str]:
    """Return a key that sorts reservations by creation: numbers grow."""
    return (int(booking_id), "") if booking_id.isdecimal() else (0, booking_id)


def _when(booking: Booking) -> tuple[date, time, int]:
    return booking.day, booking.time, booking.people


def _ordered(bookings: Iterable[Booking]) -> list[Booking]:
    return sorted(bookings, key=lambda booking: (booking.day, booking.time, booking.booking_id))
