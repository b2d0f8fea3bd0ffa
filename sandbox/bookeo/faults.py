"""Faults asked for in advance: which call goes wrong next, and how. `sandbox.controlled` carries them out."""

from typing import Annotated

from pydantic import AfterValidator

from sandbox.bookeo.operations import OPERATION_IDS
from sandbox.controlled import WireFault
from sandbox.faults import one_of


class Fault(WireFault):
    """What may go wrong next, and at which call."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]
