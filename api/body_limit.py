"""How large a request's body may be, and how long it may take to come.

Both are refused before anything reads the body: a large one whether it is announced or not, and one that does not come,
since whoever sends a byte a minute would hold a connection for ever.
"""

import asyncio
import math
from collections.abc import Callable, Mapping

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import error_response
from contracts.enums import ServiceErrorType
from contracts.errors import ServiceError
from language.catalogue import say

_FACTORS = {"/codec/": 100, "/v1/ag-ui": 16}
"""The Temporal UI sends whole histories to be decoded, an AG-UI client its whole conversation with every run."""

_REQUEST_TIMEOUT = 408
"""Where the contract has 422 for what is not valid: a client knows by it that the same may be sent again."""


class _TooLargeError(Exception):
    """More came than is allowed."""


class _TooSlowError(Exception):
    """Not all of it came in time."""


class BodyLimit:
    """ASGI middleware. `most` in bytes, `within` in seconds. `told`: the paths whose clients read errors in another
    form. `count` is told of each refusal."""

    def __init__(
        self,
        app: ASGIApp,
        most: int,
        within: float,
        told: Mapping[str, Callable[[ServiceError], JSONResponse]],
        count: Callable[[ServiceError], None],
    ) -> None:
        self._app = app
        self._most = most
        self._within = within
        self._told = told
        self._count = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 413 or 408."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most * next((n for start, n in _FACTORS.items() if scope["path"].startswith(start)), 1)
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        body = _Body(receive, send, most, self._within)
        try:
            if announced.isdigit() and int(announced) > most:
                raise _TooLargeError
            await self._app(scope, body.receive, body.send)
            if body.wrong is not None and not body.begun:
                raise body.wrong
        except (_TooLargeError, _TooSlowError) as wrong:
            if body.begun:
                raise
            await self._refusal(wrong, most, scope["path"])(scope, receive, send)

    def _refusal(self, wrong: Exception, most: int, path: str) -> JSONResponse:
        large = isinstance(wrong, _TooLargeError)
        error = ServiceError(
            error_type=ServiceErrorType.TOO_LARGE if large else ServiceErrorType.INVALID_REQUEST,
            message=say("refuse.too_large", kib=most // 1024)
            if large
            else say("refuse.too_slow", seconds=math.ceil(self._within)),
            suggestions=[say("refuse.too_large_next" if large else "refuse.too_slow_next")],
        )
        self._count(error)
        answer = self._told.get(path, error_response)(error)
        if not large:
            answer.status_code = _REQUEST_TIMEOUT
            # What else of it comes is no request.
            answer.headers["Connection"] = "close"
        return answer


class _Body:
    """One request's body on its way in, and what is answered meanwhile."""

    def __init__(self, receive: Receive, send: Send, most: int, within: float) -> None:
        self._receive, self._send = receive, send
        self._most = most
        self._until = asyncio.get_running_loop().time() + within
        self._seen, self._whole = 0, False
        self.wrong: Exception | None = None
        self.begun = False

    async def receive(self) -> Message:
        """An ASGI `receive`. Raises what is wrong; once an answer has begun, a body that does not come is a client
        that has gone."""
        try:
            async with asyncio.timeout_at(None if self._whole else self._until):
                message = await self._receive()
        except TimeoutError:
            if self.begun:
                return {"type": "http.disconnect"}
            self.wrong = _TooSlowError()
            raise self.wrong from None
        self._whole = self._whole or not message.get("more_body", False)
        self._seen += len(message.get("body", b""))
        if self._seen > self._most:
            self.wrong = _TooLargeError()
            raise self.wrong
        return message

    async def send(self, message: Message) -> None:
        """An ASGI `send`. FastAPI takes a body that cannot be read for a malformed one; what it says of it is not
        sent."""
        if self.begun or self.wrong is None:
            self.begun = True
            await self._send(message)
