"""Notifications between processes, over Redis. Workflows know only `infra.stores.notifications`."""

import asyncio
import contextlib
import logging

import redis.asyncio
from redis.exceptions import RedisError

from infra.stores.notifications import Notifications

log = logging.getLogger(__name__)

_CHANNEL = "iq:wakes"
_PATIENCE = 1.0
_AGAIN = 0.5
"""Seconds before a lost subscription is retried."""


class RedisNotifications(Notifications):
    """Notifications between processes, published on one channel."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis: redis.asyncio.Redis = redis.asyncio.from_url(
            url, decode_responses=True, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE
        )
        self._url = url
        self._untold: dict[str, None] = {}
        self._telling: asyncio.Task[None] | None = None
        self._hearing: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """See `Notifications.close`."""
        await super().close()
        for task in (self._telling, self._hearing):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        await self._redis.aclose()

    def _tell(self, topic: str) -> None:
        # If a plan changes ten times while one notification is sent, one more is enough.
        self._untold[topic] = None
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._publish())

    async def _publish(self) -> None:
        while self._untold:
            topic, _ = self._untold.popitem()
            try:
                await self._redis.publish(_CHANNEL, topic)
            except (RedisError, OSError, TimeoutError) as error:
                log.debug("a wake-up was not sent: %s", type(error).__name__)

    def _begin(self) -> None:
        if self._hearing is None or self._hearing.done():
            self._hearing = asyncio.create_task(self._hear())

    async def _hear(self) -> None:
        # No read timeout, because waiting for messages takes any time. Only connecting has a timeout.
        client: redis.asyncio.Redis = redis.asyncio.from_url(
            self._url, decode_responses=True, socket_connect_timeout=_PATIENCE, health_check_interval=10
        )
        async with client:
            while True:
                try:
                    async with client.pubsub(ignore_subscribe_messages=True) as channel:
                        await channel.subscribe(_CHANNEL)
                        self.ring_all()  # notifications sent while the subscription was down
                        async for message in channel.listen():
                            self._deliver(str(message["data"]))
                except (RedisError, OSError, TimeoutError) as error:
                    log.warning("wake-ups are not heard for a moment: %s", type(error).__name__)
                await asyncio.sleep(_AGAIN)


def open_notifications(redis_url: str | None) -> Notifications:
    """Return the notifications for these settings: over Redis if `redis_url` is set, otherwise within this process."""
    return RedisNotifications(redis_url) if redis_url else Notifications()
