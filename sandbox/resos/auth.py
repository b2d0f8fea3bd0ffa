"""A request needs the API key as the user of Basic auth, with a blank password, and must respect the rate limit."""

import base64
import binascii
import hmac
import math
import time
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.resos.errors import error_body

API_KEY = "sandbox-resos-key"
"""A key of this sandbox only; there is nothing to protect."""


class Rate:
    """A limit on requests in each whole second of the clock. None is no limit."""

    def __init__(self, per_second: int | None, clock: Callable[[], float] = time.time) -> None:
        self._per_second, self._clock = per_second, clock
        self._second, self._spent = 0, 0

    def wait_ms(self) -> int | None:
        """Count one request and return None; or, beyond the limit, return the milliseconds until the next second."""
        if self._per_second is None:
            return None
        now = self._clock()
        if int(now) != self._second:
            self._second, self._spent = int(now), 0
        if self._spent >= self._per_second:
            return max(1, math.ceil((self._second + 1 - now) * 1000))
        self._spent += 1
        return None


class ResosAuthMiddleware:
    """ASGI middleware: 401 without the key, 429 beyond the rate with `Retry-After` in milliseconds, as in resOS."""

    def __init__(self, app: ASGIApp, api_key: str, rate: Rate) -> None:
        self._app, self._expected, self._rate = app, api_key, rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on. The control endpoints are not resOS's and need no key."""
        if scope["type"] != "http" or scope["path"] == "/" or scope["path"].startswith("/_sandbox"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        if not hmac.compare_digest(_credentials(scope).encode(), f"{self._expected}:".encode()):
            headers = {"WWW-Authenticate": "Basic"}
            body = error_body("An API key is required: the user of Basic auth, with a blank password")
            return JSONResponse(body, status_code=401, headers=headers)
        wait = self._rate.wait_ms()
        if wait is None:
            return None
        return JSONResponse(error_body("Too many requests"), status_code=429, headers={"Retry-After": str(wait)})


def _credentials(scope: Scope) -> str:
    scheme, _, text = Headers(scope=scope).get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
