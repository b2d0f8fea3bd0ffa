"""Splits a request body into fields for a draft: the model is asked for what an operator would say (`firstName`), not
for an object."""

from collections.abc import Iterator
from typing import NamedTuple

from contracts.action import Operation
from contracts.base import Schema
from registry.http.request import split_path
from registry.openapi.schema_reading import fields_of, is_read_only, needed_of, properties_of, required_of, types_of

_DEEPEST = 2
"""The maximum depth of an optional field in objects; required fields are followed further."""

_DEEPEST_NEEDED = 4
_WIDEST = 30
_MOST_CELLS = 4
CELL = "[]."
"""In a target, between a list and a field of its rows: `body.items[].quantity`."""


class BodyField(NamedTuple):
    """One field of a body. `forced`: it is optional in the document, but a value is needed in its place. `beside` are
    the names of its siblings, `parts` those inside an object that was left whole."""

    target: str
    required: bool
    schema: Schema | bool
    beside: tuple[str, ...] = ()
    forced: bool = False
    parts: tuple[str, ...] = ()


def leaves_of(operation: Operation, apart: bool = True) -> Iterator[BodyField]:
    """Yield every field of the body, in the document's order; objects whole unless `apart`."""
    body = operation.body_schema
    if body is None:
        return
    if not fields_of(body):
        yield BodyField("body", operation.body_required, body)
        return
    yield from _inside("body", body, True, 0 if apart else _DEEPEST_NEEDED)


def _inside(target: str, schema: Schema, required: bool, depth: int) -> Iterator[BodyField]:
    inner, must = fields_of(schema), needed_of(schema)
    for name, part in inner.items():
        if not is_read_only(part):
            here, needed = f"{target}.{name.replace('.', chr(92) + '.')}", required and name in must
            yield from _one(BodyField(here, needed, part, tuple(inner)), depth + 1)


def _one(leaf: BodyField, depth: int) -> Iterator[BodyField]:
    schema = leaf.schema if isinstance(leaf.schema, dict) else {}
    inner = fields_of(schema)
    if leaf.required and depth <= _DEEPEST_NEEDED and _is_table(schema):
        yield from _cells(leaf, schema.get("items") or {}) or [leaf]
        return
    deepest = _DEEPEST_NEEDED if leaf.required else _DEEPEST
    if not inner or len(inner) > _WIDEST or depth >= deepest or "anyOf" in schema or "oneOf" in schema:
        yield leaf._replace(parts=tuple(inner))
        return
    found = list(_inside(leaf.target, schema, leaf.required, depth))
    if leaf.required and not any(one.required for one in found):
        # A required object without a required field would be sent empty, so one of its fields is required.
        first = next((i for i, one in enumerate(found) if is_value(one.schema)), None)
        if first is None:
            yield leaf._replace(parts=tuple(inner))
            return
        found[first] = found[first]._replace(required=True, forced=True)
    yield from found


def _is_table(schema: Schema) -> bool:
    items = schema.get("items")
    return "array" in types_of(schema) and isinstance(items, dict) and bool(properties_of(items))


def _cells(leaf: BodyField, row: Schema) -> list[BodyField]:
    """Return the fields of one row of a list: the required ones, else the first values. [] if a row does not consist of
    values."""
    inner = {name: part for name, part in properties_of(row).items() if not is_read_only(part)}
    must = required_of(row)
    if any("." in name or not is_value(inner.get(name, False)) for name in must) or "." in split_path(leaf.target)[-1]:
        return []
    chosen = must or [name for name, part in inner.items() if is_value(part) and "." not in name][:_MOST_CELLS]
    return [
        BodyField(f"{leaf.target}{CELL}{name}", bool(must) or not i, inner[name], tuple(inner), True)
        for i, name in enumerate(chosen)
    ]  # fmt: skip


def is_value(schema: Schema | bool) -> bool:
    """Return whether a schema is one value, which an operator can say, and no list or object."""
    kinds = {kind for kind in types_of(schema) if kind != "null"} if isinstance(schema, dict) else set()
    return bool(kinds) and kinds <= {"string", "integer", "number", "boolean"}
