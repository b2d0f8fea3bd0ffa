"""Scores chats as operators type them, through the whole core: API, workflows, model, venue.

Each chat is sent to a running service, message by message, and the result of each is compared with the expected one
(`../shared/cases/README.md` has the form and the scoring). The venue is filled again before each chat.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

from evals.scorecard import Row, ScoreCard

_ACTIONS = {
    "reschedule_booking": "reschedule",
    "change_guest_count": "guest_count",
    "update_contact": "contact",
    "cancel_booking": "cancel",
    "edit_note": "note",
}
_NAMES = {"new_date": "date", "new_start_time": "time"}
_ENDED = ("completed", "failed", "rolled_back", "expired", "cancelled")
_UNDO = re.compile(r"\bundo\b|\bannull\w* (?:la |quest\w* )?(?:ultima )?modific", re.IGNORECASE)
_USER = "evaluation"
_TRIES = 3
"""A message that the service of a busy machine cannot answer changes nothing; it is sent again with its id."""


@dataclass(frozen=True, slots=True)
class Booked:
    """A booking as in the case file: `date` YYYY-MM-DD, `time` HH:MM, `guests` people."""

    booking_id: str
    reference: str
    date: str
    time: str
    guests: int


@dataclass(slots=True)
class _Seen:
    """The result of a message."""

    kind: str
    text: str = ""
    steps: list[Row] = field(default_factory=list)
    quick: Sequence[str] = ()

    @property
    def summary(self) -> str:
        what = [(s["action"], s["ref"], s["given"]) for s in self.steps]
        return f"{self.kind} {what or self.text!r}"


class Chats:
    """Runs chats at one venue, which `refill` fills with `bookings`."""

    def __init__(
        self, facade: str, token: str, bookings: Sequence[Booked], refill: Callable[[], Awaitable[object]]
    ) -> None:
        self._http = httpx.AsyncClient(base_url=facade, headers={"Authorization": f"Bearer {token}"}, timeout=40)
        self._by_id = {b.booking_id: b for b in bookings}
        self._refill = refill

    async def close(self) -> None:
        """Close the connection."""
        await self._http.aclose()

    async def play(self, rows: Sequence[Row], tally: ScoreCard, progress: bool = False) -> None:
        """Run and count each chat."""
        for number, row in enumerate(rows, 1):
            outcome, note = await self._chat(row)
            tally.count(("all", row.get("lang", "en")), outcome, f"{row.get('id', number)}  {note}")
            if progress and number % 10 == 0:
                print(f"  {number} of {len(rows)}", flush=True)

    async def _chat(self, row: Row) -> tuple[str, str]:
        await self._refill()
        one = _Chat(self._http, dict(self._by_id))
        outcome, note = "right", ""
        for turn in row["turns"]:
            seen = await one.say(turn["say"])
            found = one.judge(turn, seen)
            if found != "right" and outcome != "wrong":
                text = f"{turn['say']!r}: {seen.summary}, not {turn['expect']} {turn.get('plan', '')}"
                note = text if found == "wrong" else note or text
                outcome = found
            if found == "wrong":
                break
        return outcome, note


class _Chat:
    """One session and its state."""

    def __init__(self, http: httpx.AsyncClient, bookings: dict[str, Booked]) -> None:
        self._http = http
        self._bookings = bookings
        self._session = f"chat-{uuid4().hex[:12]}"
        self._pending: Row | None = None
        self._done: Row | None = None

    async def say(self, message: str) -> _Seen:
        """Send a message, and wait until everything that it started has ended."""
        body = {
            "user_message": message, "session_id": self._session, "user_id": _USER, "request_id": uuid4().hex,
        }  # fmt: skip
        for _ in range(_TRIES):
            answer = await self._http.post("/v1/requests", json=body)
            if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                break
        turn = answer.json()
        if answer.status_code not in (200, 202):
            return _Seen("error", turn["error"]["message"])
        seen = self._seen(turn)
        before, self._pending = self._pending, None
        if before is not None and seen.kind != "plan":
            before = await self._look(before["plan_id"])
            self._pending = before if before["status"] == "pending_confirmation" else None
            dropped = before["status"] in ("cancelled", "expired") and not before.get("confirmed_at")
            confirmed = before.get("confirmed_at") is not None
            seen.kind = "done" if confirmed else "dropped" if dropped and seen.kind == "answer" else seen.kind
            self._done = await self._settled(before["plan_id"]) if confirmed else self._done
        elif self._done is not None and seen.kind != "plan" and await self._undone(seen):
            seen.kind = "undo"
        if seen.kind == "plan":
            self._pending = turn["plan"]
        return seen

    def _seen(self, turn: Row) -> _Seen:
        quick = [q["say"] + " " + q["label"] for q in turn.get("quick_actions", ())]
        if turn["type"] == "plan" and turn["plan"]["status"] == "pending_confirmation":
            return _Seen("plan", steps=[self._step(a) for a in turn["plan"]["actions"]])
        if turn["type"] == "clarification":
            return _Seen("ask", turn["question"], quick=quick)
        text = str(turn.get("message", ""))
        asks = turn["type"] == "answer" and text.rstrip().endswith("?")
        return _Seen("ask" if asks else "answer", text, quick=quick)

    def _step(self, action: Row) -> Row:
        given = dict(action["parameters"])
        booked = self._bookings.get(str(given.pop("booking_id", "")))
        named = {_NAMES.get(k, k): v for k, v in given.items() if v is not None}
        whole = " ".join(str(named.pop(k)) for k in ("first_name", "last_name") if k in named)
        return {
            "action": _ACTIONS.get(action["action_id"], action["action_id"]),
            "ref": booked.reference if booked else "?",
            "given": named | ({"name": whole} if whole else {}),
            "step": action["step"],
            "required": action["required"],
            "when": action.get("when"),
        }

    async def _undone(self, seen: _Seen) -> bool:
        assert self._done is not None
        now = await self._look(self._done["plan_id"])
        taken_back = (now.get("rollback_report") or {}).get("trigger") == "undo" or now.get("rollback") is not None
        return taken_back or (any(_UNDO.search(text) for text in seen.quick) and seen.kind == "answer")

    async def _look(self, plan_id: str) -> Row:
        answer = await self._http.get(f"/v1/plans/{plan_id}", params={"user_id": _USER})
        answer.raise_for_status()
        found: Row = answer.json()
        return found

    async def _settled(self, plan_id: str) -> Row:
        for _ in range(400):
            found = await self._look(plan_id)
            if found["status"] in _ENDED:
                break
            await asyncio.sleep(0.05)
        if found["status"] == "completed":
            for step in (self._step(a) for a in found["actions"]):
                self._apply(step)
        return found

    def _apply(self, step: Row) -> None:
        """Apply a change that was carried out to the expected booking."""
        for booking_id, booked in self._bookings.items():
            if booked.reference == step["ref"]:
                given = step["given"]
                self._bookings[booking_id] = Booked(
                    booking_id,
                    booked.reference,
                    given.get("date", booked.date),
                    given.get("time", booked.time),
                    int(given.get("guest_count", booked.guests)),
                )

    def judge(self, turn: Row, seen: _Seen) -> str:
        """Return right, asked or wrong, as the cases' README defines them."""
        expect = turn["expect"]
        if seen.kind == "plan":
            return "right" if expect == "plan" and self._means(seen.steps, turn["plan"]) else "wrong"
        if seen.kind == "done":
            return "right" if expect == "done" else "wrong"
        if expect == "answer":
            text = _plain(seen.text)
            return (
                "right"
                if seen.kind == "answer" and all(_plain(str(c)) in text for c in turn.get("contains", ()))
                else "asked"
            )
        if expect == "not_plan":
            return "right"
        return "right" if seen.kind == expect else "asked"

    def _means(self, steps: list[Row], gold: Sequence[Row]) -> bool:
        left, found = list(steps), []
        for wanted in gold:
            same = next((s for s in left if self._same(s, wanted)), None)
            if same is None:
                return False
            left.remove(same)
            found.append(same)
        return not left and all(_stands(found, gold, index) for index in range(len(gold)))

    def _same(self, step: Row, wanted: Row) -> bool:
        if (step["action"], step["ref"]) != (wanted["action"], wanted["ref"]):
            return False
        booked = next(b for b in self._bookings.values() if b.reference == wanted["ref"])
        own: Mapping[str, Any] = {"date": booked.date, "time": booked.time, "guest_count": booked.guests}
        given = dict(step["given"])
        note = given.pop("note", None)
        for key, values in wanted["params"].items():
            if key == "note_has":
                if note is None or not all(_plain(str(v)) in _plain(str(note)) for v in values):
                    return False
            elif not _one_of(key, given.pop(key, own.get(key)), values):
                return False
        unasked = {k: v for k, v in given.items() if v not in (own.get(k), False)}
        return not unasked and (note is None or "note_has" in wanted["params"])


def _stands(steps: Sequence[Row], gold: Sequence[Row], index: int) -> bool:
    """Return whether a step relates to the others as expected: `instead_of` (a place in `gold`, from 1) if it runs only
    when that one is refused, `optional` if the plan can do without it."""
    step, wanted = steps[index], gold[index]
    first = wanted.get("instead_of")
    when = {"step": steps[first - 1]["step"], "ended": "failed"} if first else None
    has_other = any(other.get("instead_of") == index + 1 for other in gold)
    fields = {k: step["when"][k] for k in ("step", "ended")} if step["when"] else None
    return fields == when and step["required"] == (not has_other and not wanted.get("optional"))


def _one_of(key: str, value: object, accepted: Sequence[object]) -> bool:
    if key == "phone":
        return _national(str(value)) in {_national(str(v)) for v in accepted}
    return _plain(str(value)) in {_plain(str(v)) for v in accepted}


def _national(phone: str) -> str:
    return re.sub(r"\D", "", phone).lstrip("0")[-8:]


def _plain(text: str) -> str:
    """Return a text without case and label style: "1 PM", "1pm" and "1:00pm" are equal."""
    return re.sub(r"(?<=\d):00(?=[ap]m)", "", re.sub(r"(?<=\d) (?=[ap]m)", "", " ".join(text.casefold().split())))
