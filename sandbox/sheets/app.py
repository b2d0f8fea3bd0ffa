"""The ASGI application: its parts, its error bodies, and the header that marks a simulation.

The operation of a request, by method and path, and its faults on request.
"""

import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import AfterValidator
from starlette.exceptions import HTTPException

from infra.http.http_server import TELEMETRY
from sandbox.kit.asgi import SandboxHeaderMiddleware
from sandbox.kit.control_routes import FaultMiddleware, WireFault, control_routes
from sandbox.kit.document_store import DocumentStore
from sandbox.kit.faults import FaultQueue, one_of
from sandbox.kit.request_counter import RequestCounter, RequestCounterMiddleware, tally_routes
from sandbox.sheets.auth import PROJECT_QUOTA, USER_QUOTA, Quotas, SheetsAuthMiddleware
from sandbox.sheets.grid import Spreadsheets
from sandbox.sheets.ranges import SheetsApiError, error_body
from sandbox.sheets.routes import RangeWriter, api_routes

_ONE = "/v4/spreadsheets/[^/:]+"
_OPERATIONS = {
    "spreadsheets.get": ("GET", _ONE),
    "spreadsheets.batchUpdate": ("POST", f"{_ONE}:batchUpdate"),
    "values.get": ("GET", f"{_ONE}/values/[^/]+"),
    "values.append": ("POST", f"{_ONE}/values/[^/]+:append"),
    "values.batchUpdate": ("POST", f"{_ONE}/values:batchUpdate"),
}
"""The method and the whole path, as a pattern, by Google's name of the operation."""
OPERATION_IDS = frozenset(_OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """Return the operation, or None for a request that is not part of the API."""
    found = (name for name, (verb, shape) in _OPERATIONS.items() if verb == method and re.fullmatch(shape, path))
    return next(found, None)


class SheetsFault(WireFault):
    """A fault, and the operation that it affects."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]


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
    """Return the simulated Google Sheets over the SQLite file `database`.

    `controls` opens `/_sandbox/…`. `spreadsheets` exist at first, each by its id with the titles of its empty sheets.
    The quotas are requests of one token, and of all, in a minute of `clock`. A write takes effect `write_lag` seconds
    after its request, so that two writers race.
    """
    store, faults, tally = DocumentStore(database), FaultQueue[SheetsFault](), RequestCounter()
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
    app.include_router(api_routes(kept, RangeWriter(store, kept, write_lag)))
    if controls:
        app.include_router(control_routes(store, faults, SheetsFault, refill))
        app.include_router(tally_routes(tally))

    app.add_api_route("/", _about)
    app.add_api_route("/token", _token, methods=["POST"])
    for error in (RequestValidationError, HTTPException, SheetsApiError):
        app.add_exception_handler(error, _render)
    _add_middleware(app, quotas, faults, tally)
    return app


def _add_middleware(app: FastAPI, quotas: Quotas, faults: FaultQueue[SheetsFault], tally: RequestCounter) -> None:
    """Add the middleware; the last one added is the outermost."""
    app.add_middleware(SheetsAuthMiddleware, quotas=quotas)
    app.add_middleware(FaultMiddleware, faults=faults, operation_of=operation_of, error_body=_asked_for)
    app.add_middleware(RequestCounterMiddleware, tally=tally, operation_of=operation_of)
    app.add_middleware(SandboxHeaderMiddleware, name="sheets")


async def _about() -> dict[str, str]:
    return ABOUT


async def _token() -> dict[str, object]:
    """Serve as the `token_uri` of a service account's key. The request is not checked."""
    return {"access_token": "sandbox-token", "expires_in": 3600, "token_type": "Bearer"}


def _asked_for(status: int) -> dict[str, object]:
    return error_body(status, f"A fault was asked for ({status})")


def _render(_: Request, error: Exception) -> JSONResponse:
    match error:
        case SheetsApiError():
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
