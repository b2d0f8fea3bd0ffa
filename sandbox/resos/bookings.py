"""Bookings: created, read, changed. A refusal is an `SandboxError`."""

import json
import secrets
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import DocumentStore, Json
from sandbox.resos.seating import HOLDING, Seating

Status = Literal[
    "request", "declined", "approved", "arrived", "seated", "left", "no_show", "canceled", "waitlist"
]  # fmt: skip
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Clock = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


class ResosGuest(BaseModel):
    """The guest of a booking."""

    model_config = ConfigDict(extra="forbid")

    name: str | None = None
    email: str | None = None
    phone: str | None = None


class _Optional(BaseModel):
    """Keys that a booking has and a creation may leave out."""

    model_config = ConfigDict(extra="forbid")

    duration: Annotated[int, Field(ge=15, le=1440)] | None = None
    status: Status | None = None
    source: str | None = None
    comment: str | None = None
    note: str | None = None
    tables: list[str] | None = None
    openingHourId: str | None = None
    customFields: list[dict[str, Any]] | None = None
    metadata: dict[str, Any] | None = None


class NewBooking(_Optional):
    """The fields of a new booking."""

    date: Day
    time: Clock
    people: Annotated[int, Field(ge=1)]
    guest: ResosGuest


class ResosChanges(_Optional):
    """The changeable fields of a booking; those left out keep their value."""

    date: Day | None = None
    time: Clock | None = None
    people: Annotated[int, Field(ge=1)] | None = None
    guest: ResosGuest | None = None


class ResosBookings:
    """The bookings of one restaurant. `stay` is the minutes of a booking without a duration."""

    def __init__(self, store: DocumentStore, seating: Seating, stay: int) -> None:
        self._store, self._seating, self._stay = store, seating, stay

    def make(self, new: NewBooking) -> str:
        """Return the new booking's id. Raises `SandboxError`."""
        given = new.model_dump(exclude_none=True)
        booking = {
            "_id": secrets.token_urlsafe(12),
            "duration": self._stay,
            "status": "request",
            "source": "api",
            "tables": [],
            **given,
            "createdAt": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        self._seat(booking, chosen=bool(given.get("tables")))
        self._store.put("booking", booking["_id"], booking)
        return str(booking["_id"])

    def change(self, booking_id: str, changes: ResosChanges) -> None:
        """Apply the changes to a booking. Raises `SandboxError`."""
        before, given = self.find(booking_id), changes.model_dump(exclude_none=True)
        after = {**before, **given}
        if "guest" in given:
            after["guest"] = {**before["guest"], **given["guest"]}
        moved = any(before[key] != after[key] for key in ("date", "time", "people", "duration"))
        if moved or before["status"] not in HOLDING:
            self._seat(after, chosen="tables" in given)
        self._store.put("booking", booking_id, after)

    def find(self, booking_id: str) -> Json:
        """Return one booking. Raises `SandboxError`."""
        found = self._store.get("booking", booking_id)
        if found is None:
            raise SandboxError(404, "Booking not found")
        return found

    def all(self) -> list[Json]:
        """Return every booking, by day and time."""
        return sorted(self._store.all("booking"), key=lambda b: (b["date"], b["time"], b["createdAt"]))

    def free_tables(self, day: str, start: str, people: int) -> list[str]:
        """Return the free tables for a stay of the usual length."""
        request = {"date": day, "time": start, "people": people, "duration": self._stay}
        return self._seating.free(request, self.all())

    def _seat(self, booking: Json, *, chosen: bool) -> None:
        if booking["status"] in HOLDING and not chosen:
            booking["tables"] = self._seating.seat(booking, self.all())


def of_phone(found: list[Json], query: str) -> list[Json]:
    """Return the bookings that match a `customQuery` by `guest.phone`, letter by letter. Raises `SandboxError`."""
    try:
        asked = json.loads(query)
    except ValueError:
        asked = None
    if not isinstance(asked, dict):
        raise SandboxError(422, "customQuery must be a JSON object")
    phone = asked.get("guest.phone")
    return found if phone is None else [b for b in found if b["guest"].get("phone") == phone]
