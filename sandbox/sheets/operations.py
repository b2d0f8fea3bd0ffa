"""Which operation a request is, by method and path, and what may go wrong with one on request."""

import re
from typing import Annotated

from pydantic import AfterValidator

from sandbox.controlled import WireFault
from sandbox.faults import one_of

_ONE = "/v4/spreadsheets/[^/:]+"
_OPERATIONS = {
    "spreadsheets.get": ("GET", _ONE),
    "spreadsheets.batchUpdate": ("POST", f"{_ONE}:batchUpdate"),
    "values.get": ("GET", f"{_ONE}/values/[^/]+"),
    "values.append": ("POST", f"{_ONE}/values/[^/]+:append"),
    "values.batchUpdate": ("POST", f"{_ONE}/values:batchUpdate"),
}
"""The method and the whole path, as a pattern, by Google's name of the operation."""
OPERATION_IDS = frozenset(_OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """The operation, or None for a request that is not part of the API."""
    found = (name for name, (verb, shape) in _OPERATIONS.items() if verb == method and re.fullmatch(shape, path))
    return next(found, None)


class Fault(WireFault):
    """What may go wrong next, and at which call."""

    operation: Annotated[str, AfterValidator(one_of(OPERATION_IDS))]
