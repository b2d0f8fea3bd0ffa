"""The limits of a request's body: its size, and the time until it has arrived.

Both are enforced before anything reads the body. A large body is rejected even without a `Content-Length`. A slow body
is rejected because a client that sends a byte a minute would hold a connection for ever.
"""

import asyncio
import math
from collections.abc import Callable, Mapping

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import error_response
from contracts.enums import ServiceErrorType
from contracts.errors import ServiceError
from language.messages.catalogue import translate

_FACTORS = {"/codec/": 100, "/v1/ag-ui": 16}
"""Multiples of the limit: the Temporal UI sends whole histories to decode, an AG-UI client its whole conversation with
every run."""

_REQUEST_TIMEOUT = 408
"""The contract has 422 for invalid requests. 408 lets a client know that it may send the same request again."""


class _BodyTooLargeError(Exception):
    """The body is larger than allowed."""


class _BodyTimeoutError(Exception):
    """The body did not arrive completely in time."""


class BodyLimitMiddleware:
    """ASGI middleware. `limit` in bytes, `timeout` in seconds. `renderers`: the paths whose clients read errors in
    another form. `count` is called for each rejection."""

    def __init__(
        self,
        app: ASGIApp,
        limit: int,
        timeout: float,
        renderers: Mapping[str, Callable[[ServiceError], JSONResponse]],
        count: Callable[[ServiceError], None],
    ) -> None:
        self._app = app
        self._limit = limit
        self._timeout = timeout
        self._renderers = renderers
        self._count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 413 or 408."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limit * next((n for start, n in _FACTORS.items() if scope["path"].startswith(start)), 1)
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        body = _LimitedBody(receive, send, limit, self._timeout)
        try:
            if announced.isdigit() and int(announced) > limit:
                raise _BodyTooLargeError
            await self._app(scope, body.receive, body.send)
            if body.wrong is not None and not body.begun:
                raise body.wrong
        except (_BodyTooLargeError, _BodyTimeoutError) as wrong:
            if body.begun:
                raise
            await self._refusal(wrong, limit, scope["path"])(scope, receive, send)

    def _refusal(self, wrong: Exception, limit: int, path: str) -> JSONResponse:
        large = isinstance(wrong, _BodyTooLargeError)
        error = ServiceError(
            error_type=ServiceErrorType.TOO_LARGE if large else ServiceErrorType.INVALID_REQUEST,
            message=translate("refuse.too_large", kib=limit // 1024)
            if large
            else translate("refuse.too_slow", seconds=math.ceil(self._timeout)),
            suggestions=[translate("refuse.too_large_next" if large else "refuse.too_slow_next")],
        )
        self._count(error)
        answer = self._renderers.get(path, error_response)(error)
        if not large:
            answer.status_code = _REQUEST_TIMEOUT
            # The rest of the body must not be read as the next request.
            answer.headers["Connection"] = "close"
        return answer


class _LimitedBody:
    """One request's incoming body, and the response to it."""

    def __init__(self, receive: Receive, send: Send, limit: int, timeout: float) -> None:
        self._receive, self._send = receive, send
        self._limit = limit
        self._until = asyncio.get_running_loop().time() + timeout
        self._seen, self._whole = 0, False
        self.wrong: Exception | None = None
        self.begun = False

    async def receive(self) -> Message:
        """Receive a message, as an ASGI `receive`. Raises if the body is too large or too slow. Once a response has
        begun, a body that does not arrive means that the client has disconnected."""
        try:
            async with asyncio.timeout_at(None if self._whole else self._until):
                message = await self._receive()
        except TimeoutError:
            if self.begun:
                return {"type": "http.disconnect"}
            self.wrong = _BodyTimeoutError()
            raise self.wrong from None
        self._whole = self._whole or not message.get("more_body", False)
        self._seen += len(message.get("body", b""))
        if self._seen > self._limit:
            self.wrong = _BodyTooLargeError()
            raise self.wrong
        return message

    async def send(self, message: Message) -> None:
        """Send a message, as an ASGI `send`. FastAPI reports a body that cannot be read as malformed; that response is
        not sent."""
        if self.begun or self.wrong is None:
            self.begun = True
            await self._send(message)
