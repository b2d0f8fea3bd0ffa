"""How often a wrong service key may be tried, by one client and by all: whoever guesses must not go on for long.

Over its limit a client's keys are not looked at any more, right or wrong: an answer that told which would let it guess
on. Over the limit of all, only clients that have lately shown the right key are heard; whoever is signed in by a cookie
is not held up. Counted by each facade for itself, in memory: whether anybody may come in depends on no store.
"""

import ipaddress
import math
import time

from fastapi import Request
from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from clients.errors import RequestError, refuse
from contracts.enums import ServiceErrorType
from infra.settings import Settings
from language.catalogue import say

_ALL = "all"
_KNOWN_FOR = 3600.0
"""Seconds for which a client that has shown the right key is heard while others are not."""


class WrongKeys:
    """Wrong keys of late at one facade (`IQ_RATE_GUESSES`, `IQ_RATE_GUESSES_ALL`)."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._one, self._all = parse(settings.rate_guesses), parse(settings.rate_guesses_all)
        self._known: dict[str, float] = {}

    async def may_try(self, request: Request) -> None:
        """Let a client show a key. Raises `RequestError`: rate_limited, with the seconds until it may again."""
        client = client_of(request)
        if not await self._limiter.test(self._one, client):
            raise await self._too_many(self._one, client, "refuse.too_many_keys")
        if self._known.get(client, 0) <= time.monotonic() and not await self._limiter.test(self._all, _ALL):
            raise await self._too_many(self._all, _ALL, "refuse.too_many_keys_all")

    async def was(self, request: Request, *, right: bool) -> None:
        """Count what became of a try."""
        client, now = client_of(request), time.monotonic()
        if right:
            self._known = {one: until for one, until in self._known.items() if until > now}
            self._known[client] = now + _KNOWN_FOR
            return
        await self._limiter.hit(self._one, client)
        await self._limiter.hit(self._all, _ALL)

    async def _too_many(self, limit: RateLimitItem, whose: str, key: str) -> RequestError:
        window = await self._limiter.get_window_stats(limit, whose)
        wait = max(1, math.ceil(window.reset_time - time.time()))
        error = refuse(ServiceErrorType.RATE_LIMITED, say(key, seconds=wait), say("next.rate_limited", seconds=wait))
        error.answer.retry_after_seconds = float(wait)
        return error


def client_of(request: Request) -> str:
    """Who is counted as one: an address, of IPv6 the network of 64 bits that one subscriber is given (RFC 6177). Behind
    a proxy it is what that says (`FORWARDED_ALLOW_IPS` of uvicorn)."""
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
