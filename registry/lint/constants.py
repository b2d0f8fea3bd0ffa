"""Checks the literal values of an overlay against the operation that takes them: a list where a list is required, a
value that is one of the choices. Otherwise a wrong value would only show as a rejection, or as "nothing found"."""

from collections.abc import Iterator

from jinja2 import nodes

from contracts.action import AtomicAction, Operation
from contracts.base import Schema, Tree, Value
from registry.errors import TemplateRenderError
from registry.http.coerce import coerce
from registry.http.credentials import NO_SECRET, has_variables, writes_secret
from registry.http.request import target_of
from registry.lint.types import schema_at
from registry.openapi.schema_reading import fields_of, items_of, options_of
from registry.overlays.findings import Findings
from registry.overlays.template_sources import reads_of, requests_of
from registry.overlays.yaml_file import Key
from registry.templating.templates import FOR_EACH, VALUE, is_directive, parsed
from registry.tools.arguments import schema_problem


def check_constants(action: AtomicAction, findings: Findings) -> None:
    """Add a finding for each literal value in a request or a read that its operation does not take."""
    for key, template, operation in requests_of(action):
        places = {"path": template.path, "query": template.query, "header": template.header}
        for location, values in places.items():
            for name, tree in values.items():
                written = (*key, f"{location}.{name}") if key == ("bound",) else (*key, location, name)
                _check(written, tree, _schema_at(operation, f"{location}.{name}"), findings)
        if key == ("bound",) and isinstance(template.body, dict):
            for name, tree in template.body.items():
                _check((*key, f"body.{name}"), tree, _schema_at(operation, f"body.{name}"), findings)
        else:
            _check((*key, "body"), template.body, operation.body_schema, findings)
    for key, read in reads_of(action):
        for name, tree in read.inputs.items():
            _check((*key, "with", name), tree, _schema_at(read.operation, target_of(read.operation, name)), findings)


def _schema_at(operation: Operation, target: str) -> Schema | None:
    return _stated(schema_at(operation, target))


def _stated(found: Schema | bool | None) -> Schema | None:
    return found if isinstance(found, dict) else None


def _check(key: Key, tree: Tree, schema: Schema | None, findings: Findings) -> None:
    if _is_written_secret(key, tree):
        findings.error(key, NO_SECRET, "give it under `bound`")
        return
    if not schema or (tree is None and key[-1] == "body"):
        return
    if is_directive(tree):
        items = items_of(schema) if FOR_EACH in tree else schema
        _check((*key, VALUE), tree[VALUE], _stated(items), findings)
    elif isinstance(tree, dict) and (fields := fields_of(schema)):
        before = len(findings.rows)
        for name, value in tree.items():
            _check((*key, name), value, _stated(fields.get(name)), findings)
        # Parameters add to the body itself; anything else is complete here and must fit one of the options.
        if options_of(schema) and key[-1] != "body" and _is_plain(tree) and len(findings.rows) == before:
            _check_value(key, tree, schema, findings)
    elif isinstance(tree, list) and isinstance(items_of(schema), dict):
        for index, value in enumerate(tree):
            _check((*key, index), value, _stated(items_of(schema)), findings)
    elif not isinstance(tree, dict | list) or _is_plain(tree):
        for value in _constants(tree):
            _check_value(key, value, schema, findings)


def _check_value(key: Key, value: Value, schema: Schema, findings: Findings) -> None:
    problem = _problem(value, schema)
    if problem:
        findings.error(key, f"the operation does not take this: {problem}", _wanted(schema))


def _is_written_secret(key: Key, tree: Tree) -> bool:
    """Return whether the file contains a literal secret, which would get into caches and histories."""
    if key[0] == "bound" or isinstance(tree, dict | list):
        return False
    at = next((i for i, part in enumerate(key) if part in ("path", "query", "header", "body", "with")), len(key))
    names = [part for part in key[at + 1 :] if isinstance(part, str) and part != VALUE]
    return bool(names) and writes_secret(names, tree)


def _is_plain(tree: Tree) -> bool:
    """Return whether a tree contains no template."""
    if isinstance(tree, str):
        return "{" not in tree
    inner = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return not is_directive(tree) and all(map(_is_plain, inner))


def _constants(tree: Tree) -> Iterator[Value]:
    """Yield the only values that a tree can give: itself, or the literals of a template ("{{ 'web' if a else 'desk'
    }}")."""
    if not isinstance(tree, str):
        yield tree
    elif has_variables(tree):
        return
    elif "{{" not in tree and "{%" not in tree:
        yield tree
    else:
        try:
            body = parsed(tree.strip(), "").body
        except TemplateRenderError:
            return
        if len(body) == 1 and isinstance(body[0], nodes.Output) and len(body[0].nodes) == 1:
            yield from _ready(body[0].nodes[0])


def _ready(node: nodes.Node | None) -> Iterator[Value]:
    match node:
        case nodes.Const() if node.value is not None:
            yield node.value
        case nodes.CondExpr():
            yield from _ready(node.expr1)
            yield from _ready(node.expr2)
        case nodes.Or():
            yield from _ready(node.right)
        case nodes.Filter() if node.name == "default" and node.args:
            yield from _ready(node.args[0])


def _problem(value: Value, schema: Schema) -> str | None:
    try:
        return schema_problem(schema, coerce(value, schema, ""))
    except TemplateRenderError as fault:
        return fault.reason


def _wanted(schema: Schema) -> str:
    if schema.get("enum"):
        return f"one of {', '.join(map(str, schema['enum'][:12]))}"
    return "write a list: `[…]`" if schema.get("type") == "array" else ""
