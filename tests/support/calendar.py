"""The team's calendar in a test: read it, add meetings, break things on purpose."""

from datetime import date, datetime, time, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

from sandbox.calendar.seed import AVIAD, Person
from tests.support import http

CONFLICT = "There are conflicts in the time you suggested. Would you like to try a different time for that day?"
"""What the spec says of a time that is taken."""
TOKEN = "operator-of-the-calendar-9c2a"
ZONE = ZoneInfo("Asia/Jerusalem")
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


def today() -> date:
    """Return the team's current day."""
    return datetime.now(ZONE).date()


def next_(weekday: str) -> date:
    """Return the day that a weekday means in a message of today."""
    ahead = (_WEEKDAYS.index(weekday.lower()) - today().weekday()) % 7
    return today() + timedelta(days=ahead or 7)


def instant(day: date, at: str) -> str:
    """Return a moment as it is on the wire."""
    moment = datetime.combine(day, time.fromisoformat(at), tzinfo=ZONE).astimezone(ZoneInfo("UTC"))
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


class Calendar:
    """The sandbox, called as the calendar itself and through its control endpoints."""

    def __init__(self, base_url: str) -> None:
        self.http = http.client(base_url=base_url, headers={"Authorization": f"Bearer {TOKEN}"})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def meet(
        self, day: date, at: str, *, minutes: int = 30, whom: Person = AVIAD, title: str = "Elsewhere"
    ) -> dict[str, Any]:
        """Add a meeting."""
        start = instant(day, at)
        end = (datetime.fromisoformat(start) + timedelta(minutes=minutes)).isoformat()
        body = {"title": title, "personId": whom.id, "startsAt": start, "endsAt": end, "timeZone": str(ZONE)}
        answer = await self.http.post("/v1/events", json=body)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    async def of(self, day: date, whom: Person = AVIAD) -> list[dict[str, Any]]:
        """Return a person's meetings of a day, cancelled ones too."""
        asked = {"from": instant(day, "00:00"), "to": instant(day + timedelta(days=1), "00:00"), "personId": whom.id}
        answer = await self.http.get("/v1/events", params={**asked, "includeCancelled": "true"})
        rows: list[dict[str, Any]] = answer.raise_for_status().json()["events"]
        return rows

    async def change(self, event: str, **changes: Any) -> None:
        """Change a meeting in the calendar itself."""
        (await self.http.patch(f"/v1/events/{event}", json=changes)).raise_for_status()

    async def reset(self, *, seed: bool = True) -> None:
        """Restore the first state, or empty it."""
        (await self.http.post("/_sandbox/reset", json={"seed": seed})).raise_for_status()

    async def fault(self, operation: str, effect: str, **more: Any) -> None:
        """Break the next matching calls."""
        answer = await self.http.post("/_sandbox/faults", json={"operation": operation, "effect": effect, **more})
        assert answer.is_success, answer.text

    async def armed(self) -> list[str]:
        """Return the calls that would still be broken."""
        return [fault["operation"] for fault in (await self.http.get("/_sandbox/faults")).json()]

    async def journal(self) -> list[dict[str, Any]]:
        """Return every write applied, in order; the meetings that this class added are among them."""
        rows: list[dict[str, Any]] = (await self.http.get("/_sandbox/journal")).json()
        return rows


async def taken_tomorrow(calendar: Calendar) -> None:
    """Book the slot of the spec's first example again on a Tuesday: tomorrow is then the Wednesday that the example
    asks for."""
    if today().weekday() == _WEEKDAYS.index("tuesday"):
        await calendar.meet(next_("wednesday"), "14:00")
