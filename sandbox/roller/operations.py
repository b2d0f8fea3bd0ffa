"""The operation of a request, by method and path, under ROLLER's operationIds."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator

from sandbox.kit.faults import BaseFault, one_of

_OPERATIONS = {
    "get-token": ("POST", "/token"),
    "search-for-bookings": ("GET", "/bookings"),
    "create-a-booking": ("POST", "/bookings"),
    "get-booking-detail": ("GET", "/bookings/[^/]+"),
    "update-a-booking": ("PUT", "/bookings/[^/]+"),
    "cancel-a-booking": ("POST", "/bookings/[^/]+/cancel"),
    "get-guest-detail": ("GET", "/guests/[^/]+"),
    "update-guest-detail": ("PUT", "/guests/[^/]+"),
    "get-product-availability": ("GET", "/product-availability"),
    "get-product-detail": ("GET", "/products"),
    "get-venue-detail": ("GET", "/venues/me"),
}
"""The method and the whole path, as a pattern, by operationId."""
OPERATION_IDS = frozenset(_OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """Return the operationId, or None for a request that is not part of the simulated API."""
    found = (name for name, (verb, shape) in _OPERATIONS.items() if verb == method and re.fullmatch(shape, path))
    return next(found, None)


Effect = Literal["status", "delay", "hang", "drop_before", "drop_after", "rate_limit", "expire_token"]


class RollerFault(BaseFault):
    """`seconds` is the wait of `delay` and `hang` and the `Retry-After` of `rate_limit` (5 by default)."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]
    effect: Effect
