"""Notifications: a process that changed something wakes the watchers of a topic, which then read the new state.

A notification has no content. A lost one delays a watcher only briefly, because watchers also poll.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterator

from redis.exceptions import RedisError

from infra.errors import DependencyUnavailableError
from infra.stores.store import Store, answer_within

log = logging.getLogger(__name__)

_CHANNEL = "iq:wakes"
_AGAIN = 0.5
"""Seconds before a lost subscription is retried."""


class Notifications:
    """Notifications between the processes of a store, published on one channel. A topic is an id without personal
    data."""

    def __init__(self, store: Store) -> None:
        self._redis = store.redis
        self._listening: dict[str, set[asyncio.Event]] = {}
        self._untold: dict[str, None] = {}
        self._telling: asyncio.Task[None] | None = None
        self._hearing: asyncio.Task[None] | None = None
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None

    def notify(self, topic: str) -> None:
        """Notify all listeners, from any thread. Returns at once and never raises, because workflows call it."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and with it every listener
                self._loop.call_soon_threadsafe(self._tell, topic)

    @contextlib.contextmanager
    def listen(self, topic: str) -> Iterator[asyncio.Event]:
        """Return an event that every notification sets while the context lasts."""
        rung = asyncio.Event()
        self._listening.setdefault(topic, set()).add(rung)
        if self._hearing is None or self._hearing.done():
            self._hearing = asyncio.create_task(self._hear())
        try:
            yield rung
        finally:
            self._listening[topic].discard(rung)
            if not self._listening[topic]:
                del self._listening[topic]

    async def close(self) -> None:
        """End the subscription."""
        self._loop = None
        for task in (self._telling, self._hearing):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    def _tell(self, topic: str) -> None:
        # If a plan changes ten times while one notification is sent, one more is enough.
        self._untold[topic] = None
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._publish())

    async def _publish(self) -> None:
        while self._untold:
            topic, _ = self._untold.popitem()
            try:
                async with answer_within():
                    await self._redis.publish(_CHANNEL, topic)
            except DependencyUnavailableError as away:
                log.debug("a wake-up was not sent: %s", away)

    async def _hear(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(_CHANNEL)
                    async for message in channel.listen():
                        if message["type"] == "message":
                            self._deliver(str(message["data"]))
                        else:
                            # The subscription has begun, and others may have been notified before.
                            for topic in self._listening:
                                self._deliver(topic)
            except (RedisError, OSError) as error:
                log.warning("wake-ups are not heard for a moment: %s", type(error).__name__)
            await asyncio.sleep(_AGAIN)

    def _deliver(self, topic: str) -> None:
        for rung in self._listening.get(topic, ()):
            rung.set()
