"""How each living worker is set up, where that must be the same in every process: which keys it has, and where it calls
venues. A worker says so as often as that it lives (`infra.presence`).

Temporal hands a message to any worker that polls. One with other keys cannot open it; one with another venue's address
carries it out elsewhere and says that it is done.
"""

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from redis.exceptions import RedisError

from infra.keyring import KeyRing
from infra.presence import KEPT
from infra.store import connections

log = logging.getLogger(__name__)

_ANSWER_WITHIN = 1.0


@dataclass(frozen=True, slots=True)
class Setup:
    """Of one process. `keys` are the ids on its ring, the one that it writes with first; `venues` stands for the
    addresses in `IQ_VENUE_URLS`, which may hold secrets, and is "" where it calls none."""

    keys: tuple[str, ...]
    venues: str

    def reads(self, other: "Setup") -> bool:
        """Whether it has the key that another writes with."""
        return other.keys[0] in self.keys


def setup_of(ring: KeyRing, venue_urls: Mapping[str, str]) -> Setup:
    """How this process is set up."""
    others = sorted(ring.ids - {ring.primary})
    addresses = json.dumps({name: url.rstrip("/") for name, url in venue_urls.items()}, sort_keys=True)
    return Setup((ring.primary, *others), sha256(addresses.encode()).hexdigest()[:16])


def keys_apart(own: Setup, workers: Iterable[Setup]) -> list[str]:
    """What is wrong between this process's keys and those of each worker; nothing where both can read the other."""
    found = []
    for other in workers:
        if not own.reads(other):
            found.append(f"a worker writes with key {other.keys[0]}, which this process does not have")
        if not other.reads(own):
            found.append(f"a worker does not have key {own.keys[0]}, which this process writes with")
    return sorted(set(found))


def venues_apart(own: Setup, workers: Iterable[Setup]) -> str:
    """That some call venues elsewhere than others, or ""."""
    called = {one.venues for one in (own, *workers) if one.venues}
    return "processes call venues at different addresses: give all the same IQ_VENUE_URLS" if len(called) > 1 else ""


class Setups(Protocol):
    """What living workers have said of themselves."""

    own: Setup

    async def said(self, who: str, *, calls_venues: bool) -> None:
        """Say of this process, known as `who`, how it is set up. Never raises."""

    async def workers(self) -> list[Setup]:
        """Of those that live. Raises `RedisError` or `OSError` when the store is away."""

    async def close(self) -> None:
        """Let go of connections."""


class MemorySetups:
    """For a single process, which agrees with itself."""

    def __init__(self, own: Setup) -> None:
        self.own = own

    async def said(self, who: str, *, calls_venues: bool) -> None:
        """See `Setups.said`."""

    async def workers(self) -> list[Setup]:
        """See `Setups.workers`."""
        return []

    async def close(self) -> None:
        """See `Setups.close`."""


_SAY = """
local t = redis.call('TIME')
local now = t[1] + t[2] / 1000000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('EXPIRE', KEYS[1], 60)
"""
_ASK = """
local t = redis.call('TIME')
return redis.call('ZRANGEBYSCORE', KEYS[1], t[1] + t[2] / 1000000, '+inf')
"""
"""By the clock of Redis alone: the machines' own may be apart."""


class RedisSetups:
    """For several processes, of one task queue."""

    _PREFIX = "iq:setups:"

    def __init__(self, url: str, own: Setup, queue: str) -> None:
        self.own = own
        self._key = self._PREFIX + queue
        self._redis = connections(url, _ANSWER_WITHIN, text=True)

    async def said(self, who: str, *, calls_venues: bool) -> None:
        """See `Setups.said`."""
        told = json.dumps([who, self.own.keys, self.own.venues if calls_venues else ""])
        try:
            await self._redis.eval(_SAY, 1, self._key, told, str(KEPT))
        except (RedisError, OSError) as error:
            log.debug("the store does not know how this worker is set up: %s", type(error).__name__)

    async def workers(self) -> list[Setup]:
        """See `Setups.workers`."""
        found = [json.loads(told) for told in await self._redis.eval(_ASK, 1, self._key)]
        return [Setup(tuple(keys), venues) for _, keys, venues in found]

    async def close(self) -> None:
        """See `Setups.close`."""
        await self._redis.aclose()


def open_setups(redis_url: str | None, own: Setup, queue: str) -> Setups:
    """What the settings call for."""
    return RedisSetups(redis_url, own, queue) if redis_url else MemorySetups(own)


async def tell_apart(setups: Setups) -> None:
    """Tell on-call, for a worker that starts, how it differs from those that live. Never raises."""
    try:
        others = await setups.workers()
    except (RedisError, OSError):
        return
    for wrong in filter(None, (*keys_apart(setups.own, others), venues_apart(setups.own, others))):
        log.error("this process and living workers are set up differently: %s", wrong)
