"""Which operation a request is, by method and path, and what may go wrong with one on request."""

import re
from typing import Annotated

from pydantic import AfterValidator

from sandbox.controlled import WireFault
from sandbox.faults import one_of

PATH = "/octotable-pms/api/v2"
AUTH_PATH = "/octotable-auth/api/v2"
"""The token is served at both: which one it is belongs to a client's settings."""
_OPERATIONS = {
    "create-token": ("POST", f"(?:{PATH}|{AUTH_PATH})/oauth2/token"),
    "list-services": ("GET", f"{PATH}/services"),
    "list-rooms": ("GET", f"{PATH}/rooms"),
    "list-reservations": ("GET", f"{PATH}/reservations"),
    "create-reservation": ("POST", f"{PATH}/reservations"),
    "get-reservation": ("GET", f"{PATH}/reservations/[^/]+"),
    "update-reservation": ("PUT", f"{PATH}/reservations/[^/]+"),
    "cancel-reservation": ("DELETE", f"{PATH}/reservations/[^/]+"),
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
