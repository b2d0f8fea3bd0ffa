"""The simulated operations of Bookeo, one handler each, by the API's paths and names."""

from datetime import datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from sandbox.bookeo.bookings import BookingBody, Bookings
from sandbox.bookeo.errors import RefusedError
from sandbox.bookeo.paging import Pages
from sandbox.bookeo.schedule import BY_ID, LESSONS, Clock, slots, written
from sandbox.documents import Store

_LONGEST = timedelta(days=31)


class Paged(BaseModel):
    """A list's question: its first page, or another by the token that the first gave."""

    itemsPerPage: int | None = None
    pageNavigationToken: str | None = None
    pageNumber: int | None = None


class Products(Paged):
    """What is offered."""

    type: str | None = None


class Stretch(Paged):
    """What starts in a stretch of time; the two flags are for bookings."""

    startTime: str | None = None
    endTime: str | None = None
    productId: str | None = None
    includeCanceled: bool = False
    expandCustomer: bool = False


def api_routes(store: Store, bookings: Bookings, clock: Clock) -> APIRouter:
    """Every simulated operation over one store."""
    router, pages = APIRouter(), Pages()
    _add_searches(router, bookings, pages)
    _add_one(router, store, bookings)
    _add_offers(router, bookings, clock, pages)
    return router


def _add_searches(router: APIRouter, bookings: Bookings, pages: Pages) -> None:
    @router.get("/bookings", operation_id="GetBookings")
    async def search(asked: Annotated[Stretch, Query()]) -> dict[str, Any]:
        if asked.pageNavigationToken:
            return pages.page(asked.pageNavigationToken, asked.pageNumber)
        start, end = _moments(asked)
        some = {"canceled": asked.includeCanceled, "expand": asked.expandCustomer}
        return pages.first(bookings.between(start, end, lesson=asked.productId, **some), asked.itemsPerPage)


def _add_one(router: APIRouter, store: Store, bookings: Bookings) -> None:
    @router.post("/bookings", operation_id="PostBookings", status_code=201)
    async def create(request: Request, body: BookingBody, response: Response) -> dict[str, Any]:
        sent = await request.json()
        with store.transaction():
            made = bookings.make(body)
            store.note("PostBookings", made["bookingNumber"], sent)
        response.headers["Location"] = f"/bookings/{made['bookingNumber']}"
        return made

    @router.get("/bookings/{number}", operation_id="GetBookingsBookingnumber")
    async def read(number: str, expand: Annotated[bool, Query(alias="expandCustomer")] = False) -> dict[str, Any]:
        return bookings.find(number, expand=expand)

    @router.put("/bookings/{number}", operation_id="PutBookingsBookingnumber")
    async def replace(request: Request, number: str, body: BookingBody) -> dict[str, Any]:
        sent = await request.json()
        with store.transaction():
            changed = bookings.replace(number, body)
            store.note("PutBookingsBookingnumber", number, sent)
        return changed

    @router.delete("/bookings/{number}", operation_id="DeleteBookingsBookingnumber", status_code=204)
    async def cancel(request: Request, number: str) -> Response:
        said = {k: v for k, v in request.query_params.items() if not k.lower().endswith("key")}
        with store.transaction():
            bookings.cancel(number)
            store.note("DeleteBookingsBookingnumber", number, said)
        return Response(status_code=204)


def _add_offers(router: APIRouter, bookings: Bookings, clock: Clock, pages: Pages) -> None:
    @router.get("/availability/slots", operation_id="GetAvailabilitySlots")
    async def availability(asked: Annotated[Stretch, Query()]) -> dict[str, Any]:
        if asked.pageNavigationToken:
            return pages.page(asked.pageNavigationToken, asked.pageNumber)
        if asked.productId is not None and asked.productId not in BY_ID:
            raise RefusedError(404, f"There is no product {asked.productId}")
        lessons = LESSONS if asked.productId is None else (BY_ID[asked.productId],)
        rows = [
            {
                "productId": s.lesson.id,
                "eventId": s.event_id,
                "startTime": written(s.start),
                "endTime": written(s.end),
                "numSeatsAvailable": bookings.seats_left(s),
            }
            for s in slots(clock, *_moments(asked), lessons)
        ]
        return pages.first(rows, asked.itemsPerPage)

    @router.get("/settings/products", operation_id="GetSettingsProducts")
    async def products(asked: Annotated[Products, Query()]) -> dict[str, Any]:
        if asked.pageNavigationToken:
            return pages.page(asked.pageNavigationToken, asked.pageNumber)
        rows = [
            {
                "productId": lesson.id,
                "productCode": lesson.code,
                "name": lesson.name,
                "description": lesson.about,
                "type": "fixed",
                "apiBookingsAllowed": True,
            }
            for lesson in LESSONS
            if asked.type in (None, "fixed")
        ]
        return pages.first(rows, asked.itemsPerPage)

    @router.get("/settings/apikeyinfo", operation_id="GetSettingsApikeyinfo")
    async def key() -> dict[str, Any]:
        permissions = ["bookings_r_all", "bookings_w_all", "customers_r_all", "availability_r"]
        return {"accountId": "41551SANDBOX", "permissions": permissions, "creationTime": "2026-01-07T09:00:00+01:00"}


def _moments(asked: Stretch) -> tuple[datetime, datetime]:
    if not asked.startTime or not asked.endTime:
        raise RefusedError(400, "startTime and endTime are required")
    first, last = _moment("startTime", asked.startTime), _moment("endTime", asked.endTime)
    if last < first:
        raise RefusedError(400, "endTime is before startTime")
    if last - first > _LONGEST:
        raise RefusedError(400, "The maximum date range is 31 days")
    return first, last


def _moment(name: str, text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise RefusedError(400, f"{name} must be a date and a time with an offset, as 2026-11-28T15:00:00+01:00")
    return found
