"""How fast one venue's API is asked, by all processes together: so many calls a second, and so many at once
(`overlays/<pack>/venue.yaml`, `rate`).

The generic cell rate algorithm (ITU-T I.371): all that is kept is when the next call is due. Whoever asks takes the
next place and waits for its time, so nobody polls and places are had in the order of asking. `limits`, which counts
messages elsewhere, tells only that there is no room now.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from redis.exceptions import RedisError

from infra.store import connections

log = logging.getLogger(__name__)

_ANSWER_WITHIN = 0.5


@dataclass(frozen=True, slots=True)
class Place:
    """When a call may go out: after `wait` seconds. It was not `taken` where that is longer than it can wait."""

    wait: float
    taken: bool


class Pace(Protocol):
    """Places in line, by whose API it is."""

    async def place(self, whose: str, per_second: float, burst: int, within: float) -> Place:
        """Take the next place, unless it is more than `within` seconds away. Never raises."""

    async def close(self) -> None:
        """Let go of connections."""


class MemoryPace:
    """Of this process only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due: dict[str, float] = {}

    async def place(self, whose: str, per_second: float, burst: int, within: float) -> Place:
        """See `Pace.place`."""
        now, each = self._clock(), 1 / per_second
        due = max(now, self._due.get(whose, 0.0)) + each
        wait = max(0.0, due - burst * each - now)
        if wait > within:
            return Place(wait, False)
        self._due[whose] = due
        return Place(wait, True)

    async def close(self) -> None:
        """See `Pace.close`."""


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
"""In milliseconds, by the clock of Redis alone."""


class RedisPace(MemoryPace):
    """For several processes; while the store is away each keeps to the pace by itself."""

    _PREFIX = "iq:pace:"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis = connections(url, _ANSWER_WITHIN, text=True)

    async def place(self, whose: str, per_second: float, burst: int, within: float) -> Place:
        """See `Pace.place`."""
        numbers = (str(1000 / per_second), str(burst), str(within * 1000))
        try:
            wait, taken = await self._redis.eval(_SCRIPT, 1, self._PREFIX + whose, *numbers)
        except (RedisError, OSError) as error:
            log.warning("the pace of %s is kept by this process alone: %s", whose, type(error).__name__)
            return await super().place(whose, per_second, burst, within)
        return Place(float(wait) / 1000, bool(taken))

    async def close(self) -> None:
        """See `Pace.close`."""
        await self._redis.aclose()


def open_pace(redis_url: str | None) -> Pace:
    """What the settings call for."""
    return RedisPace(redis_url) if redis_url else MemoryPace()
