"""The task queues that living workers poll. A worker sends a heartbeat every other second; a killed worker is missed
within `TTL`. Temporal itself lists a poller for minutes after its death.

In memory for one process, in Redis for several: a key with a time to live for each queue, set by its workers.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from redis.exceptions import RedisError

from infra.stores.redis import create_redis

log = logging.getLogger(__name__)

INTERVAL = 2.0
"""Seconds between two heartbeats of a worker."""
TTL = 7.0
"""Seconds for which a heartbeat is valid: two may be lost, and a dead worker is reported within ten."""
_ANSWER_WITHIN = 1.0


def polls(queue: str, build: str) -> str:
    """Return the name of the workers of one version at one task queue; `build` is "" without versions."""
    return f"{queue}@{build}"


class WorkerPresence(Protocol):
    """The task queues that living workers poll (`polls`)."""

    async def heartbeat(self, queues: Iterable[str]) -> None:
        """Record that a worker polls these queues. Never raises."""

    async def is_alive(self, queue: str) -> bool | None:
        """Return whether a living worker polls the queue; None if this process cannot know. Raises `RedisError` or
        `OSError` if the store is unavailable."""

    async def close(self) -> None:
        """Close the connections."""


class MemoryWorkerPresence:
    """The presence of workers in a single process. Without any worker the answer is None, because it may run in another
    process."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    async def heartbeat(self, queues: Iterable[str]) -> None:
        """See `WorkerPresence.heartbeat`."""
        self._until.update(dict.fromkeys(queues, time.monotonic() + TTL))

    async def is_alive(self, queue: str) -> bool | None:
        """See `WorkerPresence.is_alive`."""
        until = self._until.get(queue)
        return None if until is None else until > time.monotonic()

    async def close(self) -> None:
        """See `WorkerPresence.close`."""


class RedisWorkerPresence:
    """The presence of workers in several processes, in Redis."""

    _PREFIX = "iq:polls:"

    def __init__(self, url: str) -> None:
        self._redis = create_redis(url, _ANSWER_WITHIN, text=False)

    async def heartbeat(self, queues: Iterable[str]) -> None:
        """See `WorkerPresence.heartbeat`."""
        try:
            for queue in queues:
                await self._redis.set(self._PREFIX + queue, "1", px=int(TTL * 1000))
        except (RedisError, OSError) as error:
            log.debug("the store does not know that this worker lives: %s", type(error).__name__)

    async def is_alive(self, queue: str) -> bool | None:
        """See `WorkerPresence.is_alive`."""
        return bool(await self._redis.exists(self._PREFIX + queue))

    async def close(self) -> None:
        """See `WorkerPresence.close`."""
        await self._redis.aclose()


def open_presence(redis_url: str | None) -> WorkerPresence:
    """Return the store for these settings: in Redis if `redis_url` is set, otherwise in memory."""
    return RedisWorkerPresence(redis_url) if redis_url else MemoryWorkerPresence()


async def heartbeat_loop(*words: Callable[[], Awaitable[None]]) -> None:
    """Call each of these at every interval until cancelled."""
    while True:
        for say in words:
            await say()
        await asyncio.sleep(INTERVAL)
