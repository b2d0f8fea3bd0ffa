"""The ASGI application: its operations, under Google's names, and its error bodies."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from fastapi import FastAPI

from sandbox.kit.application import Operations, Simulation, create_simulation
from sandbox.kit.document_store import DocumentStore
from sandbox.sheets.auth import PROJECT_QUOTA, USER_QUOTA, Quotas, authentication
from sandbox.sheets.grid import Spreadsheets
from sandbox.sheets.routes import RangeWriter, api_routes

_ONE = "/v4/spreadsheets/[^/:]+"
OPERATIONS = Operations(
    {
        "spreadsheets.get": ("GET", _ONE),
        "spreadsheets.batchUpdate": ("POST", f"{_ONE}:batchUpdate"),
        "values.get": ("GET", f"{_ONE}/values/[^/]+"),
        "values.append": ("POST", f"{_ONE}/values/[^/]+:append"),
        "values.batchUpdate": ("POST", f"{_ONE}/values:batchUpdate"),
    }
)
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
    store = DocumentStore(database)
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

    app = create_simulation(
        Simulation("sheets", ABOUT, OPERATIONS, _body, _invalid),
        store,
        api_routes(kept, RangeWriter(store, kept, write_lag)),
        authentication(quotas),
        controls=controls,
        refill=refill,
    )
    app.add_api_route("/token", _token, methods=["POST"])
    return app


_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


async def _token() -> dict[str, object]:
    """Serve as the `token_uri` of a service account's key. The request is not checked."""
    return {"access_token": "sandbox-token", "expires_in": 3600, "token_type": "Bearer"}


def _body(status: int, message: str, code: str) -> object:
    return {"error": {"code": status, "message": message, "status": _STATUSES.get(status, "UNKNOWN")}}


def _invalid(place: str, error: Mapping[str, str]) -> tuple[int, str]:
    return 400, f"Invalid value at '{place}': {error['msg']}"
