"""Letting a request in: what its pack says of credentials becomes headers, fields and tokens at the last moment.

Only here are secrets at hand, and only for one request: what is made here is sent and dropped. Tokens that the service
gets for itself (RFC 6749, 4.4) stay in this process's memory until shortly before they expire.
"""

import asyncio
import base64
import hashlib
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from contracts import bounds
from contracts.access import Credential
from contracts.action import HttpRequest
from infra.answers import IDENTITY, read_within
from infra.variables import MissingVariableError, variable
from registry import expanded, secret_variables, with_secrets

log = logging.getLogger(__name__)

_EARLY, _USUAL, _LONGEST = 30.0, 300.0, 86_400.0
"""Seconds: a token is replaced so long before it expires; how long one lasts that does not say, and at most."""
_QUIET = 2.0
"""Seconds for which a token server that failed is not asked again: many requests must not wait for it in a row."""
_TOKEN_BYTES = 64_000

OPERATORS = "${operator's token}"
"""What stands for the operator's own token where a request is only shown."""
_NAMED = re.compile(r"%24%7B([A-Z][A-Z0-9_]*)%7D")


class ShutOutError(Exception):
    """The service itself is not let in: nothing was sent. The message is for whoever runs it, without secrets."""


class TokensAwayError(Exception):
    """Whoever gives tokens could not be reached or did not make sense: nothing was sent."""


@dataclass(frozen=True)
class LetIn:
    """A request that can be sent, the secrets that are in it, and whether a token in it was got some time ago."""

    request: HttpRequest
    secrets: tuple[str, ...]
    remembered: bool = False


class Entrance:
    """Puts credentials into requests. Whoever gives tokens has `within` seconds to do so. `lookup` gives a variable's
    value, and raises `MissingVariableError`."""

    def __init__(self, http: httpx.AsyncClient, within: float, lookup: Callable[[str], str] = variable) -> None:
        self._http, self._within, self._lookup = http, within, lookup
        self._tokens: dict[str, tuple[str, float]] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._failed: dict[str, tuple[float, Exception]] = {}

    async def let_in(self, request: HttpRequest, operator: str) -> LetIn:
        """`request` with everything that it needs, `operator` being the operator's own token. Raises `ShutOutError`,
        `TokensAwayError`."""
        access, asked = request.access, request
        if access is None or access.credentials is None:
            request = _with(request, Credential(kind="operator", prefix="Bearer "), operator)
        secrets, remembered = [operator], False
        try:
            for credential in (access.credentials or ()) if access else ():
                value, known = await self._value(credential, operator)
                request = _with(request, credential, value)
                secrets.append(value)
                remembered |= known
            secrets += [self._lookup(name) for name in (secret_variables(access) if access else ())]
            filled = with_secrets(request, self._lookup)
            _refuse_unwritable(filled, asked)
            return LetIn(filled, tuple(secrets), remembered)
        except MissingVariableError as error:
            raise ShutOutError(f"the variable {error} is not set where this process runs") from None

    def forget(self, sent: LetIn) -> None:
        """Let go of the tokens that this request was sent with: they are not taken any more."""
        for key, (token, _) in list(self._tokens.items()):
            if token in sent.secrets:
                self._tokens.pop(key, None)

    async def _value(self, credential: Credential, operator: str) -> tuple[str, bool]:
        match credential.kind:
            case "operator":
                return operator, False
            case "api_key":
                return expanded(credential.value, self._lookup), False
            case "basic":
                pair = f"{expanded(credential.username, self._lookup)}:{expanded(credential.password, self._lookup)}"
                return base64.b64encode(pair.encode()).decode(), False
        # Other values of its variables are another client.
        who = [expanded(text, self._lookup) for text in (credential.client_id, credential.client_secret)]
        key = hashlib.sha256("\0".join([credential.model_dump_json(), *who]).encode()).hexdigest()
        async with self._locks.setdefault(key, asyncio.Lock()):
            token, until = self._tokens.get(key, ("", 0.0))
            if time.monotonic() < until:
                return token, True
            quiet, why = self._failed.get(key, (0.0, None))
            if why is not None and time.monotonic() < quiet:
                raise why
            try:
                token, seconds = await self._fetched(credential)
            except (ShutOutError, TokensAwayError) as error:
                self._failed[key] = (time.monotonic() + _QUIET, error)
                raise
            self._failed.pop(key, None)
            self._tokens[key] = (token, time.monotonic() + max(1.0, seconds - _EARLY))
            return token, False

    async def _fetched(self, credential: Credential) -> tuple[str, float]:
        """A token of the service's own, and for how many seconds it lasts (RFC 6749, 4.4.2 and 5.1)."""
        client, secret = (expanded(text, self._lookup) for text in (credential.client_id, credential.client_secret))
        fields = {
            "grant_type": "client_credentials",
            **{k: expanded(v, self._lookup) for k, v in credential.more.items()},
        }
        if credential.scopes:
            fields["scope"] = " ".join(credential.scopes)
        if credential.sent_as == "body":
            fields |= {"client_id": client, "client_secret": secret}
        auth = httpx.BasicAuth(client, secret) if credential.sent_as == "basic" else None
        try:
            headers = {"Accept": "application/json", **IDENTITY}
            asked = self._http.stream("POST", credential.token_url, data=fields, auth=auth, headers=headers)
            # All who need this token wait here: an answer that drips must end, too.
            async with asyncio.timeout(self._within), asked as response:
                raw = await read_within(response, _TOKEN_BYTES)
        except Exception as error:
            raise TokensAwayError(f"tokens of {credential.token_url}: {type(error).__name__}") from None
        if 400 <= response.status_code < 500 and response.status_code != httpx.codes.TOO_MANY_REQUESTS:
            raise ShutOutError(f"{credential.token_url} gives this client no token ({response.status_code})")
        try:
            found = bounds.parsed(raw, bounds.ARGUMENT_DEPTH)
            token = found["access_token"]
        except (ValueError, KeyError, TypeError):
            raise TokensAwayError(f"tokens of {credential.token_url}: status {response.status_code}") from None
        if not (isinstance(token, str) and token and token.isascii() and token.isprintable() and " " not in token):
            raise TokensAwayError(f"tokens of {credential.token_url}: one that cannot be sent")
        return token, _lasts(found.get("expires_in"))


def _lasts(said: object) -> float:
    """Seconds that a token lasts, from what its giver says (RFC 6749, 5.1: a number; some say it as text)."""
    if said is None:
        return _USUAL
    try:
        seconds = float(str(said)[:20])
    except ValueError:
        return _USUAL
    return min(max(seconds, 0.0), _LONGEST) if seconds == seconds else _USUAL


def _with(request: HttpRequest, credential: Credential, value: str) -> HttpRequest:
    text = f"{credential.prefix}{value}"
    if credential.place == "query":
        return request.model_copy(update={"query": (*request.query, (credential.name, text))})
    name = credential.name
    if credential.place == "cookie":
        held = request.headers.get("Cookie")
        name, text = "Cookie", "; ".join([*filter(None, [held]), f"{credential.name}={text}"])
    return request.model_copy(update={"headers": {**request.headers, name: text}})


def _refuse_unwritable(filled: HttpRequest, asked: HttpRequest) -> None:
    """Raises `ShutOutError`, without the value, for a header of the pack's own that cannot be sent."""
    for name, value in filled.headers.items():
        if value != asked.headers.get(name) and not (
            value.isascii() and value.isprintable() and value == value.strip()
        ):
            said = "holds a line break, a space at an end, or a letter that no header can carry"
            raise ShutOutError(f"what the pack gives as header {name} {said}: look at its variable")


def named(request: HttpRequest) -> HttpRequest:
    """`request` as it would be sent, with the names of secrets in their places: for whoever writes packs."""
    access = request.access
    if access is None or access.credentials is None:
        request = _with(request, Credential(kind="operator", prefix="Bearer "), OPERATORS)
    for credential in (access.credentials or ()) if access else ():
        match credential.kind:
            case "operator":
                value = OPERATORS
            case "api_key":
                value = credential.value
            case "basic":
                value = f"base64({credential.username}:{credential.password})"
            case _:
                value = f"${{token for {credential.client_id}}}"
        request = _with(request, credential, value)
    filled = with_secrets(request, lambda name: f"${{{name}}}")
    return filled.model_copy(update={"path": _NAMED.sub(r"${\1}", filled.path)})
