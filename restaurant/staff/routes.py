"""The staff's routes, beyond the nine tools and behind the same secret.

GET /staff/{restaurant_id}/bookings?since=…&days=…  the bookings of some days, in any status
GET /staff/{restaurant_id}/bookings/{booking_id}  one booking, in any status
GET /staff/{restaurant_id}/bookings/{booking_id}/instead?day=…&time=…  other times if it cannot be moved to that one
GET /staff/{restaurant_id}/days/{day}             a day's bookings, and how full each slot is
GET /staff/{restaurant_id}?day=…                  the same as a page

Each ends within the timeout of a tool's call, even if the provider hangs.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, time, timedelta
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import BaseModel

from restaurant import messages_it
from restaurant.errors import Code
from restaurant.hours import open_now
from restaurant.openapi import DENIED
from restaurant.providers import Booking, BookingNotFoundError, ProviderError
from restaurant.providers.timeouts import in_time
from restaurant.schemas import requests
from restaurant.schemas.responses import ErrorAnswer
from restaurant.service import RestaurantService
from restaurant.staff.views import (
    StaffBooking,
    StaffBookings,
    StaffDay,
    StaffInstead,
    booking_of,
    day_of,
    instead_of,
    neighbour,
)
from restaurant.tools.context import Restaurant

_PAGES = Environment(
    loader=FileSystemLoader(Path(__file__).parents[1] / "pages"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


_Shown = TypeVar("_Shown")

_MOST_DAYS = 31
_AT_ONCE = 4


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


_PAGE_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"description": _RESPONSES[status]["description"], "content": {"text/html": {"schema": {"type": "string"}}}}
    for status in (404, 422, 503)
}


_Since = Annotated[str, Query(description="YYYY-MM-DD; default: today")]
_Days = Annotated[str, Query(description=f"How many days, {_MOST_DAYS} at most")]


def staff_routes(service: RestaurantService) -> APIRouter:
    """Return the routes of a service."""
    router, staff = APIRouter(prefix="/staff", tags=["staff"]), _Staff(service)
    for path, endpoint, model, summary in (
        ("/bookings", staff.bookings, StaffBookings, "The bookings of some days, in any status"),
        ("/bookings/{booking_id}", staff.booking, StaffBooking, "One booking, in any status"),
        ("/bookings/{booking_id}/instead", staff.instead, StaffInstead, "What can be offered where it cannot be moved"),
        ("/days/{day}", staff.day, StaffDay, "A day's bookings, and how full each slot is"),
    ):
        router.add_api_route(
            f"/{{restaurant_id}}{path}",
            endpoint,
            response_model=model,
            responses=_RESPONSES,
            operation_id=f"staff_{endpoint.__name__}",
            summary=summary,
        )
    router.add_api_route(
        "/{restaurant_id}",
        staff.page,
        response_class=HTMLResponse,
        responses={**DENIED, **_PAGE_RESPONSES},
        operation_id="staff_page",
        summary="The day's tables, as a page",
    )
    return router


@dataclass(frozen=True)
class _Staff:
    service: RestaurantService

    async def bookings(
        self, request: Request, restaurant_id: str, since: _Since = "", days: _Days = str(_MOST_DAYS)
    ) -> JSONResponse:
        async def read(place: Restaurant) -> StaffBookings:
            return await _bookings(place, _read_day(since) if since else place.today(), _read_days(days))

        return await self._json(request, restaurant_id, read)

    async def booking(self, request: Request, restaurant_id: str, booking_id: str) -> JSONResponse:
        return await self._json(request, restaurant_id, lambda place: _one(place, booking_id))

    async def instead(self, request: Request, restaurant_id: str, booking_id: str, day: str, time: str) -> JSONResponse:
        return await self._json(
            request, restaurant_id, lambda place: _instead(place, booking_id, _read_day(day), _read_time(time))
        )

    async def day(self, request: Request, restaurant_id: str, day: str) -> JSONResponse:
        return await self._json(request, restaurant_id, lambda place: _day(place, _read_day(day)))

    async def page(self, request: Request, restaurant_id: str, day: str = "") -> HTMLResponse:
        await self.service.doors.check(request)
        try:
            restaurant = self._place(restaurant_id)
            shown = await self._in_time(restaurant, lambda place: _day(place, _read_day(day) if day else place.today()))
        except _NotShownError as error:
            return _page("error.html.j2", error.status, message=error.message)
        at = date.fromisoformat(shown.day)
        return _page(
            "day.html.j2",
            200,
            name=restaurant.kb.name,
            shown=shown,
            coming=[one for one in shown.bookings if one.live],
            people=messages_it.people,
            before=neighbour(at, -1),
            after=neighbour(at, 1),
            today=restaurant.today().isoformat(),
        )

    async def _json(
        self, request: Request, restaurant_id: str, read: Callable[[Restaurant], Awaitable[BaseModel]]
    ) -> JSONResponse:
        await self.service.doors.check(request)
        try:
            answer = await self._in_time(self._place(restaurant_id), read)
        except _NotShownError as error:
            body = ErrorAnswer(error_code=error.code, message=error.message)
            return JSONResponse(body.model_dump(mode="json"), status_code=error.status)
        return JSONResponse(answer.model_dump(mode="json"))

    def _place(self, restaurant_id: str) -> Restaurant:
        found = self.service.desk.restaurants.get(restaurant_id)
        if found is None:
            raise _NotShownError(404, Code.RESTAURANT_NOT_FOUND, "Questo ristorante non esiste.")
        return found

    async def _in_time(self, place: Restaurant, read: Callable[[Restaurant], Awaitable[_Shown]]) -> _Shown:
        try:
            async with in_time(self.service.desk.call_within):
                return await read(place)
        except (TimeoutError, ProviderError) as error:
            why = f"{type(error).__name__}: {error}"
            message = messages_it.LATE if isinstance(error, TimeoutError) else messages_it.UNAVAILABLE
        self.service.desk.counts.code("staff", place.kb.restaurant_id, Code.LIST_ERROR, why)
        raise _NotShownError(503, Code.LIST_ERROR, message)


def _read_day(text: str) -> date:
    try:
        return requests.day(text)
    except ValueError:
        raise _NotShownError(422, Code.VALIDATION_ERROR, messages_it.wrong("day")) from None


def _read_time(text: str) -> time:
    try:
        return requests.clock(text)
    except ValueError:
        raise _NotShownError(422, Code.VALIDATION_ERROR, messages_it.wrong("time")) from None


def _read_days(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= _MOST_DAYS):
        raise _NotShownError(422, Code.VALIDATION_ERROR, f"Scriva da 1 a {_MOST_DAYS} giorni.")
    return int(text)


async def _bookings(place: Restaurant, since: date, days: int) -> StaffBookings:
    """Return the bookings day by day, because every provider can read a day; a few at a time, because some have rate
    limits."""
    at_once = asyncio.Semaphore(_AT_ONCE)

    async def of(day: date) -> list[Booking]:
        async with at_once:
            return await place.provider.of_day(day)

    wanted = [since + timedelta(days=n) for n in range(days) if since <= date.max - timedelta(days=n)]
    found = await asyncio.gather(*(of(day) for day in wanted))
    return StaffBookings(bookings=[booking_of(one) for of_one in found for one in of_one])


async def _one(place: Restaurant, booking_id: str) -> StaffBooking:
    try:
        return booking_of(await place.provider.by_id(requests.text(booking_id)))
    except (BookingNotFoundError, ValueError):
        raise _NotShownError(404, Code.BOOKING_NOT_FOUND, messages_it.NOT_FOUND) from None


async def _instead(place: Restaurant, booking_id: str, day: date, at: time) -> StaffInstead:
    try:
        bookings = await place.provider.of_day(day)
    except ProviderError:
        # Without the day's bookings it cannot suggest other times, but it can still report whether the restaurant is
        # open.
        return StaffInstead(nearest_slots=[], open_now=open_now(place.kb, place.now()).open)
    return instead_of(place, day, at, booking_id, bookings)


async def _day(place: Restaurant, day: date) -> StaffDay:
    return day_of(place, day, await place.provider.of_day(day))


def _page(template: str, status: int, **values: Any) -> HTMLResponse:
    text = _PAGES.get_template(template).render(**values)
    headers = {
        # The page shows guests' names: the browser must not store it, and the page runs no script and loads nothing.
        "Cache-Control": "no-store",
        "Content-Security-Policy": (
            "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
        ),
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
    return HTMLResponse(text, status_code=status, headers=headers)
