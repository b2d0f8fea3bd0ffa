"""Who may come in: whoever shows the service's secret, where there is one; and there is one wherever the service can be
reached from another machine.

The secret is taken as `Authorization: Bearer …`, as `X-Vapi-Secret` (what Vapi sends), as `X-Service-Key`, or, for the
staff's page in a browser, as the password of HTTP Basic, with any name.
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


class OpenDoorError(Exception):
    """The service would be open to anybody. The text says what to set."""


class UnauthorizedError(Exception):
    """No secret was shown, or a wrong one."""


class TooManyGuessesError(Exception):
    """An address has tried too many wrong secrets of late."""


def refuse_open_door(host: str, secret: str | None) -> None:
    """Raises `OpenDoorError` where the service would listen beyond this machine without a secret."""
    if host not in LOOPBACK and not (secret or "").strip():
        raise OpenDoorError(
            f"the restaurant service would listen on {host}: set IQ_RESTAURANT_SECRET before it can be reached from"
            " other machines"
        )


class Doors:
    """The secret, and who has guessed at it."""

    def __init__(self, secret: str | None) -> None:
        self._secret = secret
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def let_in(self, request: Request) -> None:
        """Raises `UnauthorizedError`, for pages of other sites, too, or `TooManyGuessesError` whatever was shown."""
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
    """Whether a browser sends it for a page that is not ours: it may know a password that the page does not, and it
    reaches services of its own machine that need none."""
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
