"""How much one facade works on at a time, and whose turn is next. In a line that is too long for its workers each would
wait until its time is up, and be told then; here it is told at once, with when to come again.

Where several venues are served, one has half of the places at most, and fewer while workers are slow to answer: what
it asks beyond that waits here, at the facade, where whoever comes from another venue goes first. Behind, in a worker,
all wait in one line. Messages have places, and words that ask for work (confirm, answer, undo). Words that take work
away (cancel, leave out) are always heard.
"""

import asyncio
import contextlib
import math
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Literal

from clients.errors import RequestError, refuse
from contracts.enums import ServiceErrorType
from infra.observe import Observer
from language.catalogue import say

COME_AGAIN = 2
"""Seconds, about as long as a turn takes; the least that is told."""
_LATEST = 60
"""The most that is told: who has a phone in hand forgets it, and by then all may be different."""

_TWICE = 2.0
_BLUR = 0.1
"""Seconds by which an answer may be late where nobody waits: a plan that a worker has put aside is replayed first."""
_FORGOTTEN = 0.01
"""By how much of the way each slower answer takes the quickest one's place: a machine may have become slower."""
_HALVED_AGAIN = 0.25
"""Seconds: what was under way when a share was halved says nothing of what it is now."""
_GROWS = 0.2
_BEGINS = 2.0
_LEAST = 0.25
"""A place for a quarter of the time: what a venue asks for is begun meanwhile, and takes the workers' time as well."""
_LONGEST_REST = 1.0
"""Seconds."""


class Share:
    """How many places one venue may have among several: more while workers answer promptly, half as many once an
    answer takes more than twice as long as the quickest (additive increase, multiplicative decrease, RFC 5681). So it
    holds for fast and slow machines, for one facade and for several, without a number that somebody must find. Less
    than one place is one that rests after each use."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = self._now = float(max(1, most))
        self._clock = clock
        self._quickest = math.inf
        self._halved = -math.inf

    @property
    def places(self) -> int:
        """Whole ones, one at least."""
        return max(1, int(self._now))

    @property
    def worth(self) -> float:
        """How many places that are always in use it comes to."""
        return self._now if self._now < 1 else float(self.places)

    def rest(self, held: float) -> float:
        """Seconds for which a place stays empty after it was held so long."""
        return min(_LONGEST_REST, held * (1 / self._now - 1)) if self._now < 1 else 0.0

    def line_forms(self) -> None:
        """Many come at once: what workers can bear of them is found from below."""
        self._now = min(self._now, _BEGINS)

    def felt(self, seconds: float) -> None:
        """A worker has answered a question that takes it no time, or has not, after so long."""
        slower = max(0.0, seconds - self._quickest)
        self._quickest = seconds if math.isinf(self._quickest) else min(seconds, self._quickest + _FORGOTTEN * slower)
        if seconds <= _TWICE * self._quickest + _BLUR:
            self._now = min(self._most, self._now + _GROWS / max(1.0, self._now))
        elif self._clock() - self._halved >= _HALVED_AGAIN:
            self._now, self._halved = max(_LEAST, self._now / 2), self._clock()


class Places:
    """Those of one facade (`IQ_TURNS_AT_ONCE`, `IQ_WORDS_AT_ONCE`). `within`: how many seconds one may wait for its
    place; who would wait longer is told at once."""

    def __init__(
        self,
        number: int,
        what: Literal["message", "word"],
        observer: Observer,
        *,
        within: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._number = number
        self._clock = clock
        self._what = what
        self._observer = observer
        self._within = within
        self.share = Share(number // 2, clock)
        self._taken: Counter[str] = Counter()
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}
        self._several: dict[str, bool] = {}
        self._held = {False: 0.1, True: 0.0}
        """Seconds for which a place is held of late, and is held again for the same thing."""
        self._told: dict[str, float] = {}
        """Until when those of a venue who were turned away were told to stay away."""

    def taken(self, venue_id: str) -> int:
        """How many places a venue has now."""
        return self._taken[venue_id]

    def waiting(self, venue_id: str) -> int:
        """How many of a venue wait for one."""
        return len(self._lines.get(venue_id, ()))

    @asynccontextmanager
    async def one(self, venue_id: str, *, several: bool, then: str = "", again: bool = False) -> AsyncIterator[None]:
        """A place for the time of a block. `then`: what else is told where there is none; `again`: who has had one for
        the same thing, and is the next of its venue. Raises `RequestError`: rate_limited."""
        await self._come_in(venue_id, several, then, again)
        began = self._clock()
        try:
            yield
        finally:
            held = self._clock() - began
            self._held[again] += 0.1 * (held - self._held[again])
            rest = self.share.rest(held) if several and again else 0.0
            if rest:
                asyncio.get_running_loop().call_later(rest, self._leave, venue_id)
            else:
                self._leave(venue_id)

    def foreseen(
        self, venue_id: str, *, several: bool, then: str = "", again: bool = False, known: bool = True
    ) -> bool:
        """Whether there is a place now; else there will be in time. Raises `RequestError` as `one`, where not. Who is
        not `known` to be of the venue puts nobody else off to a later time."""
        free = self._taken.total() < self._number and self._taken[venue_id] < self._most_of(several)
        if free and not self.waiting(venue_id):
            return True
        ahead = 0 if again else self.waiting(venue_id)
        if (ahead + 1) * self._each(several) > self._within:
            raise self._no_place(venue_id, then, several, known)
        return False

    def _most_of(self, several: bool) -> int:
        return self.share.places if several else self._number

    def _each(self, several: bool) -> float:
        """Seconds from one who is called in to the next."""
        return sum(self._held.values()) / (self.share.worth if several else self._number)

    async def _come_in(self, venue_id: str, several: bool, then: str, again: bool) -> None:
        if self.foreseen(venue_id, several=several, then=then, again=again):
            self._taken[venue_id] += 1
            return
        began = self._clock()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not self._lines:
            self.share.line_forms()
        line = self._lines.setdefault(venue_id, deque())
        line.appendleft(turn) if again else line.append(turn)
        self._several[venue_id] = several
        try:
            async with asyncio.timeout(self._within):
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
        """Give what is free to those who wait: first whose venue has the fewest places, then who came first."""
        while self._taken.total() < self._number:
            venues = [v for v, line in self._lines.items() if line and self._taken[v] < self._most_of(self._several[v])]
            if not venues:
                break
            venue = min(venues, key=lambda v: self._taken[v])
            turn = self._lines[venue].popleft()
            # To the end of the venues, so that of equals each has its turn.
            self._lines[venue] = self._lines.pop(venue)
            if not turn.done():
                self._taken[venue] += 1
                turn.set_result(None)
        for venue in [v for v, line in self._lines.items() if not line]:
            del self._lines[venue], self._several[venue]

    def _no_place(self, venue_id: str, then: str, several: bool, known: bool = True) -> RequestError:
        self._observer.count("no_place", venue=venue_id, kind=self._what)
        seconds = self._come_again(venue_id, self._each(several), known)
        error = refuse(
            ServiceErrorType.RATE_LIMITED,
            f"{say(f'refuse.no_place_{self._what}', seconds=seconds)} {then}".strip(),
            say("next.rate_limited", seconds=seconds),
        )
        error.answer.retry_after_seconds = float(seconds)
        return error

    def _come_again(self, venue_id: str, each: float, known: bool) -> int:
        """When there may be a place: each one later than the one before, or all would come at the same moment and be
        turned away again."""
        now = self._clock()
        due = max(now + COME_AGAIN - each, self._told.get(venue_id, 0.0)) + each
        self._told = {venue: until for venue, until in self._told.items() if until > now}
        due = min(due, now + _LATEST)
        if known:
            self._told[venue_id] = due
        return round(due - now)
