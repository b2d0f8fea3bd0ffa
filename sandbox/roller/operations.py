"""Which operation a request is, by method and path, under ROLLER's operationIds."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Operation:
    """One operationId and the requests that mean it. `path` matches the whole path."""

    id: str
    method: str
    path: re.Pattern[str]


OPERATIONS = (
    Operation("get-token", "POST", re.compile(r"/token")),
    Operation("search-for-bookings", "GET", re.compile(r"/bookings")),
    Operation("create-a-booking", "POST", re.compile(r"/bookings")),
    Operation("get-booking-detail", "GET", re.compile(r"/bookings/[^/]+")),
    Operation("update-a-booking", "PUT", re.compile(r"/bookings/[^/]+")),
    Operation("cancel-a-booking", "POST", re.compile(r"/bookings/[^/]+/cancel")),
    Operation("get-guest-detail", "GET", re.compile(r"/guests/[^/]+")),
    Operation("update-guest-detail", "PUT", re.compile(r"/guests/[^/]+")),
    Operation("get-product-availability", "GET", re.compile(r"/product-availability")),
    Operation("get-product-detail", "GET", re.compile(r"/products")),
    Operation("get-venue-detail", "GET", re.compile(r"/venues/me")),
)
OPERATION_IDS = frozenset(operation.id for operation in OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """The operationId, or None for a request that is not part of the simulated API."""
    for operation in OPERATIONS:
        if operation.method == method and operation.path.fullmatch(path):
            return operation.id
    return None
