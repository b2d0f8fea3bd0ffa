"""A cache of look-up answers whose overlay allows it (`cache_seconds`): per operator token, in this process, and until
this process writes to the same venue."""

import hashlib
import time
from collections import OrderedDict
from typing import Generic, TypeVar

A = TypeVar("A")

_MOST = 500
"""Maximum number of answers, since each may be a megabyte."""


class ReadCache(Generic[A]):
    """The cached answers, in order of insertion."""

    def __init__(self) -> None:
        self._cache: OrderedDict[tuple[str, str], tuple[float, A]] = OrderedDict()

    def get(self, base_url: str, token: str, read: str) -> A | None:
        """Return the cached answer to this token's read, by the read's key."""
        until, answer = self._cache.get((base_url, _whose(token, read)), (0.0, None))
        return answer if time.monotonic() < until else None

    def put(self, base_url: str, token: str, read: str, answer: A, seconds: float) -> None:
        """Cache an answer for so many seconds."""
        self._cache[base_url, _whose(token, read)] = (time.monotonic() + seconds, answer)
        while len(self._cache) > _MOST:
            self._cache.popitem(last=False)

    def invalidate(self, base_url: str) -> None:
        """Drop the answers of a venue after a write to it."""
        for key in [key for key in self._cache if key[0] == base_url]:
            del self._cache[key]


def _whose(token: str, read: str) -> str:
    return hashlib.sha256(f"{token}\n{read}".encode()).hexdigest()
