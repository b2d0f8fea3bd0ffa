"""The ASGI application: its operations, under our own names, and its error bodies. That a body is `{"message"}` is an
assumption."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from fastapi import FastAPI

from sandbox.kit.application import Operations, Simulation, create_simulation
from sandbox.kit.document_store import DocumentStore
from sandbox.resos.auth import API_KEY, Rate, authentication
from sandbox.resos.bookings import ResosBookings
from sandbox.resos.routes import Opening, api_routes
from sandbox.resos.seating import Seating

OPERATIONS = Operations(
    {
        "list-bookings": ("GET", "/v1/bookings"),
        "create-booking": ("POST", "/v1/bookings"),
        "get-booking": ("GET", "/v1/bookings/[^/]+"),
        "update-booking": ("PUT", "/v1/bookings/[^/]+"),
        "list-times": ("GET", "/v1/bookingFlow/times"),
        "list-opening-hours": ("GET", "/v1/openingHours"),
        "list-tables": ("GET", "/v1/tables"),
        "check-health": ("GET", "/v1/healthcheck"),
    }
)
ABOUT = {
    "name": "resOS sandbox",
    "simulates": "the resOS API, v1",
    "notice": "A local simulation without a guest. It is not resOS and is connected to nothing.",
}
SEATS = (4, 4, 8)
OPENINGS = tuple(
    Opening(day, name, first, last)
    for day in range(1, 8)
    for name, first, last in (("Lunch", "12:00", "14:30"), ("Dinner", "19:00", "23:00"))
)


def create_app(
    *,
    database: Path,
    controls: bool = False,
    api_key: str = API_KEY,
    seats: Sequence[int] = SEATS,
    stay: int = 120,
    openings: Sequence[Opening] = OPENINGS,
    phone_filter: Literal["honoured", "ignored"] = "honoured",
    per_second: int | None = None,
    clock: Callable[[], float] = time.time,
) -> FastAPI:
    """Return the simulated resOS over the SQLite file `database`, without bookings at first.

    `controls` opens `/_sandbox/…`. `seats` has the seats of each table. `stay` is the minutes of a booking without a
    duration. `phone_filter` sets how a `customQuery` by phone is handled. `per_second` is the rate beyond which it
    answers 429, in seconds of `clock`.
    """
    store, seating = DocumentStore(database), Seating(seats)
    bookings = ResosBookings(store, seating, stay)
    return create_simulation(
        Simulation("resos", ABOUT, OPERATIONS, lambda status, message, code: {"message": message}, _invalid),
        store,
        api_routes(store, bookings, seating, openings, phone_filter=phone_filter == "honoured"),
        authentication(api_key, Rate(per_second, clock)),
        controls=controls,
    )


def _invalid(place: str, error: Mapping[str, str]) -> tuple[int, str]:
    return 422, f'"{place}" is not allowed' if error["type"] == "extra_forbidden" else f'"{place}": {error["msg"]}'
