"""What a restaurant's own people see, beyond the nine tools and behind the same secret.

GET /staff/{restaurant_id}/bookings?since=…&days=…  the bookings of some days, in any status
GET /staff/{restaurant_id}/bookings/{booking_id}  one booking, in any status
GET /staff/{restaurant_id}/days/{day}             a day's bookings, and how full each slot is
GET /staff/{restaurant_id}?day=…                  the same as a page
"""

import asyncio
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import BaseModel

from restaurant import requests, wording
from restaurant.answers import ErrorAnswer
from restaurant.capacity import Capacity, CapacityUnknownError, capacity_of
from restaurant.codes import Code
from restaurant.document import DENIED
from restaurant.hours import DayHours, hours_of
from restaurant.knowledge import minutes
from restaurant.providers import Booking, BookingNotFoundError, ProviderError
from restaurant.service import Service
from restaurant.tools.desk import Restaurant

_PAGES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "pages"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


_MOST_DAYS = 31
_AT_ONCE = 4


class StaffBooking(BaseModel):
    """A booking as its provider has it. `live`: it holds a table."""

    booking_id: str
    day: str
    day_label: str
    time: str
    people: int
    name: str
    phone: str
    notes: str | None
    status: str
    live: bool


class StaffBookings(BaseModel):
    """The bookings of some days, by day and time, those that hold no table included."""

    bookings: list[StaffBooking]


class StaffSlot(BaseModel):
    """A slot: how many stays overlap it, of how many at once (null where the knowledge base does not say)."""

    time: str
    taken: int | None
    of: int | None
    cut_off: bool


class StaffDay(BaseModel):
    """A day of a restaurant. Bookings by time, those that hold no table included."""

    restaurant_id: str
    day: str
    day_label: str
    closed: bool
    bookings: list[StaffBooking]
    slots: list[StaffSlot]


class _NotShownError(Exception):
    def __init__(self, status: int, code: Code, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


_RESPONSES: dict[int | str, dict[str, Any]] = {
    **DENIED,
    404: {"model": ErrorAnswer, "description": "No such restaurant or booking"},
    422: {"model": ErrorAnswer, "description": "A day that is none"},
    503: {"model": ErrorAnswer, "description": "The provider does not answer"},
}


_SAID_AS_PAGE: dict[int | str, dict[str, Any]] = {
    status: {"description": _RESPONSES[status]["description"], "content": {"text/html": {"schema": {"type": "string"}}}}
    for status in (404, 422, 503)
}


def staff_routes(service: Service) -> APIRouter:
    """The routes over a service."""
    router = APIRouter(prefix="/staff", tags=["staff"])

    @router.get(
        "/{restaurant_id}/bookings",
        response_model=StaffBookings,
        responses=_RESPONSES,
        operation_id="staff_bookings",
        summary="The bookings of some days, in any status",
    )
    async def bookings(
        request: Request,
        restaurant_id: str,
        since: Annotated[str, Query(description="YYYY-MM-DD; today where it is left out")] = "",
        days: Annotated[str, Query(description=f"How many days, {_MOST_DAYS} at most")] = str(_MOST_DAYS),
    ) -> JSONResponse:
        await service.doors.let_in(request)
        try:
            place = _place(service, restaurant_id)
            return _json(
                await _bookings(service, place, _read_day(since) if since else place.today(), _read_days(days))
            )
        except _NotShownError as error:
            return _refused(error)

    @router.get(
        "/{restaurant_id}/bookings/{booking_id}",
        response_model=StaffBooking,
        operation_id="staff_booking",
        responses=_RESPONSES,
        summary="One booking, in any status",
    )
    async def booking(request: Request, restaurant_id: str, booking_id: str) -> JSONResponse:
        await service.doors.let_in(request)
        try:
            return _json(_booking(await _one(service, restaurant_id, booking_id)))
        except _NotShownError as error:
            return _refused(error)

    @router.get(
        "/{restaurant_id}/days/{day}",
        response_model=StaffDay,
        operation_id="staff_day",
        responses=_RESPONSES,
        summary="A day's bookings, and how full each slot is",
    )
    async def day(request: Request, restaurant_id: str, day: str) -> JSONResponse:
        await service.doors.let_in(request)
        try:
            place = _place(service, restaurant_id)
            return _json(await _day(place, _read_day(day)))
        except _NotShownError as error:
            return _refused(error)

    @router.get(
        "/{restaurant_id}",
        response_class=HTMLResponse,
        responses={**DENIED, **_SAID_AS_PAGE},
        operation_id="staff_page",
        summary="The day's tables, as a page",
    )
    async def page(request: Request, restaurant_id: str, day: str = "") -> HTMLResponse:
        await service.doors.let_in(request)
        try:
            place = _place(service, restaurant_id)
            shown = await _day(place, _read_day(day) if day else place.today())
        except _NotShownError as error:
            return _page("error.html.j2", error.status, message=error.message)
        at = date.fromisoformat(shown.day)
        return _page(
            "day.html.j2",
            200,
            name=place.kb.name,
            shown=shown,
            coming=[one for one in shown.bookings if one.live],
            people=wording.people,
            before=_neighbour(at, -1),
            after=_neighbour(at, 1),
            today=place.today().isoformat(),
        )

    return router


def _place(service: Service, restaurant_id: str) -> Restaurant:
    found = service.desk.restaurants.get(restaurant_id)
    if found is None:
        raise _NotShownError(404, Code.RESTAURANT_NOT_FOUND, "Questo ristorante non esiste.")
    return found


def _read_day(text: str) -> date:
    try:
        return requests.day(text)
    except ValueError:
        raise _NotShownError(422, Code.VALIDATION_ERROR, wording.wrong("day")) from None


def _read_days(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= _MOST_DAYS):
        raise _NotShownError(422, Code.VALIDATION_ERROR, f"Scriva da 1 a {_MOST_DAYS} giorni.")
    return int(text)


async def _bookings(service: Service, place: Restaurant, since: date, days: int) -> StaffBookings:
    """Day by day, since that is what every provider can be asked; a few at a time, since some count how often."""
    at_once = asyncio.Semaphore(_AT_ONCE)

    async def of(day: date) -> list[Booking]:
        async with at_once:
            return await place.provider.of_day(day)

    try:
        wanted = [since + timedelta(days=n) for n in range(days) if since <= date.max - timedelta(days=n)]
        found = await asyncio.gather(*(of(day) for day in wanted))
    except ProviderError as error:
        raise _away(service, place, error) from None
    return StaffBookings(bookings=[_booking(one) for of_one in found for one in of_one])


async def _one(service: Service, restaurant_id: str, booking_id: str) -> Booking:
    place = _place(service, restaurant_id)
    try:
        return await place.provider.by_id(requests.text(booking_id))
    except (BookingNotFoundError, ValueError):
        raise _NotShownError(404, Code.BOOKING_NOT_FOUND, wording.NOT_FOUND) from None
    except ProviderError as error:
        raise _away(service, place, error) from None


async def _day(place: Restaurant, day: date) -> StaffDay:
    try:
        bookings = await place.provider.of_day(day)
    except ProviderError:
        raise _NotShownError(503, Code.LIST_ERROR, wording.UNAVAILABLE) from None
    hours = hours_of(place.kb, day)
    try:
        capacity: Capacity | None = capacity_of(place.kb)
    except CapacityUnknownError:
        capacity = None
    return StaffDay(
        restaurant_id=place.kb.restaurant_id,
        day=day.isoformat(),
        day_label=wording.label(day),
        closed=hours.closed,
        bookings=[_booking(one) for one in bookings],
        slots=[_slot(hours, slot, capacity, bookings) for slot in _shown_slots(hours, bookings)],
    )


def _shown_slots(hours: DayHours, bookings: list[Booking]) -> list[int]:
    """The day's slots, and where somebody comes at another time that one, too."""
    return sorted({*hours.slots, *(minutes(one.time) for one in bookings if one.live)})


def _slot(hours: DayHours, slot: int, capacity: Capacity | None, bookings: list[Booking]) -> StaffSlot:
    return StaffSlot(
        time=wording.written(slot),
        taken=capacity.taken(slot, bookings) if capacity else None,
        of=capacity.at_once if capacity else None,
        cut_off=hours.cut_off(slot),
    )


def _booking(one: Booking) -> StaffBooking:
    return StaffBooking(
        booking_id=one.booking_id,
        day=one.day.isoformat(),
        day_label=wording.label(one.day),
        time=f"{one.time:%H:%M}",
        people=one.people,
        name=one.name,
        phone=one.phone,
        notes=one.notes,
        status=one.status,
        live=one.live,
    )


def _neighbour(day: date, by: int) -> str | None:
    try:
        return (day + timedelta(days=by)).isoformat()
    except OverflowError:
        return None


def _away(service: Service, place: Restaurant, error: ProviderError) -> _NotShownError:
    service.desk.counts.code("staff", place.kb.restaurant_id, Code.LIST_ERROR, f"{type(error).__name__}: {error}")
    return _NotShownError(503, Code.LIST_ERROR, wording.UNAVAILABLE)


def _json(answer: BaseModel) -> JSONResponse:
    return JSONResponse(answer.model_dump(mode="json"))


def _refused(error: _NotShownError) -> JSONResponse:
    body = ErrorAnswer(error_code=error.code, message=error.message)
    return JSONResponse(body.model_dump(mode="json"), status_code=error.status)


def _page(template: str, status: int, **values: Any) -> HTMLResponse:
    text = _PAGES.get_template(template).render(**values)
    headers = {
        # It shows guests' names: nothing of it is kept by a browser, and nothing in it runs or is fetched.
        "Cache-Control": "no-store",
        "Content-Security-Policy": (
            "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
        ),
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    return HTMLResponse(text, status_code=status, headers=headers)
