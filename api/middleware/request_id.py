"""Every answer has `X-Request-Id`: the caller's own, or a new one. The log shows it as `http_id`, hashed unless it is a
plain id."""

import logging
import re
import time
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from infra.observability.logging import logging_context, opaque

log = logging.getLogger(__name__)

_PLAN = re.compile(r"/v1/plans/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/|$)")
_ACCEPTABLE = re.compile(r"[\w.:@+\-]{1,128}")


def given_id(headers: Headers) -> str:
    """Return the caller's own id of a call, or "" if there is none that may be repeated."""
    given = headers.get("x-request-id", "")
    return given if _ACCEPTABLE.fullmatch(given) else ""


class RequestIdMiddleware:
    """ASGI middleware that gives each request an id and logs its result, never its content."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add its id to the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = given_id(Headers(scope=scope)) or str(uuid4())
        began = time.monotonic()
        # The path may hold a name. Only a plan's id is logged, and only if it is a UUID.
        plan = _PLAN.match(scope["path"])

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("X-Request-Id", request_id)
                # Answers hold personal data by default. The page's files set a header of their own.
                headers.setdefault("Cache-Control", "no-store")
                milliseconds = (time.monotonic() - began) * 1000
                route = getattr(scope.get("route"), "path", "–")
                fields = {"method": scope["method"], "route": route, "status": message["status"]}
                log.info("a request was answered", extra={"fields": {**fields, "milliseconds": round(milliseconds)}})
            await send(message)

        with logging_context(http_id=opaque(request_id), plan_id=plan[1] if plan else ""):
            await self._app(scope, receive, named)
