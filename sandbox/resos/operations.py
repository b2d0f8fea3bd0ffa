"""Which operation a request is, by method and path, and what may go wrong with one on request."""

import re
from typing import Annotated

from pydantic import AfterValidator

from sandbox.controlled import WireFault
from sandbox.faults import one_of

_OPERATIONS = {
    "list-bookings": ("GET", "/v1/bookings"),
    "create-booking": ("POST", "/v1/bookings"),
    "get-booking": ("GET", "/v1/bookings/[^/]+"),
    "update-booking": ("PUT", "/v1/bookings/[^/]+"),
    "list-times": ("GET", "/v1/bookingFlow/times"),
    "list-opening-hours": ("GET", "/v1/openingHours"),
    "list-tables": ("GET", "/v1/tables"),
    "check-health": ("GET", "/v1/healthcheck"),
}
"""The method and the whole path, as a pattern, by a name of our own."""
OPERATION_IDS = frozenset(_OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """The operation, or None for a request that is not part of the API."""
    found = (name for name, (verb, shape) in _OPERATIONS.items() if verb == method and re.fullmatch(shape, path))
    return next(found, None)


class Fault(WireFault):
    """What may go wrong next, and at which call."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]
