"""The ASGI application: its operations, under Bookeo's operationIds, its error bodies, and its authentication.

A request needs the application's secret key and the account's API key, as headers or in the query.
"""

import hmac
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from fastapi import FastAPI
from starlette.datastructures import Headers, QueryParams
from starlette.types import Scope

from sandbox.bookeo.bookings import BookeoBookings
from sandbox.bookeo.routes import api_routes
from sandbox.bookeo.schedule import BookeoClock
from sandbox.bookeo.seed import seed
from sandbox.kit.application import Operations, SandboxError, Simulation, create_simulation
from sandbox.kit.document_store import DocumentStore

API_KEY = "SANDBOXAPIKEY0F1A2B3C4D5E6F"
SECRET_KEY = "sandboxSecretKey9Zy8Xw7Vu6"
"""A key of this sandbox only; there is nothing to protect."""
OPERATIONS = Operations(
    {
        "GetBookings": ("GET", "/bookings"),
        "PostBookings": ("POST", "/bookings"),
        "GetBookingsBookingnumber": ("GET", "/bookings/[^/]+"),
        "PutBookingsBookingnumber": ("PUT", "/bookings/[^/]+"),
        "DeleteBookingsBookingnumber": ("DELETE", "/bookings/[^/]+"),
        "GetAvailabilitySlots": ("GET", "/availability/slots"),
        "GetSettingsProducts": ("GET", "/settings/products"),
        "GetSettingsApikeyinfo": ("GET", "/settings/apikeyinfo"),
    }
)
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
    bookings = BookeoBookings(store, school)
    with store.transaction():
        if not store.all("booking"):
            seed(bookings, school)
    return create_simulation(
        Simulation("bookeo", ABOUT, OPERATIONS, _body),
        store,
        api_routes(store, bookings, school),
        _authenticate,
        controls=controls,
        refill=lambda: seed(bookings, school),
    )


def _authenticate(scope: Scope) -> SandboxError | None:
    headers, query = Headers(scope=scope), QueryParams(scope["query_string"])
    for name, right in (("secretKey", SECRET_KEY), ("apiKey", API_KEY)):
        given = headers.get(f"X-Bookeo-{name}") or query.get(name) or ""
        if not given:
            return SandboxError(403, f"The {name} is missing")
        if not hmac.compare_digest(given.encode(), right.encode()):
            return SandboxError(403, f"The {name} is not valid")
    return None


def _body(status: int, message: str, code: str) -> object:
    """Return the body of every refusal; `errorId` is the id that Bookeo's support asks for."""
    return {"httpStatus": status, "message": message, "errorId": uuid4().hex[:16].upper()}
