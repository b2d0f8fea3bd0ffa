"""The ASGI application: its parts, its error bodies, and the header that marks a simulation.

The operation of a request, by method and path, under Bookeo's operationIds.

A request needs the application's secret key and the account's API key, as headers or in the query.
"""

import hmac
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import AfterValidator
from starlette.datastructures import Headers, QueryParams
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from infra.http.http_server import TELEMETRY
from sandbox.bookeo.bookings import BookeoBookings
from sandbox.bookeo.routes import api_routes
from sandbox.bookeo.schedule import BookeoApiError, BookeoClock, error_body
from sandbox.bookeo.seed import seed
from sandbox.kit.asgi import SandboxHeaderMiddleware
from sandbox.kit.control_routes import FaultMiddleware, WireFault, control_routes
from sandbox.kit.document_store import DocumentStore
from sandbox.kit.faults import FaultQueue, one_of

API_KEY = "SANDBOXAPIKEY0F1A2B3C4D5E6F"
SECRET_KEY = "sandboxSecretKey9Zy8Xw7Vu6"
"""A key of this sandbox only; there is nothing to protect."""


class BookeoAuthMiddleware:
    """ASGI middleware: 403 without both keys. The control endpoints are not Bookeo's and need none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on."""
        if scope["type"] == "http" and scope["path"] != "/" and not scope["path"].startswith("/_sandbox"):
            wrong = _wrong(scope)
            if wrong:
                await JSONResponse(error_body(403, wrong), status_code=403)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _wrong(scope: Scope) -> str:
    headers, query = Headers(scope=scope), QueryParams(scope["query_string"])
    for name, right in (("secretKey", SECRET_KEY), ("apiKey", API_KEY)):
        given = headers.get(f"X-Bookeo-{name}") or query.get(name) or ""
        if not given:
            return f"The {name} is missing"
        if not hmac.compare_digest(given.encode(), right.encode()):
            return f"The {name} is not valid"
    return ""


_OPERATIONS = {
    "GetBookings": ("GET", "/bookings"),
    "PostBookings": ("POST", "/bookings"),
    "GetBookingsBookingnumber": ("GET", "/bookings/[^/]+"),
    "PutBookingsBookingnumber": ("PUT", "/bookings/[^/]+"),
    "DeleteBookingsBookingnumber": ("DELETE", "/bookings/[^/]+"),
    "GetAvailabilitySlots": ("GET", "/availability/slots"),
    "GetSettingsProducts": ("GET", "/settings/products"),
    "GetSettingsApikeyinfo": ("GET", "/settings/apikeyinfo"),
}
"""The method and the whole path, as a pattern, by operationId."""
OPERATION_IDS = frozenset(_OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """Return the operationId, or None for a request that is not part of the simulated API."""
    found = (name for name, (verb, shape) in _OPERATIONS.items() if verb == method and re.fullmatch(shape, path))
    return next(found, None)


class BookeoFault(WireFault):
    """A fault, and the operation that it affects."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]


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
    """Return the simulated account over the SQLite file `database`, seeded if it is empty.

    `controls` opens `/_sandbox/…`. `time_zone` is the school's IANA zone. `clock` replaces its clock.
    """
    store, school = DocumentStore(database), BookeoClock(time_zone, clock)
    bookings, faults = BookeoBookings(store, school), FaultQueue[BookeoFault]()
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
        app.include_router(control_routes(store, faults, BookeoFault, lambda: seed(bookings, school)))

    @app.get("/")
    async def about() -> dict[str, str]:
        return ABOUT

    for error in (RequestValidationError, HTTPException, BookeoApiError):
        app.add_exception_handler(error, _render)
    # The last one added is the outermost.
    app.add_middleware(BookeoAuthMiddleware)
    app.add_middleware(FaultMiddleware, faults=faults, operation_of=operation_of, error_body=_asked_for)
    app.add_middleware(SandboxHeaderMiddleware, name="bookeo")
    return app


def _asked_for(status: int) -> dict[str, object]:
    return error_body(status, "A fault was asked for")


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case BookeoApiError():
            status, message = error.status, error.message
        case RequestValidationError():
            first = error.errors()[0]
            status, message = 400, f"{'.'.join(map(str, first['loc'][1:])) or 'body'}: {first['msg']}"
        case HTTPException():
            status, message = error.status_code, str(error.detail)
        case _:
            raise error
    return JSONResponse(error_body(status, message), status_code=status)
