"""`/_sandbox/…` of stand-ins that keep documents: what tests and rehearsals need and no such system has, and what goes
wrong on the wire on request.

POST, GET, DELETE /_sandbox/faults   arm, list, disarm faults
GET  /_sandbox/journal               every write applied, in order
POST /_sandbox/reset                 a fresh seed, or an empty one with {"seed": false}
"""

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeVar, assert_never

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.documents import Store
from sandbox.faults import AnyFault, FaultQueue, fault_routes
from sandbox.wire import answer_late, answer_of, drop_connection, replay, whole_body


class WireFault(AnyFault):
    """`seconds` is the wait of `delay`. A stand-in's own kind says which operations there are."""

    effect: Literal["status", "delay", "drop_before", "drop_after"]


F = TypeVar("F", bound=WireFault)


class Waiting(Protocol):
    """Faults that were armed (`FaultQueue` of whatever kind)."""

    def take(self, operation: str, path: str) -> WireFault | None:
        """The fault this call meets."""
        ...


class Reset(BaseModel):
    """`seed` false leaves nothing there."""

    model_config = ConfigDict(extra="forbid")

    seed: bool = True


class FaultyWire:
    """ASGI middleware outside the gate: a fault may strike before it is looked who calls. `operation_of` names an
    operation by method and path, None for what is none; `error_body` is a refusal by its status."""

    def __init__(
        self,
        app: ASGIApp,
        faults: Waiting,
        operation_of: Callable[[str, str], str | None],
        error_body: Callable[[int], object],
    ) -> None:
        self._app, self._faults = app, faults
        self._operation_of, self._error_body = operation_of, error_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on, or carry out the fault that waits for it."""
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


def control_routes(store: Store, faults: FaultQueue[F], kind: type[F], refill: Callable[[], None]) -> APIRouter:
    """The control endpoints over the parts they control; `kind` are the faults that may be armed."""
    router = APIRouter(prefix="/_sandbox")
    router.include_router(fault_routes(faults, kind))

    @router.get("/journal")
    async def read_journal() -> list[dict[str, Any]]:
        return store.journal()

    @router.post("/reset", status_code=204)
    async def reset(how: Reset | None = None) -> Response:
        with store.transaction():
            store.clear()
            if how is None or how.seed:
                refill()
        faults.clear()
        return Response(status_code=204)

    return router
