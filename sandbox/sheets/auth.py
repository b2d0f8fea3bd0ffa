"""A request needs a bearer token and must respect the quotas per minute of a user and of the project."""

import time
from collections import defaultdict, deque
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.types import Scope

from sandbox.kit.application import Authentication, SandboxError

USER_QUOTA = 60
PROJECT_QUOTA = 300
_MINUTE = 60


class Quotas:
    """The requests of each user, and of all, in the last minute. A user is a token; all belong to one project."""

    def __init__(self, user: int, project: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._user, self._project, self._clock = user, project, clock
        self._of_user: dict[str, deque[float]] = defaultdict(deque)
        self._of_all: deque[float] = deque()

    def refuses(self, user: str) -> str | None:
        """Return the quota that is used up; or count the request and return None. A refused request is not counted."""
        now = self._clock()
        for name, limit, kept in (
            ("per minute per user", self._user, self._of_user[user]),
            ("per minute", self._project, self._of_all),
        ):
            while kept and kept[0] <= now - _MINUTE:
                kept.popleft()
            if len(kept) >= limit:
                return name
        self._of_user[user].append(now)
        self._of_all.append(now)
        return None

    def clear(self) -> None:
        """Reset all counts."""
        self._of_user.clear()
        self._of_all.clear()


def authentication(quotas: Quotas) -> Authentication:
    """Return the check of a request: 401 without a token, 429 beyond a quota."""

    def authenticate(scope: Scope) -> SandboxError | None:
        if not scope["path"].startswith("/v4/"):
            return None
        scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            return SandboxError(401, "Request is missing a bearer token")
        if quota := quotas.refuses(token.strip()):
            return SandboxError(429, f"Quota exceeded for quota metric 'requests' and limit 'Requests {quota}'")
        return None

    return authenticate
