"""A request needs the application's secret key and the account's API key, as headers or in the query."""

import hmac

from starlette.datastructures import Headers, QueryParams
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.bookeo.errors import error_body

API_KEY = "SANDBOXAPIKEY0F1A2B3C4D5E6F"
SECRET_KEY = "sandboxSecretKey9Zy8Xw7Vu6"
"""What lets in here and nowhere else: there is nothing to protect."""


class Gate:
    """ASGI middleware: 403 without both keys. The control endpoints are not Bookeo's and take none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse or pass on."""
        if scope["type"] == "http" and scope["path"] != "/" and not scope["path"].startswith("/_sandbox"):
            wrong = _wrong(scope)
            if wrong:
                await JSONResponse(error_body(403, wrong), status_code=403)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _wrong(scope: Scope) -> str:
    headers, query = Headers(scope=scope), QueryParams(scope["query_string"])
    for name, right in (("secretKey", SECRET_KEY), ("apiKey", API_KEY)):
        given = headers.get(f"X-Bookeo-{name}") or query.get(name) or ""
        if not given:
            return f"The {name} is missing"
        if not hmac.compare_digest(given.encode(), right.encode()):
            return f"The {name} is not valid"
    return ""
