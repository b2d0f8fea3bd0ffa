"""The shell of a simulation: its application, its operations, its refusals and its authentication.

A request passes, outermost first: the header that marks a simulation, the count, requested faults, authentication, and
the routes of the simulated API.
"""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from infra.http.http_server import TELEMETRY
from sandbox.kit.asgi import SandboxHeaderMiddleware
from sandbox.kit.control_routes import FaultMiddleware, control_routes
from sandbox.kit.document_store import DocumentStore
from sandbox.kit.faults import FaultQueue, WireFault
from sandbox.kit.request_counter import RequestCounter, RequestCounterMiddleware, tally_routes


class SandboxError(Exception):
    """A refusal of a simulated API: its HTTP status, a message for people, and a code where the API has one."""

    def __init__(
        self, status: int, message: str, code: str = "refused", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.headers = status, message, code, headers


Body = Callable[[int, str, str], object]
"""Returns the body of a refusal by its status, message and code. Codes of the kit are `invalid`, `http`, `fault`."""
Authentication = Callable[[Scope], SandboxError | None]
"""Returns the refusal of a request, None if it may pass."""


class Operations:
    """The operations of a simulated API: the method and the whole path, as a pattern, by operationId."""

    def __init__(self, operations: Mapping[str, tuple[str, str]]) -> None:
        self._operations = operations
        self.ids = frozenset(operations)

    def of(self, method: str, path: str) -> str | None:
        """Return the operationId, or None for a request that is not part of the API."""
        rows = self._operations.items()
        return next((name for name, (verb, shape) in rows if verb == method and re.fullmatch(shape, path)), None)


class AuthenticationMiddleware:
    """ASGI middleware that refuses what the API would not accept. `/` and the controls are not part of the API."""

    def __init__(self, app: ASGIApp, authenticate: Authentication, body: Body) -> None:
        self._app, self._authenticate, self._body = app, authenticate, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on."""
        open_ = scope["type"] != "http" or scope["path"] == "/" or scope["path"].startswith("/_sandbox")
        refusal = None if open_ else self._authenticate(scope)
        await (self._app if refusal is None else _response(refusal, self._body))(scope, receive, send)


@dataclass(frozen=True, slots=True)
class Simulation:
    """What differs between simulations. `key` is the value of the header that marks a response; `about` is what `GET /`
    returns; `invalid` returns the status and the message of a request that does not fit its schema, by its place and
    Pydantic's first error."""

    key: str
    about: Mapping[str, str]
    operations: Operations
    body: Body
    invalid: Callable[[str, Mapping[str, str]], tuple[int, str]] = lambda place, error: (
        400,
        f"{place}: {error['msg']}",
    )


def create_simulation(
    simulation: Simulation,
    store: DocumentStore,
    routes: APIRouter,
    authenticate: Authentication,
    *,
    controls: bool,
    refill: Callable[[], None] = lambda: None,
) -> FastAPI:
    """Return the application of a simulation. It closes `store` when it stops. `controls` opens `/_sandbox/…`, where
    `refill` is the seed of a reset."""
    faults, tally = FaultQueue[WireFault](), RequestCounter()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    async def about() -> Mapping[str, str]:
        return simulation.about

    async def render(_: Request, error: Exception) -> JSONResponse:
        return _response(_refusal(error, simulation), simulation.body)

    app = FastAPI(
        title=simulation.about["name"], lifespan=lifespan, openapi_url=None, redirect_slashes=False, telemetry=TELEMETRY
    )
    app.include_router(routes)
    app.add_api_route("/", about)
    if controls:
        app.include_router(control_routes(store, faults, simulation.operations.ids, refill))
        app.include_router(tally_routes(tally))
    for kind in (RequestValidationError, HTTPException, SandboxError):
        app.add_exception_handler(kind, render)
    operation_of = simulation.operations.of
    # The last one added is the outermost.
    app.add_middleware(AuthenticationMiddleware, authenticate=authenticate, body=simulation.body)
    app.add_middleware(
        FaultMiddleware,
        faults=faults,
        operation_of=operation_of,
        error_body=lambda status: simulation.body(status, f"A fault was asked for ({status})", "fault"),
    )
    app.add_middleware(RequestCounterMiddleware, tally=tally, operation_of=operation_of)
    app.add_middleware(SandboxHeaderMiddleware, name=simulation.key)
    return app


def _response(error: SandboxError, body: Body) -> JSONResponse:
    content = body(error.status, error.message, error.code)
    return JSONResponse(content, status_code=error.status, headers=error.headers)


def _refusal(error: Exception, simulation: Simulation) -> SandboxError:
    match error:
        case SandboxError():
            return error
        case RequestValidationError():
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"][1:])) or "body"
            return SandboxError(*simulation.invalid(place, first), "invalid")
        case HTTPException():
            return SandboxError(error.status_code, str(error.detail), "http")
        case _:
            raise error
