"""Timeouts of a provider: a voice call cannot wait.

Each method of a provider has its own timeout, and a tool's whole call has another that limits every method in it. The
remaining time is divided so that a write with an unknown outcome can still be read back.

Serializes writes by their target, for providers whose server has no transactions.

It holds within one process. Between processes a provider reads back after its write.
"""

import asyncio
from collections.abc import AsyncIterator, Hashable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from weakref import WeakValueDictionary

from restaurant.providers.errors import ProviderUnavailableError

LOOKS = (0.0, 0.3, 0.4, 0.6)
"""Seconds before each look that reads back a write, short enough for a voice call: a write that is applied within 1.3 s
of its response is seen."""
_READ_BACK = 1.5
"""Seconds at the end of a call that no write may use: they are reserved for the read-back."""
_WORTH = 0.3
"""A write with fewer seconds left is not started, because its outcome would only be unknown."""

GRACE = 0.5
"""Further seconds after which a call is ended in any case. None of our providers uses them."""

_ENDS: ContextVar[float | None] = ContextVar("restaurant_call_ends", default=None)
"""When the current call ends, by the loop's clock; None outside of calls."""


@dataclass(frozen=True)
class Timeouts:
    """Seconds for one call of a provider's method, its waits and read-backs included."""

    read: float = 2.0
    write: float = 3.5
    looks: Sequence[float] = LOOKS


class Deadline:
    """The end of one operation, by the loop's clock. Within a call it is made with `reading` or `writing`."""

    def __init__(self, seconds: float) -> None:
        self._at = asyncio.get_running_loop().time() + seconds

    @classmethod
    def reading(cls, seconds: float) -> "Deadline":
        """Return the deadline of a read: no later than the end of its call."""
        return cls(min(seconds, _left_of_call()))

    @classmethod
    def writing(cls, seconds: float) -> "Deadline":
        """Return the deadline of a write: it leaves enough of the call for a read-back. It is already over if too
        little time is left to write."""
        remaining = min(seconds, _left_of_call() - _READ_BACK)
        return cls(remaining if remaining >= _WORTH else 0.0)

    def left(self) -> float:
        """Return the seconds left, at least zero."""
        return max(0.0, self._at - asyncio.get_running_loop().time())


@contextmanager
def bounded(seconds: float) -> Iterator[Deadline]:
    """Limit all provider calls inside the context to `seconds`, or to an outer limit that is sooner. Yield the end."""
    end = Deadline(min(seconds, _left_of_call()))
    token = _ENDS.set(asyncio.get_running_loop().time() + end.left())
    try:
        yield end
    finally:
        _ENDS.reset(token)


@asynccontextmanager
async def in_time(seconds: float) -> AsyncIterator[None]:
    """Apply `bounded`, and end the body shortly after in any case. Raises `TimeoutError`."""
    with bounded(seconds) as end:
        async with asyncio.timeout(end.left() + GRACE):
            yield


def _left_of_call() -> float:
    ends = _ENDS.get()
    return float("inf") if ends is None else max(0.0, ends - asyncio.get_running_loop().time())


class KeyedLock:
    """A lock for each target, kept while a task holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def __call__(self, thing: Hashable, deadline: Deadline) -> AsyncIterator[None]:
        """Hold the lock of a target, so that no other task of this process writes to it. Raises
        `ProviderUnavailableError` if the lock is not free in time."""
        lock = self._locks.get(thing)
        if lock is None:
            self._locks[thing] = lock = asyncio.Lock()
        try:
            async with asyncio.timeout(deadline.left()):
                await lock.acquire()
        except TimeoutError:
            raise ProviderUnavailableError("other writes took too long") from None
        try:
            yield
        finally:
            lock.release()
