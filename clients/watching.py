"""Watching plans: one look at a plan serves all who watch it in this process.

A plan's own history is the truth: its events are asked of it by a query, which costs its history nothing. A wake-up
(`infra.wakes`) says when to ask; where one is lost, the watch looks by itself after a moment. What each watcher has had
is its own business: it comes back with the number of the last event and is given what follows.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator

from clients.errors import RequestError
from clients.plans import PlanClient
from clients.shared_watches import SharedWatches
from contracts.enums import ServiceErrorType
from contracts.events import EventKind, PlanEvent
from contracts.messages import PlanStart
from infra.wakes import Wakes

log = logging.getLogger(__name__)

AT_WORK, AT_REST = 1.0, 10.0
"""Seconds after which a watch looks by itself: at a plan that is carried out, and at one that waits."""
_RESTING = (EventKind.INITIATED, EventKind.SEPARATE_MESSAGE, EventKind.PROMPT_OPENED, EventKind.SIGN_IN_NEEDED)
"""What a plan told last when it waits for somebody, or has ended."""


class _Watch:
    """One plan that is watched, with all its events so far."""

    def __init__(self, plan_id: str, plans: PlanClient, wakes: Wakes) -> None:
        self._plan_id, self._plans, self._wakes = plan_id, plans, wakes
        self.events: list[PlanEvent] = []
        self.over = False
        self.missing: RequestError | None = None
        self.watchers = 0
        self.looked = asyncio.Event()
        self._looking = asyncio.Lock()
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Look whenever there may be something new, until no more can come."""
        with self._wakes.listen(self._plan_id) as rung:
            while not self.over and self.missing is None:
                rung.clear()
                known = len(self.events)
                try:
                    await self._look()
                except Exception:
                    # Those who watch wait for the next look, which may find it mended.
                    log.exception("plan %s could not be looked at", self._plan_id)
                if self.over or self.missing is not None or len(self.events) > known:
                    self._tell()
                    continue
                try:
                    async with asyncio.timeout(self._patience):
                        await rung.wait()
                except TimeoutError:
                    await self._see_whether_it_lives()
        self._tell()

    async def news(self, after: int) -> None:
        """Wait until there is an event after this number, or no more can come."""
        while len(self.events) <= after and not self.over and self.missing is None:
            await self._changed.wait()

    @property
    def _patience(self) -> float:
        return AT_REST if self.events and self.events[-1].kind in _RESTING else AT_WORK

    def _tell(self) -> None:
        # Whoever waits has this event; whoever comes later waits for the next.
        self._changed.set()
        self._changed = asyncio.Event()

    async def look_again(self) -> None:
        """Look now: somebody has heard more, elsewhere."""
        await self._look()

    async def _look(self) -> None:
        async with self._looking:
            await self._see()

    async def _see(self) -> None:
        try:
            view = await self._plans.events(self._plan_id, len(self.events))
        except RequestError as error:
            if error.kind is ServiceErrorType.NOT_FOUND:
                self.missing = error
                self.looked.set()
            else:
                log.debug("plan %s could not be watched for a moment", self._plan_id)
            return
        self.events += view.events
        self.over = view.over
        self.looked.set()

    async def _see_whether_it_lives(self) -> None:
        """A plan whose workflow was ended by hand, or failed, tells nothing any more: it is told as it was seen."""
        with contextlib.suppress(RequestError):
            plan = await self._plans.cut_off(self._plan_id)
            if plan is None:
                return
            if not self.events:
                # Of one that a worker had taken up, the query tells more as soon as there is a worker to ask.
                begun = await self._plans.never_began(self._plan_id)
                if begun is None:
                    return
                self.events.append(_first_of(begun))
                self.looked.set()
            last = self.events[-1]
            self.over = True
            if last.kind is EventKind.SEPARATE_MESSAGE:
                return
            # An undo comes behind a plan's end, and has words alone.
            completed = any(event.kind is EventKind.COMPLETE for event in self.events)
            at, text = plan.completed_at or last.at, plan.notice or last.text
            for kind in (EventKind.COMPLETE, EventKind.SEPARATE_MESSAGE)[completed:]:
                status = plan.status if kind is EventKind.COMPLETE else None
                number = len(self.events) + 1
                self.events.append(PlanEvent(number=number, at=at, kind=kind, text=text, status=status))


def _first_of(start: PlanStart) -> PlanEvent:
    """The event that a plan would have begun with."""
    plan, why = start.plan, start.reasoning or start.plan.intent
    return PlanEvent(
        number=1,
        at=plan.created_at,
        kind=EventKind.INITIATED,
        text=plan.intent or why,
        reasoning=why,
        confidence=start.confidence,
        in_chat=bool(plan.results) or None,
    )


class Watching:
    """The watches of one process."""

    def __init__(self, plans: PlanClient, wakes: Wakes) -> None:
        self._plans = plans
        self._watches = SharedWatches(lambda plan_id: _Watch(plan_id, plans, wakes))

    async def follow(self, plan_id: str, after: int = 0) -> AsyncGenerator[PlanEvent, None]:
        """The events of a plan after a number, as they happen; ends when no more can come. Raises `RequestError`:
        not_found."""
        async with contextlib.aclosing(self.batches(plan_id, after)) as batches:
            async for fresh in batches:
                for event in fresh:
                    yield event

    async def batches(self, plan_id: str, after: int = 0) -> AsyncGenerator[list[PlanEvent], None]:
        """The same, as many at a time as there are; first those that there are already, be it none. Raises as
        `follow`."""
        with self._watches.of(plan_id) as watch:
            await watch.looked.wait()
            if after > len(watch.events):
                # It may come of a facade that has looked later; if it is of no event at all, it is none.
                await watch.look_again()
                after = after if after <= len(watch.events) else 0
            while True:
                if watch.missing is not None:
                    raise watch.missing
                # What comes while a slow reader takes these is told with the next.
                fresh = watch.events[after:]
                yield fresh
                after += len(fresh)
                if watch.over and len(watch.events) <= after:
                    return
                await watch.news(after)

    async def told_all(self, plan_id: str, after: int) -> bool:
        """Whether it is known that nothing can come any more after a number, which is the last event's."""
        watch = self._watches.known(plan_id)
        if watch is not None and watch.over:
            return len(watch.events) == after
        with contextlib.suppress(RequestError):
            view = await self._plans.events(plan_id, after - 1)
            return view.over and [event.number for event in view.events] == [after]
        return False

    async def close(self) -> None:
        """End every watch."""
        await self._watches.close()
