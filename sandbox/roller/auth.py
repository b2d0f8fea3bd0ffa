"""A request of the simulated API needs a valid token and must respect its rate limit."""

import math

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.roller.errors import error_body
from sandbox.roller.store import RollerStore
from sandbox.roller.tokens import RateLimiter, is_valid, token_hash

_PUBLIC = ("/", "/token")


def bearer_hash(scope: Scope) -> str | None:
    """Return the hash of the request's bearer token, or None without one."""
    scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
    return token_hash(token.strip()) if scheme.lower() == "bearer" and token.strip() else None


class RollerAuthMiddleware:
    """ASGI middleware: 401 or 429, else the request is passed on with `state.token_hash` set."""

    def __init__(self, app: ASGIApp, store: RollerStore, limiter: RateLimiter) -> None:
        self._app = app
        self._store = store
        self._limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on. The control endpoints are not ROLLER's and need no token."""
        if scope["type"] != "http" or scope["path"] in _PUBLIC or scope["path"].startswith("/_sandbox"):
            await self._app(scope, receive, send)
            return
        hashed = bearer_hash(scope)
        refusal = self._refusal(hashed)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        scope.setdefault("state", {})["token_hash"] = hashed
        await self._app(scope, receive, send)

    def _refusal(self, hashed: str | None) -> JSONResponse | None:
        if hashed is None:
            return _unauthorized("A bearer token is required")
        with self._store.reading() as connection:
            valid = is_valid(connection, hashed)
        if not valid:
            return _unauthorized("The token is unknown or has expired")
        wait = self._limiter.penalty(hashed)
        return None if wait is None else too_many_requests(wait)


def too_many_requests(seconds: float) -> JSONResponse:
    """Return a 429 with whole seconds in `Retry-After`."""
    wait = str(max(1, math.ceil(seconds)))
    body = error_body("TooManyRequests", f"Too many requests, try again in {wait} seconds")
    return JSONResponse(body, status_code=429, headers={"Retry-After": wait})


def _unauthorized(message: str) -> JSONResponse:
    return JSONResponse(error_body("Unauthorized", message), status_code=401, headers={"WWW-Authenticate": "Bearer"})
