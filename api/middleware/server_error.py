"""Unforeseen errors are answered like all others: the documented body, the venue's language, the caller's id."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class ServerErrorMiddleware:
    """ASGI middleware. The framework would answer such an error outside of our middleware: without an id, without a log
    line that has one, and on a connection that is closed without notice while its client sends the next request."""

    def __init__(self, app: ASGIApp, answered: Callable[[Request, Exception], Response]) -> None:
        self._app = app
        self._answered = answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on. Raises the error if a response has begun, because then only a closed connection can
        report it."""
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
