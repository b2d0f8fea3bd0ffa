"""Values that an overlay writes down itself, checked against the operation that takes them: a list where a list is
wanted, a word that is among the choices. A wrong one would only show as a refusal, or as "nothing found".
"""

from collections.abc import Iterator

from jinja2 import nodes

from contracts.action import AtomicAction, Operation
from contracts.base import Schema, Tree, Value
from registry.arguments import schema_problem
from registry.coerce import coerce
from registry.credentials import NO_SECRET, has_variables, writes_secret
from registry.faults import UnrenderableError
from registry.findings import Findings
from registry.options import fields_of, items_of, options_of
from registry.places import schema_at
from registry.request import target_of
from registry.sources import reads_of, requests_of
from registry.templates import FOR_EACH, VALUE, is_directive, parsed
from registry.yaml_file import Key


def check_constants(action: AtomicAction, findings: Findings) -> None:
    """Add a finding for each value written down in a request or a read that its operation does not take."""
    for key, template, operation in requests_of(action):
        places = {"path": template.path, "query": template.query, "header": template.header}
        for place, values in places.items():
            for name, tree in values.items():
                written = (*key, f"{place}.{name}") if key == ("bound",) else (*key, place, name)
                _check(written, tree, _schema_at(operation, f"{place}.{name}"), findings)
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
        said = len(findings.rows)
        for name, value in tree.items():
            _check((*key, name), value, _stated(fields.get(name)), findings)
        # Parameters put more into the body itself; anything else stands here whole, and must fit one of the options.
        if options_of(schema) and key[-1] != "body" and _is_plain(tree) and len(findings.rows) == said:
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
    """Whether a secret itself stands in the file, and would stand in caches and histories."""
    if key[0] == "bound" or isinstance(tree, dict | list):
        return False
    at = next((i for i, part in enumerate(key) if part in ("path", "query", "header", "body", "with")), len(key))
    names = [part for part in key[at + 1 :] if isinstance(part, str) and part != VALUE]
    return bool(names) and writes_secret(names, tree)


def _is_plain(tree: Tree) -> bool:
    """Whether nothing in a tree is worked out."""
    if isinstance(tree, str):
        return "{" not in tree
    inner = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return not is_directive(tree) and all(map(_is_plain, inner))


def _constants(tree: Tree) -> Iterator[Value]:
    """The values that a tree can only give: itself, or what a template holds ready ("{{ 'web' if a else 'desk' }}")."""
    if not isinstance(tree, str):
        yield tree
    elif has_variables(tree):
        return
    elif "{{" not in tree and "{%" not in tree:
        yield tree
    else:
        try:
            body = parsed(tree.strip(), "").body
        except UnrenderableError:
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
    except UnrenderableError as fault:
        return fault.reason


def _wanted(schema: Schema) -> str:
    if schema.get("enum"):
        return f"one of {', '.join(map(str, schema['enum'][:12]))}"
    return "write a list: `[…]`" if schema.get("type") == "array" else ""
