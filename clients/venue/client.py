"""HTTP client for venues: one connection pool, one attempt per call, a specific error for each kind of failure.

A failure says whether the request was sent: with a refused connection, it never reached the venue. A sent request may
have been applied whatever the answer is (`docs/saga.md`, "Unknown outcome"), unless the overlay declares that rejection
`unprocessed`. An answer is read within limits; an unusable one is reported in words.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from clients.retry_after import retry_after
from clients.venue.auth import (
    AuthenticatedRequest,
    ServiceCredentialsError,
    TokensUnavailableError,
    VenueAuth,
    scrubbed,
)
from clients.venue.errors import (
    HeldBackError,
    VenueError,
    credentials_error,
    malformed_response_error,
    own_error,
    parsed_body,
    read_body,
    store_unavailable_error,
)
from clients.venue.rate_limit import RateLimitedError, VenueRateLimit
from clients.venue.read_cache import ReadCache
from contracts.action import AtomicAction, ErrorRule
from contracts.base import Json
from contracts.credentials import HttpRequest
from contracts.enums import ErrorType, ParameterRole, RefusalReason
from contracts.errors import VenueFailure
from infra.crypto.keyring import KeyringError
from infra.errors import DependencyUnavailableError
from infra.http.bounded_body import IDENTITY
from infra.observability.observer import Observer
from infra.redaction.trace_redaction import RedactedVenueCall
from infra.stores.token_vault import TokenMissingError, Vault
from language.messages.catalogue import translate
from reasoning import error_messages
from registry.http.error_body import is_error_response, parse_error
from registry.http.styles import encoded_body
from registry.presentation.error_rules import error_rule
from registry.secrets.names import without_secrets

log = logging.getLogger(__name__)

_BY_STATUS = {
    401: ErrorType.UNAUTHORIZED,
    403: ErrorType.FORBIDDEN,
    404: ErrorType.NOT_FOUND,
    408: ErrorType.TIMEOUT,
    409: ErrorType.CONFLICT,
    410: ErrorType.NOT_FOUND,
    412: ErrorType.CONFLICT,
    429: ErrorType.RATE_LIMITED,
}

_IDLE = 2.0
"""Seconds that an idle connection is kept. Common servers close it after five. A request sent at that moment is lost,
and a lost write fails the operator's plan."""

_STORE_PAUSE = 0.2
"""Seconds between reads of an unavailable token store. It is short because an operator waits."""


@dataclass(frozen=True, slots=True)
class VenueResponse:
    """A 2xx answer. `body` is parsed JSON, text if it is not JSON, None if empty."""

    status: int
    body: Json = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Write:
    """Marks a call that may change something. `last_check` is called after connecting, before anything is sent, and
    must return true."""

    last_check: Callable[[], Awaitable[bool]] | None = None


class VenueClient:
    """Sends exact requests with an operator's token, which it reads from the vault and never exposes."""

    def __init__(
        self,
        vault: Vault,
        observer: Observer,
        *,
        timeout: float,
        pacing: VenueRateLimit | None = None,
        store_patience: float = 10.0,
    ) -> None:
        """`timeout`: seconds for one call; `store_patience`: seconds for which an unavailable vault is retried."""
        self._vault = vault
        self._store_patience = store_patience
        self._observer = observer
        self.timeout = timeout
        self._rate_limit = pacing
        # Half of the time is for the pool, so that waiting for a connection and for an answer are distinct errors.
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(timeout, connect=min(10.0, timeout / 2), pool=timeout / 2),
            limits=httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=_IDLE),
            follow_redirects=False,
            # A cookie of one operator must not be sent with another operator's token.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        )
        self._auth = VenueAuth(self._http, timeout)
        self.read_cache = ReadCache[VenueResponse]()
        """Cached answers of look-ups."""

    async def send(
        self, base_url: str, request: HttpRequest, token_ref: str, *, action: AtomicAction | None, trace_id: str
    ) -> VenueResponse:
        """Send a request once, as soon as its token can be read. Raises `VenueError`."""
        token = await self.get_token(token_ref, action=action)
        return await self.send_with_token(base_url, request, token, action=action, trace_id=trace_id)

    async def get_token(self, token_ref: str, *, action: AtomicAction | None = None) -> str:
        """Return the operator's token, without waiting for the store. Raises `VenueError`: nothing was sent."""
        try:
            return await self._token(token_ref)
        except (TokenMissingError, KeyringError):
            # Gone, or encrypted with a key that is no longer on the ring. Either way the operator has to sign in again.
            self._observer.count("vault_miss")
            raise self._refused(ErrorType.UNAUTHORIZED, action=action, sent=False) from None
        except DependencyUnavailableError:
            raise store_unavailable_error() from None

    async def _token(self, reference: str) -> str:
        """Return the token, waiting a while for an unavailable store. Raises `TokenMissingError`, `KeyringError`,
        `DependencyUnavailableError`."""
        until = time.monotonic() + self._store_patience
        while True:
            try:
                return await self._vault.get(reference)
            except DependencyUnavailableError:
                if time.monotonic() >= until:
                    raise
                await asyncio.sleep(_STORE_PAUSE)

    async def send_with_token(
        self,
        base_url: str,
        request: HttpRequest,
        token: str,
        *,
        action: AtomicAction | None = None,
        trace_id: str = "",
        write: Write | None = None,
    ) -> VenueResponse:
        """Send a request once with a given token. Raises `VenueError`; `HeldBackError` if the last check of a `write`
        fails."""
        if not (token.isascii() and token.isprintable()):
            raise self._refused(ErrorType.UNAUTHORIZED, action=action, sent=False)
        name = action.name if action else f"{request.method} {request.path.split('/')[1]}"
        if write is not None:
            self.read_cache.invalidate(base_url)
        traced = RedactedVenueCall(request, action, without_secrets)
        with self._observer.observe("tool", name, trace_id) as observation:
            observation.update(input=traced.sent)
            try:
                answer = await self._exchange(base_url, request, token, action, write)
            except VenueError as refused:
                kind = refused.failure.error_type
                observation.update(level="ERROR", status_message=str(refused), refused=kind.value if kind else "failed")
                raise
            observation.update(output=partial(traced.answered, answer.status, answer.body))
            return answer

    async def _exchange(
        self, base_url: str, request: HttpRequest, token: str, action: AtomicAction | None, write: Write | None
    ) -> VenueResponse:
        """Send a request and return its answer. A read that is rejected because the service's own token has expired is
        sent once more with a new one. A write is not, because a 401 does not prove that it had no effect; the read
        before it renews the token."""
        entered = await self._entered(request, token, action)
        try:
            return await self._answered(base_url, entered, action, write)
        except VenueError as refused:
            if refused.failure.status != httpx.codes.UNAUTHORIZED or not entered.remembered:
                raise
            self._auth.invalidate(entered)
            if write is not None:
                raise
        return await self._answered(base_url, await self._entered(request, token, action), action, write)

    async def _entered(self, request: HttpRequest, token: str, action: AtomicAction | None) -> AuthenticatedRequest:
        try:
            return await self._auth.authenticate(request, token)
        except ServiceCredentialsError as error:
            log.error("authentication at %s failed: %s", action.pack if action else "the venue", error)
            raise credentials_error() from None
        except TokensUnavailableError as error:
            # The venue's token server is down; the operator's sign-in is valid.
            log.warning("%s", error)
            raise self._refused(ErrorType.SERVER_ERROR, action=action, sent=False) from None

    async def _answered(
        self, base_url: str, entered: AuthenticatedRequest, action: AtomicAction | None, write: Write | None
    ) -> VenueResponse:
        request = entered.request
        headers = {**request.headers, "Accept": "application/json", **IDENTITY}
        remaining = self.timeout - await self._turn(base_url, action, write=write is not None)
        content, content_type = encoded_body(request)
        if content_type is not None:
            headers["Content-Type"] = content_type
        leaving = _Sending(write.last_check if write else None)
        try:
            asked = self._http.stream(
                request.method,
                _address(base_url, request.path),
                params=httpx.QueryParams(list(request.query)) if request.query else None,
                headers=headers,
                content=content,
                extensions={"trace": leaving.phase},
            )
            # httpx measures between bytes, so a slowly trickling answer would never time out.
            async with asyncio.timeout(remaining), asked as response:
                raw = await read_body(response)
        except _NotNowError:
            message, suggestions = error_messages.failure_message(ErrorType.TIMEOUT)
            failure = VenueFailure(error_type=ErrorType.TIMEOUT, message=message, suggestions=suggestions)
            raise HeldBackError(failure, sent=False) from None
        except httpx.PoolTimeout:
            raise own_error("all_in_use", "moment") from None
        except (httpx.TimeoutException, TimeoutError) as error:
            kind = ErrorType.TIMEOUT if leaving.begun else ErrorType.NETWORK
            raise self._refused(kind, action=action, sent=leaving.begun) from error
        except Exception as error:
            # Not only httpx.HTTPError: a broken TLS record is an ssl.SSLError, an unreadable Location an InvalidURL.
            if not isinstance(error, httpx.HTTPError):
                log.warning("a call of %s failed", action.pack if action else "the venue", exc_info=error)
            sent = leaving.begun and not isinstance(error, httpx.LocalProtocolError)
            raise self._refused(ErrorType.NETWORK, action=action, sent=sent) from error
        return self._judged(response, raw, entered, action)

    def _judged(
        self, response: httpx.Response, raw: bytes | str, entered: AuthenticatedRequest, action: AtomicAction | None
    ) -> VenueResponse:
        """Return the answer of a successful call. Raises `VenueError` for any other answer."""
        request = entered.request
        try:
            body = scrubbed(parsed_body(raw, response), entered.secrets)
        except ValueError as error:
            if response.is_success:
                raise malformed_response_error(str(error)) from None
            body = None
        if response.is_success and not is_error_response(body, request.access):
            return VenueResponse(response.status_code, body, scrubbed(dict(response.headers), entered.secrets))
        if response.status_code == httpx.codes.UNAUTHORIZED and not _asks_the_operator(request):
            log.error("%s does not take this service's own credentials", action.pack if action else "the venue")
            raise credentials_error(response.status_code)
        code, words = parse_error(body, request.access)
        raise self._refused(
            _BY_STATUS.get(
                # A redirect is the venue's error, like a 5xx. The model cannot correct anything.
                response.status_code,
                ErrorType.BAD_REQUEST
                if response.is_success or 400 <= response.status_code < 500
                else ErrorType.SERVER_ERROR,
            ),
            action=action,
            status=response.status_code,
            code=code,
            words=words,
            retry_after=retry_after(response.headers.get("Retry-After")),
            sent=True,
        )

    async def _turn(self, base_url: str, action: AtomicAction | None, *, write: bool) -> float:
        """Wait for the venue's rate limit, at most half of the call's time, and return the seconds waited. Raises
        `VenueError`: nothing was sent."""
        if self._rate_limit is None:
            return 0.0
        try:
            return await self._rate_limit.acquire(base_url, self.timeout / 2, write=write)
        except RateLimitedError as error:
            raise self._refused(
                ErrorType.RATE_LIMITED, action=action, retry_after=error.retry_after, sent=False
            ) from None

    def _refused(
        self,
        kind: ErrorType,
        *,
        action: AtomicAction | None,
        sent: bool,
        status: int | None = None,
        code: str | None = None,
        words: str = "",
        retry_after: float | None = None,
    ) -> VenueError:
        rule = error_rule(action, status, code, undo=None) if action is not None and status is not None else None
        kind = (rule.error_type if rule else None) or kind
        creates = action is not None and not action.read_only and not action.with_role(ParameterRole.BOOKING)
        message, suggestions = error_messages.failure_message(kind, retry_after, words, creates=creates)
        if kind is ErrorType.NETWORK and sent and status is None:
            message = translate("failure.cut_off")
        failure = VenueFailure(
            error_type=kind,
            status=status,
            code=code,
            refusal=_own_no(kind, rule) if status is not None else None,
            message=message,
            detail=words,
            suggestions=suggestions,
            retry_after_seconds=retry_after,
        )
        # The conflict may be with a first copy of this very request that a gateway sent twice.
        unprocessed = rule is not None and rule.unprocessed and kind is not ErrorType.CONFLICT
        return VenueError(failure, sent=sent, unprocessed=unprocessed)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


class _NotNowError(Exception):
    """The last check before sending failed."""


class _Sending:
    """Records whether sending has begun: a trace of httpcore ("Extensions", `trace`), which may abort the call."""

    def __init__(self, check: Callable[[], Awaitable[bool]] | None) -> None:
        self._check = check
        self.begun = False

    async def phase(self, name: str, _: object) -> None:
        """Record a phase of the call. Raises `_NotNowError` if the last check fails."""
        if name.endswith(".send_request_headers.started"):
            if self._check is not None and not await self._check():
                raise _NotNowError
            self.begun = True


def _address(base_url: str, path: str) -> httpx.URL:
    """Return the URL of a request. Raises `httpx.UnsupportedProtocol` if it is on another host than the venue's."""
    try:
        base, found = httpx.URL(base_url), httpx.URL(base_url.rstrip("/") + path)
    except httpx.InvalidURL as error:
        raise httpx.UnsupportedProtocol("no address") from error
    if (base.scheme, base.netloc, base.userinfo) != (found.scheme, found.netloc, found.userinfo):
        raise httpx.UnsupportedProtocol("another host than the venue's")
    return found


def _own_no(kind: ErrorType, rule: ErrorRule | None) -> RefusalReason | None:
    """Return the reason of a rejection; None if the venue may have been unable to read the request."""
    known = rule is not None and (rule.code, rule.status) != (None, None)
    if kind is ErrorType.CONFLICT:
        # A conflict that the overlay does not name by its code may be about anything: a lock, a version, a state.
        return RefusalReason.NO_ROOM if rule is not None and rule.code is not None else RefusalReason.KNOWN
    return RefusalReason.KNOWN if kind is ErrorType.BAD_REQUEST and known else None


def _asks_the_operator(request: HttpRequest) -> bool:
    return request.access is None or request.access.asks_the_operator
