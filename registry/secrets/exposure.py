"""Checks that no value from the model reaches a secret's target: not by `in`, not by a template, not renamed on the
way.

An author may declare a parameter as not secret (`sensitive: false`). A warning reports that wherever the pack is
checked. It is not allowed where the name can only mean a secret (`registry/secrets/names.py`) or the document declares
one.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from contracts.action import ActionParameter, AtomicAction, Operation, ReadTemplate, RequestTemplate
from contracts.base import Node, Schema, Tree
from registry.errors import TemplateRenderError
from registry.http.request import split_path, target_of
from registry.openapi.schema_reading import entries_of, fields_of, parts_of
from registry.overlays.findings import Findings
from registry.overlays.yaml_file import Key
from registry.secrets.names import Sensitivity, path_grade, sensitivity
from registry.templating.templates import FOR_EACH, ITEM, VALUE, is_directive, names_of

_BOUND = "give its value under `bound`"
_SAY_SO = f"{_BOUND}; if it is no secret, say `sensitive: false` beside the parameter"

_ANSWERED = re.compile(r"\bresponse((?:\.\w+|\[[^\]]*\])+)")

Leaf = tuple[Key, list[str], str, frozenset[str]]
"""The key of a template text, the target it fills, the text, and the names in it that hold a model's values."""


def check_secrets(
    action: AtomicAction,
    requests: Iterable[tuple[Key, RequestTemplate, Operation]],
    reads: Iterable[tuple[Key, ReadTemplate]],
    findings: Findings,
) -> None:
    """Add a finding for each way by which a model's value would reach a secret's target."""
    for parameter in action.parameters:
        _check_parameter(action, parameter, findings)
    requests, reads = list(requests), list(reads)
    everything = frozenset(p.name for p in action.parameters) | {"request"}
    unsaid = everything - {p.name for p in action.parameters if p.sensitive is False}
    for given, least in ((everything, Sensitivity.CERTAIN), (unsaid, Sensitivity.LIKELY)):
        for leaf, operation in _every_leaf(action, requests, reads, given):
            if _grade_at(operation, leaf[1], None, whole=True) is least:
                _say_leaf(leaf, least, findings)
    _check_output(action, findings)


def _every_leaf(
    action: AtomicAction,
    requests: Iterable[tuple[Key, RequestTemplate, Operation]],
    reads: Iterable[tuple[Key, ReadTemplate]],
    given: frozenset[str],
) -> Iterator[tuple[Leaf, Operation]]:
    """Yield every template text that uses a name of `given`, parameters whose values come from the model."""
    # Where another action is the undo, `with` fills its parameters, whatever their names are there.
    renamed = action.compensation.values if action.compensation else {}
    of_undo = (given - renamed.keys()) | {name for name, tree in renamed.items() if _used(tree) & given}
    for key, template, operation in requests:
        for leaf in _leaves(key, template, of_undo if key[0] == "compensation" else given):
            yield leaf, operation
    for key, read in reads:
        for name, tree in read.inputs.items():
            path = split_path(target_of(read.operation, name))
            for leaf in _tree_leaves((*key, "with", name), path, tree, given):
                yield leaf, read.operation


def _check_parameter(action: AtomicAction, parameter: ActionParameter, findings: Findings) -> None:
    path = split_path(parameter.target or "")
    schema = parameter.json_schema
    found = max(
        sensitivity(parameter.name, schema, location=path[0] if path else ""), _grade_at(action.operation, path, schema)
    )
    key: Key = ("parameters", parameter.name)
    if parameter.sensitive is None and found > Sensitivity.NONE:
        hint = _BOUND if found is Sensitivity.CERTAIN else _SAY_SO
        findings.error(key, "is sensitive: no model may see it", hint)
    elif parameter.sensitive is False and found is Sensitivity.CERTAIN:
        reason = "cannot be declared not sensitive: it is a secret by its name or by the document"
        findings.error((*key, "sensitive"), reason, _BOUND)
    elif parameter.sensitive is False:
        location = parameter.target or "its templates"
        reason = f"a model fills in {location} as no secret, since its author says so (`sensitive: false`)"
        findings.warning((*key, "sensitive"), reason, "remove the line if it may hold a secret after all")


def _say_leaf(leaf: Leaf, found: Sensitivity, findings: Findings) -> None:
    key, path, _, names = leaf
    if names:
        reason = f"puts {', '.join(sorted(names))} into {'.'.join(path)}, which is sensitive: no model may fill it in"
        findings.error(key, reason, _BOUND if found is Sensitivity.CERTAIN else _SAY_SO)


def _check_output(action: AtomicAction, findings: Findings) -> None:
    """Check the model's view of a response: secrets in it are hidden, so no text may use them."""
    for index, path in enumerate(action.output.fields):
        if path_grade([part for part in split_path(path) if part != "*"]) > Sensitivity.NONE:
            hint = "leave it out; `answer` may tell the operator"
            findings.error(("output", "fields", index), f"{path} is sensitive: no model may see it", hint)
    for key, _, text, _ in _tree_leaves(("output", "shape"), [], action.output.shape, frozenset()):
        for path in _ANSWERED.findall(text):
            if path_grade(re.findall(r"\w+", path)) > Sensitivity.NONE:
                hint = "leave it out; `answer` may tell the operator"
                findings.error(key, f"{path} is sensitive: no model may see it", hint)


def _grade_at(operation: Operation, place: Sequence[str], schema: Node, *, whole: bool = False) -> Sensitivity:
    """Return how surely a target of an operation, `["body", "card", "number"]`, is a secret's; a `whole` one is filled
    without a check of its inside."""
    if len(place) < 2:
        return Sensitivity.NONE
    where, *path = place
    declared: Node = schema
    beside: Collection[str] = ()
    if where == "body":
        node: Schema | None = operation.body_schema
        for name in path:
            beside = fields_of(node or {})
            node = _inside(node, name)
        declared = declared or node
    else:
        wire = next((p for p in operation.parameters if (p.location, p.name) == (where, path[0])), None)
        declared = declared or (wire.json_schema if wire else None)
    if whole:
        declared = {k: v for k, v in parts_of(declared).items() if k in ("type", "format", "enum", "const")}
    return sensitivity(path[-1], declared, within=path[:-1], beside=beside, location=where)


def _inside(node: Schema | None, name: str) -> Schema | None:
    """Return the schema of a property, through lists and choices."""
    waiting: list[Node] = [node]
    for _ in range(32):
        if not waiting:
            return None
        part = parts_of(waiting.pop(0))
        found = parts_of(part.get("properties")).get(name)
        if isinstance(found, dict):
            return found
        options = [option for key in ("anyOf", "oneOf", "allOf") for option in entries_of(part.get(key))]
        waiting += [part.get("items"), *options]
    return None


def _leaves(key: Key, template: RequestTemplate, given: frozenset[str]) -> Iterator[Leaf]:
    for location in ("path", "query", "header"):
        for name, tree in getattr(template, location).items():
            if (location, name.lower()) == ("header", "cookie") and isinstance(tree, str):
                yield from _cookies((*key, location, name), tree, given)
            else:
                yield from _tree_leaves((*key, location, name), [location, name], tree, given)
    yield from _tree_leaves((*key, "body"), ["body"], template.body, given)


def _cookies(key: Key, text: str, given: frozenset[str]) -> Iterator[Leaf]:
    """Yield each cookie of a header by its name; all as one where they cannot be separated."""
    rows = [row.partition("=") for row in text.split(";")]
    plain = "{%" not in text and all(value.count("{{") == value.count("}}") for _, _, value in rows)
    for name, _, value in rows if plain else [("Cookie", "", text)]:
        yield key, ["cookie", name.strip()], value, frozenset(_names(value) & given)


def _tree_leaves(key: Key, path: list[str], tree: Tree, given: frozenset[str]) -> Iterator[Leaf]:
    if isinstance(tree, str):
        yield key, path, tree, frozenset(_names(tree) & given)
    elif is_directive(tree):
        inner = given
        if FOR_EACH in tree:
            filled = bool(_names(str(tree[FOR_EACH]), expression=True) & given)
            inner = given | {ITEM} if filled else given - {ITEM}
        yield from _tree_leaves((*key, VALUE), path, tree[VALUE], inner)
    elif isinstance(tree, dict):
        for name, value in tree.items():
            yield from _tree_leaves((*key, name), [*path, name], value, given)
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from _tree_leaves((*key, index), path, value, given)


def _used(tree: Tree) -> frozenset[str]:
    """Return every name that a tree's templates use."""
    if isinstance(tree, str):
        return frozenset(_names(tree))
    if is_directive(tree):
        rows = _names(str(tree[FOR_EACH]), expression=True) if FOR_EACH in tree else set[str]()
        return _used(tree[VALUE]) | rows
    inner = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return frozenset(name for value in inner for name in _used(value))


def _names(text: str, *, expression: bool = False) -> set[str]:
    try:
        return names_of(text, "", expression=expression)
    except TemplateRenderError:
        return set()  # another check reports it
