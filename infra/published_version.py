"""One small shared fact: which registry version is published. A refresh publishes, every worker takes it up."""

import asyncio
from typing import Protocol

import redis.asyncio
from redis.exceptions import RedisError

_ANSWER_WITHIN = 1.0
"""Seconds: whoever reads can do with what they have."""


class BoardAwayError(ConnectionError):
    """Nobody can tell what is published."""


class PublishedVersion(Protocol):
    """Where the published registry version is written."""

    async def publish(self, version: str) -> None:
        """Announce a version to every process."""

    async def published(self) -> str | None:
        """The version announced last, or None. Raises `BoardAwayError`."""

    async def close(self) -> None:
        """Let go of connections."""


class MemoryPublishedVersion:
    """For a single process."""

    def __init__(self) -> None:
        self._version: str | None = None

    async def publish(self, version: str) -> None:
        """See `PublishedVersion.publish`."""
        self._version = version

    async def published(self) -> str | None:
        """See `PublishedVersion.published`."""
        return self._version

    async def close(self) -> None:
        """See `PublishedVersion.close`."""


class RedisPublishedVersion:
    """For several processes."""

    _KEY = "iq:registry:published"

    def __init__(self, url: str) -> None:
        self._redis = redis.asyncio.from_url(
            url, decode_responses=True, socket_timeout=_ANSWER_WITHIN, socket_connect_timeout=_ANSWER_WITHIN
        )

    async def publish(self, version: str) -> None:
        """See `PublishedVersion.publish`."""
        await self._redis.set(self._KEY, version)

    async def published(self) -> str | None:
        """See `PublishedVersion.published`."""
        try:
            found = await asyncio.wait_for(self._redis.get(self._KEY), _ANSWER_WITHIN)
        except (RedisError, OSError, TimeoutError) as error:
            raise BoardAwayError(type(error).__name__) from None
        return None if found is None else str(found)

    async def close(self) -> None:
        """See `PublishedVersion.close`."""
        await self._redis.aclose()


def open_published_version(redis_url: str | None) -> PublishedVersion:
    """What the settings call for."""
    return RedisPublishedVersion(redis_url) if redis_url else MemoryPublishedVersion()
