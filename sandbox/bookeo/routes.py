"""The simulated operations of Bookeo, one handler each, by the API's paths and names.

Paged lists: the first page by a query, the others by its navigation token.
"""

import secrets
from collections import OrderedDict
from datetime import datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from sandbox.bookeo.bookings import BookeoBookings, BookingBody
from sandbox.bookeo.schedule import BY_ID, LESSONS, BookeoClock, slots, written
from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import DocumentStore

MOST, USUAL = 300, 50
_KEPT = 50


class Pages:
    """The recent lists, by token."""

    def __init__(self) -> None:
        self._lists: OrderedDict[str, tuple[list[Any], int]] = OrderedDict()

    def first(self, rows: list[Any], size: int | None) -> dict[str, Any]:
        """Return the first page of a list. Raises `SandboxError` for a size that is not allowed."""
        each = USUAL if size is None else size
        if not 1 <= each <= MOST:
            raise SandboxError(400, f"itemsPerPage must be from 1 to {MOST}")
        token = secrets.token_urlsafe(12)
        self._lists[token] = (rows, each)
        if len(self._lists) > _KEPT:
            self._lists.popitem(last=False)
        return self.page(token, 1)

    def page(self, token: str, number: int | None) -> dict[str, Any]:
        """Return one page of an earlier list. Raises `SandboxError`."""
        if token not in self._lists:
            raise SandboxError(400, "The pageNavigationToken is unknown or has expired")
        rows, each = self._lists[token]
        at, pages = number or 1, max(1, -(-len(rows) // each))
        if not 1 <= at <= pages:
            raise SandboxError(400, f"There is no page {at}")
        info: dict[str, Any] = {"totalItems": len(rows), "totalPages": pages, "currentPage": at}
        if pages > 1:
            info["pageNavigationToken"] = token
        return {"data": rows[(at - 1) * each : at * each], "info": info}


_LONGEST = timedelta(days=31)


class Paged(BaseModel):
    """The query of a list: its first page, or another by the token of the first."""

    itemsPerPage: int | None = None
    pageNavigationToken: str | None = None
    pageNumber: int | None = None


class Products(Paged):
    """The query for products."""

    type: str | None = None


class LessonSpan(Paged):
    """A period, for slots and bookings; the two flags are for bookings."""

    startTime: str | None = None
    endTime: str | None = None
    productId: str | None = None
    includeCanceled: bool = False
    expandCustomer: bool = False


def api_routes(store: DocumentStore, bookings: BookeoBookings, clock: BookeoClock) -> APIRouter:
    """Return the routes of every simulated operation over one store."""
    router, pages = APIRouter(), Pages()
    _add_searches(router, bookings, pages)
    _add_one(router, store, bookings)
    _add_offers(router, bookings, clock, pages)
    return router


def _add_searches(router: APIRouter, bookings: BookeoBookings, pages: Pages) -> None:
    @router.get("/bookings", operation_id="GetBookings")
    async def search(asked: Annotated[LessonSpan, Query()]) -> dict[str, Any]:
        if asked.pageNavigationToken:
            return pages.page(asked.pageNavigationToken, asked.pageNumber)
        start, end = _moments(asked)
        some = {"canceled": asked.includeCanceled, "expand": asked.expandCustomer}
        return pages.first(bookings.between(start, end, lesson=asked.productId, **some), asked.itemsPerPage)


def _add_one(router: APIRouter, store: DocumentStore, bookings: BookeoBookings) -> None:
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
        texts = {k: v for k, v in request.query_params.items() if not k.lower().endswith("key")}
        with store.transaction():
            bookings.cancel(number)
            store.note("DeleteBookingsBookingnumber", number, texts)
        return Response(status_code=204)


def _add_offers(router: APIRouter, bookings: BookeoBookings, clock: BookeoClock, pages: Pages) -> None:
    @router.get("/availability/slots", operation_id="GetAvailabilitySlots")
    async def availability(asked: Annotated[LessonSpan, Query()]) -> dict[str, Any]:
        if asked.pageNavigationToken:
            return pages.page(asked.pageNavigationToken, asked.pageNumber)
        if asked.productId is not None and asked.productId not in BY_ID:
            raise SandboxError(404, f"There is no product {asked.productId}")
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


def _moments(asked: LessonSpan) -> tuple[datetime, datetime]:
    if not asked.startTime or not asked.endTime:
        raise SandboxError(400, "startTime and endTime are required")
    first, last = _moment("startTime", asked.startTime), _moment("endTime", asked.endTime)
    if last < first:
        raise SandboxError(400, "endTime is before startTime")
    if last - first > _LONGEST:
        raise SandboxError(400, "The maximum date range is 31 days")
    return first, last


def _moment(name: str, text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise SandboxError(400, f"{name} must be a date and a time with an offset, as 2026-11-28T15:00:00+01:00")
    return found
