"""Watching a plan (`clients.streams.plan`): a slow reader gets every event, each once and in order."""

import asyncio
from datetime import UTC, datetime
from typing import Any, cast

from clients.streams.plan import PlanStreams
from contracts.events import EventKind, EventsView, PlanEvent
from infra.stores.notifications import Notifications
from infra.stores.store import Store


class Growing:
    """A plan that adds an event at every read, until it has ten."""

    def __init__(self) -> None:
        self.shown: list[PlanEvent] = []

    async def events(self, plan_id: str, after: int) -> EventsView:
        await asyncio.sleep(0)
        number = len(self.shown) + 1
        self.shown.append(PlanEvent(number=number, at=datetime.now(UTC), kind=EventKind.PROGRESS, text=str(number)))
        return EventsView(events=tuple(self.shown[after:]), over=number == 10)


async def test_a_slow_reader_misses_nothing() -> None:
    watching = PlanStreams(cast(Any, Growing()), Notifications(Store()))
    heard = []
    async with asyncio.timeout(60):
        async for fresh in watching.batches("plan-1"):
            await asyncio.sleep(0.02)
            heard += [event.number for event in fresh]
    await watching.close()
    assert heard == list(range(1, 11))
