"""Writes one after the other, by what they write to, where a provider's server has no transactions.

It holds within one process. Between processes a provider looks again after its write.
"""

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from restaurant.providers.errors import UnavailableError
from restaurant.providers.patience import Deadline


class OneAtATime:
    """A lock for each thing that is written to, as long as somebody holds or wants it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def __call__(self, thing: Hashable, deadline: Deadline) -> AsyncIterator[None]:
        """Nobody else of this process writes to it meanwhile. Raises `UnavailableError` when the turn does not come."""
        lock = self._locks.get(thing)
        if lock is None:
            self._locks[thing] = lock = asyncio.Lock()
        try:
            async with asyncio.timeout(deadline.left()):
                await lock.acquire()
        except TimeoutError:
            raise UnavailableError("other writes took too long") from None
        try:
            yield
        finally:
            lock.release()
