"""A request needs the API key as the user of Basic auth, with a blank password, and must respect the rate limit."""

import base64
import binascii
import hmac
import math
import time
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.types import Scope

from sandbox.kit.application import Authentication, SandboxError

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


def authentication(api_key: str, rate: Rate) -> Authentication:
    """Return the check of a request: 401 without the key, 429 beyond the rate with `Retry-After` in milliseconds, as in
    resOS."""

    def authenticate(scope: Scope) -> SandboxError | None:
        if not hmac.compare_digest(_credentials(scope).encode(), f"{api_key}:".encode()):
            message = "An API key is required: the user of Basic auth, with a blank password"
            return SandboxError(401, message, headers={"WWW-Authenticate": "Basic"})
        wait = rate.wait_ms()
        return None if wait is None else SandboxError(429, "Too many requests", headers={"Retry-After": str(wait)})

    return authenticate


def _credentials(scope: Scope) -> str:
    scheme, _, text = Headers(scope=scope).get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
