"""Waiting for what a test cannot be told of."""

import asyncio
from collections.abc import Awaitable, Callable


async def soon(ready: Callable[[], Awaitable[object]], within: float = 10.0) -> None:
    """Ask until the answer is true. Raises `TimeoutError` after so many seconds."""
    async with asyncio.timeout(within):
        while not await ready():  # noqa: ASYNC110 - it happens in another process
            await asyncio.sleep(0.05)
