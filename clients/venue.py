"""HTTP to venues: one pooled client, one attempt a call, every way of failing told apart.

A failure says whether the request was sent: a refused connection never reached the venue. What was sent may have taken
effect whatever the answer is (`docs/saga.md`, "Unknown outcome"), unless the overlay declares that refusal
`unprocessed`. An answer is read within bounds; what is no use is refused in words.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

from clients.answer_body import parsed_body, read_body, retry_after
from clients.entrance import Entrance, LetIn, ShutOutError, TokensAwayError
from clients.kept_reads import KeptReads
from clients.pacing import Pacing, TooFastError
from clients.scrubbing import scrubbed
from contracts.action import AtomicAction, ErrorRule, HttpRequest
from contracts.base import Json
from contracts.enums import ErrorType, ParameterRole, Refusal
from contracts.errors import VenueFailure
from infra.answers import IDENTITY
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

_IDLE = 2.0
"""Seconds that an idle connection is kept. Common servers hang up after five: a request sent in that very moment is
lost, and a write that is lost so costs the operator the plan."""

_STORE_PAUSE = 0.2
"""Seconds that the store of tokens may be away, and between looks: a restart of Redis takes less, an operator waits."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A 2xx answer. `body` is parsed JSON, text when it is not JSON, None when empty."""

    status: int
    body: Json = None
    headers: dict[str, str] = field(default_factory=dict)


class VenueError(Exception):
    """A call that did not succeed. `sent` is False when the request certainly never reached the venue; `unprocessed` is
    True when the overlay declares that the venue refuses so before it does anything."""

    def __init__(self, failure: VenueFailure, *, sent: bool, unprocessed: bool = False) -> None:
        super().__init__(f"{failure.error_type} {failure.status or ''}".strip())
        self.failure = failure
        self.sent = sent
        self.unprocessed = unprocessed

    @property
    def may_have_landed(self) -> bool:
        """Whether a write that failed so may have taken effect, or still may: its status proves nothing."""
        return self.sent and not self.unprocessed


class HeldBackError(VenueError):
    """A write was ready, and its last check did not hold: nothing was sent."""


@dataclass(frozen=True, slots=True)
class Write:
    """Marks a call that may change something. `last_check` must be true in the moment in which it leaves: it is asked
    when the connection is open and nothing was sent."""

    last_check: Callable[[], Awaitable[bool]] | None = None


class VenueClient:
    """Sends exact requests with an operator's token, which it takes from the vault and never shows."""

    def __init__(
        self,
        vault: Vault,
        observer: Observer,
        *,
        timeout: float,
        pacing: Pacing | None = None,
        store_patience: float = 10.0,
    ) -> None:
        """`timeout`: seconds for one call; `store_patience`: for which a vault that is away is asked again."""
        self._vault = vault
        self._store_patience = store_patience
        self._observer = observer
        self.timeout = timeout
        self._pacing = pacing or Pacing(MemoryPace(), lambda _: None, observer)
        # A call that waits for a connection is told apart from one that waits for its answer: half of the time for it.
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(timeout, connect=min(10.0, timeout / 2), pool=timeout / 2),
            limits=httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=_IDLE),
            follow_redirects=False,
            # What a venue sets for one operator must not go out with the token of another.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
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
            raise self._refused(ErrorType.UNAUTHORIZED, action=action, sent=False) from None
        except StoreAwayError:
            raise store_away() from None

    async def _token(self, reference: str) -> str:
        """The token, waiting for its store for a while. Raises `TokenMissingError`, `KeyringError`,
        `StoreAwayError`."""
        until = time.monotonic() + self._store_patience
        while True:
            try:
                return await self._vault.get(reference)
            except StoreAwayError:
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
    ) -> Answered:
        """Send one request once with a token in hand. Raises `VenueError`; `HeldBackError` where the last check of a
        `write` does not hold."""
        if not (token.isascii() and token.isprintable()):
            raise self._refused(ErrorType.UNAUTHORIZED, action=action, sent=False)
        name = action.name if action else f"{request.method} {request.path.split('/')[1]}"
        if write is not None:
            self.kept.forget(base_url)
        traced = VenueCall(request, action, without_secrets)
        with self._observer.observe("tool", name, trace_id) as seen:
            seen.update(input=traced.sent)
            try:
                answer = await self._exchange(base_url, request, token, action, write)
            except VenueError as refused:
                kind = refused.failure.error_type
                seen.update(level="ERROR", status_message=str(refused), refused=kind.value if kind else "failed")
                raise
            seen.update(output=partial(traced.answered, answer.status, answer.body))
            return answer

    async def _exchange(
        self, base_url: str, asked: HttpRequest, token: str, action: AtomicAction | None, write: Write | None
    ) -> Answered:
        """What a request comes to. A read that is refused because the service's own token has run out is sent once
        more with a new one. A write is not, since a 401 does not prove that it did nothing: the read that precedes it
        renews the token."""
        entered = await self._entered(asked, token, action)
        try:
            return await self._answered(base_url, entered, action, write)
        except VenueError as refused:
            if refused.failure.status != httpx.codes.UNAUTHORIZED or not entered.remembered:
                raise
            self._entrance.forget(entered)
            if write is not None:
                raise
        return await self._answered(base_url, await self._entered(asked, token, action), action, write)

    async def _entered(self, request: HttpRequest, token: str, action: AtomicAction | None) -> LetIn:
        try:
            return await self._entrance.let_in(request, token)
        except ShutOutError as error:
            log.error("this service is not let in at %s: %s", action.pack if action else "the venue", error)
            raise shut_out() from None
        except TokensAwayError as error:
            # Whoever gives tokens is a part of the venue's system that is down; the operator's own connection is good.
            log.warning("%s", error)
            raise self._refused(ErrorType.SERVER_ERROR, action=action, sent=False) from None

    async def _answered(
        self, base_url: str, entered: LetIn, action: AtomicAction | None, write: Write | None
    ) -> Answered:
        request = entered.request
        headers = {**request.headers, "Accept": "application/json", **IDENTITY}
        left = self.timeout - await self._turn(base_url, action, write=write is not None)
        content, content_type = encoded_body(request)
        if content_type is not None:
            headers["Content-Type"] = content_type
        leaving = _Leaving(write.last_check if write else None)
        try:
            asked = self._http.stream(
                request.method,
                _address(base_url, request.path),
                params=httpx.QueryParams(list(request.query)) if request.query else None,
                headers=headers,
                content=content,
                extensions={"trace": leaving.phase},
            )
            # httpx counts from one byte to the next: an answer that drips would never be too late.
            async with asyncio.timeout(left), asked as response:
                raw = await read_body(response)
        except _NotNowError:
            message, suggestions = wording.failure_words(ErrorType.TIMEOUT)
            failure = VenueFailure(error_type=ErrorType.TIMEOUT, message=message, suggestions=suggestions)
            raise HeldBackError(failure, sent=False) from None
        except httpx.PoolTimeout:
            raise _ours("all_in_use", "moment") from None
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
        self, response: httpx.Response, raw: bytes | str, entered: LetIn, action: AtomicAction | None
    ) -> Answered:
        """The answer of a call that succeeded. Raises `VenueError` for any other answer."""
        request = entered.request
        try:
            body = scrubbed(parsed_body(raw, response), entered.secrets)
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
            retry_after=retry_after(response.headers.get("Retry-After")),
            sent=True,
        )

    async def _turn(self, base_url: str, action: AtomicAction | None, *, write: bool) -> float:
        """Wait until the venue's API may be asked, half of the call's time at most; the seconds it took. Raises
        `VenueError`: nothing was sent."""
        try:
            return await self._pacing.turn(base_url, self.timeout / 2, write=write)
        except TooFastError as error:
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
        anew = action is not None and not action.read_only and not action.with_role(ParameterRole.BOOKING)
        message, suggestions = wording.failure_words(kind, retry_after, words, anew=anew)
        if kind is ErrorType.NETWORK and sent and status is None:
            message = say("failure.cut_off")
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
        # A conflict may be with a first copy of this very request, which a gateway sent twice.
        unprocessed = rule is not None and rule.unprocessed and kind is not ErrorType.CONFLICT
        return VenueError(failure, sent=sent, unprocessed=unprocessed)

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()
        await self._pacing.close()


class _NotNowError(Exception):
    """The last check before sending does not hold."""


class _Leaving:
    """Whether a request has begun to leave; a trace of httpcore ("Extensions", `trace`), which may end the call."""

    def __init__(self, check: Callable[[], Awaitable[bool]] | None) -> None:
        self._check = check
        self.begun = False

    async def phase(self, name: str, _: object) -> None:
        """Note a phase of the call. Raises `_NotNowError` where the last check does not hold."""
        if name.endswith(".send_request_headers.started"):
            if self._check is not None and not await self._check():
                raise _NotNowError
            self.begun = True


def store_away() -> VenueError:
    """Nothing was sent, because the store of tokens or of locks does not answer."""
    return _ours("store_away", "store_away")


def _ours(message: str, way_on: str) -> VenueError:
    """Nothing was sent, because of a part of this service."""
    suggestions = (say(f"next.{way_on}"),)
    failure = VenueFailure(error_type=ErrorType.NETWORK, message=say(f"failure.{message}"), suggestions=suggestions)
    return VenueError(failure, sent=False)


def shut_out(status: int | None = None) -> VenueError:
    """The service's own credentials are missing or not taken: nothing was done, and no operator can mend it."""
    message, suggestion = say("failure.shut_out"), say("next.shut_out")
    # No `unauthorized`: a plan would wait for its operator to sign in, who has nothing to do with it.
    failure = VenueFailure(error_type=ErrorType.SERVER_ERROR, status=status, message=message, suggestions=(suggestion,))
    return VenueError(failure, sent=status is not None)


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
        # One that the overlay does not name by its code may be about anything: a lock, a version, a state.
        return Refusal.NO_ROOM if rule is not None and rule.code is not None else Refusal.KNOWN
    return Refusal.KNOWN if kind is ErrorType.BAD_REQUEST and known else None


def _asks_the_operator(request: HttpRequest) -> bool:
    return request.access is None or request.access.asks_the_operator


def unreadable(why: str) -> VenueError:
    """A call that the venue answered with nothing that can be made use of: what became of it is not known."""
    message, suggestion = say("failure.unreadable"), say("next.unreadable")
    failure = VenueFailure(
        error_type=ErrorType.SERVER_ERROR, message=message, detail=f"the answer is {why}", suggestions=(suggestion,)
    )
    return VenueError(failure, sent=True)
