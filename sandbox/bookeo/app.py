"""The ASGI application: its parts put together, its error bodies, and the sign that it is a simulation."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from infra.telemetry import TELEMETRY
from sandbox.bookeo.bookings import Bookings
from sandbox.bookeo.errors import RefusedError, error_body
from sandbox.bookeo.faults import Fault
from sandbox.bookeo.gate import Gate
from sandbox.bookeo.operations import operation_of
from sandbox.bookeo.routes import api_routes
from sandbox.bookeo.schedule import Clock
from sandbox.bookeo.seed import seed
from sandbox.controlled import FaultyWire, control_routes
from sandbox.documents import Store
from sandbox.faults import FaultQueue
from sandbox.wire import Signed

ABOUT = {
    "name": "Bookeo sandbox",
    "simulates": "the Bookeo API, version 2",
    "notice": "A local simulation with invented riders. It is not Bookeo and is not connected to it.",
}


def create_app(
    *,
    database: Path,
    controls: bool = False,
    time_zone: str = "Europe/Rome",
    clock: Callable[[], datetime] | None = None,
) -> FastAPI:
    """The simulated account over the SQLite file `database`, seeded if it is empty.

    `controls` opens `/_sandbox/…`. `time_zone` is the school's IANA zone. `clock` replaces its clock.
    """
    store, school = Store(database), Clock(time_zone, clock)
    bookings, faults = Bookings(store, school), FaultQueue[Fault]()
    with store.transaction():
        if not store.all("booking"):
            seed(bookings, school)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(title=ABOUT["name"], lifespan=lifespan, openapi_url=None, redirect_slashes=False, telemetry=TELEMETRY)
    app.include_router(api_routes(store, bookings, school))
    if controls:
        app.include_router(control_routes(store, faults, Fault, lambda: seed(bookings, school)))

    @app.get("/")
    async def about() -> dict[str, str]:
        return ABOUT

    for error in (RequestValidationError, HTTPException, RefusedError):
        app.add_exception_handler(error, _render)
    # The last one added is the outermost.
    app.add_middleware(Gate)
    app.add_middleware(FaultyWire, faults=faults, operation_of=operation_of, error_body=_asked_for)
    app.add_middleware(Signed, name="bookeo")
    return app


def _asked_for(status: int) -> dict[str, object]:
    return error_body(status, "A fault was asked for")


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case RefusedError():
            status, message = error.status, error.message
        case RequestValidationError():
            first = error.errors()[0]
            status, message = 400, f"{'.'.join(map(str, first['loc'][1:])) or 'body'}: {first['msg']}"
        case HTTPException():
            status, message = error.status_code, str(error.detail)
        case _:
            raise error
    return JSONResponse(error_body(status, message), status_code=status)
