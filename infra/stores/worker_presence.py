"""The task queues that living workers poll. A worker sends a heartbeat every other second; a killed worker is missed
within `TTL`. Temporal itself lists a poller for minutes after its death.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

from infra.errors import DependencyUnavailableError
from infra.stores.store import Store, answer_within

log = logging.getLogger(__name__)

INTERVAL = 2.0
"""Seconds between two heartbeats of a worker."""
TTL = 7.0
"""Seconds for which a heartbeat is valid: two may be lost, and a dead worker is reported within ten."""


def polls(queue: str, build: str) -> str:
    """Return the name of the workers of one version at one task queue; `build` is "" without versions."""
    return f"{queue}@{build}"


class WorkerPresence:
    """The task queues that living workers poll (`polls`): for each a key with a time to live, set by its workers."""

    _PREFIX = "iq:polls:"

    def __init__(self, store: Store) -> None:
        self._redis, self._shared = store.redis, store.shared
        self._own: set[str] = set()
        """The queues that workers of this process have polled."""

    async def heartbeat(self, queues: Iterable[str]) -> None:
        """Record that a worker polls these queues. Never raises."""
        self._own.update(queues)
        try:
            async with answer_within(), self._redis.pipeline(transaction=False) as beat:
                for queue in queues:
                    beat.set(self._PREFIX + queue, "1", px=int(TTL * 1000))
                # A store in memory forgets what has expired only when its keys are counted.
                beat.dbsize()
                await beat.execute()
        except DependencyUnavailableError as away:
            log.debug("the store does not know that this worker lives: %s", away)

    async def is_alive(self, queue: str) -> bool | None:
        """Return whether a living worker polls the queue; None if this process cannot know, because the worker may use
        another store. Raises `DependencyUnavailableError`."""
        if not self._shared and queue not in self._own:
            return None
        async with answer_within():
            return bool(await self._redis.exists(self._PREFIX + queue))


async def heartbeat_loop(*words: Callable[[], Awaitable[None]]) -> None:
    """Call each of these at every interval until cancelled."""
    while True:
        for say in words:
            await say()
        await asyncio.sleep(INTERVAL)
