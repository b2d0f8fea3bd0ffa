"""Values at dotted paths of a document, and how two of them compare."""

from collections.abc import Mapping

from contracts.base import Value
from registry.templating.datetimes import as_utc, is_instant


def values_at(value: Value, path: str) -> list[Value]:
    """Return every value at a dotted path, passing through lists; none where a key is missing."""
    found = [value]
    for name in path.split("."):
        found = [v for one in found for v in (one if isinstance(one, list) else [one])]
        found = [v[name] for v in found if isinstance(v, Mapping) and name in v]
    return found


def first_at(row: Value, path: str) -> Value:
    """Return the first value at a dotted path; none where there is none."""
    return next(iter(values_at(row, path)), None)


def plain(value: Value) -> str:
    """Return a value as the text by which it is compared."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    # Two notations of one instant are equal, because an API seldom returns it as it was sent.
    return "" if value is None else as_utc(value) if is_instant(value) else str(value)
