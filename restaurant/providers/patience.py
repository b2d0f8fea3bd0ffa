"""How long a provider may take: a voice call cannot wait.

Each method of a provider has its own bound, and all that a tool's call does together has another, which every method
within it keeps: what is left is divided so that a write of which nobody knows what became can still be read back.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

LOOKS = (0.0, 0.3, 0.4, 0.6)
"""Seconds before each look at what became of a write, in a time that a voice call can wait: what lands within 1.3 s of
its answer is seen."""
_READ_BACK = 1.5
"""Seconds at the end of a call that no write may use: they are for the looks at what has become of it."""
_WORTH = 0.3
"""Seconds without which a write is not begun: sent with less it would only end as one of which nobody knows."""

GRACE = 0.5
"""Seconds more after which a call is ended whatever it does: no provider of ours takes them."""

_ENDS: ContextVar[float | None] = ContextVar("restaurant_call_ends", default=None)
"""When the call ends within which this is asked, by the loop's clock; None outside of calls."""


@dataclass(frozen=True)
class Patience:
    """Seconds for one call of a provider's method, its waits and read-backs included."""

    read: float = 2.0
    write: float = 3.5
    looks: Sequence[float] = LOOKS


class Deadline:
    """The end of one piece of work, by the loop's clock. Of a call's work it is made with `reading` or `writing`."""

    def __init__(self, seconds: float) -> None:
        self._at = asyncio.get_running_loop().time() + seconds

    @classmethod
    def reading(cls, seconds: float) -> "Deadline":
        """Of a read: no later than the call that it is for."""
        return cls(min(seconds, _left_of_call()))

    @classmethod
    def writing(cls, seconds: float) -> "Deadline":
        """Of a write: what is left of the call then is enough to read it back. Already over where too little is left
        to write at all."""
        left = min(seconds, _left_of_call() - _READ_BACK)
        return cls(left if left >= _WORTH else 0.0)

    def left(self) -> float:
        """Seconds, none below zero."""
        return max(0.0, self._at - asyncio.get_running_loop().time())


@contextmanager
def bounded(seconds: float) -> Iterator[Deadline]:
    """All that providers are asked within this ends within `seconds`, or sooner where a wider bound does. The end."""
    end = Deadline(min(seconds, _left_of_call()))
    token = _ENDS.set(asyncio.get_running_loop().time() + end.left())
    try:
        yield end
    finally:
        _ENDS.reset(token)


@asynccontextmanager
async def in_time(seconds: float) -> AsyncIterator[None]:
    """`bounded`, and ended soon after whatever is going on then. Raises `TimeoutError`."""
    with bounded(seconds) as end:
        async with asyncio.timeout(end.left() + GRACE):
            yield


def _left_of_call() -> float:
    ends = _ENDS.get()
    return float("inf") if ends is None else max(0.0, ends - asyncio.get_running_loop().time())
