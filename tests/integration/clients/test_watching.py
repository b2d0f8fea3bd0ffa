"""Watching a plan (`clients.streams.plan`): whoever reads slowly is told everything, each event once and in order."""

import asyncio
from datetime import UTC, datetime
from typing import Any, cast

from clients.streams.plan import PlanStreams
from contracts.events import EventKind, EventsView, PlanEvent
from infra.stores.notifications import Notifications


class Growing:
    """A plan that tells an event at every look, until it has told ten."""

    def __init__(self) -> None:
        self.shown: list[PlanEvent] = []

    async def events(self, plan_id: str, after: int) -> EventsView:
        await asyncio.sleep(0)
        number = len(self.shown) + 1
        self.shown.append(PlanEvent(number=number, at=datetime.now(UTC), kind=EventKind.PROGRESS, text=str(number)))
        return EventsView(events=tuple(self.shown[after:]), over=number == 10)


async def test_a_slow_reader_misses_nothing() -> None:
    watching = PlanStreams(cast(Any, Growing()), Notifications())
    heard = []
    async with asyncio.timeout(60):
        async for fresh in watching.batches("plan-1"):
            await asyncio.sleep(0.02)
            heard += [event.number for event in fresh]
    await watching.close()
    assert heard == list(range(1, 11))
