"""A cache of look-up answers whose overlay allows it (`cache_seconds`): per operator token, in this process, and until
this process writes to the same venue."""

import hashlib
from typing import Generic, TypeVar

from cachetools import TLRUCache

A = TypeVar("A")

_MOST = 500
"""Maximum number of answers, since each may be a megabyte."""


class ReadCache(Generic[A]):
    """The cached answers, each with its seconds."""

    def __init__(self) -> None:
        self._cache: TLRUCache[tuple[str, str], tuple[float, A]] = TLRUCache(_MOST, lambda _, kept, now: now + kept[0])

    def get(self, base_url: str, token: str, read: str) -> A | None:
        """Return the cached answer to this token's read, by the read's key."""
        kept = self._cache.get((base_url, _whose(token, read)))
        return kept[1] if kept is not None else None

    def put(self, base_url: str, token: str, read: str, answer: A, seconds: float) -> None:
        """Cache an answer for so many seconds."""
        self._cache[base_url, _whose(token, read)] = (seconds, answer)

    def invalidate(self, base_url: str) -> None:
        """Drop the answers of a venue after a write to it."""
        for key in [key for key in self._cache if key[0] == base_url]:
            self._cache.pop(key, None)


def _whose(token: str, read: str) -> str:
    return hashlib.sha256(f"{token}\n{read}".encode()).hexdigest()
