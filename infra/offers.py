"""Which plan a chat's operator was asked to confirm last, known to every facade: a bare yes is meant for that one,
whichever facade it comes to."""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from typing import Protocol

from redis.exceptions import RedisError

from infra.outages import Outage
from infra.store import connections

log = logging.getLogger(__name__)

_KEPT = 24 * 3600
"""Seconds: longer than any plan waits."""
_ANSWER_WITHIN = 0.5
_CHATS = 10_000


class Offers(Protocol):
    """By chat and user: a plan's id; "" when a plan may wait that was never shown; None when nothing is known."""

    async def put(self, chat: str, user: str, plan_id: str) -> None:
        """Note what was shown. Never raises: where the store is away, a later facade may know an older one."""

    async def get(self, chat: str, user: str) -> str | None:
        """What was shown last. Never raises."""

    async def close(self) -> None:
        """Let go of connections."""


class MemoryOffers:
    """For a single process."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], str] = OrderedDict()

    async def put(self, chat: str, user: str, plan_id: str) -> None:
        """See `Offers.put`."""
        self._kept[chat, user] = plan_id
        self._kept.move_to_end((chat, user))
        while len(self._kept) > _CHATS:
            self._kept.popitem(last=False)

    async def get(self, chat: str, user: str) -> str | None:
        """See `Offers.get`."""
        return self._kept.get((chat, user))

    async def close(self) -> None:
        """See `Offers.close`."""


_AWAY = Outage(
    log,
    "asking Redis which plan was shown last",
    "a bare yes counts for what this facade itself has shown, or asks again",
)


class RedisOffers(MemoryOffers):
    """For several processes; what this one knows itself stands in while the store is away."""

    _PREFIX = "iq:offer:"

    def __init__(self, url: str) -> None:
        super().__init__()
        self._redis = connections(url, _ANSWER_WITHIN, text=True)

    async def put(self, chat: str, user: str, plan_id: str) -> None:
        """See `Offers.put`."""
        await super().put(chat, user, plan_id)
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                await self._redis.set(self._key(chat, user), plan_id, ex=_KEPT)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("the plan that was shown could not be noted for other facades: %s", type(error).__name__)

    async def get(self, chat: str, user: str) -> str | None:
        """See `Offers.get`."""
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                found = await self._redis.get(self._key(chat, user))
            _AWAY.worked()
        except (RedisError, OSError, TimeoutError) as error:
            _AWAY.failed(type(error).__name__)
            found = None
        return await super().get(chat, user) if found is None else str(found)

    async def close(self) -> None:
        """See `Offers.close`."""
        await self._redis.aclose()

    def _key(self, chat: str, user: str) -> str:
        return self._PREFIX + hashlib.sha256(f"{chat}\n{user}".encode()).hexdigest()


def open_offers(redis_url: str | None) -> Offers:
    """The offers that the settings call for."""
    return RedisOffers(redis_url) if redis_url else MemoryOffers()
