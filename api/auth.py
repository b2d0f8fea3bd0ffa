"""Who is calling: the service key of the caller's backend, and the operator's token.

The token is opaque to us. It counts as good once the venue has accepted it, by the pack's cheapest read; that is
remembered by hash for a short while, never the token itself.
"""

import asyncio
import hashlib
import hmac
import logging
import time
from typing import Annotated

from fastapi import Depends, Header, Request

from api.page_session import PageDep
from api.wrong_keys import WrongKeys
from clients.errors import UnansweredError, refuse
from clients.venue import VenueClient, VenueError
from contracts.enums import ErrorType, ServiceErrorType
from contracts.names import Identifier
from infra.settings import Settings
from language.catalogue import say
from registry import Pack

log = logging.getLogger(__name__)

_OF_A_THING = frozenset({ErrorType.NOT_FOUND, ErrorType.CONFLICT, ErrorType.BAD_REQUEST})

ServiceKey = Annotated[str | None, Header(description="The service's shared key")]

_TRUSTED_FOR = 60.0
"""Seconds for which a venue's word on a token is believed."""


async def caller(request: Request, page: PageDep, x_service_key: ServiceKey = None) -> None:
    """Let in who has the service key, where one is configured, and whoever is signed in to the page. Raises
    `RequestError`: unauthorized."""
    if page is None:
        await service_key(request, x_service_key)


async def service_key(request: Request, x_service_key: ServiceKey = None) -> None:
    """Refuse callers without the service key where one is configured. Raises `RequestError`: unauthorized; rate_limited
    after too many wrong ones."""
    await check_service_key(request, x_service_key)


async def is_service_key(request: Request, given: str | None) -> bool:
    """Whether it is the service key; anything is where none is configured. A wrong one is counted, none at all is not.
    Raises `RequestError`: rate_limited for whoever has tried wrong ones too often, whatever it is."""
    settings: Settings = request.app.state.services.settings
    if not settings.service_key:
        return True
    if not given:
        return False
    tries: WrongKeys = request.app.state.wrong_keys
    await tries.may_try(request)
    right = any(hmac.compare_digest(key.encode(), given.encode()) for key in settings.service_keys)
    await tries.was(request, right=right)
    return right


async def check_service_key(request: Request, given: str | None) -> None:
    """The same for whoever has the key in hand. Raises as `service_key`."""
    if not await is_service_key(request, given):
        raise refuse(ServiceErrorType.UNAUTHORIZED, *_said("service_key"))


async def operator_token(
    page: PageDep, authorization: Annotated[str | None, Header(description="`Bearer` and the operator's token")] = None
) -> str:
    """The operator's token; for a page that of its session. Raises `RequestError`: unauthorized."""
    if page is not None:
        return page.token
    scheme, _, token = (authorization or "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or not token.isascii() or len(token) > 8192:
        raise refuse(ServiceErrorType.UNAUTHORIZED, *_said("signed_out"))
    return token


def _said(name: str) -> tuple[str, str]:
    """What is refused and what to do about it."""
    return say(f"refuse.{name}"), say(f"refuse.{name}_next")


class TokenCache:
    """Remembers, by hash, which tokens a venue has accepted lately."""

    def __init__(self, venues: VenueClient) -> None:
        self._venues = venues
        self._accepted: dict[str, float] = {}

    async def admit(self, pack: Pack, token: str, *, anew: bool = False, within: float = 5.0) -> None:
        """Make sure the venue accepts the token; `anew` asks it even if it did lately. `within`: seconds to wait for
        its word. Raises `RequestError`: unauthorized, rate_limited, service_unavailable."""
        now, mark = time.monotonic(), _mark(pack.profile.venue_id, token)
        if self._accepted.get(mark, 0) > now and not anew:
            return
        try:
            async with asyncio.timeout(within):
                await self._venues.send_with_token(pack.profile.base_url, pack.check, token)
        except TimeoutError:
            raise UnansweredError("venue") from None
        except VenueError as refused:
            if refused.failure.error_type is ErrorType.UNAUTHORIZED:
                self.forget(pack, token)
            raise _told(refused, pack) from None
        self._accepted = {m: until for m, until in self._accepted.items() if until > now}
        self._accepted[mark] = now + _TRUSTED_FOR

    def knows(self, venue_id: str, token: str) -> bool:
        """Whether the venue has accepted it lately; nobody is asked."""
        return self._accepted.get(_mark(venue_id, token), 0) > time.monotonic()

    def forget(self, pack: Pack, token: str) -> None:
        """The venue has just rejected this token."""
        self._accepted.pop(_mark(pack.profile.venue_id, token), None)


def _mark(venue_id: str, token: str) -> str:
    return hashlib.sha256(f"{venue_id} {token}".encode()).hexdigest()


def _told(refused: VenueError, pack: Pack) -> Exception:
    failure = refused.failure
    if failure.error_type in _OF_A_THING:
        # The check asks about nothing that an operator knows: what it was answered says nothing of a booking.
        log.error("%s/venue.yaml, check_operation: the venue answered %s", pack.profile.pack, failure.status)
        return UnansweredError("venue")
    if failure.error_type in (ErrorType.UNAUTHORIZED, ErrorType.FORBIDDEN):
        return refuse(ServiceErrorType.UNAUTHORIZED, *_said("sign_in_rejected"))
    error = refuse(
        ServiceErrorType.RATE_LIMITED
        if failure.error_type is ErrorType.RATE_LIMITED
        else ServiceErrorType.SERVICE_UNAVAILABLE,
        failure.message,
        *failure.suggestions,
    )
    error.answer.retry_after_seconds = failure.retry_after_seconds
    return error


async def own_token(
    authorization: Annotated[str | None, Header(description="`Bearer` and the operator's token")] = None,
) -> str:
    """The operator's token as the caller holds it: no page does. Raises `RequestError`: unauthorized."""
    return await operator_token(None, authorization)


Token = Annotated[str, Depends(operator_token)]
OwnToken = Annotated[str, Depends(own_token)]
IdempotencyKey = Annotated[
    Identifier | None, Header(alias="Idempotency-Key", description="A `request_id`, for callers that send it so")
]


def id_of(request_id: str | None, key: str | None) -> str | None:
    """What a request is retried under, in its body or as a header. Raises `RequestError`: invalid_request, where both
    are there and differ, since a retry with one of them would be taken for another request."""
    if request_id is not None and key is not None and request_id != key:
        raise refuse(ServiceErrorType.INVALID_REQUEST, say("refuse.two_ids"), say("refuse.two_ids_next"))
    return request_id or key
