"""Rate limit of the calls to each venue's API, from the pack (`rate` in `venue.yaml`), shared by all processes: calls
wait for a slot.

The generic cell rate algorithm (ITU-T I.371): the only state is when the next call is due. A caller reserves the next
slot and waits for its time, so callers do not poll and are served in order. `limits`, which counts messages
elsewhere, only rejects.

A write takes a slot without waiting, because its input was just read and staff may change it meanwhile. The reads
after it wait longer instead.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from contracts.venue import VenueRate
from infra.errors import DependencyUnavailableError
from infra.observability.observer import Observer
from infra.stores.store import Store, answer_within

log = logging.getLogger(__name__)

_ANSWER_WITHIN = 0.5


@dataclass(frozen=True, slots=True)
class Reservation:
    """When a call may be sent: after `wait` seconds. `taken` is False if `wait` is longer than the caller's timeout."""

    wait: float
    taken: bool


_SCRIPT = """
local t = redis.call('TIME')
local now = t[1] * 1000 + t[2] / 1000
local each, burst, within = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local due = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0')) + each
local wait = math.max(0, due - burst * each - now)
if wait > within then return {tostring(wait), 0} end
redis.call('SET', KEYS[1], string.format('%.3f', due), 'PX', math.ceil(due - now) + 1000)
return {tostring(wait), 1}
"""
"""Times are in milliseconds, by the store's clock only."""


class VenueRateLimiter:
    """Slots for calls, by the owner of the API. While the store is unavailable, each process applies the rate on its
    own."""

    _PREFIX = "iq:pace:"

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._redis = store.redis
        self._clock = clock
        self._due: dict[str, float] = {}

    async def place(self, owner: str, per_second: float, burst: int, timeout: float) -> Reservation:
        """Reserve the next slot, unless it is more than `timeout` seconds away. Never raises."""
        numbers = (str(1000 / per_second), str(burst), str(timeout * 1000))
        try:
            async with answer_within(_ANSWER_WITHIN):
                wait, taken = await self._redis.eval(_SCRIPT, 1, self._PREFIX + owner, *numbers)
        except DependencyUnavailableError as away:
            log.warning("the pace of %s is kept by this process alone: %s", owner, away)
            return self._place_alone(owner, per_second, burst, timeout)
        return Reservation(float(wait) / 1000, bool(taken))

    def _place_alone(self, owner: str, per_second: float, burst: int, timeout: float) -> Reservation:
        now, each = self._clock(), 1 / per_second
        due = max(now, self._due.get(owner, 0.0)) + each
        wait = max(0.0, due - burst * each - now)
        if wait > timeout:
            return Reservation(wait, False)
        self._due[owner] = due
        return Reservation(wait, True)


class RateLimitedError(Exception):
    """No slot is free in time; one may be after `retry_after` seconds."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"no call may be sent for {retry_after:.1f} s")
        self.retry_after = retry_after


class VenueRateLimit:
    """Delays calls. `rate_of` returns the rate limit of the API at an address, None if there is none. `venue_of`
    returns the venue that the calls are counted under."""

    def __init__(
        self,
        pace: VenueRateLimiter,
        rate_of: Callable[[str], VenueRate | None],
        observer: Observer,
        venue_of: Callable[[str], str] = str,
    ) -> None:
        self._limiter = pace
        self._rate_of = rate_of
        self._observer = observer
        self._venue_of = venue_of

    async def acquire(self, address: str, timeout: float, *, write: bool) -> float:
        """Wait until a call may be sent, and return the seconds waited. Raises `RateLimitedError` at once if that takes
        longer than `timeout` seconds."""
        rate = self._rate_of(address)
        if rate is None:
            return 0.0
        place = await self._limiter.place(address, rate.per_second, rate.burst, float("1e9") if write else timeout)
        if not place.taken:
            self._observer.count("paced", venue=self._venue_of(address), came="turned_away")
            raise RateLimitedError(place.wait)
        if write or place.wait <= 0:
            return 0.0
        self._observer.count("paced", place.wait, venue=self._venue_of(address), came="waited")
        await asyncio.sleep(place.wait)
        return place.wait
