"""Bookings: made, read, changed. A refusal is a `RefusedError`."""

import json
import secrets
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.documents import Json, Store
from sandbox.resos.errors import RefusedError
from sandbox.resos.seating import HOLDING, Seating

Status = Literal[
    "request", "declined", "approved", "arrived", "seated", "left", "no_show", "canceled", "waitlist"
]  # fmt: skip
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Clock = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


class Guest(BaseModel):
    """Whose booking it is."""

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
    """What makes one."""

    date: Day
    time: Clock
    people: Annotated[int, Field(ge=1)]
    guest: Guest


class Changes(_Optional):
    """What may change of one; what is left out stays."""

    date: Day | None = None
    time: Clock | None = None
    people: Annotated[int, Field(ge=1)] | None = None
    guest: Guest | None = None


class Bookings:
    """The bookings of one restaurant. `stay` are the minutes of a booking that says no duration."""

    def __init__(self, store: Store, seating: Seating, stay: int) -> None:
        self._store, self._seating, self._stay = store, seating, stay

    def make(self, new: NewBooking) -> str:
        """The new booking's id. Raises `RefusedError`."""
        said = new.model_dump(exclude_none=True)
        booking = {
            "_id": secrets.token_urlsafe(12),
            "duration": self._stay,
            "status": "request",
            "source": "api",
            "tables": [],
            **said,
            "createdAt": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        self._seat(booking, chosen=bool(said.get("tables")))
        self._store.put("booking", booking["_id"], booking)
        return str(booking["_id"])

    def change(self, booking_id: str, changes: Changes) -> None:
        """Write what was sent over what is there. Raises `RefusedError`."""
        before, said = self.find(booking_id), changes.model_dump(exclude_none=True)
        after = {**before, **said}
        if "guest" in said:
            after["guest"] = {**before["guest"], **said["guest"]}
        moved = any(before[key] != after[key] for key in ("date", "time", "people", "duration"))
        if moved or before["status"] not in HOLDING:
            self._seat(after, chosen="tables" in said)
        self._store.put("booking", booking_id, after)

    def find(self, booking_id: str) -> Json:
        """One booking. Raises `RefusedError`."""
        found = self._store.get("booking", booking_id)
        if found is None:
            raise RefusedError(404, "Booking not found")
        return found

    def all(self) -> list[Json]:
        """Every booking, by day and time."""
        return sorted(self._store.all("booking"), key=lambda b: (b["date"], b["time"], b["createdAt"]))

    def free_tables(self, day: str, start: str, people: int) -> list[str]:
        """The tables that would do for a stay of the usual length."""
        asked = {"date": day, "time": start, "people": people, "duration": self._stay}
        return self._seating.free(asked, self.all())

    def _seat(self, booking: Json, *, chosen: bool) -> None:
        if booking["status"] in HOLDING and not chosen:
            booking["tables"] = self._seating.seat(booking, self.all())


def of_phone(found: list[Json], query: str) -> list[Json]:
    """What of these a `customQuery` by `guest.phone` asks for, letter by letter. Raises `RefusedError`."""
    try:
        asked = json.loads(query)
    except ValueError:
        asked = None
    if not isinstance(asked, dict):
        raise RefusedError(422, "customQuery must be a JSON object")
    phone = asked.get("guest.phone")
    return found if phone is None else [b for b in found if b["guest"].get("phone") == phone]
