"""A plan followed as it is carried out: its events told as they come, and its state beside them."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from ag_ui.core import BaseEvent

from api.ag_ui.interrupts import Point, waiting_point
from api.ag_ui.shared_state import SharedState
from api.ag_ui.story import Story
from api.ag_ui.transcript import Transcript
from api.patience import patiently
from clients.errors import refuse
from clients.plans import PlanClient
from clients.watching import Watching
from contracts.enums import ServiceErrorType
from contracts.events import EventKind, PlanEvent
from contracts.messages import PlanView
from contracts.plan import ExecutionPlan
from language.catalogue import say


@dataclass(frozen=True)
class Part:
    """The part of a plan's story that is told: behind event `after`, to the next time that it ends or waits. `anew`:
    it has ended before, and goes on. `answered`: what it waited for, and does not any more."""

    plan_id: str
    after: int = 1
    anew: bool = False
    answered: Point | None = None


class Following:
    """How one run follows plans; `until` is when it must be over, by the monotonic clock."""

    def __init__(
        self, plans: PlanClient, watching: Watching, transcript: Transcript, state: SharedState, until: float
    ) -> None:
        self._plans, self._watching, self._until = plans, watching, until
        self._transcript, self._state = transcript, state

    async def told(self, part: Part) -> AsyncGenerator[BaseEvent, None]:
        """What happens to the plan until it ends or waits for somebody. Raises `RequestError`: service_unavailable when
        the run lasts too long; the plan goes on."""
        story, seen = Story(self._transcript, part.after), list[PlanEvent]()
        async with contextlib.aclosing(self._watching.batches(part.plan_id)) as batches:
            while True:
                fresh = await self._next(batches)
                plan = await self.plan(part.plan_id)
                for told in self._state.plan(plan):
                    yield told
                seen += fresh or ()
                for event in fresh or ():
                    for told in story.told(event, plan):
                        yield told
                if fresh is None or _over(part, plan, seen):
                    break
        for told in story.closed():
            yield told

    async def plan(self, plan_id: str) -> ExecutionPlan:
        """The plan as it stands; as it was last seen, where nobody can be asked for a while. Raises `RequestError`."""
        view = await patiently(lambda: self._plans.plan(plan_id), _is_live)
        return view.plan

    async def part_of(self, plan: ExecutionPlan) -> Part:
        """What of a plan is told to whoever asks how it goes: all from its confirmation, or from its undo. Raises
        `RequestError`."""
        events = (await self._plans.events(plan.plan_id, 0)).events
        ended = next((e.number for e in events if e.kind is EventKind.SEPARATE_MESSAGE), None)
        if ended is not None and any(e.number > ended for e in events):
            return Part(plan.plan_id, ended, anew=True)
        return Part(plan.plan_id)

    async def _next(self, batches: AsyncGenerator[list[PlanEvent], None]) -> list[PlanEvent] | None:
        """The next events; None when no more can come."""
        try:
            async with asyncio.timeout(max(0.0, self._until - time.monotonic())):
                return await anext(batches)
        except StopAsyncIteration:
            return None
        except TimeoutError:
            raise refuse(ServiceErrorType.SERVICE_UNAVAILABLE, say("ag_ui.too_long"), say("ag_ui.follow")) from None


def _is_live(view: PlanView) -> bool:
    return not view.plan.stale or view.plan.notice is not None


def _over(part: Part, plan: ExecutionPlan, seen: list[PlanEvent]) -> bool:
    """Whether the part that is told has come to its end."""
    closing = [event.number for event in seen if event.kind is EventKind.SEPARATE_MESSAGE]
    if any(number > part.after for number in closing):
        return True
    if part.anew:
        return False
    if plan.settled and closing:
        return True
    point = waiting_point(plan)
    if point is None or point == part.answered:
        return False
    return point.prompt_id is None or any(event.prompt_id == point.prompt_id for event in seen)
