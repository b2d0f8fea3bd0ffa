"""How many requests are left of Google's quota: 60 a minute of a user (docs/restaurant-providers.md).

Requests cost the same whether they carry one booking or fifty, so the fewer are left, the longer writes are gathered
and the older a read may be.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable

from restaurant.providers.errors import UnavailableError
from restaurant.providers.patience import Deadline

_MINUTE = 60.0
_OURS = 56
"""Of 60: what is left over is for the staff's own scripts, and for clocks that differ."""
_STEPS = ((15, 0.03), (28, 0.3), (42, 0.8))
"""Up to so many requests in the last minute, writes are gathered for so many seconds."""
_LONGEST = 1.5


class Pace:
    """The requests of one user in the last minute. Shared by all restaurants that are read as this user."""

    def __init__(self, a_minute: int = _OURS, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_minute, self._clock = a_minute, clock
        self._sent: deque[float] = deque()

    def gathering(self) -> float:
        """Seconds to wait for more writes before the next ones are sent."""
        used = self._used()
        return next((seconds for limit, seconds in _STEPS if used < limit), _LONGEST)

    async def take(self, deadline: Deadline) -> None:
        """Count one request, when there is one left. Raises `UnavailableError` when none will be in time."""
        while self._used() >= self._a_minute:
            wait = self._sent[0] + _MINUTE - self._clock()
            if wait > deadline.left():
                raise UnavailableError("google_sheets: this minute's requests are used up")
            await asyncio.sleep(max(wait, 0.01))
        self._sent.append(self._clock())

    def _used(self) -> int:
        while self._sent and self._sent[0] <= self._clock() - _MINUTE:
            self._sent.popleft()
        return len(self._sent)
