"""Which registry version is published, and what stands in there for files that are broken: those who never saw such an
action whole cannot read it from their files. A refresh publishes, every worker takes it up.

What stands in is sealed with the key ring: an action says where an operator's token is sent with what.
"""

import asyncio
import base64
import logging
from typing import Protocol

from redis.exceptions import RedisError

from infra.keyring import KeyRing, Sealed
from infra.store import connections

_LOG = logging.getLogger(__name__)

_ANSWER_WITHIN = 1.0
"""Seconds: whoever reads can do with what they have."""

_PLACE = b"registry:standing-in"


class BoardAwayError(ConnectionError):
    """Nobody can tell what is published."""


class PublishedVersion(Protocol):
    """Where the published registry version is written."""

    async def publish(self, version: str, standing_in: str = "") -> None:
        """Announce a version to every process, and what stands in there."""

    async def published(self) -> str | None:
        """The version announced last, or None. Raises `BoardAwayError`."""

    async def standing_in(self) -> str:
        """What stands in in that version; "" for nothing, or nothing that this process can read. Raises
        `BoardAwayError`."""

    async def close(self) -> None:
        """Let go of connections."""


class MemoryPublishedVersion:
    """For a single process."""

    def __init__(self) -> None:
        self._version: str | None = None
        self._standing_in = ""

    async def publish(self, version: str, standing_in: str = "") -> None:
        """See `PublishedVersion.publish`."""
        self._version, self._standing_in = version, standing_in

    async def standing_in(self) -> str:
        """See `PublishedVersion.standing_in`."""
        return self._standing_in

    async def published(self) -> str | None:
        """See `PublishedVersion.published`."""
        return self._version

    async def close(self) -> None:
        """See `PublishedVersion.close`."""


class RedisPublishedVersion:
    """For several processes."""

    _KEY, _STANDING_IN = "iq:registry:published", "iq:registry:standing-in"

    def __init__(self, url: str, ring: KeyRing | None = None) -> None:
        self._ring = ring
        self._redis = connections(url, _ANSWER_WITHIN, text=True)

    async def publish(self, version: str, standing_in: str = "") -> None:
        """See `PublishedVersion.publish`."""
        sealed = ""
        if standing_in and self._ring is not None:
            found = self._ring.seal(standing_in.encode(), _PLACE)
            sealed = f"{found.key_id}:{base64.b64encode(found.data).decode()}"
        await self._redis.mset({self._KEY: version, self._STANDING_IN: sealed})

    async def published(self) -> str | None:
        """See `PublishedVersion.published`."""
        return await self._read(self._KEY)

    async def standing_in(self) -> str:
        """See `PublishedVersion.standing_in`."""
        key_id, _, data = (await self._read(self._STANDING_IN) or "").partition(":")
        if not data or self._ring is None:
            return ""
        try:
            return self._ring.open(Sealed(key_id, base64.b64decode(data)), _PLACE).decode()
        except ValueError as error:
            _LOG.warning("what stands in for broken files cannot be read: %s", error)
            return ""

    async def _read(self, key: str) -> str | None:
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                found = await self._redis.get(key)
        except (RedisError, OSError, TimeoutError) as error:
            raise BoardAwayError(type(error).__name__) from None
        return None if found is None else str(found)

    async def close(self) -> None:
        """See `PublishedVersion.close`."""
        await self._redis.aclose()


def open_published_version(redis_url: str | None, ring: KeyRing | None = None) -> PublishedVersion:
    """What the settings call for. Without a `ring` nothing but versions is shared."""
    return RedisPublishedVersion(redis_url, ring) if redis_url else MemoryPublishedVersion()
