"""The body of a request, taken apart for a first draft: a model is asked for what a person would say (`firstName`), not
for an object that nobody could."""

from collections.abc import Iterator
from typing import NamedTuple

from contracts.action import Operation
from contracts.base import Schema
from registry.neutral import is_read_only, properties_of, required_of, types_of
from registry.options import fields_of, needed_of
from registry.targets import split_path

_DEEPEST = 2
"""How many objects a leaf that may be left out lies in at most; what must be given is followed further."""

_DEEPEST_NEEDED = 4
_WIDEST = 30
_MOST_CELLS = 4
CELL = "[]."
"""In a target, between a list and what one row of it holds: `body.items[].quantity`."""


class Leaf(NamedTuple):
    """One thing inside a body. `forced`: the document lets it be left out, and yet something must be given in its
    place; `beside` are the names that it stands among, `parts` those inside what was left whole."""

    target: str
    required: bool
    schema: Schema | bool
    beside: tuple[str, ...] = ()
    forced: bool = False
    parts: tuple[str, ...] = ()


def leaves_of(operation: Operation, apart: bool = True) -> Iterator[Leaf]:
    """Everything that the body takes, in the document's order; the objects in it whole, unless `apart`."""
    body = operation.body_schema
    if body is None:
        return
    if not fields_of(body):
        yield Leaf("body", operation.body_required, body)
        return
    yield from _inside("body", body, True, 0 if apart else _DEEPEST_NEEDED)


def _inside(target: str, schema: Schema, required: bool, depth: int) -> Iterator[Leaf]:
    inner, must = fields_of(schema), needed_of(schema)
    for name, part in inner.items():
        if not is_read_only(part):
            here, needed = f"{target}.{name.replace('.', chr(92) + '.')}", required and name in must
            yield from _one(Leaf(here, needed, part, tuple(inner)), depth + 1)


def _one(leaf: Leaf, depth: int) -> Iterator[Leaf]:
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
        # It must be there and nothing in it must: then a part of it is asked for, lest it be sent empty.
        first = next((i for i, one in enumerate(found) if is_value(one.schema)), None)
        if first is None:
            yield leaf._replace(parts=tuple(inner))
            return
        found[first] = found[first]._replace(required=True, forced=True)
    yield from found


def _is_table(schema: Schema) -> bool:
    items = schema.get("items")
    return "array" in types_of(schema) and isinstance(items, dict) and bool(properties_of(items))


def _cells(leaf: Leaf, row: Schema) -> list[Leaf]:
    """What one row of a list holds: what it must, else the first values. [] where a row cannot be said in values."""
    inner = {name: part for name, part in properties_of(row).items() if not is_read_only(part)}
    must = required_of(row)
    if any("." in name or not is_value(inner.get(name, False)) for name in must) or "." in split_path(leaf.target)[-1]:
        return []
    chosen = must or [name for name, part in inner.items() if is_value(part) and "." not in name][:_MOST_CELLS]
    return [
        Leaf(f"{leaf.target}{CELL}{name}", bool(must) or not i, inner[name], tuple(inner), True)
        for i, name in enumerate(chosen)
    ]  # fmt: skip


def is_value(schema: Schema | bool) -> bool:
    """Whether it is one value, which a person can say, and no list or object."""
    kinds = {kind for kind in types_of(schema) if kind != "null"} if isinstance(schema, dict) else set()
    return bool(kinds) and kinds <= {"string", "integer", "number", "boolean"}
