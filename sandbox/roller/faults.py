"""Faults asked for in advance: which call of ROLLER's goes wrong next, and how. `wire` carries them out."""

from typing import Annotated, Literal

from pydantic import AfterValidator

from sandbox.faults import AnyFault, one_of
from sandbox.roller.operations import OPERATION_IDS

Effect = Literal["status", "delay", "hang", "drop_before", "drop_after", "rate_limit", "expire_token"]


class Fault(AnyFault):
    """`seconds` is the wait of `delay` and `hang` and the `Retry-After` of `rate_limit` (5 unless given)."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]
    effect: Effect
