"""The vault of operators' tokens: only references to them go through Temporal.

In memory for one process, in Redis for several. Values are encrypted with their reference as context, and expire. A
reference reveals nothing, and an expired token cannot be recovered (`docs/state-model.md`, "Personal data").
"""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar
from uuid import uuid4

from redis.exceptions import RedisError

from infra.crypto.keyring import Ciphertext, KeyRing
from infra.observability.logging import OutageLog
from infra.stores.redis import create_redis

T = TypeVar("T")

_ANSWER_WITHIN = 1.0
"""Seconds: Redis answers in milliseconds or not at all, and its timeout must not be mistaken for a venue's."""

_AWAY = OutageLog(
    logging.getLogger(__name__),
    "the token store (Redis)",
    "requests that bring a token are answered 503, and steps wait a few seconds for theirs, then fail",
)

_TRIES = 4
"""Tries of the calls that may be retried at once: storing and wiping a token. A reader retries by its own timeout."""


class VaultUnavailableError(ConnectionError):
    """The store of tokens is unavailable: the token's state is unknown, and nothing was sent with it."""


class TokenMissingError(LookupError):
    """The reference is unknown, expired or wiped: the operator has to sign in again."""


class Vault(Protocol):
    """A store of tokens. `ttl` is in seconds."""

    async def put(self, token: str, ttl: float, reference: str = "") -> str:
        """Store a token, or another secret under a `reference` of its own ("kind:name"), and return its reference."""

    async def get(self, reference: str) -> str:
        """Return the token. Raises `TokenMissingError`, and `VaultUnavailableError` within about a second."""

    async def take(self, reference: str) -> str:
        """Return the token and delete it: of several concurrent callers only the first gets it. Raises as `get`
        does."""

    async def wipe(self, reference: str) -> None:
        """Delete a token. An unknown reference is no error."""

    async def close(self) -> None:
        """Close the connections."""


def _new_reference() -> str:
    return f"tok-{uuid4()}"


class MemoryVault:
    """The tokens of this process only."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring
        self._cache: dict[str, tuple[Ciphertext, float]] = {}

    async def put(self, token: str, ttl: float, reference: str = "") -> str:
        """See `Vault.put`."""
        now = time.monotonic()
        for expired in [r for r, (_, until) in self._cache.items() if until < now]:
            del self._cache[expired]
        reference = reference or _new_reference()
        self._cache[reference] = (self._ring.seal(token.encode(), reference.encode()), now + ttl)
        return reference

    async def get(self, reference: str) -> str:
        """See `Vault.get`."""
        sealed, until = self._cache.get(reference, (None, 0.0))
        if sealed is None or until < time.monotonic():
            raise TokenMissingError(reference)
        return self._ring.open(sealed, reference.encode()).decode()

    async def take(self, reference: str) -> str:
        """See `Vault.take`."""
        token = await self.get(reference)
        del self._cache[reference]
        return token

    async def wipe(self, reference: str) -> None:
        """See `Vault.wipe`."""
        self._cache.pop(reference, None)

    async def close(self) -> None:
        """See `Vault.close`."""
        self._cache.clear()


class RedisVault:
    """Tokens shared by all processes of a deployment. Redis deletes them when they expire."""

    def __init__(self, url: str, ring: KeyRing) -> None:
        self._ring = ring
        self._redis = create_redis(url, _ANSWER_WITHIN, text=False)

    async def put(self, token: str, ttl: float, reference: str = "") -> str:
        """See `Vault.put`."""
        reference = reference or _new_reference()
        sealed = self._ring.seal(token.encode(), reference.encode())
        value = sealed.key_id.encode() + b":" + sealed.data
        lifetime = max(1, int(ttl * 1000))
        await _answer(lambda: self._redis.set(_key(reference), value, px=lifetime), _TRIES)
        return reference

    async def get(self, reference: str) -> str:
        """See `Vault.get`."""
        return self._opened(reference, await _answer(lambda: self._redis.get(_key(reference)), 1))

    async def take(self, reference: str) -> str:
        """See `Vault.take`."""
        return self._opened(reference, await _answer(lambda: self._redis.getdel(_key(reference)), 1))

    def _opened(self, reference: str, value: bytes | str | None) -> str:
        if value is None:
            raise TokenMissingError(reference)
        raw: bytes = value if isinstance(value, bytes) else value.encode()
        key_id, _, data = raw.partition(b":")
        return self._ring.open(Ciphertext(key_id.decode(), data), reference.encode()).decode()

    async def wipe(self, reference: str) -> None:
        """See `Vault.wipe`."""
        await _answer(lambda: self._redis.delete(_key(reference)), _TRIES)

    async def close(self) -> None:
        """See `Vault.close`."""
        await self._redis.aclose()


def _key(reference: str) -> str:
    """Return the token's key in Redis. A reference that the caller chose ("outcome:...") has a prefix of its own."""
    return f"iq:{reference}" if ":" in reference else f"iq:token:{reference}"


async def _answer(ask: Callable[[], Awaitable[T]], tries: int) -> T:
    """Return the store's answer. Raises `VaultUnavailableError` after `tries` failures."""
    for remaining in reversed(range(tries)):
        try:
            found = await ask()
            _AWAY.success()
            return found
        except (RedisError, OSError) as error:
            if not remaining:
                _AWAY.failure(type(error).__name__)
                raise VaultUnavailableError(type(error).__name__) from None
    raise AssertionError("at least one try")


def open_vault(redis_url: str | None, ring: KeyRing) -> Vault:
    """Return the vault for these settings: in Redis if `redis_url` is set, otherwise in memory."""
    return RedisVault(redis_url, ring) if redis_url else MemoryVault(ring)
