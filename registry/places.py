"""Where each text of a request or a read goes, and what the operation takes there."""

from collections.abc import Iterator

from contracts.action import AtomicAction, Operation
from contracts.base import Schema, Tree
from registry.options import fields_of, items_of
from registry.request import target_of
from registry.sources import reads_of, requests_of
from registry.targets import split_path
from registry.templates import FOR_EACH, VALUE, is_directive
from registry.yaml_file import Key


def schemas_by_place(action: AtomicAction) -> dict[Key, Schema]:
    """The schema of each text that an action sends, by where it is written; {} where the document says nothing."""
    return {key: schema if isinstance(schema, dict) else {} for key, schema in _sent(action)}


def schema_at(operation: Operation, target: str) -> Schema | bool | None:
    """What an operation takes at a target such as `body.filter.name`; None where it knows no such place."""
    place, _, name = target.partition(".")
    if place != "body":
        wires = (p for p in operation.parameters if (p.location, p.name) == (place, name))
        return next((p.json_schema for p in wires), None)
    schema: Schema | bool | None = operation.body_schema
    for part in split_path(name):
        schema = fields_of(schema).get(part) if isinstance(schema, dict) else None
    return schema


def _sent(action: AtomicAction) -> Iterator[tuple[Key, Schema | bool | None]]:
    for key, template, operation in requests_of(action):
        for place in ("path", "query", "header"):
            for name, tree in getattr(template, place).items():
                yield from _leaves((*key, place, name), tree, schema_at(operation, f"{place}.{name}"))
        yield from _leaves((*key, "body"), template.body, operation.body_schema)
    for key, read in reads_of(action):
        for name, tree in read.inputs.items():
            target = target_of(read.operation, name)
            yield from _leaves((*key, "with", name), tree, schema_at(read.operation, target))


def _leaves(key: Key, tree: Tree, schema: Schema | bool | None) -> Iterator[tuple[Key, Schema | bool | None]]:
    rules = schema if isinstance(schema, dict) else {}
    if isinstance(tree, str):
        yield key, schema
    elif is_directive(tree):
        yield from _leaves((*key, VALUE), tree[VALUE], items_of(rules) if FOR_EACH in tree else schema)
    elif isinstance(tree, dict):
        for name, value in tree.items():
            yield from _leaves((*key, name), value, fields_of(rules).get(name))
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from _leaves((*key, index), value, items_of(rules))
