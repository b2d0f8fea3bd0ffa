"""The riding school's system in a test: make a booking, break things on purpose, check what was written."""

import itertools
from datetime import date, datetime, time, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

from sandbox.bookeo import API_KEY, SECRET_KEY
from sandbox.bookeo.schedule import BEGINNERS, Lesson
from tests.support import http
from tests.support.operator import Operator
from tests.support.roller import a_name

TOKEN = "operator-of-the-riding-school-5f1e"
"""An operator's own, which Bookeo is never told."""
KEYS = {"X-Bookeo-apiKey": API_KEY, "X-Bookeo-secretKey": SECRET_KEY}
_ROME = ZoneInfo("Europe/Rome")
_DAYS = itertools.cycle(range(8, 27))
"""Days that a search by name still sees."""


def a_day(ahead: int | None = None) -> date:
    """Return a day in the school's near future."""
    return date.today() + timedelta(days=next(_DAYS) if ahead is None else ahead)


def event(day: date, at: str, lesson: Lesson = BEGINNERS) -> str:
    """Return the id of a lesson's slot."""
    return f"{lesson.id}{at.replace(':', '')}_{day.isoformat()}"


def body(
    name: str, day: date, at: str, riders: int, *, lesson: Lesson = BEGINNERS, category: str = "Cadults", **more: Any
) -> dict[str, Any]:
    """Return the request that books a new customer."""
    first, last = name.split(" ", 1)
    customer = {
        "firstName": first,
        "lastName": last,
        "emailAddress": f"{first}.{last}@riders.example".lower().replace(" ", ""),
        "phoneNumbers": [{"number": "+39 347 555 0101", "type": "mobile"}],
    }
    numbers = [{"peopleCategoryId": category, "number": riders}]
    return {
        "productId": lesson.id,
        "eventId": event(day, at, lesson),
        "customer": customer,
        "participants": {"numbers": numbers},
        **more,
    }


class School:
    """The sandbox, called as Bookeo itself and through its control endpoints."""

    def __init__(self, base_url: str) -> None:
        self.http = http.client(base_url=base_url, headers=KEYS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def book(
        self, name: str | None = None, *, riders: int = 2, day: date | None = None, at: str = "10:00", **more: Any
    ) -> dict[str, Any]:
        """Make a booking of a beginners' lesson, or of another one."""
        response = await self.http.post("/bookings", json=body(name or a_name(), day or a_day(), at, riders, **more))
        assert response.status_code == 201, response.text
        made: dict[str, Any] = response.json()
        return made

    async def booking(self, number: str) -> dict[str, Any]:
        """Return a booking by its number."""
        response = await self.http.get(f"/bookings/{number}")
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    async def put(self, booking: dict[str, Any], **changes: Any) -> None:
        """Change a booking as staff do at the venue itself."""
        response = await self.http.put(f"/bookings/{booking['bookingNumber']}", json={**booking, **changes})
        assert response.status_code == 200, response.text

    async def of(self, name: str) -> list[dict[str, Any]]:
        """Return all bookings of a customer in the coming month, canceled ones too."""
        start = datetime.now().astimezone().replace(microsecond=0)
        asked = {"startTime": start.isoformat(), "endTime": (start + timedelta(days=31)).isoformat()}
        more = {"includeCanceled": "true", "itemsPerPage": "300"}
        answer = await self.http.get("/bookings", params={**asked, **more})
        return [b for b in answer.raise_for_status().json()["data"] if b["title"] == name]

    async def fault(self, operation: str, effect: str, **more: Any) -> None:
        """Break the next matching calls."""
        response = await self.http.post("/_sandbox/faults", json={"operation": operation, "effect": effect, **more})
        assert response.is_success, response.text

    async def empty(self) -> None:
        """Remove all bookings."""
        (await self.http.post("/_sandbox/reset", json={"seed": False})).raise_for_status()

    async def clear_faults(self) -> None:
        """Clear all faults."""
        await self.http.delete("/_sandbox/faults")

    async def journal(self, number: str) -> list[dict[str, Any]]:
        """Return every write applied to one booking, in order."""
        rows: list[dict[str, Any]] = (await self.http.get("/_sandbox/journal")).json()
        return [row for row in rows if row["target"] == number]


def instant(day: date, at: str) -> str:
    """Return a moment as it is on the wire."""
    return datetime.combine(day, time.fromisoformat(at), tzinfo=_ROME).isoformat(timespec="seconds")


def spoken(day: date) -> str:
    """Return a day as people say it."""
    return f"{day.day} {day:%B}"


def content(booking: dict[str, Any]) -> dict[str, Any]:
    """Return all of a booking except when and by whom it was last changed."""
    return {k: v for k, v in booking.items() if not k.startswith("lastChange")}


def lines(plan: dict[str, Any], step: int = 0) -> dict[str, tuple[Any, Any]]:
    """Return the preview of a step: before and after by label."""
    return {line["field"]: (line.get("before"), line["after"]) for line in plan["actions"][step]["preview"]}


async def undone(clerk: Operator, plan: dict[str, Any]) -> dict[str, Any]:
    """Undo the plan. Return it afterwards."""
    response = await clerk.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=clerk.user)
    assert response.status_code == 202, response.text
    return await clerk.until(
        plan, lambda p: p["status"] == "rolled_back" and p.get("rollback", {}).get("state", "done") == "done", 20
    )


def booking_of(name: str, day: date, at: str = "15:00", **more: Any) -> tuple[str, dict[str, Any]]:
    """Return the call that a model makes of `asked_for`."""
    first, last = name.split()
    shown = {"lesson": "beginners", "date": day.isoformat(), "start_time": at, "rider_count": 2}
    return "book_lesson", {**shown, "first_name": first, "last_name": last, **more}


def asked_for(name: str, day: date, at: str = "3pm") -> str:
    """Return an operator's request for a lesson."""
    return f"book {name} into the beginners lesson on {spoken(day)} at {at}, two riders"
