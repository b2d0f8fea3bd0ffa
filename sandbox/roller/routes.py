"""The simulated operations of ROLLER, one handler each, by the API's paths and names."""

import secrets
from collections.abc import Callable
from functools import partial
from sqlite3 import Connection
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from sandbox.roller.booking_writes import cancel_booking, create_booking, update_booking
from sandbox.roller.bookings import booking_detail
from sandbox.roller.capacity import availability
from sandbox.roller.errors import BadRequestError, RollerUnauthorizedError
from sandbox.roller.guests import read_guest, replace_guest
from sandbox.roller.schemas import BookingCreate, BookingUpdate, Cancellation, ClientCredentials, Guest
from sandbox.roller.search import parse_query, search_bookings
from sandbox.roller.seed.catalogue import PRODUCTS, product_detail
from sandbox.roller.seed.venue import VenueClock, venue_detail
from sandbox.roller.store import RollerStore, note
from sandbox.roller.tokens import DAY_SECONDS, register
from sandbox.roller.validation import require_day, require_ids

# The one client of the sandbox. Id and secret are equal, because there is nothing to protect.
CLIENT = "sandbox"


def api_routes(store: RollerStore, clock: VenueClock) -> APIRouter:
    """Return the routes of every simulated operation over one store."""
    router = APIRouter()
    router.include_router(_booking_routes(store, clock))
    router.include_router(_guest_routes(store, clock))
    router.include_router(_venue_routes(store, clock))
    return router


async def _write(store: RollerStore, request: Request, operation: str, change: Callable[[Connection], str]) -> Response:
    """Apply a change and journal it, in one transaction; `change` returns the id of the changed record."""
    body = await request.json()
    with store.transaction() as connection:
        note(connection, operation, change(connection), body, request.state.token_hash)
    return Response(status_code=200)


def _booking_routes(store: RollerStore, clock: VenueClock) -> APIRouter:
    router = APIRouter()

    @router.get("/bookings", operation_id="search-for-bookings")
    async def search(
        keywords: str | None = None,
        date: str | None = None,
        start_time: Annotated[str | None, Query(alias="startTime")] = None,
        product_ids: Annotated[str | None, Query(alias="productIds")] = None,
        location_ids: Annotated[str | None, Query(alias="locationIds")] = None,
    ) -> dict[str, object]:
        query = parse_query(keywords, date, start_time, product_ids, location_ids)
        with store.reading() as connection:
            return search_bookings(connection, query)

    @router.post("/bookings", operation_id="create-a-booking")
    async def create(request: Request, order: BookingCreate) -> Response:
        body = await request.json()
        with store.transaction() as connection:
            ids = create_booking(connection, clock, order)
            note(connection, "create-a-booking", ids["uniqueId"], body, request.state.token_hash)
        return JSONResponse(ids, status_code=201)

    @router.get("/bookings/{unique_id}", operation_id="get-booking-detail")
    async def detail(unique_id: str) -> JSONResponse:
        with store.reading() as connection:
            return JSONResponse(booking_detail(connection, unique_id))

    @router.put("/bookings/{unique_id}", operation_id="update-a-booking")
    async def update(request: Request, unique_id: str, change: BookingUpdate) -> Response:
        apply = partial(update_booking, clock=clock, booking_id=unique_id, change=change)
        return await _write(store, request, "update-a-booking", apply)

    @router.post("/bookings/{unique_id}/cancel", operation_id="cancel-a-booking")
    async def cancel(request: Request, unique_id: str, order: Cancellation) -> Response:
        apply = partial(cancel_booking, clock=clock, booking_id=unique_id, order=order)
        return await _write(store, request, "cancel-a-booking", apply)

    return router


def _guest_routes(store: RollerStore, clock: VenueClock) -> APIRouter:
    router = APIRouter()

    @router.get("/guests/{guest_id}", operation_id="get-guest-detail")
    async def detail(guest_id: str) -> dict[str, object]:
        with store.reading() as connection:
            return read_guest(connection, guest_id)

    @router.put("/guests/{guest_id}", operation_id="update-guest-detail")
    async def replace(request: Request, guest_id: str, guest: Guest) -> Response:
        change = partial(replace_guest, guest_id=guest_id, guest=guest, today=clock.today())
        return await _write(store, request, "update-guest-detail", change)

    return router


def _venue_routes(store: RollerStore, clock: VenueClock) -> APIRouter:
    router = APIRouter()

    @router.post("/token", operation_id="get-token")
    async def token(credentials: ClientCredentials) -> dict[str, object]:
        if (credentials.client_id, credentials.client_secret) != (CLIENT, CLIENT):
            raise RollerUnauthorizedError("InvalidClient", "client_id or client_secret is wrong")
        issued = secrets.token_urlsafe(32)
        with store.transaction() as connection:
            register(connection, issued, DAY_SECONDS)
        return {"access_token": issued, "token_type": "Bearer", "expires_in": int(DAY_SECONDS)}

    @router.get("/product-availability", operation_id="get-product-availability")
    async def product_availability(
        day: Annotated[str | None, Query(alias="Date")] = None,
        category: Annotated[str | None, Query(alias="ProductCategory")] = None,
        product_ids: Annotated[str | None, Query(alias="ProductIds")] = None,
    ) -> list[dict[str, object]]:
        if day is None:
            raise BadRequestError("Date", "Date is required, YYYY-MM-DD")
        parents = None if product_ids is None else require_ids("ProductIds", product_ids)
        with store.reading() as connection:
            return availability(connection, clock, require_day("Date", day), parents, category)

    @router.get("/products", operation_id="get-product-detail")
    async def products(
        category: Annotated[str | None, Query(alias="ProductCategory")] = None,
        kind: Annotated[str | None, Query(alias="productType")] = None,
    ) -> list[dict[str, object]]:
        return [
            product_detail(product)
            for product in PRODUCTS
            if (category is None or product.category.lower() == category.lower())
            and (kind is None or product.type == kind.lower())
        ]

    @router.get("/venues/me", operation_id="get-venue-detail")
    async def venue() -> dict[str, object]:
        return venue_detail(clock.time_zone)

    return router
