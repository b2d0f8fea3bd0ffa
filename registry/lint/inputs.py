"""Checks the names that an overlay gives to an operation, in requests and in the `with` of reads: the operation must
take each.

Check of names under `bound` that are sent although no operation declares them. A near miss of a declared name is
most likely a typing error, and the venue would ignore the value.
"""

from collections.abc import Collection
from difflib import SequenceMatcher

from contracts.action import AtomicAction, Operation, ReadTemplate, RequestTemplate
from contracts.base import Schema, Tree
from registry.errors import did_you_mean
from registry.http.request import split_path, target_of
from registry.lint.types import schema_at
from registry.openapi.schema_reading import fields_of, is_open, items_of
from registry.overlays.findings import Findings
from registry.overlays.models import OverlayFile
from registry.overlays.yaml_file import Key
from registry.templating.templates import FOR_EACH, VALUE, is_directive

_PLACES = ("path", "query", "header", "cookie", "body")


def check_read_inputs(key: Key, read: ReadTemplate, findings: Findings) -> None:
    """Add a finding for each input of a read, at any depth, that its operation does not know, and for each required one
    that is missing."""
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
    """Return the most likely intended name for one that the operation does not know, "" where there is no likely one;
    None for a name that it knows."""
    wires = [f"{p.location}.{p.name}" for p in operation.parameters]
    tops = [f"body.{part}" for part in fields_of(operation.body_schema or {})]
    if target in wires or _in_body(operation, target):
        return None
    if name in _PLACES:
        whole = [known for known in (*wires, *tops) if known.partition(".")[2] == name]
        return f"did you mean {whole[0]}?" if whole else f"say what of it: `{name}.NAME`"
    if name != target and "." not in name:
        return did_you_mean(name, [known.partition(".")[2] for known in (*wires, *tops)])
    wrong, beside = _first_unknown(operation, target)
    if name == target:
        return did_you_mean(wrong, [*wires, *beside])
    return did_you_mean(wrong.partition(".")[2], [known.partition(".")[2] for known in (*wires, *beside)])


def _in_body(operation: Operation, target: str) -> bool:
    """Return whether a body may have a value at a target. It may wherever the document leaves that open."""
    location, _, name = target.partition(".")
    schema: Schema | bool | None = operation.body_schema
    if location != "body" or not name or schema is None:
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
    """Return a target up to its first unknown name in the body, and the targets that exist there."""
    schema: Schema | bool | None = operation.body_schema
    prefix = "body"
    for part in split_path(target)[1:] if target.startswith("body.") else ():
        known = fields_of(schema) if isinstance(schema, dict) else {}
        if part not in known:
            return f"{prefix}.{part}", [f"{prefix}.{name}" for name in known]
        schema, prefix = known[part], f"{prefix}.{part}"
    return target, []


def check_targets(key: Key, template: RequestTemplate, operation: Operation, findings: Findings) -> None:
    """Add a finding for each name in a request that its operation does not know."""
    for location in ("path", "query", "header"):
        declared = [p.name for p in operation.parameters if p.location == location]
        for name in getattr(template, location):
            if name not in declared and location != "header":
                findings.error(
                    (*key, location, name), f"{operation.key} has no such parameter", did_you_mean(name, declared)
                )
    if template.body is not None and operation.body_schema is None:
        findings.error((*key, "body"), f"{operation.key} takes no body")
    else:
        _check_tree((*key, "body"), template.body, operation.body_schema or {}, findings)


def _check_tree(key: Key, tree: Tree, schema: Schema | bool | None, findings: Findings) -> None:
    """Add findings for names in a body that the operation's schema does not know."""
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
                findings.error((*key, name), f"the operation's body has no {name}", did_you_mean(name, fields))
            else:
                _check_tree((*key, name), value, fields.get(name), findings)


_ALIKE = 0.85
"""X-Client and X-Client-Id are less similar than this, because both may be intended."""


def check_bound_names(action: AtomicAction, overlay: OverlayFile, findings: Findings) -> None:
    """Add a finding for each name in an overlay's `bound` that is nearly one of the operation's."""
    given = {parameter.target or "" for parameter in action.parameters} | {*overlay.bound}
    if action.request is not None:
        given |= {f"header.{name}" for name in action.request.header}
    for target in overlay.bound:
        hint = near_miss(target, action.operation, given | {f"header.{action.idempotency_header}"})
        if hint and target.partition(".")[0] in ("header", "cookie"):
            findings.warning(
                ("bound", target), f"{action.operation.key} declares no such place, though it is sent", hint
            )


def near_miss(target: str, operation: Operation, given: Collection[str]) -> str:
    """Return a hint with the operation's most similar name that nothing fills; "" where there is none."""
    location, _, name = target.partition(".")
    declared = [p.name for p in operation.parameters if p.location == location]
    if name.lower() in map(str.lower, declared):
        return ""
    given = {other.lower() for other in given}
    open_ = [other for other in declared if f"{location}.{other}".lower() not in given]
    scored = [(SequenceMatcher(None, name.lower(), other.lower()).ratio(), other) for other in open_]
    likeness, best = max(scored, default=(0.0, ""))
    return f"did you mean {location}.{best}?" if likeness >= _ALIKE else ""
