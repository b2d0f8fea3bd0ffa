"""A model's arguments in the types that an action wants: models write `"15"` for 15, and 8231 for "8231".

Only what loses and invents nothing is changed, all the way down. Whatever else is wrong stays as it was written and is
told by `registry/arguments.py`.
"""

from collections.abc import Mapping

from contracts import bounds
from contracts.action import AtomicAction
from contracts.base import Node, Schema, Value
from registry.arguments import is_placeholder
from registry.coerce import converted, is_any
from registry.neutral import properties_of, types_of
from registry.validation import Validator


def fitted_arguments(action: AtomicAction, arguments: Mapping[str, Value]) -> dict[str, Value]:
    """The arguments, each as its parameter's schema has it where that can be done."""
    schemas = {p.name: p.json_schema for p in action.parameters}
    return {name: _fitted(value, schemas.get(name)) for name, value in arguments.items()}


def _fitted(value: Value, schema: Node) -> Value:
    if not isinstance(schema, dict) or value is None or is_placeholder(value):
        return value
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        return _by_option(value, schema, options)
    types = types_of(schema)
    if isinstance(value, str) and not is_any(value, types) and {"array", "object"} & {*types}:
        value = _document(value, types)
    if isinstance(value, list):
        first, items = schema.get("prefixItems") or [], schema.get("items")
        return [_fitted(one, first[place] if place < len(first) else items) for place, one in enumerate(value)]
    if isinstance(value, dict):
        known, other = properties_of(schema), schema.get("additionalProperties")
        return {name: _fitted(one, known.get(name, other)) for name, one in value.items()}
    if not types or is_any(value, types):
        return value
    return next((found for kind in types if (found := converted(value, kind)) is not None), value)


def _by_option(value: Value, schema: Schema, options: list[Node]) -> Value:
    """As the first option has it that takes it so; as it is where one takes it as it is."""
    if Validator(schema).is_valid(value):
        return value
    tries = [(fitted, option) for option in options if (fitted := _fitted(value, option)) != value]
    return next((fitted for fitted, option in tries if Validator(option).is_valid(fitted)), value)


def _document(text: str, types: list[str]) -> Value:
    """A list or an object that was written as a text of JSON."""
    try:
        found: Value = bounds.parsed(text, bounds.ARGUMENT_DEPTH)
    except ValueError:
        return text
    return found if isinstance(found, list | dict) and is_any(found, types) else text
