"""What nobody foresaw is answered like all else: the documented body, the venue's language, the caller's id."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Unexpected:
    """ASGI middleware. Left to the framework, such a failure is answered outside of ours: without an id, on no line of
    the log that has one, and on a connection that is then cut without a word under what its client sends next."""

    def __init__(self, app: ASGIApp, answered: Callable[[Request, Exception], Response]) -> None:
        self._app = app
        self._answered = answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on. Raises what failed where an answer has begun: only a cut connection tells of it then."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def seen(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, seen)
        except Exception as error:
            if begun:
                raise
            await self._answered(Request(scope), error)(scope, receive, send)
