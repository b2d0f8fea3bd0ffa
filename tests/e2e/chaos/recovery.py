"""Measures how soon a new worker takes over after the only one was killed in mid-step (Temporal detects the lost
activity by its missing heartbeat)."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tests.support.process_stack import ProcessStack
from tests.support.roller import a_name
from tests.support.scripted_model import Reply, executes, look_up, obey, then
from tests.support.venue_proxy import Call
from tests.support.waiting import LIMIT

WITHIN = 5.0
"""Seconds: the promised median, from the new worker's start."""


@dataclass(frozen=True, slots=True)
class Wait:
    """One recovery: seconds to the new worker's next call, since its process was started and since it polls."""

    place: str
    since_start: float
    since_polling: float


@dataclass(slots=True)
class Waits:
    """All recoveries of a measurement."""

    all: list[Wait]

    @property
    def median(self) -> float:
        """Return the median since the start of the process, which includes loading Python."""
        return statistics.median(w.since_start for w in self.all)

    @property
    def median_polling(self) -> float:
        """Return the median since the new worker polls."""
        return statistics.median(w.since_polling for w in self.all)

    def __str__(self) -> str:
        rows = ", ".join(f"{w.place} {w.since_start:.1f}" for w in self.all)
        return (
            f"next effect after a new worker's start: median {self.median:.2f} s of {len(self.all)} since its process "
            f"started, {self.median_polling:.2f} s since it polls; slowest {max(w.since_start for w in self.all):.2f} s"
            f" ({rows})"
        )


PLACES = ("write sent", "write answered", "snapshot", "model asked")


async def measure(process_stack: ProcessStack, times: int) -> Waits:
    """Kill the worker in the second step of as many plans, in turn at each place."""
    return Waits([await _once(process_stack, PLACES[number % len(PLACES)]) for number in range(times)])


def _replies(guest: str, asked_to_carry_out: Callable[[], Awaitable[None]]) -> Reply:
    """Return a model that looks the booking up, plans two steps and executes them, after a call of the hook."""
    plans: Any = then(("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"}))

    async def reply(body: dict[str, Any]) -> Any:
        if not executes(body):
            return plans(body) if body["messages"][-1]["role"] == "tool" else look_up(guest)
        await asked_to_carry_out()
        return obey(body)

    return reply


async def _once(process_stack: ProcessStack, place: str) -> Wait:
    guest = a_name()
    struck, effects, steps = asyncio.Event(), asyncio.Queue[float](), {"writes": 0, "asked": 0}

    async def strike() -> None:
        if not struck.is_set():
            struck.set()
            await process_stack.kill_worker()

    async def before(call: Call) -> None:
        if call.operation == "get-venue-detail":
            return
        if struck.is_set():
            effects.put_nowait(call.at)
        steps["writes"] += call.method == "PUT"
        at_write = place == "write sent" and call.method == "PUT" and steps["writes"] == 2
        at_snapshot = place == "snapshot" and call.method == "GET" and steps["asked"] == 2 and steps["writes"] == 1
        if at_write or at_snapshot:
            await strike()

    async def after(call: Call) -> None:
        if place == "write answered" and call.method == "PUT" and steps["writes"] == 2:
            await strike()

    async def asked_to_carry_out() -> None:
        if struck.is_set():
            effects.put_nowait(time.monotonic())
        steps["asked"] += 1
        if place == "model asked" and steps["asked"] == 2:
            await strike()

    async with process_stack.roller() as venue, process_stack.operator() as operator:
        booking = await venue.book(guest)
        process_stack.scripted.script(guest, _replies(guest, asked_to_carry_out))
        plan = await operator.plan_for(f"14 guests for {guest}, note: Cake at noon")
        process_stack.proxy.before, process_stack.proxy.after = before, after
        try:
            await operator.confirm(plan)
            await asyncio.wait_for(struck.wait(), LIMIT)
            began = time.monotonic()
            await process_stack.start_worker()
            await process_stack.worker_polls()
            polls = time.monotonic()
            went_on = await asyncio.wait_for(effects.get(), LIMIT)
        finally:
            process_stack.proxy.let_go()
        ended = await operator.settled(plan)
        writes = await venue.journal(booking)
    assert (ended["status"], len(writes)) == ("completed", 2), (ended, writes)
    return Wait(place, went_on - began, went_on - polls)
