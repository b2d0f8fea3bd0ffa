"""The ASGI application: its parts, its error bodies, and the header that marks a simulation.

The operation of a request, by method and path, under the document's operationIds.

A request needs a bearer token; any is accepted, because the calendar has nothing to protect.
"""

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
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from infra.http.http_server import TELEMETRY
from sandbox.calendar.clock import CalendarApiError, CalendarClock, error_body
from sandbox.calendar.events import Events
from sandbox.calendar.routes import api_routes
from sandbox.calendar.seed import seed
from sandbox.kit.asgi import SandboxHeaderMiddleware
from sandbox.kit.control_routes import FaultMiddleware, WireFault, control_routes
from sandbox.kit.document_store import DocumentStore
from sandbox.kit.faults import FaultQueue, one_of

EXPIRED = "expired-operator"
"""The one token that is refused, so that a new sign-in can be tested."""


class CalendarAuthMiddleware:
    """ASGI middleware: 401 without a valid token. The control endpoints are not the calendar's and need none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on."""
        open_ = scope["type"] != "http" or scope["path"] == "/" or scope["path"].startswith("/_sandbox")
        if not open_ and not _let_in(scope):
            refusal = error_body("unauthorized", "A bearer token is required, and one that has not expired")
            headers = {"WWW-Authenticate": "Bearer"}
            await JSONResponse(refusal, status_code=401, headers=headers)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _let_in(scope: Scope) -> bool:
    scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and token.strip() not in ("", EXPIRED)


_OPERATIONS = {
    "get-account": ("GET", "/v1/account"),
    "list-people": ("GET", "/v1/people"),
    "list-busy-times": ("GET", "/v1/busy-times"),
    "list-openings": ("GET", "/v1/openings"),
    "list-events": ("GET", "/v1/events"),
    "create-event": ("POST", "/v1/events"),
    "get-event": ("GET", "/v1/events/[^/]+"),
    "change-event": ("PATCH", "/v1/events/[^/]+"),
    "cancel-event": ("DELETE", "/v1/events/[^/]+"),
}
"""The method and the whole path, as a pattern, by operationId."""
OPERATION_IDS = frozenset(_OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """Return the operationId, or None for a request that is not part of the API."""
    found = (name for name, (verb, shape) in _OPERATIONS.items() if verb == method and re.fullmatch(shape, path))
    return next(found, None)


class CalendarFault(WireFault):
    """A fault, and the operation that it affects."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]


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
    """Return the simulated calendar over the SQLite file `database`, filled if it is empty.

    `controls` opens `/_sandbox/…`. `time_zone` is the team's IANA zone. `clock` replaces its clock.
    """
    store, team = DocumentStore(database), CalendarClock(time_zone, clock)
    events, faults = Events(store, team), FaultQueue[CalendarFault]()
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
        app.include_router(control_routes(store, faults, CalendarFault, lambda: seed(events, team)))

    @app.get("/")
    async def about() -> dict[str, str]:
        return ABOUT

    for error in (RequestValidationError, HTTPException, CalendarApiError):
        app.add_exception_handler(error, _render)
    # The last one added is the outermost.
    app.add_middleware(CalendarAuthMiddleware)
    app.add_middleware(FaultMiddleware, faults=faults, operation_of=operation_of, error_body=_asked_for)
    app.add_middleware(SandboxHeaderMiddleware, name="calendar")
    return app


def _asked_for(status: int) -> dict[str, object]:
    return error_body("fault", f"A fault was asked for ({status})")


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case CalendarApiError():
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
