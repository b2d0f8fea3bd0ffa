"""Reading a schema: its types, its properties, and what of them a caller must send."""

import json
from collections.abc import Hashable, Iterable

from contracts.base import Json, Schema


def types_of(schema: Schema) -> list[str]:
    """The types a schema names, [] when it names none; OpenAPI 3.0's `nullable` counts as "null"."""
    declared = schema.get("type")
    types = [declared] if isinstance(declared, str) else list(declared or ())
    if not types and "properties" in schema:
        types = ["object"]
    return [*types, "null"] if types and schema.get("nullable") and "null" not in types else types


def written(types: list[str]) -> str | list[str]:
    """Types as the keyword writes them."""
    return types[0] if len(types) == 1 else types


def properties_of(schema: Schema) -> dict[str, Schema | bool]:
    """The declared properties of an object schema, those of its `allOf` parts included."""
    found: dict[str, Schema | bool] = {}
    for part in schema.get("allOf") or ():
        found |= properties_of(part)
    return found | dict(schema.get("properties") or {})


def required_of(schema: Schema) -> list[str]:
    """The properties a caller must send: required ones, `allOf` parts included, that are not readOnly."""
    properties = properties_of(schema)
    names = [name for part in schema.get("allOf") or () for name in required_of(part)]
    names += schema.get("required") or ()
    return [n for n in dict.fromkeys(names) if not is_read_only(properties.get(n))]


def sameness(value: Json) -> Hashable:
    """Two values are the same in JSON Schema exactly when this is equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return json.dumps(value, sort_keys=True, default=str)


def distinct(values: Iterable[Json]) -> list[Json]:
    """The values, each once, in their order: in time that grows with their number, not its square."""
    found: dict[Hashable, Json] = {}
    for value in values:
        found.setdefault(sameness(value), value)
    return list(found.values())


def is_read_only(schema: Schema | bool | None) -> bool:
    """True for a property that only the API sets."""
    return isinstance(schema, dict) and schema.get("readOnly") is True
