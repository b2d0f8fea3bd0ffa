"""The published registry version, and substitutes for the actions whose files are broken.

A process that never loaded such an action intact cannot read it from its files. A refresh publishes; every worker loads
what is published. The substitutes are sealed with the key ring, because an action defines where an operator's token is
sent and with what.
"""

import asyncio
import base64
import logging
from typing import Protocol

from redis.exceptions import RedisError

from infra.crypto.keyring import Ciphertext, KeyRing
from infra.stores.redis import create_redis

_LOG = logging.getLogger(__name__)

_ANSWER_WITHIN = 1.0
"""Seconds: a reader can continue with what it has."""

_PLACE = b"registry:retained"


class VersionStoreUnavailableError(ConnectionError):
    """The published version is unknown, because the store is unavailable."""


class PublishedVersion(Protocol):
    """Where the published registry version is stored."""

    async def publish(self, version: str, retained: str = "") -> None:
        """Announce a version to every process, with its substitutes for broken files."""

    async def published(self) -> str | None:
        """Return the version announced last, or None. Raises `VersionStoreUnavailableError`."""

    async def retained(self) -> str:
        """Return the substitutes of that version; "" if there are none, or if this process cannot decrypt them. Raises
        `VersionStoreUnavailableError`."""

    async def close(self) -> None:
        """Close the connections."""


class MemoryPublishedVersion:
    """The published version of a single process."""

    def __init__(self) -> None:
        self._version: str | None = None
        self._retained = ""

    async def publish(self, version: str, retained: str = "") -> None:
        """See `PublishedVersion.publish`."""
        self._version, self._retained = version, retained

    async def retained(self) -> str:
        """See `PublishedVersion.retained`."""
        return self._retained

    async def published(self) -> str | None:
        """See `PublishedVersion.published`."""
        return self._version

    async def close(self) -> None:
        """See `PublishedVersion.close`."""


class RedisPublishedVersion:
    """The published version of several processes, in Redis."""

    _KEY, _RETAINED = "iq:registry:published", "iq:registry:retained"

    def __init__(self, url: str, ring: KeyRing | None = None) -> None:
        self._ring = ring
        self._redis = create_redis(url, _ANSWER_WITHIN, text=True)

    async def publish(self, version: str, retained: str = "") -> None:
        """See `PublishedVersion.publish`."""
        sealed = ""
        if retained and self._ring is not None:
            found = self._ring.seal(retained.encode(), _PLACE)
            sealed = f"{found.key_id}:{base64.b64encode(found.data).decode()}"
        await self._redis.mset({self._KEY: version, self._RETAINED: sealed})

    async def published(self) -> str | None:
        """See `PublishedVersion.published`."""
        return await self._read(self._KEY)

    async def retained(self) -> str:
        """See `PublishedVersion.retained`."""
        key_id, _, data = (await self._read(self._RETAINED) or "").partition(":")
        if not data or self._ring is None:
            return ""
        try:
            return self._ring.open(Ciphertext(key_id, base64.b64decode(data)), _PLACE).decode()
        except ValueError as error:
            _LOG.warning("the substitutes for broken files cannot be read: %s", error)
            return ""

    async def _read(self, key: str) -> str | None:
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                found = await self._redis.get(key)
        except (RedisError, OSError, TimeoutError) as error:
            raise VersionStoreUnavailableError(type(error).__name__) from None
        return None if found is None else str(found)

    async def close(self) -> None:
        """See `PublishedVersion.close`."""
        await self._redis.aclose()


def open_published_version(redis_url: str | None, ring: KeyRing | None = None) -> PublishedVersion:
    """Return the store for these settings. Without a `ring` only versions are shared, no substitutes."""
    return RedisPublishedVersion(redis_url, ring) if redis_url else MemoryPublishedVersion()
