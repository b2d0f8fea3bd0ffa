"""`/_sandbox/…` of simulations with a document store: controls for tests and rehearsals that the real systems do not
have, and faults on request.

POST, GET, DELETE /_sandbox/faults   arm, list, disarm faults
GET  /_sandbox/journal               every write applied, in order
POST /_sandbox/reset                 a new seed, or an empty one with {"seed": false}
"""

from collections.abc import Callable, Collection
from typing import Any, Protocol, assert_never

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.kit.asgi import answer_late, answer_of, drop_connection, replay, whole_body
from sandbox.kit.document_store import DocumentStore
from sandbox.kit.faults import FaultQueue, WireFault, fault_routes


class PendingFaults(Protocol):
    """The armed faults (`FaultQueue` of any kind)."""

    def take(self, operation: str, path: str) -> WireFault | None:
        """Return the fault that this call meets."""
        ...


class ResetBody(BaseModel):
    """`seed` false leaves the store empty."""

    model_config = ConfigDict(extra="forbid")

    seed: bool = True


class FaultMiddleware:
    """ASGI middleware outside the authentication: a fault may occur before the caller is checked. `operation_of`
    returns the operation of a method and path, or None; `error_body` returns the body of a refusal by its status."""

    def __init__(
        self,
        app: ASGIApp,
        faults: PendingFaults,
        operation_of: Callable[[str, str], str | None],
        error_body: Callable[[int], object],
    ) -> None:
        self._app, self._faults = app, faults
        self._operation_of, self._error_body = operation_of, error_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on, or carry out its fault."""
        operation = self._operation_of(scope["method"], scope["path"]) if scope["type"] == "http" else None
        fault = None if operation is None else self._faults.take(operation, scope["path"])
        if fault is None:
            await self._app(scope, receive, send)
            return
        body = await whole_body(receive)
        match fault.effect:
            case "status":
                content = fault.body if fault.body is not None else self._error_body(fault.status)
                await JSONResponse(content, status_code=fault.status)(scope, replay(body), send)
            case "delay":
                await answer_late(self._app, scope, body, send, fault.seconds)
            case "drop_before":
                await drop_connection(receive)
            case "drop_after":
                await answer_of(self._app, scope, body)
                await drop_connection(receive)
            case _:
                assert_never(fault.effect)


def control_routes(
    store: DocumentStore, faults: FaultQueue[WireFault], operations: Collection[str], refill: Callable[[], None]
) -> APIRouter:
    """Return the control endpoints over the parts they control. Faults may be armed on `operations`."""
    router = APIRouter(prefix="/_sandbox")
    router.include_router(fault_routes(faults, WireFault, operations))

    @router.get("/journal")
    async def read_journal() -> list[dict[str, Any]]:
        return store.journal()

    @router.post("/reset", status_code=204)
    async def reset(how: ResetBody | None = None) -> Response:
        with store.transaction():
            store.clear()
            if how is None or how.seed:
                refill()
        faults.clear()
        return Response(status_code=204)

    return router
