"""Follows a plan while it runs: yields its events as they occur, and its state beside them."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from ag_ui.core import BaseEvent

from api.ag_ui.event_mapping import EventMapper, SharedState
from api.ag_ui.interrupts import InterruptRef, open_interrupt
from api.ag_ui.messages import MessageHistory
from api.sse import patiently
from clients.errors import api_error
from clients.streams.plan import PlanStreams
from clients.temporal.plans import PlanClient
from contracts.chat_messages import PlanView
from contracts.enums import ServiceErrorType
from contracts.events import EventKind, PlanEvent
from contracts.plan import ExecutionPlan
from language.messages.catalogue import translate


@dataclass(frozen=True)
class PlanCursor:
    """The part of a plan's events to send: behind event `after`, until the plan next ends or waits. `reopened`: the
    plan has ended before, and continues. `answered`: the interrupt that it no longer waits for."""

    plan_id: str
    after: int = 1
    reopened: bool = False
    answered: InterruptRef | None = None


class PlanFollower:
    """Follows plans for one run. `until` is the run's deadline, by the monotonic clock."""

    def __init__(
        self, plans: PlanClient, watching: PlanStreams, transcript: MessageHistory, state: SharedState, until: float
    ) -> None:
        self._plans, self._plan_streams, self._until = plans, watching, until
        self._transcript, self._state = transcript, state

    async def events(self, part: PlanCursor) -> AsyncGenerator[BaseEvent, None]:
        """Yield the plan's events until it ends or waits for its operator. Raises `ApiError`: service_unavailable if
        the run lasts too long; the plan continues."""
        story, events = EventMapper(self._transcript, part.after), list[PlanEvent]()
        async with contextlib.aclosing(self._plan_streams.batches(part.plan_id)) as batches:
            while True:
                fresh = await self._next(batches)
                plan = await self.plan(part.plan_id)
                for change in self._state.plan(plan):
                    yield change
                events += fresh or ()
                for event in fresh or ():
                    for change in story.map(event, plan):
                        yield change
                if fresh is None or _over(part, plan, events):
                    break
        for change in story.close():
            yield change

    async def plan(self, plan_id: str) -> ExecutionPlan:
        """Return the current plan, or the last known one if no worker answers for a while. Raises `ApiError`."""
        view = await patiently(lambda: self._plans.plan(plan_id), _is_live)
        return view.plan

    async def part_of(self, plan: ExecutionPlan) -> PlanCursor:
        """Return the part of a plan that a watcher receives: all from its confirmation, or from its undo. Raises
        `ApiError`."""
        events = (await self._plans.events(plan.plan_id, 0)).events
        ended = next((e.number for e in events if e.kind is EventKind.SEPARATE_MESSAGE), None)
        if ended is not None and any(e.number > ended for e in events):
            return PlanCursor(plan.plan_id, ended, reopened=True)
        return PlanCursor(plan.plan_id)

    async def _next(self, batches: AsyncGenerator[list[PlanEvent], None]) -> list[PlanEvent] | None:
        """Return the next events; None if no more can come."""
        try:
            async with asyncio.timeout(max(0.0, self._until - time.monotonic())):
                return await anext(batches)
        except StopAsyncIteration:
            return None
        except TimeoutError:
            raise api_error(
                ServiceErrorType.SERVICE_UNAVAILABLE, translate("ag_ui.too_long"), translate("ag_ui.follow")
            ) from None


def _is_live(view: PlanView) -> bool:
    return not view.plan.stale or view.plan.notice is not None


def _over(part: PlanCursor, plan: ExecutionPlan, events: list[PlanEvent]) -> bool:
    """Return whether the part has ended."""
    closing = [event.number for event in events if event.kind is EventKind.SEPARATE_MESSAGE]
    if any(number > part.after for number in closing):
        return True
    if part.reopened:
        return False
    if plan.settled and closing:
        return True
    point = open_interrupt(plan)
    if point is None or point == part.answered:
        return False
    return point.prompt_id is None or any(event.prompt_id == point.prompt_id for event in events)
