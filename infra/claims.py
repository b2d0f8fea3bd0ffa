"""Words that are spoken once: the first to write under a key decides, for every process.

A confirm is settled here between the plan, which begins, and the facade, which may have to say 503: whoever comes
second learns what stands, so that an operator is never told "not confirmed" of a plan that runs.
"""

import time
from typing import Protocol

import redis.asyncio

_KEPT = 24 * 3600
"""Seconds: longer than any plan waits for a worker to come back."""

STARTED = "started"
WITHDRAWN = "withdrawn"


class Claims(Protocol):
    """Write-once words."""

    async def settle(self, key: str, word: str) -> str:
        """Write the word unless one stands already; the one that stands."""

    async def standing(self, key: str) -> str | None:
        """The word that stands, or None."""

    async def close(self) -> None:
        """Let go of connections."""


class MemoryClaims:
    """For a single process."""

    def __init__(self) -> None:
        self._words: dict[str, tuple[str, float]] = {}

    async def settle(self, key: str, word: str) -> str:
        """See `Claims.settle`."""
        now = time.monotonic()
        for old in [k for k, (_, until) in self._words.items() if until < now]:
            del self._words[old]
        return self._words.setdefault(key, (word, now + _KEPT))[0]

    async def standing(self, key: str) -> str | None:
        """See `Claims.standing`."""
        return self._words.get(key, (None, 0.0))[0]

    async def close(self) -> None:
        """See `Claims.close`."""
        self._words.clear()


class RedisClaims:
    """For several processes."""

    _PREFIX = "iq:claim:"

    def __init__(self, url: str) -> None:
        self._redis: redis.asyncio.Redis = redis.asyncio.from_url(url, decode_responses=True)

    async def settle(self, key: str, word: str) -> str:
        """See `Claims.settle`."""
        stood = await self._redis.set(self._PREFIX + key, word, nx=True, get=True, ex=_KEPT)
        return word if stood is None else str(stood)

    async def standing(self, key: str) -> str | None:
        """See `Claims.standing`."""
        found = await self._redis.get(self._PREFIX + key)
        return None if found is None else str(found)

    async def close(self) -> None:
        """See `Claims.close`."""
        await self._redis.aclose()


def open_claims(redis_url: str | None) -> Claims:
    """The claims that the settings call for."""
    return RedisClaims(redis_url) if redis_url else MemoryClaims()
