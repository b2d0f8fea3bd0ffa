"""The ASGI application: its parts, its error bodies, and the header that marks a simulation."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from infra.http.http_server import TELEMETRY
from sandbox.kit.asgi import SandboxHeaderMiddleware
from sandbox.kit.faults import FaultQueue
from sandbox.roller.auth import RollerAuthMiddleware
from sandbox.roller.control import control_routes
from sandbox.roller.errors import ForbiddenError, RollerApiError, error_body
from sandbox.roller.fault_middleware import RollerFaultMiddleware
from sandbox.roller.operations import RollerFault
from sandbox.roller.routes import api_routes
from sandbox.roller.seed.seed import Seeding, seed
from sandbox.roller.seed.venue import VenueClock
from sandbox.roller.store import RollerStore, is_empty
from sandbox.roller.tokens import RateLimiter
from sandbox.roller.validation import malformed

ABOUT = {
    "name": "ROLLER sandbox",
    "simulates": "the ROLLER public REST API",
    "notice": "A local simulation with invented bookings. It is not ROLLER and is not connected to it.",
}


def create_app(
    *,
    database: Path,
    controls: bool = False,
    time_zone: str = "Australia/Melbourne",
    clock: Callable[[], datetime] | None = None,
    timer: Callable[[], float] = time.monotonic,
    seeding: Seeding = seed,
) -> FastAPI:
    """Return the simulated venue over the SQLite file `database`, filled by `seeding` if it is empty and when it is
    reset.

    `controls` opens `/_sandbox/…`. `time_zone` is the venue's IANA zone. `clock` replaces the venue's clock (the
    present day, what is past); token expiry uses the machine's clock, and rate limits `timer`, in seconds.
    """
    store = RollerStore(database)
    venue_clock = VenueClock(time_zone, clock)
    faults = FaultQueue[RollerFault]()
    limiter = RateLimiter(timer)
    with store.transaction() as connection:
        if is_empty(connection):
            seeding(connection, venue_clock)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(title=ABOUT["name"], lifespan=lifespan, openapi_url=None, redirect_slashes=False, telemetry=TELEMETRY)
    app.include_router(api_routes(store, venue_clock))
    if controls:
        app.include_router(control_routes(store, venue_clock, faults, limiter, seeding))

    @app.get("/")
    async def about() -> dict[str, str]:
        return ABOUT

    app.add_exception_handler(RequestValidationError, _render)
    app.add_exception_handler(HTTPException, _render)
    app.add_exception_handler(RollerApiError, _render)
    app.add_exception_handler(ForbiddenError, _render)
    # The last one added is the outermost.
    app.add_middleware(RollerAuthMiddleware, store=store, limiter=limiter)
    app.add_middleware(RollerFaultMiddleware, faults=faults, store=store)
    app.add_middleware(SandboxHeaderMiddleware, name="roller")
    return app


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case ForbiddenError():
            return JSONResponse(str(error), status_code=403)
        case RollerApiError():
            return JSONResponse(error_body(error.name, error.message), status_code=error.status)
        case RequestValidationError():
            return JSONResponse(malformed(error.errors()), status_code=400)
        case HTTPException():
            name = "NotFound" if error.status_code == 404 else "HttpError"
            return JSONResponse(error_body(name, str(error.detail)), status_code=error.status_code)
        case _:
            raise error
