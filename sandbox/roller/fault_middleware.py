"""Faults between a client and the API: late, lost and cut-off responses."""

import asyncio
from typing import assert_never

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.kit.asgi import answer_late, answer_of, drop_connection, replay, whole_body
from sandbox.kit.faults import FaultQueue
from sandbox.roller.auth import bearer_hash, too_many_requests
from sandbox.roller.errors import error_body
from sandbox.roller.operations import OPERATIONS, RollerFault
from sandbox.roller.store import RollerStore
from sandbox.roller.tokens import expire


class RollerFaultMiddleware:
    """ASGI middleware outside the authentication: a fault may occur before the token is checked."""

    def __init__(self, app: ASGIApp, faults: FaultQueue[RollerFault], store: RollerStore) -> None:
        self._app = app
        self._faults = faults
        self._store = store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on, or carry out its fault."""
        operation = OPERATIONS.of(scope["method"], scope["path"]) if scope["type"] == "http" else None
        fault = None if operation is None else self._faults.take(operation, scope["path"])
        if fault is None:
            await self._app(scope, receive, send)
        else:
            await self._strike(fault, scope, receive, send)

    async def _strike(self, fault: RollerFault, scope: Scope, receive: Receive, send: Send) -> None:
        body = await whole_body(receive)
        match fault.effect:
            case "status":
                content = fault.body if fault.body is not None else error_body("SandboxFault", "A fault was asked for")
                await JSONResponse(content, status_code=fault.status)(scope, replay(body), send)
            case "delay":
                await answer_late(self._app, scope, body, send, fault.seconds)
            case "hang":
                await asyncio.sleep(fault.seconds)
                await self._app(scope, replay(body), send)
            case "drop_before":
                await drop_connection(receive)
            case "drop_after":
                await answer_of(self._app, scope, body)
                await drop_connection(receive)
            case "rate_limit":
                await too_many_requests(fault.seconds)(scope, replay(body), send)
            case "expire_token":
                self._expire(scope)
                await self._app(scope, replay(body), send)
            case _:
                assert_never(fault.effect)

    def _expire(self, scope: Scope) -> None:
        hashed = bearer_hash(scope)
        if hashed is not None:
            with self._store.transaction() as connection:
                expire(connection, hashed)
