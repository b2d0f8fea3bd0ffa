"""Checks by the API document that a value from a response can have the type that a request needs there. Text where a
list is required never can, and would otherwise only show as a request that cannot be built.

The target of each text of a request or a read, and the schema that the operation has there.
"""

import re
from collections.abc import Collection, Iterator

from jinja2 import nodes

from contracts.action import AtomicAction, Operation
from contracts.base import Schema, Tree
from registry.http.request import split_path, target_of
from registry.lint.template_paths import PathLocation, Report, written
from registry.openapi.schema_reading import fields_of, items_of, types_of
from registry.overlays.template_sources import TemplateSource, reads_of, requests_of
from registry.overlays.yaml_file import Key
from registry.templating.templates import FOR_EACH, VALUE, is_directive, parsed

_WORDS = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
_WORDS |= {"array": "a list", "object": "an object"}
_FROM_TEXT = frozenset({"integer", "number", "boolean"})
"""The types that a text can be converted to if its content is right."""
_NUMBERS = frozenset({"integer", "number"})
_NO_NUMBER = frozenset({"date", "date-time", "time", "email", "uuid", "uri"})
_NUMBER = re.compile(r"-?[0-9.]+|true|false")


def check_fit(source: TemplateSource, spot: PathLocation, schema: Schema, say: Report) -> None:
    """Report when the template, whose value is at `spot`, cannot be what `schema` requires, or only for some values."""
    path, wanted, given = _path(source), _taken(schema), spot.declared.kinds()
    if not path or not wanted or not given or any(_fits(kind, wanted) for kind in given):
        return
    # A value that fits in the sample is accepted, whatever the document declares.
    if spot.seen is not None and any(_fits(kind, wanted) or _lucky(kind, wanted) for kind in spot.seen.kinds()):
        return
    lucky = any(_lucky(kind, wanted) for kind in given) and not _never_a_number(spot)
    message = f"{path} is {_or(given)} by the API document, and what it is put into takes {_or(wanted)}"
    say(message + (": only some texts are that" if lucky else ""), _way_out(path, wanted, lucky), not lucky)


def _path(source: TemplateSource) -> str:
    """Return the path that makes up all of a template; "" where there is anything more."""
    body = parsed(source.text.strip(), "").body
    if len(body) != 1 or not isinstance(body[0], nodes.Output) or len(body[0].nodes) != 1:
        return ""
    top = inner = body[0].nodes[0]
    while isinstance(inner, nodes.Getattr | nodes.Getitem):
        inner = inner.node
    return written(top) if isinstance(inner, nodes.Name) and inner is not top else ""


def _taken(schema: Schema) -> frozenset[str]:
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        found = [_taken(option) if isinstance(option, dict) else frozenset() for option in options]
        return frozenset().union(*found) if all(found) else frozenset()
    return frozenset(types_of(schema)) - {"null"}


def _fits(kind: str, wanted: Collection[str]) -> bool:
    """Return whether a value of that type is accepted after `coerce` has converted it."""
    plain = "string" in wanted and kind not in ("array", "object")
    return kind in wanted or plain or (kind in _NUMBERS and not _NUMBERS.isdisjoint(wanted))


def _lucky(kind: str, wanted: Collection[str]) -> bool:
    return kind == "string" and not _FROM_TEXT.isdisjoint(wanted)


def _never_a_number(spot: PathLocation) -> bool:
    words = spot.declared.words()
    listed = bool(words) and not any(_NUMBER.fullmatch(word) for word in words)
    return listed or spot.declared.schema.get("format") in _NO_NUMBER


def _or(kinds: Collection[str]) -> str:
    return " or ".join(_WORDS.get(kind, kind) for kind in sorted(kinds))


def _way_out(path: str, wanted: Collection[str], lucky: bool) -> str:
    if lucky:
        made = f"`{{{{ {path} == 'yes' }}}}`" if "boolean" in wanted else f"`{{{{ {path} | int }}}}`"
        return f"name another field, or make it one: {made}"
    return f'name another field, or write a list: `["{{{{ {path} }}}}"]`' if "array" in wanted else "name another field"


def target_schemas(action: AtomicAction) -> dict[Key, Schema]:
    """Return the schema of each text that an action sends, by where it is written; {} where the document does not
    declare any."""
    return {key: schema if isinstance(schema, dict) else {} for key, schema in _sent(action)}


def schema_at(operation: Operation, target: str) -> Schema | bool | None:
    """Return the schema of an operation at a target such as `body.filter.name`; None where it has no such target."""
    location, _, name = target.partition(".")
    if location != "body":
        wires = (p for p in operation.parameters if (p.location, p.name) == (location, name))
        return next((p.json_schema for p in wires), None)
    schema: Schema | bool | None = operation.body_schema
    for part in split_path(name):
        schema = fields_of(schema).get(part) if isinstance(schema, dict) else None
    return schema


def _sent(action: AtomicAction) -> Iterator[tuple[Key, Schema | bool | None]]:
    for key, template, operation in requests_of(action):
        for location in ("path", "query", "header"):
            for name, tree in getattr(template, location).items():
                yield from _leaves((*key, location, name), tree, schema_at(operation, f"{location}.{name}"))
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
