"""The ASGI application: its operations, under our own names, and its error bodies."""

import time
from collections.abc import Callable
from pathlib import Path

from fastapi import FastAPI, Response

from sandbox.kit.application import Operations, Simulation, create_simulation
from sandbox.kit.document_store import DocumentStore
from sandbox.octotable.auth import AUTH_PATH, CLIENT_ID, CLIENT_SECRET, PATH, PROPERTY, Tokens, authentication
from sandbox.octotable.reservations import Reservations, Status
from sandbox.octotable.routes import api_routes

OPERATIONS = Operations(
    {
        "create-token": ("POST", f"(?:{PATH}|{AUTH_PATH})/oauth2/token"),
        "list-services": ("GET", f"{PATH}/services"),
        "list-rooms": ("GET", f"{PATH}/rooms"),
        "list-reservations": ("GET", f"{PATH}/reservations"),
        "create-reservation": ("POST", f"{PATH}/reservations"),
        "get-reservation": ("GET", f"{PATH}/reservations/[^/]+"),
        "update-reservation": ("PUT", f"{PATH}/reservations/[^/]+"),
        "cancel-reservation": ("DELETE", f"{PATH}/reservations/[^/]+"),
    }
)
ABOUT = {
    "name": "OctoTable sandbox",
    "simulates": "the OctoTable API, v2",
    "notice": "A local simulation without a guest. It is not OctoTable and is connected to nothing.",
}
_CLASSES = {"invalid": "BadRequestException", "http": "HttpException", "fault": "SandboxException"}
"""The names of classes that OctoTable would give, where the refusal is one of the kit's."""


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
    store = DocumentStore(database)
    tokens = Tokens(client_id, client_secret, token_seconds, clock)
    app = create_simulation(
        Simulation("octotable", ABOUT, OPERATIONS, _body),
        store,
        api_routes(store, Reservations(store, settled), tokens, page),
        authentication(tokens, property_id),
        controls=controls,
    )
    if controls:

        @app.post("/_sandbox/tokens/revoke", status_code=204)
        async def revoke() -> Response:
            tokens.revoke()
            return Response(status_code=204)

    return app


def _body(status: int, message: str, code: str) -> object:
    return {"success": False, "error": {"code": status, "message": message, "class_name": _CLASSES.get(code, code)}}
