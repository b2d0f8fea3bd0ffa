"""Authentication of a caller: the service key of the caller's backend, and the operator's token.

The token is opaque to us. It is valid once the venue has accepted it, by the pack's cheapest read. The result is
cached for a short time by the token's hash, never the token itself.

Wrong service keys are limited, per client and in total, against guessing. Over its limit a client's keys are not
checked any more, right or wrong, because an answer would let it guess on. Over the total limit, only clients that
recently sent the right key are accepted. Callers with a session cookie are not affected. Each API process counts for
itself, in memory, so that authentication depends on no store.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import logging
import math
import time
from typing import Annotated

from cachetools import TTLCache
from fastapi import Depends, Header, Request
from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from api.auth.page_session import PageDep
from clients.errors import ApiError, ServiceUnavailableError, api_error
from clients.venue.client import VenueClient
from clients.venue.errors import VenueError
from contracts.enums import ErrorType, ServiceErrorType
from contracts.identifiers import Identifier
from infra.config.settings import Settings
from language.messages.catalogue import translate
from registry import Pack

_ALL = "all"
_KNOWN_FOR = 3600.0
"""Seconds for which a client that sent the right key is accepted while others are not."""
_MOST_KNOWN = 100_000
"""Clients remembered at most."""


class KeyGuessLimiter:
    """The recent wrong keys at one API process (`IQ_RATE_FAILED_AUTH`, `IQ_RATE_FAILED_AUTH_ALL`)."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._one, self._all = parse(settings.rate_failed_auth), parse(settings.rate_failed_auth_all)
        self._known: TTLCache[str, bool] = TTLCache(_MOST_KNOWN, _KNOWN_FOR)

    async def check(self, request: Request) -> None:
        """Check that a client may send a key. Raises `ApiError`: rate_limited, with the seconds until it may again."""
        client = client_of(request)
        if not await self._limiter.test(self._one, client):
            raise await self._too_many(self._one, client, "refuse.too_many_keys")
        if client not in self._known and not await self._limiter.test(self._all, _ALL):
            raise await self._too_many(self._all, _ALL, "refuse.too_many_keys_all")

    async def record_failure(self, request: Request, *, right: bool) -> None:
        """Record a try. A wrong key counts towards the limits; the right key makes the client known."""
        client = client_of(request)
        if right:
            self._known[client] = True
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


log = logging.getLogger(__name__)

_OF_A_THING = frozenset({ErrorType.NOT_FOUND, ErrorType.CONFLICT, ErrorType.BAD_REQUEST})

ServiceKey = Annotated[str | None, Header(description="The service's shared key")]

_TRUSTED_FOR = 60.0
"""Seconds for which a venue's acceptance of a token is cached."""
_MOST_TRUSTED = 100_000
"""Tokens cached at most."""


async def require_caller(request: Request, page: PageDep, x_service_key: ServiceKey = None) -> None:
    """Accept a caller that sends the service key, if one is configured, or is signed in to the page. Raises `ApiError`:
    unauthorized."""
    if page is None:
        await service_key(request, x_service_key)


async def service_key(request: Request, x_service_key: ServiceKey = None) -> None:
    """Reject a caller without the service key, if one is configured. Raises `ApiError`: unauthorized; rate_limited
    after too many wrong ones."""
    await check_service_key(request, x_service_key)


async def is_service_key(request: Request, given: str | None) -> bool:
    """Return whether this is the service key; always True if none is configured. A wrong key is counted, a missing one
    is not. Raises `ApiError`: rate_limited after too many wrong keys, whatever this key is."""
    settings: Settings = request.app.state.services.settings
    if not settings.service_key:
        return True
    if not given:
        return False
    tries: KeyGuessLimiter = request.app.state.wrong_keys
    await tries.check(request)
    right = any(hmac.compare_digest(key.encode(), given.encode()) for key in settings.service_keys)
    await tries.record_failure(request, right=right)
    return right


async def check_service_key(request: Request, given: str | None) -> None:
    """Reject a wrong service key that the caller read itself. Raises as `service_key`."""
    if not await is_service_key(request, given):
        raise api_error(ServiceErrorType.UNAUTHORIZED, *_texts("service_key"))


async def operator_token(
    page: PageDep, authorization: Annotated[str | None, Header(description="`Bearer` and the operator's token")] = None
) -> str:
    """Return the operator's token; for a page the token of its session. Raises `ApiError`: unauthorized."""
    if page is not None:
        return page.token
    scheme, _, token = (authorization or "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or not token.isascii() or len(token) > 8192:
        raise api_error(ServiceErrorType.UNAUTHORIZED, *_texts("signed_out"))
    return token


def _texts(name: str) -> tuple[str, str]:
    """Return the message of an error and its next step."""
    return translate(f"refuse.{name}"), translate(f"refuse.{name}_next")


class TokenCache:
    """Caches, by hash, the tokens that a venue has recently accepted."""

    def __init__(self, venues: VenueClient) -> None:
        self._venues = venues
        self._accepted: TTLCache[str, bool] = TTLCache(_MOST_TRUSTED, _TRUSTED_FOR)

    async def verify(self, pack: Pack, token: str, *, creates: bool = False, timeout: float = 5.0) -> None:
        """Check that the venue accepts the token. `creates` asks the venue even if the token is cached. `timeout`:
        seconds to wait for the venue. Raises `ApiError`: unauthorized, rate_limited, service_unavailable."""
        mark = _mark(pack.profile.venue_id, token)
        if mark in self._accepted and not creates:
            return
        try:
            async with asyncio.timeout(timeout):
                await self._venues.send_with_token(pack.profile.base_url, pack.check, token)
        except TimeoutError:
            raise ServiceUnavailableError("venue") from None
        except VenueError as refused:
            if refused.failure.error_type is ErrorType.UNAUTHORIZED:
                self.evict(pack, token)
            raise _as_api_error(refused, pack) from None
        self._accepted[mark] = True

    def is_cached(self, venue_id: str, token: str) -> bool:
        """Return whether the venue has recently accepted the token, without a request."""
        return _mark(venue_id, token) in self._accepted

    def evict(self, pack: Pack, token: str) -> None:
        """Drop a token that the venue has just rejected."""
        self._accepted.pop(_mark(pack.profile.venue_id, token), False)


def _mark(venue_id: str, token: str) -> str:
    return hashlib.sha256(f"{venue_id} {token}".encode()).hexdigest()


def _as_api_error(refused: VenueError, pack: Pack) -> Exception:
    failure = refused.failure
    if failure.error_type in _OF_A_THING:
        # The check reads nothing that an operator knows, so its error is a fault of the pack, not of a booking.
        log.error("%s/venue.yaml, check_operation: the venue answered %s", pack.profile.pack, failure.status)
        return ServiceUnavailableError("venue")
    if failure.error_type in (ErrorType.UNAUTHORIZED, ErrorType.FORBIDDEN):
        return api_error(ServiceErrorType.UNAUTHORIZED, *_texts("sign_in_rejected"))
    error = api_error(
        ServiceErrorType.RATE_LIMITED
        if failure.error_type is ErrorType.RATE_LIMITED
        else ServiceErrorType.SERVICE_UNAVAILABLE,
        failure.message,
        *failure.suggestions,
    )
    error.answer.retry_after_seconds = failure.retry_after_seconds
    return error


async def operator_token_of(
    authorization: Annotated[str | None, Header(description="`Bearer` and the operator's token")] = None,
) -> str:
    """Return the operator's token as the caller sent it; a page sends none. Raises `ApiError`: unauthorized."""
    return await operator_token(None, authorization)


Token = Annotated[str, Depends(operator_token)]
OwnToken = Annotated[str, Depends(operator_token_of)]
IdempotencyKey = Annotated[
    Identifier | None, Header(alias="Idempotency-Key", description="A `request_id`, for callers that send it so")
]


def request_id_of(request_id: str | None, key: str | None) -> str | None:
    """Return the idempotency key of a request, from its body or header. Raises `ApiError`: invalid_request if both are
    present and differ, because a retry with only one of them would count as another request."""
    if request_id is not None and key is not None and request_id != key:
        raise api_error(ServiceErrorType.INVALID_REQUEST, translate("refuse.two_ids"), translate("refuse.two_ids_next"))
    return request_id or key
