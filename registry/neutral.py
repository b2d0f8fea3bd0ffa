"""Reading a schema: its types, its properties, and what of them a caller must send."""

from contracts.base import Schema


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
    names += [name for name in schema.get("required") or () if name not in names]
    return [n for n in names if not is_read_only(properties.get(n))]


def is_read_only(schema: Schema | bool | None) -> bool:
    """True for a property that only the API sets."""
    return isinstance(schema, dict) and schema.get("readOnly") is True
