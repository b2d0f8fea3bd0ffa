"""The configuration of each living worker that must match in all processes: its keys, and its venue addresses. A worker
publishes it with every heartbeat (`infra.stores.worker_presence`).

Temporal gives a task to any worker that polls. A worker with other keys cannot decrypt it. A worker with another venue
address carries it out at the wrong venue and reports success.
"""

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from redis.exceptions import RedisError

from infra.crypto.keyring import KeyRing
from infra.stores.redis import create_redis
from infra.stores.worker_presence import TTL

log = logging.getLogger(__name__)

_ANSWER_WITHIN = 1.0


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """The configuration of one process. `keys` are the ids on its ring, the encryption key first. `venues` identifies
    the addresses in `IQ_VENUE_URLS`, which may hold secrets; it is "" if the process calls no venues."""

    keys: tuple[str, ...]
    venues: str

    def reads(self, other: "WorkerConfig") -> bool:
        """Return whether this process has the key that the other one encrypts with."""
        return other.keys[0] in self.keys


def setup_of(ring: KeyRing, venue_urls: Mapping[str, str]) -> WorkerConfig:
    """Return the configuration of this process."""
    others = sorted(ring.ids - {ring.primary})
    addresses = json.dumps({name: url.rstrip("/") for name, url in venue_urls.items()}, sort_keys=True)
    return WorkerConfig((ring.primary, *others), sha256(addresses.encode()).hexdigest()[:16])


def key_mismatch(own: WorkerConfig, workers: Iterable[WorkerConfig]) -> list[str]:
    """Return the mismatches between this process's keys and those of each worker; none if each can decrypt the other's
    data."""
    found = []
    for other in workers:
        if not own.reads(other):
            found.append(f"a worker writes with key {other.keys[0]}, which this process does not have")
        if not other.reads(own):
            found.append(f"a worker does not have key {own.keys[0]}, which this process writes with")
    return sorted(set(found))


def venue_mismatch(own: WorkerConfig, workers: Iterable[WorkerConfig]) -> str:
    """Return that some workers call other venue addresses than the rest, or ""."""
    called = {one.venues for one in (own, *workers) if one.venues}
    return "processes call venues at different addresses: give all the same IQ_VENUE_URLS" if len(called) > 1 else ""


class WorkerConfigs(Protocol):
    """The configurations that living workers have published."""

    own: WorkerConfig

    async def published(self, who: str, *, calls_venues: bool) -> None:
        """Publish this process's configuration under the name `who`. Never raises."""

    async def workers(self) -> list[WorkerConfig]:
        """Return the configurations of living workers. Raises `RedisError` or `OSError` if the store is unavailable."""

    async def close(self) -> None:
        """Close the connections."""


class MemoryWorkerConfigs:
    """The configurations of a single process, which always match."""

    def __init__(self, own: WorkerConfig) -> None:
        self.own = own

    async def published(self, who: str, *, calls_venues: bool) -> None:
        """See `WorkerConfigs.published`."""

    async def workers(self) -> list[WorkerConfig]:
        """See `WorkerConfigs.workers`."""
        return []

    async def close(self) -> None:
        """See `WorkerConfigs.close`."""


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
"""By Redis' clock only, because the machines' clocks may differ."""


class RedisWorkerConfigs:
    """The configurations of several processes of one task queue, in Redis."""

    _PREFIX = "iq:setups:"

    def __init__(self, url: str, own: WorkerConfig, queue: str) -> None:
        self.own = own
        self._key = self._PREFIX + queue
        self._redis = create_redis(url, _ANSWER_WITHIN, text=True)

    async def published(self, who: str, *, calls_venues: bool) -> None:
        """See `WorkerConfigs.published`."""
        text = json.dumps([who, self.own.keys, self.own.venues if calls_venues else ""])
        try:
            await self._redis.eval(_SAY, 1, self._key, text, str(TTL))
        except (RedisError, OSError) as error:
            log.debug("the store does not know how this worker is set up: %s", type(error).__name__)

    async def workers(self) -> list[WorkerConfig]:
        """See `WorkerConfigs.workers`."""
        found = [json.loads(reported) for reported in await self._redis.eval(_ASK, 1, self._key)]
        return [WorkerConfig(tuple(keys), venues) for _, keys, venues in found]

    async def close(self) -> None:
        """See `WorkerConfigs.close`."""
        await self._redis.aclose()


def open_setups(redis_url: str | None, own: WorkerConfig, queue: str) -> WorkerConfigs:
    """Return the store for these settings: in Redis if `redis_url` is set, otherwise in memory."""
    return RedisWorkerConfigs(redis_url, own, queue) if redis_url else MemoryWorkerConfigs(own)


async def log_mismatches(setups: WorkerConfigs) -> None:
    """Log how a starting worker's configuration differs from those of living workers. Never raises."""
    try:
        others = await setups.workers()
    except (RedisError, OSError):
        return
    for wrong in filter(None, (*key_mismatch(setups.own, others), venue_mismatch(setups.own, others))):
        log.error("this process and living workers are set up differently: %s", wrong)
