"""Authentication of requests: turns the credentials of a pack into headers, fields and tokens just before sending.

Only this module handles secrets, and only for a single request: the result is sent and dropped. Tokens of the service
itself (RFC 6749, 4.4) stay in this process's memory until shortly before they expire.
"""

import asyncio
import base64
import hashlib
import html
import json
import logging
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

import httpx

from contracts import limits
from contracts.base import Json
from contracts.credentials import Credential, HttpRequest
from infra.config.pack_variables import MissingVariableError, variable
from infra.http.bounded_body import IDENTITY, read_bounded
from registry.http.credentials import expand_variables, secret_variables, with_secrets

log = logging.getLogger(__name__)

_EARLY, _USUAL, _LONGEST = 30.0, 300.0, 86_400.0
"""Seconds: how long before its expiry a token is replaced, the default lifetime of a token, and the longest one."""
_QUIET = 2.0
"""Seconds for which a failed token server is not called again, so that requests do not queue up for it."""
_TOKEN_BYTES = 64_000

OPERATORS = "${operator's token}"
"""Placeholder for the operator's token where a request is only displayed."""
_NAMED = re.compile(r"%24%7B([A-Z][A-Z0-9_]*)%7D")


class ServiceCredentialsError(Exception):
    """The service's own credentials are missing or rejected, and nothing was sent. The message is for the people who
    run the service, and contains no secrets."""


class TokensUnavailableError(Exception):
    """The token server could not be reached or sent an invalid answer, and the request was not sent."""


@dataclass(frozen=True)
class AuthenticatedRequest:
    """A request ready to send, the secrets in it, and whether it uses a cached token."""

    request: HttpRequest
    secrets: tuple[str, ...]
    remembered: bool = False


class VenueAuth:
    """Adds credentials to requests. A token server has `timeout` seconds to answer. `lookup` returns a variable's
    value, and raises `MissingVariableError`."""

    def __init__(self, http: httpx.AsyncClient, timeout: float, lookup: Callable[[str], str] = variable) -> None:
        self._http, self._timeout, self._lookup = http, timeout, lookup
        self._tokens: dict[str, tuple[str, float]] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._failed: dict[str, tuple[float, Exception]] = {}

    async def authenticate(self, request: HttpRequest, operator: str) -> AuthenticatedRequest:
        """Return `request` with all its credentials; `operator` is the operator's own token. Raises
        `ServiceCredentialsError`, `TokensUnavailableError`."""
        access, query = request.access, request
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
            _refuse_unwritable(filled, query)
            return AuthenticatedRequest(filled, tuple(secrets), remembered)
        except MissingVariableError as error:
            raise ServiceCredentialsError(f"the variable {error} is not set where this process runs") from None

    def invalidate(self, sent: AuthenticatedRequest) -> None:
        """Drop the cached tokens of this request, because the venue no longer accepts them."""
        for key, (token, _) in list(self._tokens.items()):
            if token in sent.secrets:
                self._tokens.pop(key, None)

    async def _value(self, credential: Credential, operator: str) -> tuple[str, bool]:
        match credential.kind:
            case "operator":
                return operator, False
            case "api_key":
                return expand_variables(credential.value, self._lookup), False
            case "basic":
                user, password = (
                    expand_variables(part, self._lookup) for part in (credential.username, credential.password)
                )
                pair = f"{user}:{password}"
                return base64.b64encode(pair.encode()).decode(), False
        # Other values of its variables mean another OAuth client.
        who = [expand_variables(text, self._lookup) for text in (credential.client_id, credential.client_secret)]
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
            except (ServiceCredentialsError, TokensUnavailableError) as error:
                self._failed[key] = (time.monotonic() + _QUIET, error)
                raise
            self._failed.pop(key, None)
            self._tokens[key] = (token, time.monotonic() + max(1.0, seconds - _EARLY))
            return token, False

    async def _fetched(self, credential: Credential) -> tuple[str, float]:
        """Fetch a token of the service itself. Returns it with its lifetime in seconds (RFC 6749, 4.4.2 and 5.1)."""
        client, secret = (
            expand_variables(text, self._lookup) for text in (credential.client_id, credential.client_secret)
        )
        fields = {
            "grant_type": "client_credentials",
            **{k: expand_variables(v, self._lookup) for k, v in credential.more.items()},
        }
        if credential.scopes:
            fields["scope"] = " ".join(credential.scopes)
        if credential.sent_as == "body":
            fields |= {"client_id": client, "client_secret": secret}
        auth = httpx.BasicAuth(client, secret) if credential.sent_as == "basic" else None
        try:
            headers = {"Accept": "application/json", **IDENTITY}
            asked = self._http.stream("POST", credential.token_url, data=fields, auth=auth, headers=headers)
            # All requests that need this token wait here, so a slowly trickling answer must end, too.
            async with asyncio.timeout(self._timeout), asked as response:
                raw = await read_bounded(response, _TOKEN_BYTES)
        except Exception as error:
            raise TokensUnavailableError(f"tokens of {credential.token_url}: {type(error).__name__}") from None
        if 400 <= response.status_code < 500 and response.status_code != httpx.codes.TOO_MANY_REQUESTS:
            raise ServiceCredentialsError(f"{credential.token_url} gives this client no token ({response.status_code})")
        try:
            found = limits.parse_json(raw, limits.ARGUMENT_DEPTH)
            token = found["access_token"]
        except (ValueError, KeyError, TypeError):
            raise TokensUnavailableError(f"tokens of {credential.token_url}: status {response.status_code}") from None
        if not (isinstance(token, str) and token and token.isascii() and token.isprintable() and " " not in token):
            raise TokensUnavailableError(f"tokens of {credential.token_url}: one that cannot be sent")
        return token, _lasts(found.get("expires_in"))


def _lasts(lifetime: object) -> float:
    """Return the lifetime of a token in seconds (RFC 6749, 5.1: a number; some servers send a string)."""
    if lifetime is None:
        return _USUAL
    try:
        seconds = float(str(lifetime)[:20])
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


def _refuse_unwritable(filled: HttpRequest, request: HttpRequest) -> None:
    """Raise `ServiceCredentialsError`, without the value, for a header of the pack that cannot be sent."""
    for name, value in filled.headers.items():
        if value != request.headers.get(name) and not (
            value.isascii() and value.isprintable() and value == value.strip()
        ):
            fault = "holds a line break, a space at an end, or a letter that no header can carry"
            raise ServiceCredentialsError(f"what the pack gives as header {name} {fault}: look at its variable")


def redacted(request: HttpRequest) -> HttpRequest:
    """Return `request` as it would be sent, with secrets replaced by their names, for pack authors."""
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


HIDDEN = "***"
_SHORTEST = 6
"""Characters. A shorter value is no secret, and occurs in many texts by chance."""


def scrubbed(answer: Json, secrets: Iterable[str]) -> Json:
    """Return an answer with `***` in place of every secret in its texts."""
    forms = sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)
    return _without(answer, forms) if forms else answer


def _forms(secret: str) -> set[str]:
    if len(secret) < _SHORTEST:
        return set()
    escaped = json.dumps(secret)[1:-1]
    encoded = base64.b64encode(secret.encode()).decode().rstrip("=")
    slashed = {secret.replace("/", r"\/"), escaped.replace("/", r"\/")}
    written = {secret, escaped, *slashed, html.escape(secret), quote(secret, safe="")}
    return written | {quote_plus(secret), encoded, quote(secret)}


def _without(value: Json, forms: list[str]) -> Json:
    if isinstance(value, str):
        for form in forms:
            if form in value:
                value = value.replace(form, HIDDEN)
        return value
    if isinstance(value, dict):
        return {_without(name, forms): _without(inner, forms) for name, inner in value.items()}
    return [_without(inner, forms) for inner in value] if isinstance(value, list) else value
