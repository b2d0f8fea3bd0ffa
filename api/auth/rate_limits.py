"""Rate limits of callers: messages per minute, by user and by venue. For the size of a body see `body_limit.py`.

Counts are in memory, or in Redis if several API processes share the load. A user's count is stored under a hash.
"""

import logging
import math
import time

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage, Storage
from limits.aio.strategies import MovingWindowRateLimiter
from limits.errors import StorageError
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected

from clients.errors import api_error
from contracts.enums import ServiceErrorType
from infra.config.settings import Settings
from infra.stores.booking_locks import lock_name
from language.messages.catalogue import translate

log = logging.getLogger(__name__)

_ANSWER_WITHIN = 1.0


class RateLimits:
    """The rate limits of one API process."""

    def __init__(self, settings: Settings) -> None:
        storage: Storage = (
            RedisStorage(
                f"async+{settings.redis_url}",
                implementation="redispy",
                wrap_exceptions=True,
                socket_timeout=_ANSWER_WITHIN,
                socket_connect_timeout=_ANSWER_WITHIN,
                # A connection that was closed while idle is reopened. A hanging connection is not retried.
                retry=Retry(NoBackoff(), 1, supported_errors=(Disconnected,)),  # type: ignore[arg-type]
            )
            if settings.redis_url
            else MemoryStorage()
        )
        self._limiter = MovingWindowRateLimiter(storage)
        self._by = {"user": parse(settings.rate_user), "venue": parse(settings.rate_venue)}

    async def count(self, *, venue: str, user: str) -> None:
        """Count one message. Raises `ApiError`: rate_limited, with the seconds until the next one is allowed."""
        for kind, key in (("user", lock_name(venue, user)), ("venue", venue)):
            limit = self._by[kind]
            try:
                if await self._limiter.hit(limit, kind, key):
                    continue
                window = await self._limiter.get_window_stats(limit, kind, key)
            except StorageError:
                log.exception("messages could not be counted; letting this one through")
                return
            raise _too_many(limit, window.reset_time, kind)


def _too_many(limit: RateLimitItem, reset: float, kind: str) -> Exception:
    wait = max(1, math.ceil(reset - time.time()))
    error = api_error(
        ServiceErrorType.RATE_LIMITED,
        translate(f"refuse.too_many_{kind}", n=limit.amount, seconds=wait),
        translate("next.rate_limited", seconds=wait),
    )
    error.answer.retry_after_seconds = float(wait)
    return error
