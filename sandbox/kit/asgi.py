"""ASGI parts of simulations: the marking header, a whole body, a delayed response, a cut connection.

A request's body is read in full first, so that a call is carried out even if its client has disconnected: a late write
is applied late and not lost.
"""

import asyncio

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


async def whole_body(receive: Receive) -> bytes:
    """Return the request's body. Raises ConnectionResetError if the client disconnects before it is complete."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError("The client left before its request was complete")
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def replay(body: bytes) -> Receive:
    """Return a `receive` that yields a body that was already read."""

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def answer_of(app: ASGIApp, scope: Scope, body: bytes) -> list[Message]:
    """Return the application's response without sending it."""
    answer: list[Message] = []

    async def keep(message: Message) -> None:
        answer.append(message)

    await app(scope, replay(body), keep)
    return answer


async def answer_late(app: ASGIApp, scope: Scope, body: bytes, send: Send, seconds: float) -> None:
    """Carry out the call at once and send the response after `seconds`."""
    answer = await answer_of(app, scope, body)
    await asyncio.sleep(seconds)
    for message in answer:
        await send(message)


async def drop_connection(receive: Receive) -> None:
    """Cut the socket without a byte of response.

    ASGI has no event for this, and returning without a response makes uvicorn send a 500. Its `receive` is a method of
    the request cycle, which holds the transport.
    """
    transport = getattr(getattr(receive, "__self__", None), "transport", None)
    if not isinstance(transport, asyncio.Transport):
        raise ConnectionResetError("The connection was dropped as asked, but this server hides its socket")
    transport.abort()
    # uvicorn sends a 500 for an application that returns before the connection is known to be lost.
    while (await receive())["type"] != "http.disconnect":
        pass


class SandboxHeaderMiddleware:
    """ASGI middleware that marks every response as a sandbox's, by the system's name."""

    def __init__(self, app: ASGIApp, name: str) -> None:
        self._app, self._name = app, name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass `receive` on unchanged, because a fault needs the server's own to reach the socket."""

        async def send_signed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Sandbox"] = self._name
            await send(message)

        await self._app(scope, receive, send_signed)
