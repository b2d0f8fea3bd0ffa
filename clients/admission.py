"""Admission control: limits the concurrent turns and commands of one API process, fairly between venues. A request that
would time out in a long queue is rejected at once with a retry delay.

If several venues are served, one venue gets at most half of the slots, and fewer while workers are slow. Further
requests of that venue queue in the API process, where requests of other venues go first; behind it, all venues share
the workers' queue. Messages need a slot, and so do the commands that start work (confirm, answer, undo). Commands that
stop work (cancel, skip) are always accepted.
"""

import asyncio
import contextlib
import math
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Literal

from clients.errors import ApiError, api_error
from contracts.enums import ServiceErrorType
from infra.observability.observer import Observer
from language.messages.catalogue import translate

COME_AGAIN = 2
"""Seconds, about as long as a turn takes. It is the shortest retry delay."""
_LATEST = 60
"""Seconds: the longest retry delay. After a minute the operator has moved on and the load may have changed."""

_TWICE = 2.0
_BLUR = 0.1
"""Seconds by which an answer may be late without any queue, because a plan that is not in a worker's cache is replayed
first."""
_FORGOTTEN = 0.01
"""Fraction by which each slower answer raises the recorded fastest one, because a machine may have become slower."""
_HALVED_AGAIN = 0.25
"""Seconds between halvings. Requests that were in progress at a halving do not measure the new share."""
_GROWS = 0.2
_BEGINS = 2.0
_LEAST = 0.25
"""The smallest share: one slot for a quarter of the time. An admitted request keeps using worker time after its slot is
free."""
_LONGEST_REST = 1.0
"""Seconds: the longest pause of a slot."""


class FairShare:
    """The number of slots that one of several venues may use. It grows while workers answer promptly, and is halved
    once an answer takes more than twice as long as the fastest (additive increase, multiplicative decrease, RFC 5681).
    So it adapts to fast and slow machines and to any number of API processes without tuning. A share below one slot is
    a slot that pauses after each use."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = self._now = float(max(1, limit))
        self._clock = clock
        self._quickest = math.inf
        self._halved = -math.inf

    @property
    def slots(self) -> int:
        """Return the number of whole slots, at least one."""
        return max(1, int(self._now))

    @property
    def worth(self) -> float:
        """Return the share as a number of slots that are always in use."""
        return self._now if self._now < 1 else float(self.slots)

    def pause(self, held: float) -> float:
        """Return the seconds for which a slot stays empty after it was held for `held` seconds."""
        return min(_LONGEST_REST, held * (1 / self._now - 1)) if self._now < 1 else 0.0

    def queue_forms(self) -> None:
        """Restart the share from a low value when a queue forms, to find what the workers can handle."""
        self._now = min(self._now, _BEGINS)

    def observe(self, seconds: float) -> None:
        """Record how long a worker took to answer a query that needs no work, or how long it has not answered."""
        slower = max(0.0, seconds - self._quickest)
        self._quickest = seconds if math.isinf(self._quickest) else min(seconds, self._quickest + _FORGOTTEN * slower)
        if seconds <= _TWICE * self._quickest + _BLUR:
            self._now = min(self._limit, self._now + _GROWS / max(1.0, self._now))
        elif self._clock() - self._halved >= _HALVED_AGAIN:
            self._now, self._halved = max(_LEAST, self._now / 2), self._clock()


class AdmissionControl:
    """The admission control of one API process (`IQ_MAX_CONCURRENT_TURNS`, `IQ_MAX_CONCURRENT_COMMANDS`). `timeout`:
    seconds that a request may queue; one that would wait longer is rejected at once."""

    def __init__(
        self,
        number: int,
        what: Literal["message", "command"],
        observer: Observer,
        *,
        timeout: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._number = number
        self._clock = clock
        self._what = what
        self._observer = observer
        self._timeout = timeout
        self.share = FairShare(number // 2, clock)
        self._taken: Counter[str] = Counter()
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}
        self._several: dict[str, bool] = {}
        self._held = {False: 0.1, True: 0.0}
        """Moving average of the seconds for which a slot is held: the first time and, `again`, for the same request."""
        self._retry_at: dict[str, float] = {}
        """The latest retry time given to rejected requests, by venue."""

    def in_use(self, venue_id: str) -> int:
        """Return how many slots a venue uses now."""
        return self._taken[venue_id]

    def queued(self, venue_id: str) -> int:
        """Return how many requests of a venue are queued."""
        return len(self._lines.get(venue_id, ()))

    @asynccontextmanager
    async def slot(self, venue_id: str, *, several: bool, then: str = "", again: bool = False) -> AsyncIterator[None]:
        """Hold a slot for the duration of a block. `then`: text added to a rejection. `again`: the request held a slot
        before and goes first in its venue's queue. Raises `ApiError`: rate_limited."""
        await self._come_in(venue_id, several, then, again)
        began = self._clock()
        try:
            yield
        finally:
            held = self._clock() - began
            self._held[again] += 0.1 * (held - self._held[again])
            rest = self.share.pause(held) if several and again else 0.0
            if rest:
                asyncio.get_running_loop().call_later(rest, self._leave, venue_id)
            else:
                self._leave(venue_id)

    def check(self, venue_id: str, *, several: bool, then: str = "", again: bool = False, known: bool = True) -> bool:
        """Return whether a slot is free now; False means that one will be free in time. Raises `ApiError` like `slot`
        otherwise. A rejected caller that is not `known` to the venue does not delay the retry time of others."""
        free = self._taken.total() < self._number and self._taken[venue_id] < self._most_of(several)
        if free and not self.queued(venue_id):
            return True
        ahead = 0 if again else self.queued(venue_id)
        if (ahead + 1) * self._each(several) > self._timeout:
            raise self._no_place(venue_id, then, several, known)
        return False

    def _most_of(self, several: bool) -> int:
        return self.share.slots if several else self._number

    def _each(self, several: bool) -> float:
        """Return the expected seconds between two admissions."""
        return sum(self._held.values()) / (self.share.worth if several else self._number)

    async def _come_in(self, venue_id: str, several: bool, then: str, again: bool) -> None:
        if self.check(venue_id, several=several, then=then, again=again):
            self._taken[venue_id] += 1
            return
        began = self._clock()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not self._lines:
            self.share.queue_forms()
        line = self._lines.setdefault(venue_id, deque())
        line.appendleft(turn) if again else line.append(turn)
        self._several[venue_id] = several
        try:
            async with asyncio.timeout(self._timeout):
                await turn
        except TimeoutError:
            if not turn.done() or turn.cancelled():
                raise self._no_place(venue_id, then, several) from None
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(venue_id)
            raise
        finally:
            with contextlib.suppress(ValueError):
                line.remove(turn)
            self._observer.count("place_waited", self._clock() - began, venue=venue_id, kind=self._what)

    def _leave(self, venue_id: str) -> None:
        self._taken[venue_id] -= 1
        if not self._taken[venue_id]:
            del self._taken[venue_id]
        self._call_in()

    def _call_in(self) -> None:
        """Admit queued requests to free slots: the venue with the fewest slots first, then in order of arrival."""
        while self._taken.total() < self._number:
            venues = [v for v, line in self._lines.items() if line and self._taken[v] < self._most_of(self._several[v])]
            if not venues:
                break
            venue = min(venues, key=lambda v: self._taken[v])
            turn = self._lines[venue].popleft()
            # The venue moves to the end, so that venues with equal slots alternate.
            self._lines[venue] = self._lines.pop(venue)
            if not turn.done():
                self._taken[venue] += 1
                turn.set_result(None)
        for venue in [v for v, line in self._lines.items() if not line]:
            del self._lines[venue], self._several[venue]

    def _no_place(self, venue_id: str, then: str, several: bool, known: bool = True) -> ApiError:
        self._observer.count("no_place", venue=venue_id, kind=self._what)
        seconds = self._come_again(venue_id, self._each(several), known)
        error = api_error(
            ServiceErrorType.RATE_LIMITED,
            f"{translate(f'refuse.no_place_{self._what}', seconds=seconds)} {then}".strip(),
            translate("next.rate_limited", seconds=seconds),
        )
        error.answer.retry_after_seconds = float(seconds)
        return error

    def _come_again(self, venue_id: str, each: float, known: bool) -> int:
        """Return the retry delay in whole seconds. Each rejected request gets a later time than the one before, because
        simultaneous retries would be rejected again."""
        now = self._clock()
        due = max(now + COME_AGAIN - each, self._retry_at.get(venue_id, 0.0)) + each
        self._retry_at = {venue: until for venue, until in self._retry_at.items() if until > now}
        due = min(due, now + _LATEST)
        if known:
            self._retry_at[venue_id] = due
        return round(due - now)
