"""Plan event streams: one subscription per plan serves all its watchers in this process.

The plan's workflow is the source of truth. Its events are read by a query, which adds nothing to its history. A
notification (`infra.stores.notifications`) triggers the query; if one is lost, the subscription polls after a moment.
The server keeps no state per watcher: a watcher sends the number of its last event and gets the events after it.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Generic, Protocol, TypeVar

from clients.errors import ApiError
from clients.temporal.plans import PlanClient
from contracts.chat_messages import PlanStart
from contracts.enums import ServiceErrorType
from contracts.events import EventKind, PlanEvent
from infra.stores.notifications import Notifications

_LINGER = 10.0
"""Seconds for which a subscription continues without watchers, so that a client that reconnects gets the rest
at once."""


class Subscription(Protocol):
    """A subscription to one plan or chat; `watchers` is the number of its watchers."""

    watchers: int

    async def run(self) -> None:
        """Run until nothing more can come."""


W = TypeVar("W", bound=Subscription)


class SharedSubscriptions(Generic[W]):
    """The subscriptions of one kind, each created on first use."""

    def __init__(self, make: Callable[[str], W]) -> None:
        self._make = make
        self._watches: dict[str, W] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @contextlib.contextmanager
    def get(self, thing: str) -> Iterator[W]:
        """Yield the subscription of a plan or chat, which runs at least as long as the context."""
        watch = self._watches.get(thing)
        if watch is None:
            watch = self._watches[thing] = self._make(thing)
            self._tasks[thing] = asyncio.create_task(self._keep(thing, watch))
        watch.watchers += 1
        try:
            yield watch
        finally:
            watch.watchers -= 1

    def existing(self, thing: str) -> W | None:
        """Return the existing subscription, or None."""
        return self._watches.get(thing)

    async def close(self) -> None:
        """Close every subscription."""
        for task in list(self._tasks.values()):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _keep(self, thing: str, watch: W) -> None:
        running = asyncio.create_task(watch.run())
        try:
            idle = 0.0
            while idle < _LINGER:
                await asyncio.sleep(1)
                idle = 0.0 if watch.watchers else idle + 1
        finally:
            # Removed first: a watcher that arrives while this one ends starts a new subscription.
            del self._watches[thing], self._tasks[thing]
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running


log = logging.getLogger(__name__)

AT_WORK, AT_REST = 1.0, 10.0
"""Seconds between polls: of a plan that is executing, and of one that waits."""
_RESTING = (EventKind.INITIATED, EventKind.SEPARATE_MESSAGE, EventKind.PROMPT_OPENED, EventKind.SIGN_IN_NEEDED)
"""The last event of a plan that waits for the operator or has ended."""


class _PlanSubscription:
    """One watched plan, with all its events so far."""

    def __init__(self, plan_id: str, plans: PlanClient, wakes: Notifications) -> None:
        self._plan_id, self._plans, self._notifications = plan_id, plans, wakes
        self.events: list[PlanEvent] = []
        self.over = False
        self.missing: ApiError | None = None
        self.watchers = 0
        self.looked = asyncio.Event()
        self._looking = asyncio.Lock()
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Query the plan on each notification or timeout, until no more events can come."""
        with self._notifications.listen(self._plan_id) as rung:
            while not self.over and self.missing is None:
                rung.clear()
                known = len(self.events)
                try:
                    await self._look()
                except Exception:
                    # Watchers wait for the next query, which may succeed.
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
        # Current waiters get this event; later ones wait for the next.
        self._changed.set()
        self._changed = asyncio.Event()

    async def look_again(self) -> None:
        """Query now, because a watcher has a later cursor from another process."""
        await self._look()

    async def _look(self) -> None:
        async with self._looking:
            await self._see()

    async def _see(self) -> None:
        try:
            view = await self._plans.events(self._plan_id, len(self.events))
        except ApiError as error:
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
        """Close the events of a plan whose workflow failed or was terminated, which can report nothing more. Its last
        known state ends the events."""
        with contextlib.suppress(ApiError):
            plan = await self._plans.was_interrupted(self._plan_id)
            if plan is None:
                return
            if not self.events:
                # If a worker has started the plan, the query returns more as soon as a worker is available.
                begun = await self._plans.never_started(self._plan_id)
                if begun is None:
                    return
                self.events.append(_first_of(begun))
                self.looked.set()
            last = self.events[-1]
            self.over = True
            if last.kind is EventKind.SEPARATE_MESSAGE:
                return
            # An undo follows the plan's end, and has a message only.
            completed = any(event.kind is EventKind.COMPLETE for event in self.events)
            at, text = plan.completed_at or last.at, plan.notice or last.text
            for kind in (EventKind.COMPLETE, EventKind.SEPARATE_MESSAGE)[completed:]:
                status = plan.status if kind is EventKind.COMPLETE else None
                number = len(self.events) + 1
                self.events.append(PlanEvent(number=number, at=at, kind=kind, text=text, status=status))


def _first_of(start: PlanStart) -> PlanEvent:
    """Return the first event that a plan would have sent."""
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


class PlanStreams:
    """The plan subscriptions of one process."""

    def __init__(self, plans: PlanClient, wakes: Notifications) -> None:
        self._plans = plans
        self._watches = SharedSubscriptions(lambda plan_id: _PlanSubscription(plan_id, plans, wakes))

    async def subscribe(self, plan_id: str, after: int = 0) -> AsyncGenerator[PlanEvent, None]:
        """Yield the events of a plan after a number, as they happen, until no more can come. Raises `ApiError`:
        not_found."""
        async with contextlib.aclosing(self.batches(plan_id, after)) as batches:
            async for fresh in batches:
                for event in fresh:
                    yield event

    async def batches(self, plan_id: str, after: int = 0) -> AsyncGenerator[list[PlanEvent], None]:
        """Yield the same events in batches. The first batch has the existing events and may be empty. Raises like
        `subscribe`."""
        with self._watches.get(plan_id) as watch:
            await watch.looked.wait()
            if after > len(watch.events):
                # The number may come from an API process that has read more. If it is still too high, it is invalid and
                # ignored.
                await watch.look_again()
                after = after if after <= len(watch.events) else 0
            while True:
                if watch.missing is not None:
                    raise watch.missing
                # Events that arrive while a slow reader takes these are in the next batch.
                fresh = watch.events[after:]
                yield fresh
                after += len(fresh)
                if watch.over and len(watch.events) <= after:
                    return
                await watch.news(after)

    async def drained(self, plan_id: str, after: int) -> bool:
        """Return whether it is certain that no event follows this number, which is the last event's."""
        watch = self._watches.existing(plan_id)
        if watch is not None and watch.over:
            return len(watch.events) == after
        with contextlib.suppress(ApiError):
            view = await self._plans.events(plan_id, after - 1)
            return view.over and [event.number for event in view.events] == [after]
        return False

    async def close(self) -> None:
        """Close every subscription."""
        await self._watches.close()
