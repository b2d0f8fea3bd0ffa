"""Which operation a request is, by method and path, under the document's operationIds."""

import re

_OPERATIONS = {
    "get-account": ("GET", "/v1/account"),
    "list-people": ("GET", "/v1/people"),
    "list-busy-times": ("GET", "/v1/busy-times"),
    "list-openings": ("GET", "/v1/openings"),
    "list-events": ("GET", "/v1/events"),
    "create-event": ("POST", "/v1/events"),
    "get-event": ("GET", "/v1/events/[^/]+"),
    "change-event": ("PATCH", "/v1/events/[^/]+"),
    "cancel-event": ("DELETE", "/v1/events/[^/]+"),
}
"""The method and the whole path, as a pattern, by operationId."""
OPERATION_IDS = frozenset(_OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """The operationId, or None for a request that is not part of the API."""
    found = (name for name, (verb, shape) in _OPERATIONS.items() if verb == method and re.fullmatch(shape, path))
    return next(found, None)
