"""Waits for events in other processes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from infra.errors import DependencyUnavailableError

T = TypeVar("T")

LIMIT = 60.0
"""Seconds that anything may take that a test waits for. It decides nothing: it exists so that a hang ends."""

STARTING = 120.0
"""The same, for processes that start."""


def pauses(first: float = 0.05, longest: float = 0.5) -> Iterator[float]:
    """Yield seconds between polls, each longer than the one before, because a poll slows down what it waits for."""
    while True:
        yield first
        first = min(longest, first * 1.4)


async def soon(ready: Callable[[], Awaitable[object]], within: float = LIMIT) -> None:
    """Poll until the answer is true. Raises `TimeoutError` after so many seconds."""
    async with asyncio.timeout(within):
        while not await ready():  # noqa: ASYNC110 - it happens in another process
            await asyncio.sleep(0.05)


async def answered(ask: Callable[[], Awaitable[T]], within: float = LIMIT) -> T:
    """Return a part's answer, repeating a call that it gives up within a second, which a busy machine may need."""
    async with asyncio.timeout(within):
        while True:
            try:
                return await ask()
            except DependencyUnavailableError:
                await asyncio.sleep(0.05)
