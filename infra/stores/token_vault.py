"""The vault of operators' tokens: only references to them go through Temporal.

Values are encrypted with their reference as context, and expire. A reference reveals nothing, and an expired token
cannot be recovered (`docs/state-model.md`, "Personal data").
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import uuid4

from infra.crypto.keyring import KeyRing
from infra.errors import DependencyUnavailableError
from infra.observability.logging import OutageLog
from infra.stores.store import Store, answer_within

_AWAY = OutageLog(
    logging.getLogger(__name__),
    "the token store (Redis)",
    "requests that bring a token are answered 503, and steps wait a few seconds for theirs, then fail",
)


class TokenMissingError(LookupError):
    """The reference is unknown, expired or wiped: the operator has to sign in again."""


@dataclass(frozen=True, slots=True)
class SealedToken:
    """An encrypted token that is not stored yet: its reference, its key in the store, and its lifetime there."""

    reference: str
    key: str
    value: str
    milliseconds: int


class Vault:
    """A store of tokens. Every call raises `DependencyUnavailableError` within about a second: the token's state is
    then unknown."""

    def __init__(self, store: Store, ring: KeyRing) -> None:
        self._redis = store.redis
        self._ring = ring

    def seal(self, token: str, ttl: float, reference: str = "") -> SealedToken:
        """Encrypt a token, or another secret under a `reference` of its own ("kind:name"). `ttl` is in seconds."""
        reference = reference or f"tok-{uuid4()}"
        return SealedToken(reference, _key(reference), self._ring.seal_text(token, reference), max(1, int(ttl * 1000)))

    async def store(self, sealed: SealedToken) -> None:
        """Store what was sealed, until its time is over."""
        async with _answer():
            await self._redis.set(sealed.key, sealed.value, px=sealed.milliseconds)

    async def put(self, token: str, ttl: float, reference: str = "") -> str:
        """Seal and store a token, and return its reference."""
        sealed = self.seal(token, ttl, reference)
        await self.store(sealed)
        return sealed.reference

    async def get(self, reference: str) -> str:
        """Return the token. Raises `TokenMissingError`, and `KeyringError` if it cannot be decrypted."""
        async with _answer():
            value = await self._redis.get(_key(reference))
        return self._opened(reference, value)

    async def take(self, reference: str) -> str:
        """Return the token and delete it: of several concurrent callers only the first gets it. Raises as `get`
        does."""
        async with _answer():
            value = await self._redis.getdel(_key(reference))
        return self._opened(reference, value)

    def _opened(self, reference: str, value: bytes | str | None) -> str:
        if value is None:
            raise TokenMissingError(reference)
        return self._ring.open_text(str(value), reference)

    async def wipe(self, reference: str) -> None:
        """Delete a token. An unknown reference is no error."""
        async with _answer():
            await self._redis.delete(_key(reference))


def _key(reference: str) -> str:
    """Return the token's key. A reference that the caller chose ("outcome:...") has a prefix of its own."""
    return f"iq:{reference}" if ":" in reference else f"iq:token:{reference}"


@asynccontextmanager
async def _answer() -> AsyncIterator[None]:
    try:
        async with answer_within():
            yield
    except DependencyUnavailableError as away:
        _AWAY.failure(str(away))
        raise
    _AWAY.success()
