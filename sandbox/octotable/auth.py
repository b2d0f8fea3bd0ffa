"""A request for reservations needs a valid token and the header `Property`.

Access tokens by client credentials: issued, and valid for a limited time.
"""

import hmac
import secrets
import time
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers
from starlette.types import Scope

from sandbox.kit.application import Authentication, SandboxError

PATH = "/octotable-pms/api/v2"
AUTH_PATH = "/octotable-auth/api/v2"
"""The token is served at both paths; a client's settings choose one."""
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


def authentication(tokens: Tokens, property_id: str) -> Authentication:
    """Return the check of a request: 401 without a token, 400 without a property, 403 for another's. Token requests
    need neither."""

    def authenticate(scope: Scope) -> SandboxError | None:
        if not scope["path"].startswith(f"{PATH}/") or scope["path"].endswith("/oauth2/token"):
            return None
        headers = Headers(scope=scope)
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not tokens.valid(token.strip()):
            return SandboxError(401, "The access token is missing, unknown or has expired", "UnauthorizedException")
        given = headers.get("property")
        if given is None:
            return SandboxError(400, "The header Property is required", "BadRequestException")
        return (
            None if given == property_id else SandboxError(403, "The client has no such property", "ForbiddenException")
        )

    return authenticate
