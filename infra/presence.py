"""Which task queues living workers poll. A worker says so every other second; one that was killed is missed within
`KEPT`. Temporal itself lists a poller for minutes after it is gone.

Memory serves one process, Redis several: there a key with a time to live for each queue, set by whoever polls it.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from redis.exceptions import RedisError

from infra.store import connections

log = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between a worker's words."""
KEPT = 7.0
"""Seconds for which one is believed: two words may be lost, and a dead worker is told of within ten."""
_ANSWER_WITHIN = 1.0


def polls(queue: str, build: str) -> str:
    """By what workers of one version at one task queue are known; `build` is "" without versions."""
    return f"{queue}@{build}"


class Presence(Protocol):
    """Whether somebody polls (`polls`)."""

    async def here(self, queues: Iterable[str]) -> None:
        """Say that a worker polls these. Never raises."""

    async def polled(self, queue: str) -> bool | None:
        """Whether a living worker does; None where that is not known here. Raises `RedisError` or `OSError` when the
        store is away."""

    async def close(self) -> None:
        """Let go of connections."""


class MemoryPresence:
    """For a single process. Where no worker was ever in it, nothing is known: it may be another process."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    async def here(self, queues: Iterable[str]) -> None:
        """See `Presence.here`."""
        self._until.update(dict.fromkeys(queues, time.monotonic() + KEPT))

    async def polled(self, queue: str) -> bool | None:
        """See `Presence.polled`."""
        until = self._until.get(queue)
        return None if until is None else until > time.monotonic()

    async def close(self) -> None:
        """See `Presence.close`."""


class RedisPresence:
    """For several processes."""

    _PREFIX = "iq:polls:"

    def __init__(self, url: str) -> None:
        self._redis = connections(url, _ANSWER_WITHIN, text=False)

    async def here(self, queues: Iterable[str]) -> None:
        """See `Presence.here`."""
        try:
            for queue in queues:
                await self._redis.set(self._PREFIX + queue, "1", px=int(KEPT * 1000))
        except (RedisError, OSError) as error:
            log.debug("the store does not know that this worker lives: %s", type(error).__name__)

    async def polled(self, queue: str) -> bool | None:
        """See `Presence.polled`."""
        return bool(await self._redis.exists(self._PREFIX + queue))

    async def close(self) -> None:
        """See `Presence.close`."""
        await self._redis.aclose()


def open_presence(redis_url: str | None) -> Presence:
    """What the settings call for."""
    return RedisPresence(redis_url) if redis_url else MemoryPresence()


async def keep_saying(*words: Callable[[], Awaitable[None]]) -> None:
    """Say each of these until cancelled."""
    while True:
        for say in words:
            await say()
        await asyncio.sleep(EVERY)
