"""The rate limit of one venue's API, shared by all processes: calls per second, and a burst
(`overlays/<pack>/venue.yaml`, `rate`).

The generic cell rate algorithm (ITU-T I.371): the only state is when the next call is due. A caller reserves the next
slot and waits for its time, so callers do not poll and are served in order. `limits`, which counts messages elsewhere,
only rejects.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from redis.exceptions import RedisError

from infra.stores.redis import create_redis

log = logging.getLogger(__name__)

_ANSWER_WITHIN = 0.5


@dataclass(frozen=True, slots=True)
class Reservation:
    """When a call may be sent: after `wait` seconds. `taken` is False if `wait` is longer than the caller's timeout."""

    wait: float
    taken: bool


class VenueRateLimiter(Protocol):
    """Slots for calls, by the owner of the API."""

    async def place(self, owner: str, per_second: float, burst: int, timeout: float) -> Reservation:
        """Reserve the next slot, unless it is more than `timeout` seconds away. Never raises."""

    async def close(self) -> None:
        """Close the connections."""


class MemoryRateLimiter:
    """The rate limit of this process only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due: dict[str, float] = {}

    async def place(self, owner: str, per_second: float, burst: int, timeout: float) -> Reservation:
        """See `VenueRateLimiter.place`."""
        now, each = self._clock(), 1 / per_second
        due = max(now, self._due.get(owner, 0.0)) + each
        wait = max(0.0, due - burst * each - now)
        if wait > timeout:
            return Reservation(wait, False)
        self._due[owner] = due
        return Reservation(wait, True)

    async def close(self) -> None:
        """See `VenueRateLimiter.close`."""


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
"""Times are in milliseconds, by Redis' clock only."""


class RedisRateLimiter(MemoryRateLimiter):
    """The rate limit of several processes. While Redis is unavailable, each process applies it on its own."""

    _PREFIX = "iq:pace:"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis = create_redis(url, _ANSWER_WITHIN, text=True)

    async def place(self, owner: str, per_second: float, burst: int, timeout: float) -> Reservation:
        """See `VenueRateLimiter.place`."""
        numbers = (str(1000 / per_second), str(burst), str(timeout * 1000))
        try:
            wait, taken = await self._redis.eval(_SCRIPT, 1, self._PREFIX + owner, *numbers)
        except (RedisError, OSError) as error:
            log.warning("the pace of %s is kept by this process alone: %s", owner, type(error).__name__)
            return await super().place(owner, per_second, burst, timeout)
        return Reservation(float(wait) / 1000, bool(taken))

    async def close(self) -> None:
        """See `VenueRateLimiter.close`."""
        await self._redis.aclose()


def open_pace(redis_url: str | None) -> VenueRateLimiter:
    """Return the rate limiter for these settings: in Redis if `redis_url` is set, otherwise in memory."""
    return RedisRateLimiter(redis_url) if redis_url else MemoryRateLimiter()
