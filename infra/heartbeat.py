"""Heartbeats while something slow is awaited, so that a lost worker is noticed in seconds and a cancel gets through."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from temporalio import activity


@asynccontextmanager
async def beating() -> AsyncIterator[None]:
    """Beat every second, or at a third of the heartbeat time-out if that is sooner, for as long as the block runs."""
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
