"""Reservations: created, read, replaced, cancelled. A refusal is an `SandboxError`.

Nothing here checks capacity: a reservation beyond it is accepted like any other.

Refusals of the sandbox: an `SandboxError`, rendered once in `app` in the form of OctoTable's errors.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import DocumentStore, Json

Status = Literal[
    "WAITING", "ACCEPTED", "CANCELLED", "CONFIRMED", "EXPIRED", "PREPAY", "OUTOFORDER", "REJECTED"
]  # fmt: skip
SERVICES: tuple[Json, ...] = (
    {"id": 11, "name": "Lunch", "bookable": True, "start_time": "12:00:00", "end_time": "15:00:00"},
    {"id": 12, "name": "Dinner", "bookable": True, "start_time": "19:00:00", "end_time": "23:00:00"},
)
ROOMS: tuple[Json, ...] = ({"id": 21, "name": "Sala", "bookable": True},)
_FIRST_ID = 1000
_FIRST_CUSTOMER = 5000


class OctoTableCustomer(BaseModel):
    """The customer. `id` is OctoTable's."""

    model_config = ConfigDict(extra="ignore")

    id: int | None = None
    first_name: str
    last_name: str = ""
    email: str = ""
    phone: str = ""


class Whole(BaseModel):
    """A reservation as it is sent, with all its fields."""

    model_config = ConfigDict(extra="ignore")

    start_date: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    start_hour: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$")]
    pax: Annotated[int, Field(ge=1)]
    service_id: int
    room_id: int
    channel: str
    customer: OctoTableCustomer
    status: Status | None = None
    notes: str = ""
    special_request: str = ""


class Reservations:
    """The reservations of one property. `settled` is the status of a new one without a status."""

    def __init__(self, store: DocumentStore, settled: Status) -> None:
        self._store, self._settled = store, settled

    def make(self, sent: Whole) -> Json:
        """Create a reservation and return it. Raises `SandboxError`."""
        number = len(self._store.all("reservation"))
        made = self._document(_FIRST_ID + number, sent, _FIRST_CUSTOMER + number, sent.status or self._settled)
        self._put(made)
        return made

    def replace(self, reservation_id: str, sent: Whole) -> Json:
        """Replace all fields; `status`, which a body need not have, stays if it is not sent. Raises
        `SandboxError`."""
        before = self.find(reservation_id)
        if sent.customer.id != before["customer"]["id"]:
            raise SandboxError(500, "customer.id is required", "NullPointerException")
        after = self._document(before["id"], sent, before["customer"]["id"], sent.status or before["status"])
        self._put(after)
        return after

    def cancel(self, reservation_id: str) -> Json:
        """Cancel and keep a reservation; cancelling again changes nothing. Raises `SandboxError`."""
        after = {**self.find(reservation_id), "status": "CANCELLED"}
        self._put(after)
        return after

    def find(self, reservation_id: str) -> Json:
        """Return one reservation. Raises `SandboxError`."""
        found = self._store.get("reservation", reservation_id.rjust(12, "0"))
        if found is None:
            raise SandboxError(404, "Reservation not found", "NotFoundException")
        return found

    def all(self) -> list[Json]:
        """Return every reservation, in the order of creation."""
        return self._store.all("reservation")

    def _put(self, reservation: Json) -> None:
        self._store.put("reservation", str(reservation["id"]).rjust(12, "0"), reservation)

    def _document(self, id_: int, sent: Whole, customer_id: int, status: Status) -> Json:
        return {
            "id": id_,
            "pax": sent.pax,
            "status": status,
            "customer": {**sent.customer.model_dump(), "id": customer_id},
            "service": _one_of(SERVICES, sent.service_id, "service_id"),
            "room": _one_of(ROOMS, sent.room_id, "room_id"),
            "channel": sent.channel,
            "notes": sent.notes,
            "special_request": sent.special_request,
            "start_date": sent.start_date,
            "start_hour": sent.start_hour,
            "last_status_change": datetime.now().isoformat(timespec="seconds"),
        }


def _one_of(known: tuple[Json, ...], id_: int, name: str) -> Json:
    for one in known:
        if one["id"] == id_:
            return {"id": id_, "name": one["name"]}
    raise SandboxError(400, f"{name} {id_} is not known", "BadRequestException")
