"""The keywords of one schema that hold no schemas: types, limits, choices. Sloppy notation is corrected where its
meaning is plain, such as a number among the choices of a text."""

import json
from collections.abc import Callable
from math import isfinite
from typing import NoReturn

from contracts.base import Node, Parts, Schema
from registry.openapi.references import NodeLocation
from registry.openapi.regex import is_pattern
from registry.openapi.schema_reading import distinct, written
from registry.text import word_set

Fault = Callable[[NodeLocation, str, str], NoReturn]

_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
_ALIASES: dict[str, str | None] = {
    **dict.fromkeys(("int", "int32", "int64", "long"), "integer"),
    **dict.fromkeys(("float", "double", "decimal"), "number"),
    **dict.fromkeys(("text", "date", "datetime", "date-time", "uuid", "file"), "string"),
    "bool": "boolean",
    "any": None,
    "": None,
}
_NUMBERS = word_set("minimum maximum minLength maxLength minItems maxItems minProperties maxProperties multipleOf")
_FLAGS = frozenset({"uniqueItems", "readOnly", "writeOnly"})
_TEXTS = frozenset({"format", "contentEncoding", "contentMediaType"})


def plain_keywords(raw: Parts, location: NodeLocation, fault: Fault) -> Schema:
    """Return the neutral form of every keyword of `raw` that holds no schema; `fault` is called for an invalid one."""
    result: Schema = {}
    types = _types(raw, location, fault)
    if types:
        result["type"] = written(types)
    for key in _NUMBERS & raw.keys():
        value = raw[key]
        if _is_number(value):
            result[key] = int(value) if isinstance(value, float) and value.is_integer() else value
    for key, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        value = raw.get(key)
        if value is True and limit in result:
            result[key] = result.pop(limit)
        elif _is_number(value):
            result[key] = value
    result |= {key: raw[key] for key in _FLAGS & raw.keys() if isinstance(raw[key], bool)}
    result |= {key: raw[key] for key in _TEXTS & raw.keys() if isinstance(raw[key], str)}
    if raw.get("default") is not None:
        result["default"] = raw["default"]
    if isinstance(raw.get("pattern"), str) and is_pattern(raw["pattern"]):
        result["pattern"] = raw["pattern"]
    if "const" in raw:
        result["enum"] = [raw["const"]]
    elif "enum" in raw:
        if not isinstance(raw["enum"], list):
            fault(location.under("enum"), "`enum` must be a list", "write the choices as a list")
        if choices := _choices(raw["enum"], types):
            result["enum"] = choices
    return result


def _is_number(value: Node) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole or (isinstance(value, float) and isfinite(value))


def _types(raw: Parts, location: NodeLocation, fault: Fault) -> list[str]:
    declared = raw.get("type")
    found: list[str] = []
    for kind in declared if isinstance(declared, list) else [] if declared is None else [declared]:
        text = kind if isinstance(kind, str) else "?"
        known = text if text in _TYPES else _ALIASES.get(text.lower(), "?")
        if known == "?":
            fault(location.under("type"), f"{kind!r} is no type", "one of " + ", ".join(sorted(_TYPES)))
        if known and known not in found:
            found.append(known)
    if not found and (isinstance(raw.get("properties"), dict) or isinstance(raw.get("patternProperties"), dict)):
        found = ["object"]
    if not found and ("items" in raw or "prefixItems" in raw):
        found = ["array"]
    return found


def _choices(values: list[Node], types: list[str]) -> list[Node]:
    """Return the choices that the type allows, converted to it where needed: YAML makes `1.0` a number."""
    if not types:
        return list(values)
    found: list[Node] = []
    for value in values:
        found += next((f for kind in types if (f := _fitted(value, kind))), [])
    return distinct(found)


def _fitted(value: Node, kind: str) -> list[Node]:
    """Return [`value` as `kind`], or [] when it cannot be converted."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    match kind:
        case "string" if number or isinstance(value, bool):
            return [json.dumps(value)]
        case "boolean" if isinstance(value, str):
            return [value.lower() == "true"] if value.lower() in ("true", "false") else []
        case "integer" | "number" if isinstance(value, int | float | str) and not isinstance(value, bool):
            return _as_number(value, whole=kind == "integer")
    kinds = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}
    return [value] if kind in kinds and isinstance(value, kinds[kind]) else []


def _as_number(value: float | str, *, whole: bool) -> list[Node]:
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return []
    if not isfinite(number) or (whole and not number.is_integer()):
        return []
    return [value if not whole and not isinstance(value, str) else int(number) if number.is_integer() else number]
