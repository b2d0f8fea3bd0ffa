"""Which operation a request is, by method and path, under Bookeo's operationIds."""

import re

_OPERATIONS = {
    "GetBookings": ("GET", "/bookings"),
    "PostBookings": ("POST", "/bookings"),
    "GetBookingsBookingnumber": ("GET", "/bookings/[^/]+"),
    "PutBookingsBookingnumber": ("PUT", "/bookings/[^/]+"),
    "DeleteBookingsBookingnumber": ("DELETE", "/bookings/[^/]+"),
    "GetAvailabilitySlots": ("GET", "/availability/slots"),
    "GetSettingsProducts": ("GET", "/settings/products"),
    "GetSettingsApikeyinfo": ("GET", "/settings/apikeyinfo"),
}
"""The method and the whole path, as a pattern, by operationId."""
OPERATION_IDS = frozenset(_OPERATIONS)


def operation_of(method: str, path: str) -> str | None:
    """The operationId, or None for a request that is not part of the simulated API."""
    found = (name for name, (verb, shape) in _OPERATIONS.items() if verb == method and re.fullmatch(shape, path))
    return next(found, None)
