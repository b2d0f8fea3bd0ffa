"""Plays one scenario of `judged.py` and checks how it ended. Guarantees, whatever dies:

- the chat shows a plan only after a critique has answered PROCEED while its caller was still waiting; nothing is
  written without that and without the operator's confirmation of the card;
- an escalation is made once, however often the operator's client repeats the message: one escalation, one row of the
  ledger, one reply in the chat, the first one; every other reply is refused;
- a critique that is possible leads to its plan: nothing survivable is escalated.
"""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import uuid4

import httpx

from tests.e2e.chaos.judged import Desk, Judged, Scene
from tests.e2e.chaos.stack import ChaosStack
from tests.support.operator import Operator
from tests.support.roller import a_name
from tests.support.scripted_model import executes, found, look_up, obey
from tests.support.staff import Staff

T = TypeVar("T")

_TRIES, _PAUSE = 6, 1.0
_ENDS_WITHIN = 60.0
_DOUBLES_WITHIN = 1.5
"""Seconds in which a second answer would have come in, if it ever did."""


async def patiently(ask: Callable[[], Awaitable[T]]) -> T:
    """Return its answer. For ten seconds Temporal keeps asking a dead worker, and the caller gets 503."""
    for _ in range(40):
        try:
            return await ask()
        except AssertionError as refused:
            if "service_unavailable" not in str(refused):
                raise
            await asyncio.sleep(0.5)
    return await ask()


@dataclass(slots=True)
class Judgment:
    """The result of a scenario. `ending`: the type of the turn; `struck`: how often a drawn fault happened."""

    scenario: Judged
    violations: list[str]
    ending: str
    struck: int
    seconds: float
    story: str


class Judging:
    """One scenario on one stack."""

    def __init__(self, process_stack: ChaosStack, desk: Desk, drawn: Judged) -> None:
        self._parts, self._desk, self._drawn = process_stack, desk, drawn
        self._guest, self._problems, self._rows = a_name(), list[str](), list[str]()
        self._errands: set[asyncio.Task[None]] = set()
        self._scene = Scene(drawn, self._kill)
        self._worker_is_back = asyncio.Event()
        if drawn.desk != "killed":
            self._worker_is_back.set()
        self._began = time.monotonic()

    async def go(self) -> Judgment:
        """Run the scenario; all parts are up again afterwards."""
        self._desk.scenes[self._guest] = self._scene
        token = f"op-{uuid4().hex[:8]}"
        await self._parts.grant(token)
        async with self._parts.roller() as venue, self._parts.operator(token) as operator:
            booking = await venue.book(self._guest)
            self._script()
            turn = await self._say(operator)
            if await venue.journal(booking):
                self._problems.append("the venue was written to before anybody confirmed")
            kind = str((turn or {}).get("type", "none"))
            if kind == "plan" and turn is not None:
                await self._planned(operator, turn["plan"])
            elif kind == "escalation" and turn is not None:
                await self._handed(operator, turn["reference"])
            else:
                await self._nothing(operator)
            writes = await venue.journal(booking)
            wanted = 1 if kind == "plan" else 0
            if len(writes) != wanted:
                self._problems.append(f"{len(writes)} writes after a {kind} instead of {wanted}: {writes}")
        await asyncio.gather(*self._errands)
        self._desk.scenes.pop(self._guest)
        story = "\n".join([str(self._drawn), *self._rows, f"struck: {self._scene.struck}"])
        took = time.monotonic() - self._began
        return Judgment(self._drawn, self._problems, kind, len(self._scene.struck), took, story)

    def _script(self) -> None:
        def reply(body: dict[str, Any]) -> Any:
            if executes(body):
                return obey(body)
            looked = body["messages"][-1]["role"] == "tool"
            return {"cancel_booking": {"booking_id": found(body)}} if looked else look_up(self._guest)

        self._parts.scripted.script(self._guest, reply)
        self._parts.scripted.critique(self._guest, *self._scene.looks())

    async def _say(self, operator: Operator) -> dict[str, Any] | None:
        """Return the turn that answers the message, sent again with its id while the service answers that it could
        not."""
        message = {"user_message": f"cancel {self._guest}", "session_id": operator.session, "user_id": operator.user}
        for _ in range(_TRIES):
            try:
                reported = await operator.post("/v1/requests", **message, request_id="the-message")
            except httpx.HTTPError as lost:
                self._note(f"lost: {lost!r}")
                continue
            self._note(f"told {reported.status_code}: {reported.text[:200]}")
            if reported.status_code == 200:
                turn: dict[str, Any] = reported.json()
                return turn
            if reported.status_code != 503:
                self._problems.append(f"the message was answered {reported.status_code}: {reported.text[:300]}")
                return None
            await asyncio.sleep(_PAUSE)
        return None

    async def _planned(self, operator: Operator, plan: dict[str, Any]) -> None:
        if not self._scene.proceeded:
            self._problems.append("a plan is shown, and no second look had said PROCEED")
        await self._nothing(operator)
        address = f"/v1/plans/{plan['plan_id']}"
        answer = await operator.post(f"{address}/confirm", user_id=operator.user, request_id="yes")
        if answer.status_code not in (200, 202):
            self._problems.append(f"the confirmation was answered {answer.status_code}: {answer.text[:300]}")
        until, status = time.monotonic() + _ENDS_WITHIN, ""
        while status not in ("completed", "failed", "rolled_back") and time.monotonic() < until:
            looked = await operator.http.get(address, params={"user_id": operator.user})
            status = looked.json()["status"] if looked.status_code == 200 else status
            await asyncio.sleep(0.2)
        if status != "completed":
            self._problems.append(f"the plan that was confirmed is {status}")

    async def _nothing(self, operator: Operator) -> None:
        """Check that nothing of it was escalated."""
        async with Staff(self._parts.facade_url) as staff:
            if left := await self._of(staff, operator):
                self._problems.append(f"nobody was told, and a person was asked: {left}")

    async def _handed(self, operator: Operator, reference: str) -> None:
        if self._drawn.looks == ("proceed",):
            self._problems.append("a second look that was had was handed to a person")
        async with Staff(self._parts.facade_url) as staff:
            # A read without a worker fails; what counts here is the final result.
            await asyncio.wait_for(self._worker_is_back.wait(), _ENDS_WITHIN)
            row = await patiently(lambda: staff.find(reference, "open,resolved"))
            taken = await self._staff_answers(staff, row["escalation_id"]) if self._drawn.by_staff else []
            there = lambda one: one.get("answer", {}).get("in_chat")  # noqa: E731
            done = await patiently(lambda: staff.until(row["escalation_id"], there, _ENDS_WITHIN))
            await asyncio.sleep(_DOUBLES_WITHIN)
            rows = await self._of(staff, operator)
            if [one["reference"] for one in rows] != [reference] or rows[0]["status"] != "resolved":
                self._problems.append(f"not one escalation that is resolved, but {rows}")
        shown = (await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})).json()
        message = [m["text"] for m in shown["messages"] if m["kind"] in ("person", "lapsed")]
        wanted = done["answer"]["message"]
        if taken not in ([], [wanted]):
            self._problems.append(f"{taken} was told as taken, and the answer is {wanted!r}")
        if len(message) != 1 or not message[0].endswith(f"(reference {reference}): {wanted}"):
            self._problems.append(f"the chat has {message} of the one answer {wanted!r}")
        ledger = await self._ledger(reference)
        if ledger != ["resolved"]:
            self._problems.append(f"the ledger has {ledger} instead of one row that is resolved")

    async def _staff_answers(self, staff: Staff, escalation_id: str) -> list[str]:
        """Let two of the staff answer at once. Return the replies that were accepted."""
        message = [f"Answer {n} of the staff." for n in (1, 2)]
        reported = await asyncio.gather(*(staff.send(escalation_id, text, by="Anna") for text in message))
        self._note(f"the staff: {[one.status_code for one in reported]}")
        if any(one.status_code not in (200, 409, 503) for one in reported):
            self._problems.append(f"two answers of the staff came to {[one.text for one in reported]}")
        return [text for text, one in zip(message, reported, strict=True) if one.status_code == 200]

    async def _of(self, staff: Staff, operator: Operator) -> list[dict[str, Any]]:
        rows = await staff.whole_list("open,resolved,lapsed")
        return [row for row in rows if row["session_id"] == operator.session]

    async def _ledger(self, reference: str) -> list[str]:
        """Return the status of each of its rows in the ledger's file, once they are final."""

        def read() -> list[str]:
            with closing(sqlite3.connect(f"file:{self._parts.ledger}?mode=ro", uri=True, timeout=5)) as file:
                rows = file.execute("SELECT status FROM escalations WHERE reference = ?", (reference,)).fetchall()
            return [str(status) for (status,) in rows]

        for _ in range(100):
            if (found := await asyncio.to_thread(read)) == ["resolved"]:
                break
            await asyncio.sleep(0.2)
        return found

    async def _kill(self) -> None:
        self._note("*** the worker is killed")
        self._worker_is_back.clear()
        await self._parts.kill_worker()

        async def again() -> None:
            await asyncio.sleep(self._drawn.wait)
            await self._parts.start_worker()
            await self._parts.worker_polls()
            self._worker_is_back.set()

        self._errands.add(asyncio.create_task(again()))

    def _note(self, what: str) -> None:
        self._rows.append(f"{time.monotonic() - self._began:7.3f}  {what}")
