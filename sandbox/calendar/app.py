"""The ASGI application: its operations, under the document's operationIds, its error bodies, and its authentication.

A request needs a bearer token; any is accepted, because the calendar has nothing to protect.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.types import Scope

from sandbox.calendar.clock import CalendarClock
from sandbox.calendar.events import Events
from sandbox.calendar.routes import api_routes
from sandbox.calendar.seed import seed
from sandbox.kit.application import Operations, SandboxError, Simulation, create_simulation
from sandbox.kit.document_store import DocumentStore

EXPIRED = "expired-operator"
"""The one token that is refused, so that a new sign-in can be tested."""
OPERATIONS = Operations(
    {
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
)
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
    events = Events(store, team)
    with store.transaction():
        if not store.all("event"):
            seed(events, team)
    return create_simulation(
        Simulation("calendar", ABOUT, OPERATIONS, _body),
        store,
        api_routes(store, events, team),
        _authenticate,
        controls=controls,
        refill=lambda: seed(events, team),
    )


def _authenticate(scope: Scope) -> SandboxError | None:
    scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip() not in ("", EXPIRED):
        return None
    message = "A bearer token is required, and one that has not expired"
    return SandboxError(401, message, "unauthorized", {"WWW-Authenticate": "Bearer"})


def _body(status: int, message: str, code: str) -> object:
    return {"error": {"code": code, "message": message}}
