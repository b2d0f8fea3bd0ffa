"""What goes wrong between a client and the API: late, lost and cut-off answers.

The request's body is read in full first, so a call goes through even when its client has hung up meanwhile: a
late write is applied late and not lost.
"""

import asyncio
from typing import assert_never

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandbox.roller.errors import error_body
from sandbox.roller.faults import Fault, FaultQueue
from sandbox.roller.gate import bearer_hash, too_many_requests
from sandbox.roller.operations import operation_of
from sandbox.roller.store import Store
from sandbox.roller.tokens import expire


class FaultyWire:
    """ASGI middleware outside the gate: a fault may strike before the token is looked at."""

    def __init__(self, app: ASGIApp, faults: FaultQueue, store: Store) -> None:
        self._app = app
        self._faults = faults
        self._store = store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on, or carry out the fault that waits for it."""
        operation = operation_of(scope["method"], scope["path"]) if scope["type"] == "http" else None
        fault = None if operation is None else self._faults.take(operation, scope["path"])
        if fault is None:
            await self._app(scope, receive, send)
        else:
            await self._strike(fault, scope, receive, send)

    async def _strike(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _whole_body(receive)
        match fault.effect:
            case "status":
                content = fault.body if fault.body is not None else error_body("SandboxFault", "A fault was asked for")
                await JSONResponse(content, status_code=fault.status)(scope, _replay(body), send)
            case "delay":
                answer = await self._answer(scope, body)
                await asyncio.sleep(fault.seconds)
                for message in answer:
                    await send(message)
            case "hang":
                await asyncio.sleep(fault.seconds)
                await self._app(scope, _replay(body), send)
            case "drop_before":
                await _drop_connection(receive)
            case "drop_after":
                await self._answer(scope, body)
                await _drop_connection(receive)
            case "rate_limit":
                await too_many_requests(fault.seconds)(scope, _replay(body), send)
            case "expire_token":
                self._expire(scope)
                await self._app(scope, _replay(body), send)
            case _:
                assert_never(fault.effect)

    async def _answer(self, scope: Scope, body: bytes) -> list[Message]:
        answer: list[Message] = []

        async def keep(message: Message) -> None:
            answer.append(message)

        await self._app(scope, _replay(body), keep)
        return answer

    def _expire(self, scope: Scope) -> None:
        hashed = bearer_hash(scope)
        if hashed is not None:
            with self._store.transaction() as connection:
                expire(connection, hashed)


async def _whole_body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError("The client left before its request was complete")
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _replay(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


async def _drop_connection(receive: Receive) -> None:
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
