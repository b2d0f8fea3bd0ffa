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

from infra.crypto.keyring import KeyRing
from infra.errors import DependencyUnavailableError
from infra.stores.store import Store, answer_within
from infra.stores.worker_presence import TTL

log = logging.getLogger(__name__)


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
"""By the store's clock only, because the machines' clocks may differ."""


class WorkerConfigs:
    """The configurations that living workers of one task queue have published."""

    _PREFIX = "iq:setups:"

    def __init__(self, store: Store, own: WorkerConfig, queue: str) -> None:
        self.own = own
        self._key = self._PREFIX + queue
        self._redis = store.redis

    async def published(self, who: str, *, calls_venues: bool) -> None:
        """Publish this process's configuration under the name `who`. Never raises."""
        text = json.dumps([who, self.own.keys, self.own.venues if calls_venues else ""])
        try:
            async with answer_within():
                await self._redis.eval(_SAY, 1, self._key, text, str(TTL))
        except DependencyUnavailableError as away:
            log.debug("the store does not know how this worker is set up: %s", away)

    async def workers(self) -> list[WorkerConfig]:
        """Return the configurations of living workers. Raises `DependencyUnavailableError`."""
        async with answer_within():
            reports = await self._redis.eval(_ASK, 1, self._key)
        found = [json.loads(report) for report in reports]
        return [WorkerConfig(tuple(keys), venues) for _, keys, venues in found]


async def log_mismatches(setups: WorkerConfigs) -> None:
    """Log how a starting worker's configuration differs from those of living workers. Never raises."""
    try:
        others = await setups.workers()
    except DependencyUnavailableError:
        return
    for wrong in filter(None, (*key_mismatch(setups.own, others), venue_mismatch(setups.own, others))):
        log.error("this process and living workers are set up differently: %s", wrong)
