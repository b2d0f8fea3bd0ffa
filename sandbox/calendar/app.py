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
from sandbox.calendar.clock import Clock
from sandbox.calendar.errors import RefusedError, error_body
from sandbox.calendar.events import Events
from sandbox.calendar.faults import Fault
from sandbox.calendar.gate import Gate
from sandbox.calendar.operations import operation_of
from sandbox.calendar.routes import api_routes
from sandbox.calendar.seed import seed
from sandbox.controlled import FaultyWire, control_routes
from sandbox.documents import Store
from sandbox.faults import FaultQueue
from sandbox.wire import Signed

ABOUT = {
    "name": "Calendar sandbox",
    "simulates": "a team's meeting calendar",
    "notice": "A local simulation with invented people. It is no product and is connected to nothing.",
}


def create_app(
    *,
    database: Path,
    controls: bool = False,
    time_zone: str = "Asia/Jerusalem",
    clock: Callable[[], datetime] | None = None,
) -> FastAPI:
    """The simulated calendar over the SQLite file `database`, filled if it is empty.

    `controls` opens `/_sandbox/…`. `time_zone` is the team's IANA zone. `clock` replaces its clock.
    """
    store, team = Store(database), Clock(time_zone, clock)
    events, faults = Events(store, team), FaultQueue[Fault]()
    with store.transaction():
        if not store.all("event"):
            seed(events, team)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(title=ABOUT["name"], lifespan=lifespan, openapi_url=None, redirect_slashes=False, telemetry=TELEMETRY)
    app.include_router(api_routes(store, events, team))
    if controls:
        app.include_router(control_routes(store, faults, Fault, lambda: seed(events, team)))

    @app.get("/")
    async def about() -> dict[str, str]:
        return ABOUT

    for error in (RequestValidationError, HTTPException, RefusedError):
        app.add_exception_handler(error, _render)
    # The last one added is the outermost.
    app.add_middleware(Gate)
    app.add_middleware(FaultyWire, faults=faults, operation_of=operation_of, error_body=_asked_for)
    app.add_middleware(Signed, name="calendar")
    return app


def _asked_for(status: int) -> dict[str, object]:
    return error_body("fault", f"A fault was asked for ({status})")


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case RefusedError():
            status, code, message = error.status, error.code, error.message
        case RequestValidationError():
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"][1:])) or "body"
            status, code, message = 400, "invalid", f"{where}: {first['msg']}"
        case HTTPException():
            status, code, message = error.status_code, "http", str(error.detail)
        case _:
            raise error
    return JSONResponse(error_body(code, message), status_code=status)
