"""Faults asked for in advance: which call goes wrong next, and how. `wire` carries them out."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from sandbox.roller.operations import OPERATION_IDS

Effect = Literal["status", "delay", "hang", "drop_before", "drop_after", "rate_limit", "expire_token"]


def _known(operation: str) -> str:
    if operation != "*" and operation not in OPERATION_IDS:
        raise ValueError(f"operation must be * or one of {', '.join(sorted(OPERATION_IDS))}")
    return operation


class Fault(BaseModel):
    """One fault, spent after `times` matching calls; the first `skip` matching calls pass untouched. With a `path`
    only calls of exactly that path match.

    `seconds` is the wait of `delay` and `hang` and the `Retry-After` of `rate_limit` (5 unless given);
    `status` (500 unless given) and `body` are the answer of `status`.
    """

    model_config = ConfigDict(extra="forbid")

    operation: Annotated[str, AfterValidator(_known)]
    effect: Effect
    path: str | None = None
    status: Annotated[int, Field(ge=200, le=599)] = 500
    seconds: Annotated[float, Field(ge=0)] = 5.0
    times: Annotated[int, Field(ge=1)] = 1
    skip: Annotated[int, Field(ge=0)] = 0
    body: object = None


class FaultQueue:
    """The faults still to come, in the order they were asked for."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []

    def add(self, fault: Fault) -> None:
        """Arm one more fault."""
        self._waiting.append(fault)

    def take(self, operation: str, path: str) -> Fault | None:
        """The fault this call meets, spent once; None when it goes well."""
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
        """What is still armed, with the times and skips that are left."""
        return [fault.model_dump() for fault in self._waiting]

    def clear(self, path: str | None = None) -> None:
        """Disarm everything, or what waits for calls of one path."""
        self._waiting = [fault for fault in self._waiting if path is not None and fault.path != path]
