"""The remaining requests of Google's quota: 60 a minute per user (docs/restaurant-providers.md).

A request costs the same with one booking or fifty, so the fewer are left, the longer writes are batched and the older a
cached read may be.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable

from restaurant.providers.errors import ProviderUnavailableError
from restaurant.providers.timeouts import Deadline

_MINUTE = 60.0
_OURS = 56
"""Of 60: the rest is for the staff's own scripts, and for clock differences."""
_STEPS = ((15, 0.03), (28, 0.3), (42, 0.8))
"""Pairs: up to this many requests in the last minute, writes are batched for this many seconds."""
_LONGEST = 1.5


class SheetsQuota:
    """The requests of one user in the last minute. Shared by all restaurants that use this user's credentials."""

    def __init__(self, a_minute: int = _OURS, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_minute, self._clock = a_minute, clock
        self._sent: deque[float] = deque()

    def gathering(self) -> float:
        """Return the seconds to wait for more writes before the next batch is sent."""
        used = self._used()
        return next((seconds for limit, seconds in _STEPS if used < limit), _LONGEST)

    async def take(self, deadline: Deadline) -> None:
        """Count one request as soon as the quota allows it. Raises `ProviderUnavailableError` if that is after the
        deadline."""
        while self._used() >= self._a_minute:
            wait = self._sent[0] + _MINUTE - self._clock()
            if wait > deadline.left():
                raise ProviderUnavailableError("google_sheets: this minute's requests are used up")
            await asyncio.sleep(max(wait, 0.01))
        self._sent.append(self._clock())

    def _used(self) -> int:
        while self._sent and self._sent[0] <= self._clock() - _MINUTE:
            self._sent.popleft()
        return len(self._sent)
