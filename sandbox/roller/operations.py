"""The operation of a request, by method and path, under ROLLER's operationIds."""

from typing import Literal

from sandbox.kit.application import Operations
from sandbox.kit.faults import BaseFault

OPERATIONS = Operations(
    {
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
)


Effect = Literal["status", "delay", "hang", "drop_before", "drop_after", "rate_limit", "expire_token"]


class RollerFault(BaseFault):
    """`seconds` is the wait of `delay` and `hang` and the `Retry-After` of `rate_limit` (5 by default)."""

    effect: Effect
