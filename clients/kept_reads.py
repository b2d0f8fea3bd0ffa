"""Answers of look-ups whose overlay says that they may be kept for a while (`cache_seconds`): for one operator's token,
in this process, and no longer than until something is written to the same venue from here."""

import hashlib
import time
from collections import OrderedDict
from typing import Generic, TypeVar

A = TypeVar("A")

_MOST = 500
"""Answers: one may be a megabyte."""


class KeptReads(Generic[A]):
    """What is kept, the least lately kept first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[float, A]] = OrderedDict()

    def get(self, base_url: str, token: str, read: str) -> A | None:
        """The answer to this token's read, by the read's key."""
        until, answer = self._kept.get((base_url, _whose(token, read)), (0.0, None))
        return answer if time.monotonic() < until else None

    def keep(self, base_url: str, token: str, read: str, answer: A, seconds: float) -> None:
        """Keep it for so many seconds."""
        self._kept[base_url, _whose(token, read)] = (time.monotonic() + seconds, answer)
        while len(self._kept) > _MOST:
            self._kept.popitem(last=False)

    def forget(self, base_url: str) -> None:
        """Something was written there."""
        for key in [key for key in self._kept if key[0] == base_url]:
            del self._kept[key]


def _whose(token: str, read: str) -> str:
    return hashlib.sha256(f"{token}\n{read}".encode()).hexdigest()
