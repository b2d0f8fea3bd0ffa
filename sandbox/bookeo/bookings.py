"""Bookings: created, read, replaced and canceled, with the seats that each takes.

As with Bookeo, a canceled booking is kept and takes no seats; a PUT replaces all writable fields.
"""

import secrets
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field

from sandbox.bookeo.schedule import BY_ID, BookeoClock, Slot, slot_of, written
from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import DocumentStore, Json

AGENT = "API"
CATEGORIES = ("Cadults", "Cchildren", "Cinfants")


class PeopleNumber(BaseModel):
    """The number of people of one category."""

    peopleCategoryId: str
    number: Annotated[int, Field(ge=0)]


class Participant(BaseModel):
    """One person whose name is known."""

    personId: str
    peopleCategoryId: str
    categoryIndex: Annotated[int, Field(ge=1)]


class Participants(BaseModel):
    """The participants of a booking."""

    numbers: list[PeopleNumber]
    details: list[Participant] = []


class PhoneNumber(BaseModel):
    """A phone number."""

    number: str
    type: str = "mobile"


class NewCustomer(BaseModel):
    """A customer as a booking sends one."""

    firstName: str = ""
    lastName: Annotated[str, Field(min_length=1)]
    emailAddress: str | None = None
    phoneNumbers: list[PhoneNumber] = []


class Option(BaseModel):
    """An option that was chosen or entered."""

    id: str
    name: str = ""
    value: str


class BookingBody(BaseModel):
    """The writable fields of a booking; all others in a body are ignored as read-only."""

    productId: str | None = None
    eventId: str | None = None
    customerId: str | None = None
    customer: NewCustomer | None = None
    externalRef: Annotated[str, Field(max_length=64)] | None = None
    participants: Participants
    options: list[Option] = []
    privateEvent: bool = False


class BookeoBookings:
    """All bookings over one store."""

    def __init__(self, store: DocumentStore, clock: BookeoClock) -> None:
        self._store, self._clock = store, clock

    def find(self, number: str, *, expand: bool = False) -> Json:
        """Return one booking as it is read, with its customer if `expand`. Raises `SandboxError`."""
        found = self._store.get("booking", number)
        if found is None:
            raise SandboxError(404, f"There is no booking {number}")
        return self._read(found, expand)

    def between(
        self, start: datetime, end: datetime, *, canceled: bool, lesson: str | None, expand: bool
    ) -> list[Json]:
        """Return the bookings that start between two moments, both included, soonest first."""
        rows = [(datetime.fromisoformat(b["startTime"]), b) for b in self._store.all("booking")]
        rows = [(at, b) for at, b in rows if start <= at <= end and (canceled or not b["canceled"])]
        kept = sorted(
            (r for r in rows if lesson in (None, r[1]["productId"])), key=lambda r: (r[0], r[1]["bookingNumber"])
        )
        return [self._read(b, expand) for _, b in kept]

    def seats_left(self, slot: Slot, *, but: str = "") -> int:
        """Return the free seats of a slot. `but`: the number of a booking that is not counted."""
        taken = (
            heads(b["participants"])
            for b in self._store.all("booking")
            if b["eventId"] == slot.event_id and not b["canceled"] and b["bookingNumber"] != but
        )
        return slot.lesson.seats - sum(taken)

    def make(self, body: BookingBody, *, number: str = "", paid: int = 0) -> Json:
        """Create a booking with a new number. Raises `SandboxError`."""
        slot = self._slot(body)
        number = number or self._new_number()
        self._refuse_full(slot, body.participants, number)
        customer = self._customer(body)
        document = self._written(body, slot, customer, paid) | {
            "bookingNumber": number,
            "canceled": False,
            "accepted": True,
            "creationTime": written(self._clock.now()),
            "creationAgent": AGENT,
        }
        self._store.put("booking", number, document)
        return self._read(document, False)

    def replace(self, number: str, body: BookingBody) -> Json:
        """Replace the writable fields of a booking. Raises `SandboxError`."""
        old = self._store.get("booking", number)
        if old is None:
            raise SandboxError(404, f"There is no booking {number}")
        if old["canceled"]:
            raise SandboxError(409, f"Booking {number} is canceled")
        if body.productId not in (None, old["productId"]):
            raise SandboxError(400, "The product of a booking cannot change")
        slot = self._slot(body.model_copy(update={"productId": old["productId"]}))
        self._refuse_full(slot, body.participants, number)
        customer = self._store.get("customer", body.customerId or old["customerId"])
        if customer is None:
            raise SandboxError(404, f"There is no customer {body.customerId}")
        kept = {k: old[k] for k in ("bookingNumber", "canceled", "accepted", "creationTime", "creationAgent")}
        paid = int(old["price"]["totalPaid"]["amount"])
        changed = {"lastChangeTime": written(self._clock.now()), "lastChangeAgent": AGENT}
        document = self._written(body, slot, customer, paid) | kept | changed
        self._store.put("booking", number, document)
        return self._read(document, False)

    def cancel(self, number: str) -> None:
        """Cancel a booking permanently. Raises `SandboxError`."""
        found = self._store.get("booking", number)
        if found is None:
            raise SandboxError(404, f"There is no booking {number}")
        if found["canceled"]:
            raise SandboxError(409, f"Booking {number} is canceled already")
        now = written(self._clock.now())
        ended = {"canceled": True, "cancelationTime": now, "cancelationAgent": AGENT}
        self._store.put("booking", number, {**found, **ended, "lastChangeTime": now, "lastChangeAgent": AGENT})

    def _read(self, document: Json, expand: bool) -> Json:
        return document | {"customer": self._store.get("customer", document["customerId"])} if expand else document

    def _slot(self, body: BookingBody) -> Slot:
        if body.productId not in BY_ID:
            raise SandboxError(404, f"There is no product {body.productId}")
        if not body.eventId:
            raise SandboxError(400, "eventId is required for products of type fixed")
        slot = slot_of(self._clock, body.eventId)
        if slot.lesson.id != body.productId:
            raise SandboxError(400, f"Event {body.eventId} is of another product")
        return slot

    def _refuse_full(self, slot: Slot, participants: Participants, number: str) -> None:
        unknown = [n.peopleCategoryId for n in participants.numbers if n.peopleCategoryId not in CATEGORIES]
        if unknown:
            raise SandboxError(400, f"There is no people category {unknown[0]}")
        wanted = heads(participants.model_dump())
        if wanted < 1:
            raise SandboxError(400, "A booking needs at least one participant")
        remaining = self.seats_left(slot, but=number)
        if wanted > remaining:
            raise SandboxError(409, f"Not enough seats: {wanted} wanted, {remaining} available")

    def _customer(self, body: BookingBody) -> Json:
        if body.customerId:
            known = self._store.get("customer", body.customerId)
            if known is None:
                raise SandboxError(404, f"There is no customer {body.customerId}")
            return known
        if body.customer is None:
            raise SandboxError(400, "customerId or customer is required")
        made = {
            "id": f"41551{secrets.token_hex(6).upper()}",
            **body.customer.model_dump(exclude_none=True),
            "creationTime": written(self._clock.now()),
        }
        self._store.put("customer", made["id"], made)
        return made

    def _new_number(self) -> str:
        while True:
            number = f"2558{secrets.randbelow(10**9):09}"
            if self._store.get("booking", number) is None:
                return number

    def _written(self, body: BookingBody, slot: Slot, customer: Json, paid: int) -> Json:
        gross = slot.lesson.price * heads(body.participants.model_dump())
        net = round(gross / 1.22, 2)
        amounts = {"totalGross": gross, "totalNet": net, "totalTaxes": round(gross - net, 2), "totalPaid": paid}
        given: dict[str, Any] = body.model_dump(include={"externalRef", "options", "privateEvent"}, exclude_none=True)
        return {
            "eventId": slot.event_id,
            "startTime": written(slot.start),
            "endTime": written(slot.end),
            "customerId": customer["id"],
            "title": f"{customer['firstName']} {customer['lastName']}".strip(),
            "participants": body.participants.model_dump(),
            "productName": slot.lesson.name,
            "productId": slot.lesson.id,
            "price": {name: {"amount": f"{amount:g}", "currency": "EUR"} for name, amount in amounts.items()},
            **given,
        }


def heads(participants: Json) -> int:
    """Return the number of people."""
    return sum(int(n["number"]) for n in participants["numbers"])
