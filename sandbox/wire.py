"""What stand-ins need under ASGI: the sign that they are one, a whole body, an answer held back, a connection cut.

A request's body is read in full first, so a call goes through even when its client has hung up meanwhile: a late write
is applied late and not lost.
"""

import asyncio

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


async def whole_body(receive: Receive) -> bytes:
    """The request's body. Raises ConnectionResetError when its client leaves before it is complete."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError("The client left before its request was complete")
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def replay(body: bytes) -> Receive:
    """A `receive` that gives a body that was read."""

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def answer_of(app: ASGIApp, scope: Scope, body: bytes) -> list[Message]:
    """What the application answers, nothing of it sent yet."""
    answer: list[Message] = []

    async def keep(message: Message) -> None:
        answer.append(message)

    await app(scope, replay(body), keep)
    return answer


async def answer_late(app: ASGIApp, scope: Scope, body: bytes, send: Send, seconds: float) -> None:
    """Do the call at once and answer so much later."""
    answer = await answer_of(app, scope, body)
    await asyncio.sleep(seconds)
    for message in answer:
        await send(message)


async def drop_connection(receive: Receive) -> None:
    """Cut the socket without a byte of answer.

    ASGI has no word for this, and returning without an answer makes uvicorn send a 500. Its `receive` is a method of
    the request cycle, which holds the transport.
    """
    transport = getattr(getattr(receive, "__self__", None), "transport", None)
    if not isinstance(transport, asyncio.Transport):
        raise ConnectionResetError("The connection was dropped as asked, but this server hides its socket")
    transport.abort()
    # uvicorn writes a 500 for an application that returns before the connection is known to be lost.
    while (await receive())["type"] != "http.disconnect":
        pass


class Signed:
    """ASGI middleware that marks every answer as a sandbox's, by the system's name."""

    def __init__(self, app: ASGIApp, name: str) -> None:
        self._app, self._name = app, name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass `receive` on as it is: a faulty wire needs the server's own to reach the socket."""

        async def send_signed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Sandbox"] = self._name
            await send(message)

        await self._app(scope, receive, send_signed)
