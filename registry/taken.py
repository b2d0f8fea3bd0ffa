"""Names that an overlay gives to an operation, in requests and the `with` of reads: each must be one that it takes."""

from contracts.action import Operation, ReadTemplate, RequestTemplate
from contracts.base import Schema, Tree
from registry.faults import nearest
from registry.findings import Findings
from registry.options import fields_of, is_open, items_of
from registry.places import schema_at
from registry.request import target_of
from registry.targets import split_path
from registry.templates import FOR_EACH, VALUE, is_directive
from registry.yaml_file import Key

_PLACES = ("path", "query", "header", "cookie", "body")


def check_read(key: Key, read: ReadTemplate, findings: Findings) -> None:
    """Add a finding for each input of a read that its operation does not know, however deep, and for each that it
    lacks."""
    operation = read.operation
    given = {name: target_of(operation, name) for name in read.inputs}
    for name, target in given.items():
        hint = _unknown(operation, name, target)
        if hint is not None:
            findings.error((*key, "with", name), f"{operation.key} has no {name}", hint)
        elif target.startswith("body."):
            _check_tree((*key, "with", name), read.inputs[name], schema_at(operation, target), findings)
    for wire in operation.parameters:
        if wire.required and f"{wire.location}.{wire.name}" not in given.values():
            findings.error((*key, "with"), f"{operation.key} requires {wire.name}")


def _unknown(operation: Operation, name: str, target: str) -> str | None:
    """What was probably meant by a name that an operation does not know, "" where that cannot be told; None for one
    that it knows."""
    wires = [f"{p.location}.{p.name}" for p in operation.parameters]
    tops = [f"body.{part}" for part in fields_of(operation.body_schema or {})]
    if target in wires or _in_body(operation, target):
        return None
    if name in _PLACES:
        whole = [known for known in (*wires, *tops) if known.partition(".")[2] == name]
        return f"did you mean {whole[0]}?" if whole else f"say what of it: `{name}.NAME`"
    if name != target and "." not in name:
        return nearest(name, [known.partition(".")[2] for known in (*wires, *tops)])
    wrong, beside = _first_unknown(operation, target)
    if name == target:
        return nearest(wrong, [*wires, *beside])
    return nearest(wrong.partition(".")[2], [known.partition(".")[2] for known in (*wires, *beside)])


def _in_body(operation: Operation, target: str) -> bool:
    """Whether a body may have something at a target, which is so wherever the document leaves that open."""
    place, _, name = target.partition(".")
    schema: Schema | bool | None = operation.body_schema
    if place != "body" or not name or schema is None:
        return False
    for part in split_path(name):
        if not isinstance(schema, dict):
            return schema is not False
        fields = fields_of(schema)
        if part not in fields and (not fields or is_open(schema)):
            return True
        schema = fields.get(part, False)
    return schema is not False


def _first_unknown(operation: Operation, target: str) -> tuple[str, list[str]]:
    """As much of a target as ends with the first name in the body that is unknown, and the targets that stand there."""
    schema: Schema | bool | None = operation.body_schema
    prefix = "body"
    for part in split_path(target)[1:] if target.startswith("body.") else ():
        known = fields_of(schema) if isinstance(schema, dict) else {}
        if part not in known:
            return f"{prefix}.{part}", [f"{prefix}.{name}" for name in known]
        schema, prefix = known[part], f"{prefix}.{part}"
    return target, []


def check_places(key: Key, template: RequestTemplate, operation: Operation, findings: Findings) -> None:
    """Add a finding for each name in a request that its operation does not know."""
    for place in ("path", "query", "header"):
        declared = [p.name for p in operation.parameters if p.location == place]
        for name in getattr(template, place):
            if name not in declared and place != "header":
                findings.error((*key, place, name), f"{operation.key} has no such parameter", nearest(name, declared))
    if template.body is not None and operation.body_schema is None:
        findings.error((*key, "body"), f"{operation.key} takes no body")
    else:
        _check_tree((*key, "body"), template.body, operation.body_schema or {}, findings)


def _check_tree(key: Key, tree: Tree, schema: Schema | bool | None, findings: Findings) -> None:
    """Names in a body that the operation's schema does not know."""
    if not isinstance(schema, dict):
        return
    if is_directive(tree):
        inner = items_of(schema) if FOR_EACH in tree else schema
        _check_tree((*key, VALUE), tree[VALUE], inner, findings)
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            _check_tree((*key, index), value, items_of(schema), findings)
    elif isinstance(tree, dict):
        fields = fields_of(schema)
        for name, value in tree.items():
            if fields and name not in fields and not is_open(schema):
                findings.error((*key, name), f"the operation's body has no {name}", nearest(name, fields))
            else:
                _check_tree((*key, name), value, fields.get(name), findings)
