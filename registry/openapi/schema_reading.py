"""Reads a schema: its types, its properties, and what a caller must send; and merges two."""

import json
from collections.abc import Hashable, Iterable

from contracts.base import Json, Node, Schema


def types_of(schema: Schema) -> list[str]:
    """Return the types a schema names, [] when it names none; OpenAPI 3.0's `nullable` counts as "null"."""
    declared = schema.get("type")
    types = [declared] if isinstance(declared, str) else list(declared or ())
    if not types and "properties" in schema:
        types = ["object"]
    return [*types, "null"] if types and schema.get("nullable") and "null" not in types else types


def written(types: list[str]) -> str | list[str]:
    """Return types in the notation of the keyword."""
    return types[0] if len(types) == 1 else types


def properties_of(schema: Schema) -> dict[str, Schema | bool]:
    """Return the declared properties of an object schema, including those of its `allOf` parts."""
    found: dict[str, Schema | bool] = {}
    for part in schema.get("allOf") or ():
        found |= properties_of(part)
    return found | dict(schema.get("properties") or {})


def required_of(schema: Schema) -> list[str]:
    """Return the properties a caller must send: required ones, `allOf` parts included, that are not readOnly."""
    properties = properties_of(schema)
    names = [name for part in schema.get("allOf") or () for name in required_of(part)]
    names += schema.get("required") or ()
    return [n for n in dict.fromkeys(names) if not is_read_only(properties.get(n))]


def sameness(value: Json) -> Hashable:
    """Return a key that is equal for two values exactly when JSON Schema treats them as equal: 1 and 1.0 are, 1 and
    true are not."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return json.dumps(value, sort_keys=True, default=str)


def distinct(values: Iterable[Json]) -> list[Json]:
    """Return the distinct values in their order, in time linear in their number."""
    found: dict[Hashable, Json] = {}
    for value in values:
        found.setdefault(sameness(value), value)
    return list(found.values())


def is_read_only(schema: Schema | bool | None) -> bool:
    """Return whether only the API sets a property."""
    return isinstance(schema, dict) and schema.get("readOnly") is True


def parts_of(node: Node) -> dict[str, Node]:
    """Return the named parts of a mapping."""
    return node if isinstance(node, dict) else {}


def entries_of(node: Node) -> list[Node]:
    """Return the entries of a list."""
    return node if isinstance(node, list) else []


_ONE_WORD = frozenset({"enum", "const"})


def fields_of(schema: Schema) -> dict[str, Schema | bool]:
    """Return the properties of an object schema, including those that only one of its options has."""
    own, options = properties_of(schema), _objects(schema)
    found: dict[str, list[Schema | bool]] = {}
    for option in options:
        for name, inner in fields_of(option).items():
            found.setdefault(name, []).append(inner)
    fields = dict(own)
    for name, parts in found.items():
        either = _either(parts)
        known = own.get(name)
        if not isinstance(known, dict):
            fields[name] = either
        elif len(parts) == len(options) and not {"anyOf", "oneOf"} & either.keys():
            fields[name] = {**known, **either}
    return fields


def needed_of(schema: Schema) -> list[str]:
    """Return the properties that a caller must send with every option."""
    must, options = required_of(schema), [needed_of(option) for option in _objects(schema)]
    every = [name for name in options[0] if all(name in other for other in options)] if options else []
    return [*dict.fromkeys([*must, *every])]


def items_of(schema: Schema) -> Schema | bool | None:
    """Return the schema of a list's rows, from any option that is a list; None where it is not declared."""
    if "items" in schema:
        items: Schema | bool | None = schema["items"]
        return items
    found = [items_of(option) for option in options_of(schema) if not types_of(option) or "array" in types_of(option)]
    return _either([one for one in found if one is not None]) if found and None not in found else None


def options_of(schema: Schema) -> list[Schema]:
    """Return the schemas of which a value fits one, [] where there is no choice."""
    inner = [option for part in schema.get("allOf") or () for option in options_of(part)]
    own = [*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    return [option for option in (*own, *inner) if isinstance(option, dict)]


def is_open(schema: Schema) -> bool:
    """Return whether an object may have undeclared properties, by its author's most likely intention."""
    more, own, options = schema.get("additionalProperties"), properties_of(schema), options_of(schema)
    if more not in (None, False):
        return True
    if not own and not options:
        return more is not False
    # An option such as `required: [a]` does not restrict names other than the declared ones beside it.
    telling = [o for o in _objects(schema) if not own or types_of(o) or options_of(o)]
    return more is None and any(map(is_open, telling))


def _objects(schema: Schema) -> list[Schema]:
    """Return the options of a schema that are objects."""
    return [option for option in options_of(schema) if not types_of(option) or "object" in types_of(option)]


def _either(parts: list[Schema | bool]) -> Schema:
    """Return a schema for a value that fits at least one of several schemas."""
    kept: list[Schema] = [part for part in parts if isinstance(part, dict)]
    if True in [part for part in parts if isinstance(part, bool)] or {} in kept:
        return {}
    rows: list[Schema] = distinct(kept)
    if len(rows) < 2:
        return rows[0] if rows else {}
    rest = [{key: value for key, value in row.items() if key not in _ONE_WORD} for row in rows]
    if all(_ONE_WORD & row.keys() for row in rows) and len(distinct(rest)) == 1:
        words = [word for row in rows for word in row.get("enum") or [row.get("const")]]
        return {**rest[0], "enum": distinct(words)}
    return {"anyOf": rows}


_LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


def merged(left: Schema, right: Schema) -> Schema:
    """Return a schema that holds where both do."""
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
    # Parts closed with `additionalProperties: false` would exclude one another's properties, so the whole stays open.
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
    # Neither keyword is the stricter one, so the later part wins as the more specific.
    return common or right
