"""HTTP to venues: one pooled client, one attempt a call, every way of failing told apart.

A write's failure says whether it can still land: a refused connection never reached the venue, a lost answer may have
(`docs/saga.md`, "Unknown outcome"). An answer is read within bounds; what is no use is refused in words, and as a
write's answer it still says that the venue is done with the call.
"""

import asyncio
import logging
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial

import httpx

from clients.entrance import Entrance, LetIn, ShutOutError, TokensAwayError
from clients.kept_reads import KeptReads
from clients.pacing import Pacing, TooFastError
from clients.scrubbing import scrubbed
from contracts import bounds
from contracts.action import AtomicAction, ErrorRule, HttpRequest
from contracts.base import Json
from contracts.enums import ErrorType, ParameterRole, Refusal
from contracts.errors import VenueFailure
from infra.answers import IDENTITY, PackedError, TooLargeError, read_within
from infra.keyring import KeyringError
from infra.observe import Observer
from infra.pace import MemoryPace
from infra.traced import VenueCall
from infra.vault import StoreAwayError, TokenMissingError, Vault
from language.catalogue import say
from reasoning import wording
from registry import encoded_body, error_rule, reason_of, says_no, without_secrets

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

_NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
)
"""No connection, or a request that cannot be written: nothing reached the venue."""

_LONGEST_WAIT = 86_400.0
"""Seconds: a venue that asks for more than a day means "not now"."""

_MAY_STILL_LAND = frozenset({408, 502, 504})
"""Answers by a gateway that gave up waiting: the venue behind it may still be at work."""

_UNSURE = frozenset({ErrorType.SERVER_ERROR, ErrorType.TIMEOUT, ErrorType.NETWORK, ErrorType.UNKNOWN_OUTCOME})
"""What a refusal is, by its overlay, of which nobody knows whether the call did something."""

_IDLE = 2.0
"""Seconds that an idle connection is kept. Common servers hang up after five: a request sent in that very moment is
lost, and a write that is lost so costs the operator the plan."""

_STORE_PATIENCE, _STORE_PAUSE = 10.0, 0.2
"""Seconds that the store of tokens may be away, and between looks: a restart of Redis takes less, an operator waits."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A 2xx answer. `body` is parsed JSON, text when it is not JSON, None when empty."""

    status: int
    body: Json = None
    headers: dict[str, str] = field(default_factory=dict)


class VenueError(Exception):
    """A call that did not succeed. `sent` is False when the request certainly never reached the venue; `final` is
    True when an answer came, so nothing is still under way."""

    def __init__(self, failure: VenueFailure, *, sent: bool, final: bool) -> None:
        super().__init__(f"{failure.error_type} {failure.status or ''}".strip())
        self.failure = failure
        self.sent = sent
        self.final = final


class VenueClient:
    """Sends exact requests with an operator's token, which it takes from the vault and never shows."""

    def __init__(self, vault: Vault, observer: Observer, *, timeout: float, pacing: Pacing | None = None) -> None:
        self._vault = vault
        self._observer = observer
        self._longest = timeout
        self._pacing = pacing or Pacing(MemoryPace(), lambda _: None, observer)
        # A call that waits for a connection is told apart from one that waits for its answer: half of the time for it.
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(timeout, connect=min(10.0, timeout / 2), pool=timeout / 2),
            limits=httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=_IDLE),
            follow_redirects=False,
        )
        self._entrance = Entrance(self._http, timeout)
        self.kept = KeptReads[Answered]()
        """Answers of look-ups that may be kept for a while."""

    async def send(
        self, base_url: str, request: HttpRequest, token_ref: str, *, action: AtomicAction | None, trace_id: str
    ) -> Answered:
        """Send one request once, as soon as its token can be read. Raises `VenueError`."""
        token = await self.token_of(token_ref, action=action)
        return await self.send_with_token(base_url, request, token, action=action, trace_id=trace_id)

    async def token_of(self, token_ref: str, *, action: AtomicAction | None = None) -> str:
        """The operator's token, for what must go out at once. Raises `VenueError`: nothing was sent."""
        try:
            return await self._token(token_ref)
        except (TokenMissingError, KeyringError):
            # Gone, or sealed with a key that is no longer on the ring: either way the operator has to sign in again.
            self._observer.count("vault_miss")
            raise self._refused(ErrorType.UNAUTHORIZED, action=action, sent=False, final=True) from None
        except StoreAwayError:
            raise store_away() from None

    async def _token(self, reference: str) -> str:
        """The token, waiting for its store for a while. Raises `TokenMissingError`, `KeyringError`,
        `StoreAwayError`."""
        until = time.monotonic() + _STORE_PATIENCE
        while True:
            try:
                return await self._vault.get(reference)
            except StoreAwayError:
                if time.monotonic() >= until:
                    raise
                await asyncio.sleep(_STORE_PAUSE)

    async def send_with_token(
        self, base_url: str, request: HttpRequest, token: str, *, action: AtomicAction | None = None, trace_id: str = ""
    ) -> Answered:
        """Send one request once with a token in hand. Raises `VenueError`."""
        if not (token.isascii() and token.isprintable()):
            raise self._refused(ErrorType.UNAUTHORIZED, action=action, sent=False, final=True)
        name = action.name if action else f"{request.method} {request.path.split('/')[1]}"
        if request.method not in ("GET", "HEAD") and not (action is not None and action.read_only):
            self.kept.forget(base_url)
        traced = VenueCall(request, action, without_secrets)
        with self._observer.observe("tool", name, trace_id) as seen:
            seen.update(input=traced.sent)
            try:
                answer = await self._exchange(base_url, request, token, action)
            except VenueError as refused:
                kind = refused.failure.error_type
                seen.update(level="ERROR", status_message=str(refused), refused=kind.value if kind else "failed")
                raise
            seen.update(output=partial(traced.answered, answer.status, answer.body))
            return answer

    async def _exchange(self, base_url: str, asked: HttpRequest, token: str, action: AtomicAction | None) -> Answered:
        """What a request comes to. One that is refused because the service's own token has run out is sent once more
        with a new one: a 401 has changed nothing."""
        entered = await self._entered(asked, token, action)
        try:
            return await self._answered(base_url, entered, action)
        except VenueError as refused:
            if refused.failure.status != httpx.codes.UNAUTHORIZED or not entered.remembered:
                raise
        self._entrance.forget(entered)
        return await self._answered(base_url, await self._entered(asked, token, action), action)

    async def _entered(self, request: HttpRequest, token: str, action: AtomicAction | None) -> LetIn:
        try:
            return await self._entrance.let_in(request, token)
        except ShutOutError as error:
            log.error("this service is not let in at %s: %s", action.pack if action else "the venue", error)
            raise shut_out() from None
        except TokensAwayError as error:
            # Whoever gives tokens is a part of the venue's system that is down; the operator's own connection is good.
            log.warning("%s", error)
            raise self._refused(ErrorType.SERVER_ERROR, action=action, sent=False, final=True) from None

    async def _answered(self, base_url: str, entered: LetIn, action: AtomicAction | None) -> Answered:
        request = entered.request
        headers = {**request.headers, "Accept": "application/json", **IDENTITY}
        left = self._longest - await self._turn(base_url, request, action)
        content, content_type = encoded_body(request)
        if content_type is not None:
            headers["Content-Type"] = content_type
        try:
            asked = self._http.stream(
                request.method,
                _address(base_url, request.path),
                params=httpx.QueryParams(list(request.query)) if request.query else None,
                headers=headers,
                content=content,
            )
            # httpx counts from one byte to the next: an answer that drips would never be too late.
            async with asyncio.timeout(left), asked as response:
                raw = await _read(response)
        except _NEVER_SENT as error:
            raise self._refused(ErrorType.NETWORK, action=action, sent=False, final=True) from error
        except (httpx.TimeoutException, TimeoutError) as error:
            raise self._refused(ErrorType.TIMEOUT, action=action, sent=True, final=False) from error
        except httpx.HTTPError as error:
            raise self._refused(ErrorType.NETWORK, action=action, sent=True, final=False) from error
        try:
            body = scrubbed(_parsed(raw, response), entered.secrets)
        except ValueError as error:
            if response.is_success:
                raise unreadable(str(error)) from None
            body = None
        if response.is_success and not says_no(body, request.access):
            return Answered(response.status_code, body, scrubbed(dict(response.headers), entered.secrets))
        if response.status_code == httpx.codes.UNAUTHORIZED and not _asks_the_operator(request):
            log.error("%s does not take this service's own credentials", action.pack if action else "the venue")
            raise shut_out(response.status_code)
        code, words = reason_of(body, request.access)
        raise self._refused(
            _BY_STATUS.get(
                # A redirect is the venue's doing, like a 5xx: there is nothing about it for a model to correct.
                response.status_code,
                ErrorType.BAD_REQUEST
                if response.is_success or 400 <= response.status_code < 500
                else ErrorType.SERVER_ERROR,
            ),
            action=action,
            status=response.status_code,
            code=code,
            words=words,
            retry_after=_retry_after(response.headers.get("Retry-After")),
            sent=True,
            final=response.status_code not in _MAY_STILL_LAND,
        )

    async def _turn(self, base_url: str, request: HttpRequest, action: AtomicAction | None) -> float:
        """Wait until the venue's API may be asked, half of the call's time at most; the seconds it took. Raises
        `VenueError`: nothing was sent."""
        reads = request.method in ("GET", "HEAD") or (action is not None and action.read_only)
        try:
            return await self._pacing.turn(base_url, self._longest / 2, write=not reads)
        except TooFastError as error:
            raise self._refused(
                ErrorType.RATE_LIMITED, action=action, retry_after=error.retry_after, sent=False, final=True
            ) from None

    def _refused(
        self,
        kind: ErrorType,
        *,
        action: AtomicAction | None,
        sent: bool,
        final: bool,
        status: int | None = None,
        code: str | None = None,
        words: str = "",
        retry_after: float | None = None,
    ) -> VenueError:
        rule = error_rule(action, status, code, undo=None) if action is not None and status is not None else None
        kind = (rule.error_type if rule else None) or kind
        if status is not None and status < 300 and kind in _UNSURE:
            # A no with a 2xx status is as final as what it says.
            final = False
        anew = action is not None and not action.read_only and not action.with_role(ParameterRole.BOOKING)
        message, suggestions = wording.failure_words(kind, retry_after, words, anew=anew)
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
        return VenueError(failure, sent=sent, final=final)

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()
        await self._pacing.close()


async def _read(response: httpx.Response) -> bytes | str:
    """The body; in words why it cannot be had when it is longer than what is read of one, or packed in layers."""
    try:
        return await read_within(response, bounds.ANSWER_BYTES)
    except TooLargeError:
        return "too large"
    except PackedError as error:
        return str(error)


def _parsed(raw: bytes | str, response: httpx.Response) -> Json:
    """JSON, text when it is none, None when empty. Raises ValueError for more than is taken in."""
    if isinstance(raw, str):
        raise ValueError(raw)
    if not raw:
        return None
    try:
        return bounds.cleaned(bounds.parsed(raw, bounds.ANSWER_DEPTH))
    except bounds.TooDeepError:
        raise
    except ValueError:
        return bounds.clean(_text(raw, response.charset_encoding)[:2000], 2000)


def _text(raw: bytes, charset: str | None) -> str:
    try:
        return raw.decode(charset or "utf-8", "replace")
    except LookupError:
        return raw.decode("utf-8", "replace")


def store_away() -> VenueError:
    """Nothing was sent, because the store of tokens or of locks does not answer."""
    message, suggestion = say("failure.store_away"), say("next.store_away")
    failure = VenueFailure(error_type=ErrorType.NETWORK, message=message, suggestions=(suggestion,))
    return VenueError(failure, sent=False, final=True)


def shut_out(status: int | None = None) -> VenueError:
    """The service's own credentials are missing or not taken: nothing was done, and no operator can mend it."""
    message, suggestion = say("failure.shut_out"), say("next.shut_out")
    # No `unauthorized`: a plan would wait for its operator to sign in, who has nothing to do with it.
    failure = VenueFailure(error_type=ErrorType.SERVER_ERROR, status=status, message=message, suggestions=(suggestion,))
    return VenueError(failure, sent=status is not None, final=True)


def _address(base_url: str, path: str) -> httpx.URL:
    """Where a request goes. Raises `httpx.UnsupportedProtocol` for what would go to another host than the venue's."""
    try:
        base, found = httpx.URL(base_url), httpx.URL(base_url.rstrip("/") + path)
    except httpx.InvalidURL as error:
        raise httpx.UnsupportedProtocol("no address") from error
    if (base.scheme, base.netloc, base.userinfo) != (found.scheme, found.netloc, found.userinfo):
        raise httpx.UnsupportedProtocol("another host than the venue's")
    return found


def _own_no(kind: ErrorType, rule: ErrorRule | None) -> Refusal | None:
    """What a refusal was for; None where it may be the request itself that the venue could not read."""
    known = rule is not None and (rule.code, rule.status) != (None, None)
    if kind is ErrorType.CONFLICT:
        # One that the overlay does not name may be about anything: a lock, a version, a state that forbids it.
        return Refusal.NO_ROOM if known else Refusal.KNOWN
    return Refusal.KNOWN if kind is ErrorType.BAD_REQUEST and known else None


def _asks_the_operator(request: HttpRequest) -> bool:
    return request.access is None or request.access.asks_the_operator


def unreadable(why: str) -> VenueError:
    """A call that the venue answered with nothing that can be made use of: what became of it is not known."""
    message, suggestion = say("failure.unreadable"), say("next.unreadable")
    failure = VenueFailure(
        error_type=ErrorType.SERVER_ERROR, message=message, detail=f"the answer is {why}", suggestions=(suggestion,)
    )
    return VenueError(failure, sent=True, final=True)


def _retry_after(value: str | None) -> float | None:
    """Seconds, from a number of seconds or an HTTP date (RFC 9110, 10.2.3); None when it says nothing usable."""
    if not value:
        return None
    if value.strip().isdecimal():
        return min(float(value), _LONGEST_WAIT)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return min(max(0.0, (when - datetime.now(UTC)).total_seconds()), _LONGEST_WAIT)
