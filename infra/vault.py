"""Where operators' tokens are kept: only a reference ever travels through Temporal.

Memory serves one process; Redis serves several. Values are encrypted, tied to their reference, and forgotten when their
time is up. A reference tells nothing, and a forgotten token cannot be had back (`docs/state-model.md`, "Personal
data").
"""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar
from uuid import uuid4

from redis.exceptions import RedisError

from infra.keyring import KeyRing, Sealed
from infra.outages import Outage
from infra.store import connections

T = TypeVar("T")

_ANSWER_WITHIN = 1.0
"""Seconds: Redis answers in milliseconds or not at all, and its silence must not be taken for a venue's."""

_AWAY = Outage(
    logging.getLogger(__name__),
    "the token store (Redis)",
    "requests that bring a token are answered 503, and steps wait a few seconds for theirs, then fail",
)

_TRIES = 4
"""Of what may be repeated at once: keeping and wiping a token. Who reads one knows itself how long it can wait."""


class StoreAwayError(ConnectionError):
    """The store of tokens does not answer: nothing is known of the token, and nothing was sent with it."""


class TokenMissingError(LookupError):
    """The reference is unknown, expired or wiped: the operator has to sign in again."""


class Vault(Protocol):
    """A store of tokens. `ttl` is in seconds."""

    async def put(self, token: str, ttl: float, reference: str = "") -> str:
        """Keep a token, or another secret under a `reference` of its own ("kind:name"), and return its reference."""

    async def get(self, reference: str) -> str:
        """The token. Raises `TokenMissingError`, and `StoreAwayError` within about a second."""

    async def take(self, reference: str) -> str:
        """The token, which is forgotten with it: of several who take, one gets it. Raises as `get`."""

    async def wipe(self, reference: str) -> None:
        """Forget a token; an unknown reference is fine."""

    async def close(self) -> None:
        """Let go of connections."""


def _new_reference() -> str:
    return f"tok-{uuid4()}"


class MemoryVault:
    """Tokens of this process only."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring
        self._kept: dict[str, tuple[Sealed, float]] = {}

    async def put(self, token: str, ttl: float, reference: str = "") -> str:
        """See `Vault.put`."""
        now = time.monotonic()
        for expired in [r for r, (_, until) in self._kept.items() if until < now]:
            del self._kept[expired]
        reference = reference or _new_reference()
        self._kept[reference] = (self._ring.seal(token.encode(), reference.encode()), now + ttl)
        return reference

    async def get(self, reference: str) -> str:
        """See `Vault.get`."""
        sealed, until = self._kept.get(reference, (None, 0.0))
        if sealed is None or until < time.monotonic():
            raise TokenMissingError(reference)
        return self._ring.open(sealed, reference.encode()).decode()

    async def take(self, reference: str) -> str:
        """See `Vault.take`."""
        token = await self.get(reference)
        del self._kept[reference]
        return token

    async def wipe(self, reference: str) -> None:
        """See `Vault.wipe`."""
        self._kept.pop(reference, None)

    async def close(self) -> None:
        """See `Vault.close`."""
        self._kept.clear()


class RedisVault:
    """Tokens shared by all processes of a deployment; Redis forgets them when their time is up."""

    def __init__(self, url: str, ring: KeyRing) -> None:
        self._ring = ring
        self._redis = connections(url, _ANSWER_WITHIN, text=False)

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
        return self._ring.open(Sealed(key_id.decode(), data), reference.encode()).decode()

    async def wipe(self, reference: str) -> None:
        """See `Vault.wipe`."""
        await _answer(lambda: self._redis.delete(_key(reference)), _TRIES)

    async def close(self) -> None:
        """See `Vault.close`."""
        await self._redis.aclose()


def _key(reference: str) -> str:
    """Where the store has it: what a caller names itself ("outcome:...") is no token."""
    return f"iq:{reference}" if ":" in reference else f"iq:token:{reference}"


async def _answer(ask: Callable[[], Awaitable[T]], tries: int) -> T:
    """What the store says. Raises `StoreAwayError` after so many tries."""
    for left in reversed(range(tries)):
        try:
            found = await ask()
            _AWAY.worked()
            return found
        except (RedisError, OSError) as error:
            if not left:
                _AWAY.failed(type(error).__name__)
                raise StoreAwayError(type(error).__name__) from None
    raise AssertionError("at least one try")


def open_vault(redis_url: str | None, ring: KeyRing) -> Vault:
    """The vault that the settings call for."""
    return RedisVault(redis_url, ring) if redis_url else MemoryVault(ring)
