"""The ASGI application: its parts put together, its error bodies, and the sign that it is a simulation."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from infra.telemetry import TELEMETRY
from sandbox.controlled import FaultyWire, control_routes
from sandbox.documents import Store
from sandbox.faults import FaultQueue
from sandbox.sheets.errors import RefusedError, error_body
from sandbox.sheets.gate import PROJECT_QUOTA, USER_QUOTA, Gate, Quotas
from sandbox.sheets.grid import Spreadsheets
from sandbox.sheets.operations import Fault, operation_of
from sandbox.sheets.routes import Writer, api_routes
from sandbox.tally import Counted, Tally, tally_routes
from sandbox.wire import Signed

ABOUT = {
    "name": "Google Sheets sandbox",
    "simulates": "a part of the Google Sheets API, v4",
    "notice": "A local simulation without a guest. It is not Google's and is connected to nothing.",
}
SPREADSHEET = "sandbox-spreadsheet"
SPREADSHEETS: Mapping[str, tuple[str, ...]] = MappingProxyType({SPREADSHEET: ("Bookings",)})


def create_app(
    *,
    database: Path,
    controls: bool = False,
    spreadsheets: Mapping[str, tuple[str, ...]] = SPREADSHEETS,
    user_quota: int = USER_QUOTA,
    project_quota: int = PROJECT_QUOTA,
    write_lag: float = 0,
    clock: Callable[[], float] = time.monotonic,
) -> FastAPI:
    """The simulated Google Sheets over the SQLite file `database`.

    `controls` opens `/_sandbox/…`. `spreadsheets` are there at first, each by its id with the titles of its empty
    sheets. The quotas are requests of one token, and of all, in a minute of `clock`. A write takes effect
    `write_lag` seconds after it was asked for, so that two writers race.
    """
    store, faults, tally = Store(database), FaultQueue[Fault](), Tally()
    kept, quotas = Spreadsheets(store), Quotas(user_quota, project_quota, clock)

    def fill() -> None:
        for spreadsheet_id, titles in spreadsheets.items():
            kept.make(spreadsheet_id, titles)

    def refill() -> None:
        fill()
        quotas.clear()

    with store.transaction():
        if not store.all("spreadsheet"):
            fill()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        store.close()

    app = FastAPI(title=ABOUT["name"], lifespan=lifespan, openapi_url=None, redirect_slashes=False, telemetry=TELEMETRY)
    app.include_router(api_routes(kept, Writer(store, kept, write_lag)))
    if controls:
        app.include_router(control_routes(store, faults, Fault, refill))
        app.include_router(tally_routes(tally))

    app.add_api_route("/", _about)
    app.add_api_route("/token", _token, methods=["POST"])
    for error in (RequestValidationError, HTTPException, RefusedError):
        app.add_exception_handler(error, _render)
    # The last one added is the outermost.
    app.add_middleware(Gate, quotas=quotas)
    app.add_middleware(FaultyWire, faults=faults, operation_of=operation_of, error_body=_asked_for)
    app.add_middleware(Counted, tally=tally, operation_of=operation_of)
    app.add_middleware(Signed, name="sheets")
    return app


async def _about() -> dict[str, str]:
    return ABOUT


async def _token() -> dict[str, object]:
    """Where a service account's key may have its `token_uri`: nothing of what is sent is checked."""
    return {"access_token": "sandbox-token", "expires_in": 3600, "token_type": "Bearer"}


def _asked_for(status: int) -> dict[str, object]:
    return error_body(status, f"A fault was asked for ({status})")


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case RefusedError():
            status, message = error.status, error.message
        case RequestValidationError():
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"][1:])) or "body"
            status, message = 400, f"Invalid value at '{where}': {first['msg']}"
        case HTTPException():
            status, message = error.status_code, str(error.detail)
        case _:
            raise error
    return JSONResponse(error_body(status, message), status_code=status)
