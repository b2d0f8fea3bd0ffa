"""The stand-in's state: its bookings, chats and plans, and how a test has set it to behave."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.e2e.page.scene_texts import GUESTS, TRIES, WORDS
from tests.e2e.page.scenes import ScriptedPlan, stamp


class Chat:
    """One session: its messages and every event of its stream, in order."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.entries: list[dict[str, Any]] = []
        self.log: list[tuple[str, dict[str, Any]]] = []
        self.plans: dict[str, ScriptedPlan] = {}
        self.turns: dict[str, dict[str, Any]] = {}
        self.news = asyncio.Event()

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        self.log.append((kind, data))
        self.news.set()
        self.news = asyncio.Event()

    def say(self, kind: str, text: str, at: datetime | None = None, **fields: Any) -> None:
        entry = {
            "number": len(self.entries) + 1,
            "at": stamp(at or datetime.now(UTC)),
            "kind": kind,
            "text": text,
            "actions": [],
            **fields,
        }
        self.entries.append({key: value for key, value in entry.items() if value is not None})
        self.tell("chat", self.entries[-1])

    def pending(self) -> ScriptedPlan | None:
        return next((p for p in self.plans.values() if p.plan["status"] == "pending_confirmation"), None)

    def running(self) -> ScriptedPlan | None:
        return next((p for p in self.plans.values() if p.plan["status"] in ("confirmed", "executing")), None)


class World:
    """All of the stand-in's state. One operator, one venue."""

    def __init__(self) -> None:
        self.locale, self.way, self.day, self.speed, self.undo_seconds = "en-AU", "demo", True, 1.0, 872
        self.signed_in, self.down, self.shut, self.stale = False, False, False, False
        self.unlisted, self.mute, self.held = False, False, False
        self.lose: str | bool = False
        self.signed_in_again = asyncio.Event()
        self.cut = asyncio.Event()
        self.before: dict[int, dict[str, Any]] = {}
        self.journal: list[dict[str, Any]] = []
        self.chats: dict[str, Chat] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        today = datetime.now(UTC).date()
        self.bookings = [
            {
                "booking_id": f"b-{n}",
                "reference": str(8100 + n),
                "guest_name": name,
                "date": str(today + timedelta(days=shift)),
                "start_time": at,
                "guest_count": count,
                "status": "Paid",
                "label": name,
            }
            for shift in range(-1, 8)
            for n, (at, name, count) in enumerate(GUESTS, 20 * (shift + 1))
        ]
        self.bookings.append(
            {
                "booking_id": "b-8231",
                "reference": "8231",
                "guest_name": "Emma Winterbourne",
                "date": str(today),
                "start_time": "14:00",
                "guest_count": 12,
                "status": "Paid",
                "label": "Emma Winterbourne",
            }
        )

    @property
    def lang(self) -> str:
        return self.locale[:2]

    def chat(self, session_id: str) -> Chat:
        return self.chats.setdefault(session_id, Chat(session_id))

    def _own(self) -> dict[str, Any]:
        return next(one for one in self.bookings if one["booking_id"] == "b-8231")

    def apply(self, action: dict[str, Any]) -> None:
        given, own = action["parameters"], self._own()
        self.before.setdefault(action["step"], dict(own))
        own.update(
            {
                "date": given.get("new_date", own["date"]),
                "start_time": given.get("new_start_time", own["start_time"]),
                "guest_count": given.get("guest_count", own["guest_count"]),
            }
        )
        if action["action_id"] == "cancel_booking":
            own["status"] = "Cancelled"

    def revert(self, action: dict[str, Any]) -> None:
        self._own().update(self.before.pop(action["step"], {}))

    def start(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def session(self) -> dict[str, Any]:
        if not self.signed_in:
            url = "https://host.example/sign-in" if self.way == "host" else None
            return {"signed_in": False, "way": self.way.split("-")[0], "sign_in_url": url, "locale": self.locale}
        return {
            "signed_in": True,
            "user_id": "demo",
            "name": "Demo operator",
            "demo": True,
            "expires_in": 3600,
            "venue": {
                "venue_id": "roller",
                "name": WORDS[self.lang]["venue"],
                "locale": self.locale,
                "time_zone": "Europe/Rome" if self.lang == "it" else "Australia/Melbourne",
                "currency": "AUD",
            },
            "tries": TRIES[self.lang],
            "temporal_ui": "http://127.0.0.1:8706",
            "namespace": "default",
        }
