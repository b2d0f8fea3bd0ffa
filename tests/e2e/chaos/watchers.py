"""Checks what a watcher receives under faults: each event once and in order, and only events that happened."""

import asyncio
import json
from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import Any

import httpx

from tests.support.operator import Operator
from tests.support.watching import Event, NotNowError, shown, stream

_RESULTS = {
    "completed": ("completed",), "reversed": ("completed", "unknown"), "failed": ("failed",), "unknown": ("unknown",),
}  # fmt: skip
"""What a step's result may have been told as, by how the step ended: what nobody knows to stand is reversed, too."""
_ENDS_WITHIN = 30.0


class Hearing:
    """One watcher that reconnects after its last event whenever its connection breaks or is refused."""

    def __init__(self, operator: Operator, plan: dict[str, Any], *, together: bool = False) -> None:
        self._together = together
        self._operator, self._plan = operator, plan
        self.events: list[Event] = []
        self.session: list[tuple[str, Event]] = []
        self._cursor = ""

    async def listen_to_the_session(self, enough: Callable[[list[Event]], bool] = lambda _: False) -> None:
        """Listen to the stream of the plan's session, with its one cursor, until that is enough."""
        while not enough(self.of_the_plan()):
            heard = shown(self._operator, f"/v1/sessions/{self._operator.session}/events", self._cursor)
            with suppress(httpx.TransportError, NotNowError):
                async with aclosing(heard):
                    async for self._cursor, kind, data in heard:
                        self.session.append((kind, json.loads(data)))
                        if enough(self.of_the_plan()):
                            return
            await asyncio.sleep(0.2)

    def of_the_plan(self) -> list[Event]:
        """Return the plan's events from the session's stream, in the form of the plan's own stream."""
        rows = [event for kind, event in self.session if kind == "plan" and event["plan_id"] == self._plan["plan_id"]]
        return [{name: value for name, value in row.items() if name != "plan_id"} for row in rows]

    async def listen(self, enough: Callable[[list[Event]], bool] = lambda _: False) -> None:
        """Listen until that is enough, or for ever."""
        while not enough(self.events):
            heard = stream(self._operator, self._plan, len(self.events))
            with suppress(httpx.TransportError, NotNowError):
                async with aclosing(heard):
                    async for _, _, data in heard:
                        self.events.append(json.loads(data))
                        if enough(self.events):
                            return
            await asyncio.sleep(0.2)

    async def mishaps(self, plan: dict[str, Any]) -> list[str]:
        """Return the problems with the received events, once the plan has ended; receives the rest of them first."""
        again = Hearing(self._operator, self._plan)
        for listen in (self.listen, self.listen_to_the_session, again.listen):
            with suppress(TimeoutError):
                await asyncio.wait_for(listen(lambda events: _ended(events, plan)), _ENDS_WITHIN)
        found = contradicted(self.events, plan, together=self._together)
        in_session = self.of_the_plan()
        if in_session != self.events[: len(in_session)] or not _ended(in_session, plan):
            found.append(f"the session's stream told the plan otherwise: {in_session} and {self.events}")
        chat = [event["number"] for kind, event in self.session if kind == "chat"]
        if chat != sorted(set(chat)):
            found.append(f"entries of the chat are doubled or out of order: {chat}")
        if again.events[: len(self.events)] != self.events:
            found.append(f"who watched heard otherwise than who came later: {self.events} and {again.events}")
        return found


def _ended(events: list[Event], plan: dict[str, Any]) -> bool:
    closing = sum(event["kind"] == "separate_message" for event in events)
    undone = plan.get("rollback_report", {}).get("trigger") == "undo"
    return closing >= (2 if undone else 1)


def contradicted(events: list[Event], plan: dict[str, Any], *, together: bool = False) -> list[str]:
    """Return the events that contradict each other, or the plan as it ended; `together`: its steps may act in
    parallel."""
    found = []
    if [event["number"] for event in events] != list(range(1, len(events) + 1)):
        found.append(f"events are missing, doubled or out of order: {[event['number'] for event in events]}")
    if not _ended(events, plan):
        found.append(f"the end was not heard: {[event['kind'] for event in events][-3:]}")
    if events and events[0]["kind"] != "initiated":
        found.append("the first event is not `initiated`")
    steps = [(event["kind"], event["step"]) for event in events if event["kind"] in ("step_started", "step_result")]
    begun = [a["step"] for a in plan["actions"] if ("step_started", a["step"]) in steps]
    if together:
        # Parallel steps may take turns, each of them in order.
        steps.sort(key=lambda shown: shown[1])
    if steps != [(kind, step) for step in begun for kind in ("step_started", "step_result")]:
        found.append(f"a step's start or result was not heard once and in order: {steps}")
    results = {event["step"]: event["step_status"] for event in events if event["kind"] == "step_result"}
    ended = {a["step"]: _RESULTS[a["status"]] for a in plan["actions"] if a["status"] in _RESULTS}
    wrong = {step: status for step, status in results.items() if status not in ended.get(step, ("failed",))}
    if wrong or set(ended) - set(results):
        found.append(f"results were told as {results}, and the steps ended as {ended}")
    completes = [event["status"] for event in events if event["kind"] == "complete"]
    undone = plan.get("rollback_report", {}).get("trigger") == "undo"
    if completes != ["completed" if undone else plan["status"]]:
        found.append(f"`complete` was told as {completes}, and the plan is {plan['status']}")
    return found
