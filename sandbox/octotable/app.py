"""The ASGI application: its parts, its error bodies, and the header that marks a simulation."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from infra.http.http_server import TELEMETRY
from sandbox.kit.asgi import SandboxHeaderMiddleware
from sandbox.kit.control_routes import FaultMiddleware, control_routes
from sandbox.kit.document_store import DocumentStore
from sandbox.kit.faults import FaultQueue
from sandbox.kit.request_counter import RequestCounter, RequestCounterMiddleware, tally_routes
from sandbox.octotable.auth import CLIENT_ID, CLIENT_SECRET, PROPERTY, OctoTableAuthMiddleware, Tokens
from sandbox.octotable.operations import OctoTableFault, operation_of
from sandbox.octotable.reservations import OctoTableApiError, Reservations, Status, error_body
from sandbox.octotable.routes import api_routes

ABOUT = {
    "name": "OctoTable sandbox",
    "simulates": "the OctoTable API, v2",
    "notice": "A local simulation without a guest. It is not OctoTable and is connected to nothing.",
}


def create_app(
    *,
    database: Path,
    controls: bool = False,
    client_id: str = CLIENT_ID,
    client_secret: str = CLIENT_SECRET,
    property_id: str = PROPERTY,
    token_seconds: float = 1440,
    page: int = 50,
    settled: Status = "CONFIRMED",
    clock: Callable[[], float] = time.monotonic,
) -> FastAPI:
    """Return the simulated OctoTable over the SQLite file `database`, without reservations at first.

    `controls` opens `/_sandbox/…`, with `POST /_sandbox/tokens/revoke` beside the routes of all simulations.
    `token_seconds` is the life of a token, by `clock`. `page` is the maximum of one page of a list. `settled` is the
    status of a new reservation.
    """
    store, faults, tally = DocumentStore(database), FaultQueue[OctoTableFault](), RequestCounter()
    tokens = Tokens(client_id, client_secret, token_seconds, clock)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(title=ABOUT["name"], lifespan=lifespan, openapi_url=None, redirect_slashes=False, telemetry=TELEMETRY)
    app.include_router(api_routes(store, Reservations(store, settled), tokens, page))
    if controls:
        app.include_router(control_routes(store, faults, OctoTableFault, lambda: None))
        app.include_router(tally_routes(tally))

        @app.post("/_sandbox/tokens/revoke", status_code=204)
        async def revoke() -> Response:
            tokens.revoke()
            return Response(status_code=204)

    @app.get("/")
    async def about() -> dict[str, str]:
        return ABOUT

    for error in (RequestValidationError, HTTPException, OctoTableApiError):
        app.add_exception_handler(error, _render)
    # The last one added is the outermost.
    app.add_middleware(OctoTableAuthMiddleware, tokens=tokens, property_id=property_id)
    app.add_middleware(FaultMiddleware, faults=faults, operation_of=operation_of, error_body=_asked_for)
    app.add_middleware(RequestCounterMiddleware, tally=tally, operation_of=operation_of)
    app.add_middleware(SandboxHeaderMiddleware, name="octotable")
    return app


def _asked_for(status: int) -> dict[str, object]:
    return error_body(status, f"A fault was asked for ({status})", "SandboxException")


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case OctoTableApiError():
            status, message, class_name = error.status, error.message, error.class_name
        case RequestValidationError():
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"][1:])) or "body"
            status, message, class_name = 400, f"{where}: {first['msg']}", "BadRequestException"
        case HTTPException():
            status, message, class_name = error.status_code, str(error.detail), "HttpException"
        case _:
            raise error
    return JSONResponse(error_body(status, message, class_name), status_code=status)
