"""The ASGI application: its parts, its error bodies, and the header that marks a simulation.

The operation of a request, by method and path, and its faults on request.
"""

import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import AfterValidator
from starlette.exceptions import HTTPException

from infra.http.http_server import TELEMETRY
from sandbox.kit.asgi import SandboxHeaderMiddleware
from sandbox.kit.control_routes import FaultMiddleware, WireFault, control_routes
from sandbox.kit.document_store import DocumentStore
from sandbox.kit.faults import FaultQueue, one_of
from sandbox.kit.request_counter import RequestCounter, RequestCounterMiddleware, tally_routes
from sandbox.resos.auth import API_KEY, Rate, ResosAuthMiddleware
from sandbox.resos.bookings import ResosBookings
from sandbox.resos.errors import ResosApiError, error_body
from sandbox.resos.routes import Opening, api_routes
from sandbox.resos.seating import Seating

_OPERATIONS = {
    "list-bookings": ("GET", "/v1/bookings"),
    "create-booking": ("POST", "/v1/bookings"),
    "get-booking": ("GET", "/v1/bookings/[^/]+"),
    "update-booking": ("PUT", "/v1/bookings/[^/]+"),
    "list-times": ("GET", "/v1/bookingFlow/times"),
    "list-opening-hours": ("GET", "/v1/openingHours"),
    "list-tables": ("GET", "/v1/tables"),
    "check-health": ("GET", "/v1/healthcheck"),
}
"""The method and the whole path, as a pattern, by our own name of the operation."""
OPERATION_IDS = frozenset(_OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """Return the operation, or None for a request that is not part of the API."""
    found = (name for name, (verb, shape) in _OPERATIONS.items() if verb == method and re.fullmatch(shape, path))
    return next(found, None)


class ResosFault(WireFault):
    """A fault, and the operation that it affects."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]


ABOUT = {
    "name": "resOS sandbox",
    "simulates": "the resOS API, v1",
    "notice": "A local simulation without a guest. It is not resOS and is connected to nothing.",
}
SEATS = (4, 4, 8)
OPENINGS = tuple(
    Opening(day, name, first, last)
    for day in range(1, 8)
    for name, first, last in (("Lunch", "12:00", "14:30"), ("Dinner", "19:00", "23:00"))
)


def create_app(
    *,
    database: Path,
    controls: bool = False,
    api_key: str = API_KEY,
    seats: Sequence[int] = SEATS,
    stay: int = 120,
    openings: Sequence[Opening] = OPENINGS,
    phone_filter: Literal["honoured", "ignored"] = "honoured",
    per_second: int | None = None,
    clock: Callable[[], float] = time.time,
) -> FastAPI:
    """Return the simulated resOS over the SQLite file `database`, without bookings at first.

    `controls` opens `/_sandbox/…`. `seats` has the seats of each table. `stay` is the minutes of a booking without a
    duration. `phone_filter` sets how a `customQuery` by phone is handled. `per_second` is the rate beyond which it
    answers 429, in seconds of `clock`.
    """
    store, faults, tally = DocumentStore(database), FaultQueue[ResosFault](), RequestCounter()
    seating = Seating(seats)
    bookings = ResosBookings(store, seating, stay)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(title=ABOUT["name"], lifespan=lifespan, openapi_url=None, redirect_slashes=False, telemetry=TELEMETRY)
    app.include_router(api_routes(store, bookings, seating, openings, phone_filter=phone_filter == "honoured"))
    if controls:
        app.include_router(control_routes(store, faults, ResosFault, lambda: None))
        app.include_router(tally_routes(tally))

    @app.get("/")
    async def about() -> dict[str, str]:
        return ABOUT

    for error in (RequestValidationError, HTTPException, ResosApiError):
        app.add_exception_handler(error, _render)
    # The last one added is the outermost.
    app.add_middleware(ResosAuthMiddleware, api_key=api_key, rate=Rate(per_second, clock))
    app.add_middleware(FaultMiddleware, faults=faults, operation_of=operation_of, error_body=_asked_for)
    app.add_middleware(RequestCounterMiddleware, tally=tally, operation_of=operation_of)
    app.add_middleware(SandboxHeaderMiddleware, name="resos")
    return app


def _asked_for(status: int) -> dict[str, object]:
    return error_body(f"A fault was asked for ({status})")


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case ResosApiError():
            status, message = error.status, error.message
        case RequestValidationError():
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"][1:])) or "body"
            unknown = first["type"] == "extra_forbidden"
            status, message = 422, f'"{where}" is not allowed' if unknown else f'"{where}": {first["msg"]}'
        case HTTPException():
            status, message = error.status_code, str(error.detail)
        case _:
            raise error
    return JSONResponse(error_body(message), status_code=status)
