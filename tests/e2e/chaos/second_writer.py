"""A second writer at the venue: staff who change the booking in Venue Manager while a plan works on it.

Their changes must still be there at the end; no write of a plan may erase them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.roller import Roller

CHANGES = ("note", "item", "email", "address", "cancelled")
STAFF_NOTE = "SEVERE NUT ALLERGY"
STAFF_ITEM = 64001
STAFF_EMAIL = "front.desk@example.com"
STAFF_ADDRESS = {"street": "1 Front Desk Lane", "city": "Melbourne"}


@dataclass(frozen=True, slots=True)
class Change:
    """One change by staff, and whether the venue accepted it."""

    kind: str
    taken: bool = True

    def stands(self, booking: dict[str, Any], guest: dict[str, Any]) -> bool:
        """Return whether the change is still there."""
        match self.kind:
            case "note":
                return STAFF_NOTE in (booking.get("comments") or "").splitlines()
            case "item":
                return any(i["productId"] == STAFF_ITEM for i in booking["items"])
            case "email":
                return bool(guest.get("email") == STAFF_EMAIL)
            case "address":
                return bool((guest.get("address") or {}).get("city") == STAFF_ADDRESS["city"])
        return bool(booking["status"] == "Cancelled")


async def write(venue: Roller, kind: str, booking_id: str) -> Change:
    """Change the current booking or its guest directly at the venue."""
    booking = await venue.booking(booking_id)
    guest = await venue.guest(booking)
    url, method = f"/bookings/{booking['uniqueId']}", "PUT"
    body: dict[str, Any] = {}
    match kind:
        case "note":
            body = {"comments": "\n".join(filter(None, (booking.get("comments") or "", STAFF_NOTE)))}
        case "item":
            new = {"productId": STAFF_ITEM, "quantity": 2, "bookingDate": booking["items"][0]["bookingDate"],
                   "startTime": "12:00"}  # fmt: skip
            body = {"newItems": [new]}
        case "email" | "address":
            url = f"/guests/{booking['customerId']}"
            body = {**guest, **({"email": STAFF_EMAIL} if kind == "email" else {"address": STAFF_ADDRESS})}
        case "cancelled":
            url, method, body = f"{url}/cancel", "POST", {"issueRefund": False}
    answer = await venue.http.request(method, url, json=body)
    return Change(kind, taken=answer.is_success)


def without(staff: Sequence[Change], kind: str, value: Any) -> Any:
    """Return a value without what staff added: their line of a note, None for their item or e-mail address."""
    if not any(change.kind == kind for change in staff):
        return value
    if kind == "note":
        return "\n".join(line for line in value.splitlines() if line != STAFF_NOTE)
    return None if value in (STAFF_ITEM, STAFF_EMAIL) else value


def erased(staff: Sequence[Change], booking: dict[str, Any], guest: dict[str, Any]) -> list[str]:
    """Return the staff changes that are lost."""
    return [
        f"what staff wrote was erased: {change.kind}"
        for change in staff
        if change.taken and not change.stands(booking, guest)
    ]
