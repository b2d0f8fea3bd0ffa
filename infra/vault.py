"""Where operators' tokens are kept: only a reference ever travels through Temporal.

Memory serves one process; Redis serves several. A reference tells nothing and a forgotten token
cannot be had back (design, "Secrets and personal data").
"""

import time
from typing import Protocol
from uuid import uuid4

import redis.asyncio


class TokenMissing(LookupError):
    """The reference is unknown, expired or wiped: the operator has to sign in again."""


class Vault(Protocol):
    """A store of tokens. `ttl` is in seconds."""

    async def put(self, token: str, ttl: float) -> str:
        """Keep a token and return its reference."""

    async def get(self, reference: str) -> str:
        """The token. Raises `TokenMissing`."""

    async def wipe(self, reference: str) -> None:
        """Forget a token; an unknown reference is fine."""

    async def close(self) -> None:
        """Let go of connections."""


def _new_reference() -> str:
    return f"tok-{uuid4()}"


class MemoryVault:
    """Tokens of this process only."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, float]] = {}

    async def put(self, token: str, ttl: float) -> str:
        """See `Vault.put`."""
        now = time.monotonic()
        for reference in [r for r, (_, until) in self._kept.items() if until < now]:
            del self._kept[reference]
        reference = _new_reference()
        self._kept[reference] = (token, now + ttl)
        return reference

    async def get(self, reference: str) -> str:
        """See `Vault.get`."""
        token, until = self._kept.get(reference, ("", 0.0))
        if until < time.monotonic():
            raise TokenMissing(reference)
        return token

    async def wipe(self, reference: str) -> None:
        """See `Vault.wipe`."""
        self._kept.pop(reference, None)

    async def close(self) -> None:
        """See `Vault.close`."""
        self._kept.clear()


class RedisVault:
    """Tokens shared by all processes of a deployment; Redis forgets them when their time is up."""

    _PREFIX = "iq:token:"

    def __init__(self, url: str) -> None:
        self._redis = redis.asyncio.from_url(url, decode_responses=True)

    async def put(self, token: str, ttl: float) -> str:
        """See `Vault.put`."""
        reference = _new_reference()
        await self._redis.set(self._PREFIX + reference, token, px=max(1, int(ttl * 1000)))
        return reference

    async def get(self, reference: str) -> str:
        """See `Vault.get`."""
        token = await self._redis.get(self._PREFIX + reference)
        if token is None:
            raise TokenMissing(reference)
        return str(token)

    async def wipe(self, reference: str) -> None:
        """See `Vault.wipe`."""
        await self._redis.delete(self._PREFIX + reference)

    async def close(self) -> None:
        """See `Vault.close`."""
        await self._redis.aclose()


def open_vault(redis_url: str | None) -> Vault:
    """The vault that the settings call for."""
    return RedisVault(redis_url) if redis_url else MemoryVault()
