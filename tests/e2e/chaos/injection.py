"""Injects faults into a plan at exact places: it watches every call that the plan makes to the model and to the venue,
reads from the plan's history which activity makes it, and disturbs as the scenario requires while the call is held. It
does the same when the operator is about to send a command."""

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from temporalio.client import WorkflowHandle
from temporalio.service import RPCError

from tests.e2e.chaos.scenario import Disturbance, Place, Scenario
from tests.e2e.chaos.second_writer import Change, write
from tests.e2e.chaos.stack import ChaosStack
from tests.e2e.chaos.words import Words
from tests.support.operator import Operator
from tests.support.venue_proxy import Call

_EFFECTS = frozenset({"reason", "take_snapshot", "act", "read_back", "undo_step"})
_HANGS_ALREADY = 0.25
"""Seconds after which a call that was let through certainly hangs at the venue."""
_RIVAL_FIRST = 0.3
"""Seconds for which a call is held while another operator's plan begins."""
_HELD_AT_MOST = 1.2
"""Seconds for which a call is held while a cancel is sent: well inside a call's time-out."""


@dataclass(slots=True)
class Timeline:
    """When each thing happened, in seconds since the confirmation."""

    began: float = field(default_factory=time.monotonic)
    rows: list[str] = field(default_factory=list)

    def say(self, what: str) -> None:
        """Note an event."""
        self.rows.append(f"{time.monotonic() - self.began:7.3f}  {what}")


class Injector:
    """Applies one scenario's disturbances to one plan."""

    def __init__(
        self,
        process_stack: ChaosStack,
        scenario: Scenario,
        operator: Operator,
        plan_id: str,
        booking_id: str,
        token: str,
    ) -> None:
        self._parts = process_stack
        self._operator = operator
        self._plan_id = plan_id
        self._booking_id = booking_id
        self.tokens = {token}
        self._handle: WorkflowHandle[Any, Any] = process_stack.client.get_workflow_handle(f"plan-{plan_id}")
        self._waiting = list(scenario.disturbances)
        self._fails_at = scenario.fails_at
        self._errands: set[asyncio.Task[None]] = set()
        self._last: tuple[str, int, int] = ("", 0, 0)
        self._written: set[int] = set()
        self._seen: dict[int, Place] = {}
        self.fired: list[Disturbance] = []
        self.armed: set[str] = set()
        self.staff: list[Change] = []
        self.rival: Callable[[], Awaitable[None]] | None = None
        self.words: Words | None = None
        self.timeline = Timeline()

    def attach(self) -> None:
        """Start watching."""
        self.timeline = Timeline()
        for token in self.tokens:
            self._parts.watch(token, self._before, self._after)

    async def finish(self) -> None:
        """Stop watching, and return once every part is up again."""
        self._parts.forget(self.tokens)
        await self.mended()

    async def mended(self) -> None:
        """Wait until every repair is done."""
        while self._errands:
            await asyncio.gather(*self._errands)

    async def abandon(self) -> None:
        """Cancel the pending repairs when a run breaks off, because a part started later would outlive its stack."""
        self._parts.forget(self.tokens)
        for errand in self._errands:
            errand.cancel()
        await asyncio.gather(*self._errands, return_exceptions=True)

    @property
    def busy(self) -> bool:
        """Return whether a killed part is still down or the operator is about to sign in."""
        return bool(self._errands)

    async def model_asked(self) -> None:
        """React to the plan's call of the model."""
        await self._meet(Place("reason", (await self._whereabouts())[1], "call"))

    async def model_answers(self) -> None:
        """React to the model's answer before it is sent."""
        await self._meet(Place("reason", self._last[1], "call", after=True))

    async def command_sent(self, word: str) -> None:
        """React to a command that the operator is about to send."""
        self.timeline.say(f"the operator says: {word}")
        await self._meet(Place("word", 1, word))

    async def _before(self, call: Call) -> None:
        if call.operation in (None, "get-venue-detail"):
            return
        activity, nth, event = await self._whereabouts()
        if call.method == "PUT":
            self._written.add(event)
        part = "write" if call.method == "PUT" else "check" if event in self._written else "read"
        self._seen[id(call)] = place = Place(activity, nth, part)
        self.timeline.say(f"{activity} {nth}: {call.method} {call.operation}")
        if self._fails_at == nth and activity == "act" and part == "write":
            await self._arm(call, {"effect": "status", "status": 409})
            self._fails_at = None
        await self._meet(place, call)

    async def _after(self, call: Call) -> None:
        if id(call) not in self._seen:
            return
        place = self._seen[id(call)]
        shown = call.status or "cut off"
        self.timeline.say(f"{place.activity} {place.nth}: {call.method} {call.operation} → {shown}")
        await self._meet(replace(place, after=True), call)

    async def _whereabouts(self) -> tuple[str, int, int]:
        """Return (the effect that the plan scheduled last, how many of its kind there were, the event's id); the last
        known ones while Temporal is unavailable."""
        counts: Counter[str] = Counter()
        last = self._last
        try:
            async for event in self._handle.fetch_history_events():
                name = event.activity_task_scheduled_event_attributes.activity_type.name
                if name in _EFFECTS:
                    counts[name] += 1
                    last = (name, counts[name], event.event_id)
        except RPCError:
            return self._last
        self._last = last
        return last

    async def _meet(self, place: Place, call: Call | None = None) -> None:
        for one in list(self._waiting):
            at = one.place
            if (at.activity, at.nth, at.part, at.after) != (place.activity, place.nth, place.part, place.after):
                continue
            self._waiting.remove(one)
            self.fired.append(one)
            if at.linger:
                self._errand(self._late(one, at.linger))
            else:
                await self._strike(one, call)

    async def _late(self, one: Disturbance, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self._strike(one, None)

    async def _strike(self, one: Disturbance, call: Call | None) -> None:
        self.timeline.say(f"*** {one}")
        match one.kind:
            case "worker":
                await self._parts.kill_worker()
                self._errand(self._new_worker(one.wait or 0))
            case "temporal" if one.how == "SIGSTOP":
                self._parts.stall_temporal()
                self._errand(self._temporal_goes_on(one.wait or 0))
            case "temporal":
                await self._parts.stop_temporal(signal.Signals[one.how])
                self._errand(self._new_temporal(one.wait or 0))
            case "fault" if call is not None:
                await self._arm(call, one.fault)
            case "proxy" if call is not None and one.trick is not None:
                self._parts.proxy.treat_with(call, one.trick)
            case "sign_out" if call is not None:
                await self._arm(call, {"effect": "expire_token"})
                if one.wait is not None:
                    self._errand(self._sign_in(one.wait))
            case "cancel":
                await self._held(self._cancel())
            case "workflow_cancel":
                await self._held(self._workflow_cancel())
            case "kill_hang" if call is not None:
                await self._arm(call, one.fault)
                self._errand(self._kill_while_it_hangs(one.wait or 0))
            case "redis":
                await self._break_store(one.how, one.wait or 0)
            case "line":
                self._errand(self._break_line(one.how, one.wait or 0))
                await asyncio.sleep(0.02)
            case "writer":
                async with self._parts.roller() as venue:
                    self.staff.append(await write(venue, one.how, self._booking_id))
            case "rival" if self.rival is not None:
                self._errand(self.rival())
                await asyncio.sleep(_RIVAL_FIRST)

    def _errand(self, doing: Any) -> asyncio.Task[None]:
        task = asyncio.create_task(doing)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)
        return task

    async def _held(self, doing: Any) -> None:
        await asyncio.wait({self._errand(doing)}, timeout=_HELD_AT_MOST)

    async def _arm(self, call: Call, fault: dict[str, Any]) -> None:
        async with self._parts.roller() as venue:
            more = {k: v for k, v in fault.items() if k != "effect"}
            self.armed.add(call.path)
            # Of this path alone, because other plans use the same venue.
            await venue.fault(str(call.operation), fault["effect"], path=call.path, **more)

    async def _new_worker(self, wait: float) -> None:
        await asyncio.sleep(wait)
        await self._parts.start_worker()
        self.timeline.say("*** a new worker was started")

    async def _new_temporal(self, wait: float) -> None:
        await asyncio.sleep(wait)
        await self._parts.start_temporal()
        await self._parts.temporal_answers()
        self.timeline.say("*** Temporal answers again")

    async def _temporal_goes_on(self, wait: float) -> None:
        await asyncio.sleep(wait)
        self._parts.temporal_goes_on()
        await self._parts.temporal_answers()
        self.timeline.say("*** Temporal goes on")

    async def _kill_while_it_hangs(self, wait: float) -> None:
        await asyncio.sleep(_HANGS_ALREADY)
        await self._parts.kill_worker()
        self.timeline.say("*** the worker is killed while its call hangs")
        await self._new_worker(wait)

    async def _break_store(self, how: str, wait: float) -> None:
        store = self._parts.store
        if how == "stall":
            store.stall()
            self._errand(self._store_goes_on(wait))
            return
        await store.kill()
        if how == "restart":
            await store.start()
        else:
            self._errand(self._store_goes_on(wait))
        self._errand(self._sign_in(wait + 0.5))

    async def _store_goes_on(self, wait: float) -> None:
        await asyncio.sleep(wait)
        self._parts.store.go_on()
        await self._parts.store.start()
        self.timeline.say("*** Redis goes on")

    async def _break_line(self, how: str, wait: float) -> None:
        line = self._parts.line
        ways = {"before": line.hold_questions, "after": line.hold_answers, "lost": line.lose_answers}
        await ways[how](wait)
        self.timeline.say("*** the line to Temporal is whole again")

    async def _cancel(self) -> None:
        assert self.words is not None
        shown = await self.words.say("cancel")
        self.timeline.say(f"cancel: {shown}")

    async def _workflow_cancel(self) -> None:
        try:
            await self._handle.cancel()
        except RPCError as error:
            self.timeline.say(f"workflow cancel was not taken: {error.status.name}")

    async def _sign_in(self, wait: float) -> None:
        """Send a fresh token with the operator's next read of the plan, and repeat the read until it is answered."""
        await asyncio.sleep(wait)
        token = f"again-{self._plan_id}"
        await self._parts.grant(token)
        self.tokens.add(token)
        self._parts.watch(token, self._before, self._after)
        self._operator.http.headers["Authorization"] = f"Bearer {token}"
        for _ in range(60):
            response = await self._operator.http.get(
                f"/v1/plans/{self._plan_id}", params={"user_id": self._operator.user}
            )
            self.timeline.say(f"signed in again: {response.status_code}")
            if response.status_code == 200 and not response.json().get("stale"):
                return
            await asyncio.sleep(0.3)
