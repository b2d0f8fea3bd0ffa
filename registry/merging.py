"""Two schemas that must both hold, made into one; what cannot be merged stays side by side in `allOf`."""

from contracts.base import Schema
from registry.neutral import sameness, types_of, written

_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


def merged(left: Schema, right: Schema) -> Schema:
    """A schema that holds where both do."""
    result = dict(left)
    apart: Schema = {}
    for key, value in right.items():
        if key not in result or result[key] == value:
            result[key] = value
        elif key == "properties":
            result[key] = _properties(result[key], value)
        elif key == "required":
            result[key] = list(dict.fromkeys([*result[key], *value]))
        elif key == "type":
            result[key] = written(_common(types_of(left), types_of(right)))
        elif key == "enum":
            both = set(map(sameness, value))
            result[key] = [choice for choice in result[key] if sameness(choice) in both]
        elif key in _LOWER:
            result[key] = max(result[key], value)
        elif key in _UPPER:
            result[key] = min(result[key], value)
        elif key == "allOf":
            result[key] = [*result[key], *value]
        elif key in ("description", "default", "additionalProperties"):
            result[key] = value if key != "additionalProperties" or value is not False else result[key]
        elif key in ("readOnly", "writeOnly"):
            result[key] = result[key] or value
        else:
            apart[key] = value
    # Parts closed with `additionalProperties: false` would shut one another's properties out: the whole stays open.
    mine, theirs = set(left.get("properties") or ()), set(right.get("properties") or ())
    if (left.get("additionalProperties") is False and theirs - mine) or (
        right.get("additionalProperties") is False and mine - theirs
    ):
        result.pop("additionalProperties", None)
    if apart:
        result["allOf"] = [*result.get("allOf", []), apart]
    return result


def _properties(left: Schema, right: Schema) -> Schema:
    both: Schema = {**left}
    for name, schema in right.items():
        mine = both.get(name)
        both[name] = merged(mine, schema) if isinstance(mine, dict) and isinstance(schema, dict) else schema
    return both


def _common(left: list[str], right: list[str]) -> list[str]:
    common = [kind for kind in left if kind in right]
    if "integer" in left + right and "number" in left + right and "integer" not in common:
        common.append("integer")
    # Nothing is both: the later part is the more special one.
    return common or right
