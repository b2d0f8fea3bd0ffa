"""Operator tokens: who may call, until when, and how often.

Tokens are stored as SHA-256 hashes. Expiry and rates use the machine's clock, not the venue's, so that in a test with a
fixed venue day tokens still expire and penalties still end.
"""

import hashlib
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

SEEDED_TOKENS = ("demo-operator", "demo-operator-2")
# ROLLER's tokens last about a day.
DAY_SECONDS = 86_400.0
# ROLLER's documented limit: 600 requests a minute, then a minute's penalty.
REQUESTS_PER_MINUTE = 600
WINDOW_SECONDS = 60.0


def token_hash(token: str) -> str:
    """Return the hash that is stored and journaled in place of the token."""
    return hashlib.sha256(token.encode()).hexdigest()


def register(connection: sqlite3.Connection, token: str, seconds: float | None = None) -> None:
    """Make a token valid for `seconds`; None: until it is expired explicitly."""
    expires = None if seconds is None else time.time() + seconds
    connection.execute("INSERT OR REPLACE INTO tokens (hash, expires) VALUES (?, ?)", (token_hash(token), expires))


def expire(connection: sqlite3.Connection, hashed: str) -> None:
    """End a token now."""
    connection.execute("UPDATE tokens SET expires = ? WHERE hash = ?", (time.time(), hashed))


def is_valid(connection: sqlite3.Connection, hashed: str) -> bool:
    """Return whether the token is known and has not expired."""
    row = connection.execute("SELECT expires FROM tokens WHERE hash = ?", (hashed,)).fetchone()
    return row is not None and (row["expires"] is None or row["expires"] > time.time())


@dataclass
class _Use:
    moments: deque[float] = field(default_factory=deque)
    penalty_until: float = 0.0


class RateLimiter:
    """Counts each token's requests over the last minute. `timer` returns seconds, monotonic."""

    def __init__(self, timer: Callable[[], float] = time.monotonic) -> None:
        self._timer = timer
        self._uses: dict[str, _Use] = {}

    def penalty(self, hashed: str) -> float | None:
        """Count one request. Return the seconds it must wait if it exceeds the limit, else None."""
        now = self._timer()
        use = self._uses.setdefault(hashed, _Use())
        if now < use.penalty_until:
            return use.penalty_until - now
        while use.moments and use.moments[0] <= now - WINDOW_SECONDS:
            use.moments.popleft()
        if len(use.moments) >= REQUESTS_PER_MINUTE:
            use.moments.clear()
            use.penalty_until = now + WINDOW_SECONDS
            return WINDOW_SECONDS
        use.moments.append(now)
        return None

    def clear(self) -> None:
        """Delete every count and penalty."""
        self._uses.clear()
