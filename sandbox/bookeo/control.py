"""`/_sandbox/…`: what tests and rehearsals need and Bookeo does not have, and what goes wrong on the wire on request.

POST, GET, DELETE /_sandbox/faults   arm, list, disarm faults
GET  /_sandbox/journal               every write applied, in order
POST /_sandbox/reset                 a fresh seed, or an empty school with {"seed": false}
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal, assert_never

from fastapi import APIRouter, Response
from pydantic import AfterValidator, BaseModel, ConfigDict
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sandbox.bookeo.errors import error_body
from sandbox.bookeo.operations import OPERATION_IDS, operation_of
from sandbox.bookeo.store import Store
from sandbox.faults import AnyFault, FaultQueue, fault_routes, one_of
from sandbox.wire import answer_late, answer_of, drop_connection, replay, whole_body


class Fault(AnyFault):
    """`seconds` is the wait of `delay`."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]
    effect: Literal["status", "delay", "drop_before", "drop_after"]


class Reset(BaseModel):
    """`seed` false leaves a school without a booking."""

    model_config = ConfigDict(extra="forbid")

    seed: bool = True


class FaultyWire:
    """ASGI middleware outside the gate: a fault may strike before the keys are looked at."""

    def __init__(self, app: ASGIApp, faults: FaultQueue[Fault]) -> None:
        self._app, self._faults = app, faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the call on, or carry out the fault that waits for it."""
        operation = operation_of(scope["method"], scope["path"]) if scope["type"] == "http" else None
        fault = None if operation is None else self._faults.take(operation, scope["path"])
        if fault is None:
            await self._app(scope, receive, send)
            return
        body = await whole_body(receive)
        match fault.effect:
            case "status":
                content = fault.body if fault.body is not None else error_body(fault.status, "A fault was asked for")
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


def control_routes(store: Store, faults: FaultQueue[Fault], refill: Callable[[], None]) -> APIRouter:
    """The control endpoints over the parts they control."""
    router = APIRouter(prefix="/_sandbox")
    router.include_router(fault_routes(faults, Fault))

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
