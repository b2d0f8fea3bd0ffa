"""Authentication by the service's secret. A service that can be reached from another machine must have one.

The secret is accepted as `Authorization: Bearer …`, as `X-Vapi-Secret` (Vapi's header), as `X-Service-Key`, or, for the
staff page in a browser, as the password of HTTP Basic, with any user name.
"""

import base64
import binascii
import hmac
from urllib.parse import urlsplit

from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.requests import Request

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

_GUESSES = parse("10/minute")
"""Wrong secrets that one address may try. Right ones are not counted: 300 requests in a few seconds are one evening."""


class MissingSecretError(Exception):
    """The service would be open to everyone. The text names the setting to set."""


class UnauthorizedError(Exception):
    """The secret is missing or wrong."""


class TooManyGuessesError(Exception):
    """An address has recently tried too many wrong secrets."""


def refuse_open_door(host: str, secret: str | None) -> None:
    """Raise `MissingSecretError` if the service would listen beyond this machine without a secret."""
    if host not in LOOPBACK and not (secret or "").strip():
        raise MissingSecretError(
            f"the restaurant service would listen on {host}: set IQ_RESTAURANT_SECRET before it can be reached from"
            " other machines"
        )


class SharedSecretAuth:
    """The secret, and the wrong guesses by address."""

    def __init__(self, secret: str | None) -> None:
        self._secret = secret
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def check(self, request: Request) -> None:
        """Raise `UnauthorizedError`, also for requests from other sites' pages, or `TooManyGuessesError`, even for the
        right secret."""
        if _from_another_site(request):
            raise UnauthorizedError
        if not self._secret:
            return
        client = request.client.host if request.client is not None else ""
        shown = _shown(request)
        if shown and not await self._limiter.test(_GUESSES, client):
            raise TooManyGuessesError
        if any(hmac.compare_digest(one.encode(), self._secret.encode()) for one in shown):
            return
        if shown:
            await self._limiter.hit(_GUESSES, client)
        raise UnauthorizedError


def _from_another_site(request: Request) -> bool:
    """Return whether a browser sends the request for another site's page. The browser may know a password that the page
    does not, and it reaches local services that need none."""
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host")


def _shown(request: Request) -> list[str]:
    shown = [request.headers.get(name, "") for name in ("x-vapi-secret", "x-service-key")]
    scheme, _, rest = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        shown.append(rest.strip())
    if scheme.lower() == "basic":
        shown.append(_password(rest))
    return [one for one in shown if one]


def _password(encoded: str) -> str:
    try:
        return base64.b64decode(encoded.strip(), validate=True).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""
