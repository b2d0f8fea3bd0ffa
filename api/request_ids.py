"""Every answer carries `X-Request-Id`: the caller's own, or a fresh one. A caller quotes it, and the log shows it as
`http_id`, hashed where it is more than an id."""

import logging
import re
import time
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from infra.log_ids import about, opaque

log = logging.getLogger(__name__)

_PLAN = re.compile(r"/v1/plans/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/|$)")
_ACCEPTABLE = re.compile(r"[\w.:@+\-]{1,128}")


def given_id(headers: Headers) -> str:
    """The caller's own id of a call, or "" where there is none that could be repeated."""
    given = headers.get("x-request-id", "")
    return given if _ACCEPTABLE.fullmatch(given) else ""


class RequestIds:
    """ASGI middleware that names each request and logs how it went; never what was said."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and put its id on the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = given_id(Headers(scope=scope)) or str(uuid4())
        began = time.monotonic()
        # The path as it is may hold anybody's name; what it says of a plan is a UUID or nothing.
        plan = _PLAN.match(scope["path"])

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("X-Request-Id", request_id)
                # What is told here is somebody's own; the page's files say otherwise of themselves.
                headers.setdefault("Cache-Control", "no-store")
                milliseconds = (time.monotonic() - began) * 1000
                route = getattr(scope.get("route"), "path", "–")
                told = {"method": scope["method"], "route": route, "status": message["status"]}
                log.info("a request was answered", extra={"fields": {**told, "milliseconds": round(milliseconds)}})
            await send(message)

        with about(http_id=opaque(request_id), plan_id=plan[1] if plan else ""):
            await self._app(scope, receive, named)
