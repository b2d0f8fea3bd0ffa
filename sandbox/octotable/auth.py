"""A request for reservations needs a valid token and the header `Property`.

Access tokens by client credentials: issued, and valid for a limited time.
"""

import hmac
import secrets
import time
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.octotable.operations import PATH
from sandbox.octotable.reservations import error_body

CLIENT_ID = "sandbox-client"
CLIENT_SECRET = "sandbox-client-secret"
PROPERTY = "1"
"""A property of this sandbox only; there is nothing to protect."""


class Tokens:
    """The tokens of one client. `seconds` is how long each is valid."""

    def __init__(
        self, client_id: str, client_secret: str, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._expected = f"{client_id}:{client_secret}"
        self.seconds, self._clock = seconds, clock
        self._until: dict[str, float] = {}

    def knows(self, form: Mapping[str, object]) -> bool:
        """Return whether a form names the client."""
        given = f"{form.get('client_id')}:{form.get('client_secret')}"
        return hmac.compare_digest(given.encode(), self._expected.encode())

    def give(self) -> str:
        """Return a new token."""
        token = secrets.token_urlsafe(24)
        self._until[token] = self._clock() + self.seconds
        return token

    def valid(self, token: str) -> bool:
        """Return whether a token is still valid."""
        return self._until.get(token, 0) > self._clock()

    def revoke(self) -> None:
        """Invalidate all tokens, so that a client's reaction can be tested."""
        self._until.clear()


class OctoTableAuthMiddleware:
    """ASGI middleware: 401 without a token, 400 without a property, 403 for another's. Token requests need neither."""

    def __init__(self, app: ASGIApp, tokens: Tokens, property_id: str) -> None:
        self._app, self._tokens, self._property = app, tokens, property_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on."""
        guarded = scope["type"] == "http" and scope["path"].startswith(f"{PATH}/")
        refusal = self._refusal(scope) if guarded and not scope["path"].endswith("/oauth2/token") else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not self._tokens.valid(token.strip()):
            return _refused(401, "The access token is missing, unknown or has expired", "UnauthorizedException")
        property_id = headers.get("property")
        if property_id is None:
            return _refused(400, "The header Property is required", "BadRequestException")
        if property_id != self._property:
            return _refused(403, "The client has no such property", "ForbiddenException")
        return None


def _refused(status: int, message: str, class_name: str) -> JSONResponse:
    return JSONResponse(error_body(status, message, class_name), status_code=status)
