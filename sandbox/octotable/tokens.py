"""Access tokens by client credentials: given out, and worth something for a while."""

import hmac
import secrets
import time
from collections.abc import Callable, Mapping

CLIENT_ID = "sandbox-client"
CLIENT_SECRET = "sandbox-client-secret"
PROPERTY = "1"
"""What lets in here and nowhere else: there is nothing to protect."""


class Tokens:
    """The tokens of one client. `seconds` is how long each is worth something."""

    def __init__(
        self, client_id: str, client_secret: str, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._expected = f"{client_id}:{client_secret}"
        self.seconds, self._clock = seconds, clock
        self._until: dict[str, float] = {}

    def knows(self, form: Mapping[str, object]) -> bool:
        """Whether a form names the client."""
        given = f"{form.get('client_id')}:{form.get('client_secret')}"
        return hmac.compare_digest(given.encode(), self._expected.encode())

    def give(self) -> str:
        """A new token."""
        token = secrets.token_urlsafe(24)
        self._until[token] = self._clock() + self.seconds
        return token

    def valid(self, token: str) -> bool:
        """Whether it still counts."""
        return self._until.get(token, 0) > self._clock()

    def revoke(self) -> None:
        """None counts any more: what a client does then is part of what is tried."""
        self._until.clear()
