"""The booking of a scenario, as it is made and at a later moment."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from tests.e2e.chaos.scenario import Scenario
from tests.e2e.chaos.second_writer import Change, without
from tests.support.roller import PARTY, Roller, a_day

JUMP, SOCKS = 62001, 65001
AGREED = 25.0
"""Dollars a guest, where the list says 32."""
_EXTRAS: dict[str, dict[str, Any]] = {
    "agreed": {"priceOverride": AGREED},
    "discounted": {"priceOverride": AGREED, "discount": 2.5},
    "inclusions": {"partyPackageInclusions": [{"productId": str(SOCKS), "quantity": 2}]},
}
_IDS_OF_THE_MOMENT = ("bookingItemId", "tickets", "bookingEndDate", "sessionEndTime")


async def make_booking(venue: Roller, scenario: Scenario, guest: str) -> list[dict[str, Any]]:
    """Book the scenario's booking, and a second one of the same guest where it has one. Return their details."""
    first, last = guest.split(" ", 1)
    contact = {"firstName": first, "lastName": last, "email": f"{first}.{last}@example.com".lower(),
               "phone": "0491 570 156"}  # fmt: skip
    made = [await _make(venue, guest, contact, scenario.booking)]
    if scenario.family:
        made.append(await _make(venue, guest, contact, "plain"))
    return made


async def _make(venue: Roller, guest: str, contact: dict[str, Any], kind: str) -> dict[str, Any]:
    day = a_day()
    party = {"productId": PARTY, "quantity": 10, "bookingDate": day, "startTime": "10:00"}
    items = [{**party, **_EXTRAS.get(kind, {})}]
    if kind == "several":
        items += [
            {"productId": JUMP, "quantity": 4, "bookingDate": day, "startTime": "11:00"},
            {"productId": SOCKS, "quantity": 6, "bookingDate": day},
        ]
    body = {"externalId": uuid4().hex, "name": guest, "customer": contact, "items": items}
    answer = await venue.http.post("/bookings", json=body)
    if answer.status_code == 400 and kind in _EXTRAS:
        # A sandbox without this extra sells the party plain.
        known = {k: v for k, v in _EXTRAS[kind].items() if k == "priceOverride"}
        answer = await venue.http.post("/bookings", json={**body, "items": [{**party, **known}]})
    assert answer.status_code == 201, answer.text
    return await venue.booking(answer.json()["uniqueId"])


@dataclass(slots=True)
class Ground:
    """A booking and its guest at one moment. `staff`: the additions of a second writer, which no action made."""

    booking: dict[str, Any]
    guest: dict[str, Any]
    staff: tuple[Change, ...] = ()
    email_may_change: bool = False

    @property
    def main(self) -> dict[str, Any]:
        """Return the party itself, the item that a guest count belongs to; nothing when it is gone."""
        return next((i for i in self.booking["items"] if i["productId"] == PARTY), {})

    @property
    def values(self) -> dict[str, Any]:
        """Return, by step, the one value that it changes."""
        return {
            "update_contact": self.guest.get("phone"),
            "update_email": without(self.staff, "email", self.guest.get("email")),
            "change_guest_count": self.main.get("quantity"),
            "edit_note": without(self.staff, "note", self.booking.get("comments") or ""),
            "reschedule_booking": self.main.get("sessionStartTime"),
        }

    @property
    def rest(self) -> dict[str, Any]:
        """Return everything that neither a step nor a second writer of a scenario may change, prices among it."""
        kinds = {change.kind for change in self.staff}
        own = [i for i in self.booking["items"] if without(self.staff, "item", i["productId"]) is not None]
        guest = {k: v for k, v in self.guest.items() if k != "phone"}
        if self.email_may_change or "email" in kinds:
            guest.pop("email", None)
        if "address" in kinds:
            guest.pop("address", None)
        return {
            "items": [self._fixed(item) for item in own],
            "status": "as staff left it" if "cancelled" in kinds else self.booking["status"] != "Cancelled",
            "name": self.booking["name"],
            "guest": guest,
        }

    def _fixed(self, item: dict[str, Any]) -> dict[str, Any]:
        kept = {k: v for k, v in item.items() if k not in (*_IDS_OF_THE_MOMENT, "sessionStartTime")}
        if item is self.main:
            kept.pop("quantity")
        if "sessionStartTime" in item and self.main:
            kept["after the party begins"] = _minutes(item["sessionStartTime"]) - _minutes(
                self.main["sessionStartTime"]
            )
        return kept


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)
