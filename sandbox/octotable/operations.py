"""The operation of a request, by method and path, and its faults on request."""

import re
from typing import Annotated

from pydantic import AfterValidator

from sandbox.kit.control_routes import WireFault
from sandbox.kit.faults import one_of

PATH = "/octotable-pms/api/v2"
AUTH_PATH = "/octotable-auth/api/v2"
"""The token is served at both paths; a client's settings choose one."""
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
"""The method and the whole path, as a pattern, by our own name of the operation."""
OPERATION_IDS = frozenset(_OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """Return the operation, or None for a request that is not part of the API."""
    found = (name for name, (verb, shape) in _OPERATIONS.items() if verb == method and re.fullmatch(shape, path))
    return next(found, None)


class OctoTableFault(WireFault):
    """A fault, and the operation that it affects."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]
