"""Faults requested in advance, for any simulation: the next call that fails, and how."""

from collections.abc import Collection
from typing import Annotated, Generic, Literal, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError


class BaseFault(BaseModel):
    """One fault, spent after `times` matching calls; the first `skip` matching calls pass unchanged. `operation` "*"
    matches every call; with a `path` only calls of exactly that path match.

    `seconds` is the wait of effects that wait; `status` and `body` are the response of the effect `status`.
    """

    model_config = ConfigDict(extra="forbid")

    operation: str
    effect: str
    path: str | None = None
    status: Annotated[int, Field(ge=200, le=599)] = 500
    seconds: Annotated[float, Field(ge=0)] = 5.0
    times: Annotated[int, Field(ge=1)] = 1
    skip: Annotated[int, Field(ge=0)] = 0
    body: object = None


class WireFault(BaseFault):
    """A fault of the connection. `seconds` is the wait of `delay`."""

    effect: Literal["status", "delay", "drop_before", "drop_after"]


F = TypeVar("F", bound=BaseFault)


class FaultQueue(Generic[F]):
    """The armed faults, in the order of the requests."""

    def __init__(self) -> None:
        self._waiting: list[F] = []

    def add(self, fault: F) -> None:
        """Arm one more fault."""
        self._waiting.append(fault)

    def take(self, operation: str, path: str) -> F | None:
        """Return the fault this call meets, spent once; None if there is none."""
        for fault in self._waiting:
            if fault.operation not in ("*", operation) or fault.path not in (None, path):
                continue
            if fault.skip:
                fault.skip -= 1
                continue
            fault.times -= 1
            if fault.times == 0:
                self._waiting.remove(fault)
            return fault
        return None

    def listed(self) -> list[dict[str, object]]:
        """Return the armed faults, with their remaining times and skips."""
        return [fault.model_dump() for fault in self._waiting]

    def clear(self, path: str | None = None) -> None:
        """Disarm all faults, or those of one path."""
        self._waiting = [fault for fault in self._waiting if path is not None and fault.path != path]


def fault_routes(faults: FaultQueue[F], kind: type[F], operations: Collection[str]) -> APIRouter:
    """Return `/faults`: POST arms one of this kind on one of the operations or `*` (refused as any invalid body else),
    GET lists them, DELETE disarms all or those of `?path=`."""
    router = APIRouter()

    @router.post("/faults", status_code=201)
    async def add_fault(request: Request) -> dict[str, object]:
        try:
            fault = kind.model_validate_json(await request.body())
        except ValidationError as error:
            raise RequestValidationError(error.errors(include_url=False)) from None
        if fault.operation not in ("*", *operations):
            message = f"operation must be * or one of {', '.join(sorted(operations))}"
            raise RequestValidationError([{"type": "value_error", "loc": ("body", "operation"), "msg": message}])
        faults.add(fault)
        return fault.model_dump()

    @router.get("/faults")
    async def list_faults() -> list[dict[str, object]]:
        return faults.listed()

    @router.delete("/faults", status_code=204)
    async def clear_faults(path: str | None = None) -> Response:
        faults.clear(path)
        return Response(status_code=204)

    return router
