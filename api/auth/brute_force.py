"""The rate limit of wrong service keys, per client and in total, against guessing.

Over its limit a client's keys are not checked any more, right or wrong, because an answer would let it guess on. Over
the total limit, only clients that recently sent the right key are accepted. Callers with a session cookie are not
affected. Each API process counts for itself, in memory, so that authentication depends on no store.
"""

import ipaddress
import math
import time

from fastapi import Request
from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from clients.errors import ApiError, api_error
from contracts.enums import ServiceErrorType
from infra.config.settings import Settings
from language.messages.catalogue import translate

_ALL = "all"
_KNOWN_FOR = 3600.0
"""Seconds for which a client that sent the right key is accepted while others are not."""


class KeyGuessLimiter:
    """The recent wrong keys at one API process (`IQ_RATE_FAILED_AUTH`, `IQ_RATE_FAILED_AUTH_ALL`)."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._one, self._all = parse(settings.rate_failed_auth), parse(settings.rate_failed_auth_all)
        self._known: dict[str, float] = {}

    async def check(self, request: Request) -> None:
        """Check that a client may send a key. Raises `ApiError`: rate_limited, with the seconds until it may again."""
        client = client_of(request)
        if not await self._limiter.test(self._one, client):
            raise await self._too_many(self._one, client, "refuse.too_many_keys")
        if self._known.get(client, 0) <= time.monotonic() and not await self._limiter.test(self._all, _ALL):
            raise await self._too_many(self._all, _ALL, "refuse.too_many_keys_all")

    async def record_failure(self, request: Request, *, right: bool) -> None:
        """Record a try. A wrong key counts towards the limits; the right key makes the client known."""
        client, now = client_of(request), time.monotonic()
        if right:
            self._known = {one: until for one, until in self._known.items() if until > now}
            self._known[client] = now + _KNOWN_FOR
            return
        await self._limiter.hit(self._one, client)
        await self._limiter.hit(self._all, _ALL)

    async def _too_many(self, limit: RateLimitItem, owner: str, key: str) -> ApiError:
        window = await self._limiter.get_window_stats(limit, owner)
        wait = max(1, math.ceil(window.reset_time - time.time()))
        error = api_error(
            ServiceErrorType.RATE_LIMITED, translate(key, seconds=wait), translate("next.rate_limited", seconds=wait)
        )
        error.answer.retry_after_seconds = float(wait)
        return error


def client_of(request: Request) -> str:
    """Return the client's identity: an address, or for IPv6 the network of 64 bits that a subscriber is assigned (RFC
    6177). Behind a proxy it is the address that the proxy reports (`FORWARDED_ALLOW_IPS` of uvicorn)."""
    host = request.client.host if request.client is not None else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
