"""The store that all processes share: Redis. A single process may use one in its own memory, with the same commands."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError

from infra.errors import DependencyUnavailableError

CALL_TIMEOUT = 1.0
"""Seconds for one call: Redis answers in milliseconds or not at all, and its timeout must not be mistaken for a
venue's. A call that timed out may still be applied."""


class Store:
    """The connections to one store. `shared`: whether other processes see its data, too."""

    def __init__(self, url: str | None = None) -> None:
        """Use the Redis at this address, or an empty store in memory. Connects on first use. Raises `ValueError` for an
        invalid address."""
        self.shared = bool(url)
        self.redis: redis.asyncio.Redis = _redis(url) if url else _memory()

    async def close(self) -> None:
        """Close the connections."""
        await self.redis.aclose()


@asynccontextmanager
async def answer_within(seconds: float = CALL_TIMEOUT) -> AsyncIterator[None]:
    """Raise `DependencyUnavailableError` unless the store answers all calls of the block in time."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (RedisError, OSError) as error:
        raise DependencyUnavailableError("store", type(error).__name__) from None


def _redis(url: str) -> redis.asyncio.Redis:
    client: redis.asyncio.Redis = redis.asyncio.from_url(
        url,
        decode_responses=True,
        socket_timeout=CALL_TIMEOUT,
        socket_connect_timeout=CALL_TIMEOUT,
        # A connection that was closed while idle is reopened. A hanging connection is not retried.
        retry=Retry(NoBackoff(), 1, supported_errors=(Disconnected,)),
    )
    return client


def _memory() -> redis.asyncio.Redis:
    # Only here, because it takes a third of a second to load.
    from fakeredis import FakeAsyncRedis, FakeServer

    return FakeAsyncRedis(server=FakeServer(), decode_responses=True)
