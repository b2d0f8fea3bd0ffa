"""A request needs a bearer token; any will do, since the calendar has nothing to protect."""

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.calendar.errors import error_body

EXPIRED = "expired-operator"
"""The one token that is refused, so that signing in again can be tried."""


class Gate:
    """ASGI middleware: 401 without a token that counts. The control endpoints are not the calendar's and take none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse or pass on."""
        open_ = scope["type"] != "http" or scope["path"] == "/" or scope["path"].startswith("/_sandbox")
        if not open_ and not _let_in(scope):
            refusal = error_body("unauthorized", "A bearer token is required, and one that has not expired")
            headers = {"WWW-Authenticate": "Bearer"}
            await JSONResponse(refusal, status_code=401, headers=headers)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _let_in(scope: Scope) -> bool:
    scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and token.strip() not in ("", EXPIRED)
