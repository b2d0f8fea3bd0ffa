"""The plan that a chat's operator was last asked to confirm, shared by all API processes.

A bare yes confirms that plan, whichever API process receives it.
"""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from typing import Protocol

from redis.exceptions import RedisError

from infra.observability.logging import OutageLog
from infra.stores.redis import create_redis

log = logging.getLogger(__name__)

_KEPT = 24 * 3600
"""Seconds: longer than any plan waits for its confirmation."""
_ANSWER_WITHIN = 0.5
_CHATS = 10_000


class LastShownPlans(Protocol):
    """The id of the last shown plan, by chat and user. "" if a plan may wait that was never shown; None if unknown."""

    async def put(self, chat: str, user: str, plan_id: str) -> None:
        """Record the plan that was shown. Never raises: while Redis is unavailable, another API process may return an
        older plan."""

    async def get(self, chat: str, user: str) -> str | None:
        """Return the plan that was shown last. Never raises."""

    async def close(self) -> None:
        """Close the connections."""


class MemoryLastShownPlans:
    """The last shown plans of a single process."""

    def __init__(self) -> None:
        self._cache: OrderedDict[tuple[str, str], str] = OrderedDict()

    async def put(self, chat: str, user: str, plan_id: str) -> None:
        """See `LastShownPlans.put`."""
        self._cache[chat, user] = plan_id
        self._cache.move_to_end((chat, user))
        while len(self._cache) > _CHATS:
            self._cache.popitem(last=False)

    async def get(self, chat: str, user: str) -> str | None:
        """See `LastShownPlans.get`."""
        return self._cache.get((chat, user))

    async def close(self) -> None:
        """See `LastShownPlans.close`."""


_AWAY = OutageLog(
    log,
    "asking Redis which plan was shown last",
    "a bare yes counts for what this facade itself has shown, or asks again",
)


class RedisLastShownPlans(MemoryLastShownPlans):
    """The last shown plans of several processes. This process's own record is used while Redis is unavailable."""

    _PREFIX = "iq:offer:"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis = create_redis(url, _ANSWER_WITHIN, text=True)

    async def put(self, chat: str, user: str, plan_id: str) -> None:
        """See `LastShownPlans.put`."""
        await super().put(chat, user, plan_id)
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                await self._redis.set(self._key(chat, user), plan_id, ex=_KEPT)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("the plan that was shown could not be noted for other facades: %s", type(error).__name__)

    async def get(self, chat: str, user: str) -> str | None:
        """See `LastShownPlans.get`."""
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                found = await self._redis.get(self._key(chat, user))
            _AWAY.success()
        except (RedisError, OSError, TimeoutError) as error:
            _AWAY.failure(type(error).__name__)
            found = None
        return await super().get(chat, user) if found is None else str(found)

    async def close(self) -> None:
        """See `LastShownPlans.close`."""
        await self._redis.aclose()

    def _key(self, chat: str, user: str) -> str:
        return self._PREFIX + hashlib.sha256(f"{chat}\n{user}".encode()).hexdigest()


def open_offers(redis_url: str | None) -> LastShownPlans:
    """Return the store for these settings: in Redis if `redis_url` is set, otherwise in memory."""
    return RedisLastShownPlans(redis_url) if redis_url else MemoryLastShownPlans()
