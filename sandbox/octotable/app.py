"""The ASGI application: its parts put together, its error bodies, and the sign that it is a simulation."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from infra.telemetry import TELEMETRY
from sandbox.controlled import FaultyWire, control_routes
from sandbox.documents import Store
from sandbox.faults import FaultQueue
from sandbox.octotable.errors import RefusedError, error_body
from sandbox.octotable.gate import Gate
from sandbox.octotable.operations import Fault, operation_of
from sandbox.octotable.reservations import Reservations, Status
from sandbox.octotable.routes import api_routes
from sandbox.octotable.tokens import CLIENT_ID, CLIENT_SECRET, PROPERTY, Tokens
from sandbox.tally import Counted, Tally, tally_routes
from sandbox.wire import Signed

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
    """The simulated OctoTable over the SQLite file `database`, without a reservation at first.

    `controls` opens `/_sandbox/…`, with `POST /_sandbox/tokens/revoke` beside what all stand-ins have. `token_seconds`
    is how long a token counts, by `clock`. `page` is the most that one page of a list holds. `settled` is a new one's
    status.
    """
    store, faults, tally = Store(database), FaultQueue[Fault](), Tally()
    tokens = Tokens(client_id, client_secret, token_seconds, clock)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(title=ABOUT["name"], lifespan=lifespan, openapi_url=None, redirect_slashes=False, telemetry=TELEMETRY)
    app.include_router(api_routes(store, Reservations(store, settled), tokens, page))
    if controls:
        app.include_router(control_routes(store, faults, Fault, lambda: None))
        app.include_router(tally_routes(tally))

        @app.post("/_sandbox/tokens/revoke", status_code=204)
        async def revoke() -> Response:
            tokens.revoke()
            return Response(status_code=204)

    @app.get("/")
    async def about() -> dict[str, str]:
        return ABOUT

    for error in (RequestValidationError, HTTPException, RefusedError):
        app.add_exception_handler(error, _render)
    # The last one added is the outermost.
    app.add_middleware(Gate, tokens=tokens, property_id=property_id)
    app.add_middleware(FaultyWire, faults=faults, operation_of=operation_of, error_body=_asked_for)
    app.add_middleware(Counted, tally=tally, operation_of=operation_of)
    app.add_middleware(Signed, name="octotable")
    return app


def _asked_for(status: int) -> dict[str, object]:
    return error_body(status, f"A fault was asked for ({status})", "SandboxException")


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case RefusedError():
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
