"""What must hold in the moment in which a write leaves: its locks are held, what it is made of was read just now, and
its activity was not cancelled.

A process may be stopped at any moment (a paused container, a busy host) and go on as if nothing had happened. By then
somebody else may have changed the booking, and another worker may have the lock. So the age of the read is asked last,
when the connection is open. What remains is the time from there to the venue (`docs/saga.md`, "What remains").
"""

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from temporalio import activity

from clients.venue import Write
from infra.locks import Hold

_T = TypeVar("_T")


class Leaving:
    """Checks one write before it leaves, at `left_at` (by `clock`). `max_age`: seconds for which a read counts, or,
    where nothing is read, for which the decision to send does. `lands_within`: seconds after its leaving in which the
    write may take effect; its locks are held for as long, also if this process dies."""

    def __init__(
        self, hold: Hold, max_age: float, lands_within: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.hold = hold
        self._max_age = max_age
        self.lands_within = lands_within
        self._clock = clock
        self._fresh_since = self.left_at = clock()

    async def read(self, read: Callable[[], Awaitable[_T]]) -> _T:
        """Read what the write is made of. An answer that was longer under way than it counts is asked for once more: it
        may have waited for a process that was stopped. Raises what `read` raises."""
        began = self._clock()
        found = await read()
        if self._clock() - began > self._max_age:
            found = await read()
            # A venue that is this slow gives no younger one.
            began = self._clock()
        self._fresh_since = began
        return found

    @property
    def write(self) -> Write:
        """The mark for the call that writes."""
        return Write(last_check=self._may_leave)

    async def _may_leave(self) -> bool:
        held = await self.hold.extend(self.lands_within)
        young = self._clock() - self._fresh_since <= self._max_age
        self.left_at = self._clock()
        return held and young and not activity.is_cancelled()
