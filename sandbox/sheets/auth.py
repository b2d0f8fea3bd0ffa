"""A request needs a bearer token and must respect the quotas per minute of a user and of the project."""

import time
from collections import defaultdict, deque
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.sheets.ranges import error_body

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


class SheetsAuthMiddleware:
    """ASGI middleware: 401 without a token, 429 beyond a quota. The control endpoints are not Google's."""

    def __init__(self, app: ASGIApp, quotas: Quotas) -> None:
        self._app, self._quotas = app, quotas

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on."""
        guarded = scope["type"] == "http" and scope["path"].startswith("/v4/")
        refusal = self._refusal(scope) if guarded else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            return JSONResponse(error_body(401, "Request is missing a bearer token"), status_code=401)
        quota = self._quotas.refuses(token.strip())
        if quota is None:
            return None
        message = f"Quota exceeded for quota metric 'requests' and limit 'Requests {quota}'"
        return JSONResponse(error_body(429, message), status_code=429)
