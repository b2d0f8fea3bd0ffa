"""Coerces a rendered value to the type that its operation declares. Templates may give text where an API wants a
number, or a number where it wants text. Nothing is guessed: a value that does not fit is an error."""

import re
from collections.abc import Iterable
from decimal import Decimal

from contracts.base import Schema, Value
from registry.errors import TemplateRenderError
from registry.openapi.regex import Validator
from registry.openapi.schema_reading import is_read_only, properties_of, required_of, types_of
from registry.templating.templates import PassedOnRows, Passthrough

_TYPES: dict[str, type | tuple[type, ...]] = {"null": type(None), "string": str, "array": list, "object": dict}
_TYPES |= {"integer": int, "number": (int, float)}
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,25})?")
"""A number in JSON's notation, short enough that every digit is significant."""
_EXACT = 2**53
"""The largest magnitude at which a float represents each integer exactly."""


def coerce(value: Value, schema: Schema, where: str, *, passed_on: bool = False) -> Value:
    """Return `value` as `schema` requires it, recursively, without readOnly properties. Raises TemplateRenderError.

    In a document that is `passed_on` whole, an empty optional field that the operation would reject is left out.
    """
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return _one_of(value, choices, where, passed_on)
    fitted = _typed(value, schema, where, passed_on or isinstance(value, Passthrough | PassedOnRows))
    _limits(fitted, schema, where)
    return fitted


def _one_of(value: Value, choices: Iterable[Schema], where: str, passed_on: bool) -> Value:
    faults: list[TemplateRenderError] = []
    # Prefer the option that the value already fits, because another one might drop properties that it does not declare.
    for option in sorted(choices, key=lambda option: (not _fits(value, option), not is_any(value, types_of(option)))):
        try:
            return coerce(value, option, where, passed_on=passed_on)
        except TemplateRenderError as fault:
            faults.append(fault)
    raise faults[0]


def _fits(value: Value, schema: Schema) -> bool:
    return bool(Validator(schema).is_valid(value))


def _typed(value: Value, schema: Schema, where: str, passed_on: bool) -> Value:
    types = types_of(schema)
    if isinstance(value, dict) and (not types or "object" in types):
        return _object(value, schema, where, passed_on)
    if isinstance(value, list) and (not types or "array" in types):
        first, items = schema.get("prefixItems") or [], schema.get("items")
        rules = [*first, *([items if isinstance(items, dict) else {}] * (len(value) - len(first)))]
        return [coerce(v, rules[i], f"{where}[{i}]", passed_on=passed_on) for i, v in enumerate(value)]
    if value is None and _allows_null(schema):
        return None
    if value is not None and (not types or is_any(value, types)):
        return value
    if value is None:
        raise TemplateRenderError(where, "is empty; say `when:` to leave it out")
    for kind in types:
        fitted = converted(value, kind)
        if fitted is not None:
            return fitted
    raise TemplateRenderError(where, f"{value!r} is not of type {' or '.join(types)}")


def _allows_null(schema: Schema) -> bool:
    if schema.get("anyOf") or schema.get("oneOf"):
        return any(_allows_null(option) for option in schema.get("anyOf") or schema["oneOf"])
    types = types_of(schema)
    return "null" in types if types else schema.get("nullable") is True or None in schema.get("enum", [None])


def is_any(value: Value, types: Iterable[str]) -> bool:
    """Return whether a value is of one of these types."""
    return any(_is(value, kind) for kind in types)


def _is(value: Value, kind: str) -> bool:
    return kind == "boolean" if isinstance(value, bool) else isinstance(value, _TYPES.get(kind, ()))


def converted(value: Value, kind: str) -> Value:
    """Return `value` as `kind`, or None when the conversion would lose or invent something: "015" is not a number, 15.5
    not an integer."""
    if isinstance(value, bool):
        return ("true" if value else "false") if kind == "string" else None
    if isinstance(value, int | float):
        if isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
            value = int(value)
        text = str(value)
        if kind == "string":
            return text if _NUMBER.fullmatch(text) else None
        return value if kind == "integer" and isinstance(value, int) else None
    if not isinstance(value, str):
        return None
    if kind == "boolean":
        return {"true": True, "false": False}.get(value)
    return _number(value, kind) if kind in ("integer", "number") and _NUMBER.fullmatch(value) else None


def _number(text: str, kind: str) -> Value:
    exact = Decimal(text)
    if exact == exact.to_integral_value():
        return int(exact)
    near = float(text)
    return near if kind == "number" and Decimal(repr(near)) == exact else None


def _object(value: dict[str, Value], schema: Schema, where: str, passed_on: bool) -> dict[str, Value]:
    properties, required = properties_of(schema), required_of(schema)
    extra = schema.get("additionalProperties")
    result: dict[str, Value] = {}
    for name, inner in value.items():
        known = properties.get(name)
        if is_read_only(known) or (known is None and extra is False):
            continue
        rule = known if isinstance(known, dict) else extra if isinstance(extra, dict) else {}
        if inner is None and passed_on and name not in required and not _allows_null(rule):
            continue
        result[name] = coerce(inner, rule, f"{where}.{name}", passed_on=passed_on)
    missing = [name for name in required if name not in result]
    if missing:
        raise TemplateRenderError(where, f"the operation requires {', '.join(missing)}")
    return result


def _limits(value: Value, schema: Schema, where: str) -> None:
    choices, longest = schema.get("enum"), schema.get("maxLength")
    if choices and value is not None and value not in choices:
        raise TemplateRenderError(where, f"{value!r} is not one of {', '.join(map(str, choices))}")
    if isinstance(longest, int | float) and isinstance(value, str) and len(value) > longest:
        raise TemplateRenderError(where, f"is {len(value)} characters long; at most {int(longest)} are allowed")
