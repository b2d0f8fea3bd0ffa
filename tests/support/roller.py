"""The venue's own system in a test: make a booking, break things on purpose, check what was written."""

import itertools
import random
from datetime import date, timedelta
from difflib import SequenceMatcher
from typing import Any, Self
from uuid import uuid4

from tests.support import http

PARTY = 61001
_DAYS = itertools.cycle(range(10, 300))
"""Every test booking gets a day of its own, so that no session fills up."""
_SYLLABLES = tuple("".join(letters) for letters in itertools.product("bdfgklmnprstvz", "aeiou", "klmnrst"))
_GIVEN: list[str] = []
_NEAR = 60
"""Names that a test may hold at once. Slips of the keyboard are forgiven: two of them may not be taken for one."""


def _a_word() -> str:
    while True:
        word = "".join(random.choices(_SYLLABLES, k=3))
        if word not in _GIVEN and all(SequenceMatcher(None, word, one).ratio() < 0.6 for one in _GIVEN[-_NEAR:]):
            _GIVEN.append(word)
            return word.capitalize()


def a_name() -> str:
    """Return a first and a last name that no other guest in the sandbox has, and that resemble none of the latest
    ones."""
    return f"{_a_word()} {_a_word()}"


def days_ahead(days: int) -> str:
    """Return a day in the venue's near future, as ROLLER writes it."""
    return (date.today() + timedelta(days=days)).isoformat()


def a_day() -> str:
    """Return a day without bookings of other tests, as long as there are such days."""
    return days_ahead(next(_DAYS))


class Roller:
    """The sandbox, called as ROLLER itself and through its control endpoints."""

    def __init__(self, base_url: str) -> None:
        self.http = http.client(base_url=base_url, headers={"Authorization": "Bearer demo-operator"})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def book(
        self, guest: str | None = None, *, guests: int = 10, day: str | None = None, time: str = "10:00",
        product: int = PARTY, title: str | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Make a booking, named after its guest unless it has a title. Return its detail."""
        guest = guest or a_name()
        first, last = guest.split(" ", 1)
        body = {
            "externalId": f"test-{uuid4().hex}",
            "name": title or guest,
            "customer": {
                "firstName": first, "lastName": last, "email": f"{first}.{last}@example.com".lower().replace(" ", ""),
                "phone": "0491 570 156",
            },
            "items": [
                {"productId": product, "quantity": guests, "bookingDate": day or a_day(),
                "startTime": time}
            ],
        }  # fmt: skip
        response = await self.http.post("/bookings", json=body)
        assert response.status_code == 201, response.text
        return await self.booking(response.json()["uniqueId"])

    async def booking(self, booking_id: str) -> dict[str, Any]:
        """Return a booking's detail, by id or reference."""
        response = await self.http.get(f"/bookings/{booking_id}")
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    async def guest(self, booking: dict[str, Any]) -> dict[str, Any]:
        """Return the guest a booking belongs to."""
        found: dict[str, Any] = (await self.http.get(f"/guests/{booking['customerId']}")).json()
        return found

    async def fault(self, operation: str, effect: str, **more: Any) -> None:
        """Break the next matching calls."""
        response = await self.http.post(
            "/_sandbox/faults", json={"operation": operation, "effect": effect, "times": 1, **more}
        )
        assert response.is_success, response.text

    async def faults(self) -> list[dict[str, Any]]:
        """Return the faults that have not happened yet."""
        found: list[dict[str, Any]] = (await self.http.get("/_sandbox/faults")).raise_for_status().json()
        return found

    async def clear_faults(self, path: str | None = None) -> None:
        """Clear all faults, or those of this path."""
        await self.http.delete("/_sandbox/faults", params={"path": path} if path else None)

    async def journal(self, booking: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """Return every write applied, of one booking and its guest if one is given."""
        rows: list[dict[str, Any]] = (await self.http.get("/_sandbox/journal")).json()
        if booking is None:
            return rows
        names = {booking["uniqueId"], booking["bookingReference"], str(booking["customerId"])}
        return [r for r in rows if str(r["target"]) in names and r["operation"] != "create-a-booking"]

    async def fill(self, day: str, time: str, product: int = PARTY) -> None:
        """Book the remaining places of a session."""
        answer = await self.http.get("/product-availability", params={"Date": day})
        parents = [p for p in answer.raise_for_status().json() if str(product) in {one["id"] for one in p["products"]}]
        [left] = [s["capacityRemaining"] for p in parents for s in p["sessions"] if s["startTime"] == time]
        await self.book(guests=left, day=day, time=time, product=product)

    async def full_session(self) -> dict[str, Any]:
        """Return a session without places left."""
        stage = (await self.http.get("/_sandbox/stage")).json()
        found: dict[str, Any] = stage["full_session"]
        return found


def content(booking: dict[str, Any]) -> dict[str, Any]:
    """Return the booking without write markers and without ids that change when nothing meaningful does."""
    items = [
        {k: i.get(k) for k in ("productId", "quantity", "bookingDate", "sessionStartTime")} for i in booking["items"]
    ]
    return {"items": items, "comments": booking.get("comments"), "status": booking["status"], "name": booking["name"]}
