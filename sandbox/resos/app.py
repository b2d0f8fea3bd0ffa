"""The ASGI application: its parts put together, its error bodies, and the sign that it is a simulation."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from infra.telemetry import TELEMETRY
from sandbox.controlled import FaultyWire, control_routes
from sandbox.documents import Store
from sandbox.faults import FaultQueue
from sandbox.resos.bookings import Bookings
from sandbox.resos.errors import RefusedError, error_body
from sandbox.resos.gate import API_KEY, Gate, Rate
from sandbox.resos.operations import Fault, operation_of
from sandbox.resos.routes import Opening, api_routes
from sandbox.resos.seating import Seating
from sandbox.tally import Counted, Tally, tally_routes
from sandbox.wire import Signed

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
    """The simulated resOS over the SQLite file `database`, without a booking at first.

    `controls` opens `/_sandbox/…`. `seats` is one table each. `stay` are the minutes of a booking without a duration.
    `phone_filter` says what becomes of a `customQuery` by phone. `per_second` is the rate beyond which it answers 429,
    in seconds of `clock`.
    """
    store, faults, tally = Store(database), FaultQueue[Fault](), Tally()
    seating = Seating(seats)
    bookings = Bookings(store, seating, stay)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(title=ABOUT["name"], lifespan=lifespan, openapi_url=None, redirect_slashes=False, telemetry=TELEMETRY)
    app.include_router(api_routes(store, bookings, seating, openings, phone_filter=phone_filter == "honoured"))
    if controls:
        app.include_router(control_routes(store, faults, Fault, lambda: None))
        app.include_router(tally_routes(tally))

    @app.get("/")
    async def about() -> dict[str, str]:
        return ABOUT

    for error in (RequestValidationError, HTTPException, RefusedError):
        app.add_exception_handler(error, _render)
    # The last one added is the outermost.
    app.add_middleware(Gate, api_key=api_key, rate=Rate(per_second, clock))
    app.add_middleware(FaultyWire, faults=faults, operation_of=operation_of, error_body=_asked_for)
    app.add_middleware(Counted, tally=tally, operation_of=operation_of)
    app.add_middleware(Signed, name="resos")
    return app


def _asked_for(status: int) -> dict[str, object]:
    return error_body(f"A fault was asked for ({status})")


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case RefusedError():
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
