"""Heartbeats during a slow wait, so that Temporal notices a lost worker within seconds and can deliver a
cancellation."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from temporalio import activity


@asynccontextmanager
async def heartbeating() -> AsyncIterator[None]:
    """Send a heartbeat every second, or at a third of the heartbeat timeout if that is shorter, while the block
    runs."""
    timeout = activity.info().heartbeat_timeout
    if timeout is None:
        yield
        return

    async def beat() -> None:
        while True:
            activity.heartbeat()
            await asyncio.sleep(min(1.0, timeout.total_seconds() / 3))

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()
