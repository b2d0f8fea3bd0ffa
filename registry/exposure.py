"""No value that a model fills in may reach a secret's place: not by `in`, not by any template, not renamed on the way.

A parameter may be said to be none (`sensitive: false`), in the open: a warning says so wherever the pack is checked.
Not where the place can mean nothing but a secret (`registry/sensitive.py`) or the document says that it is one.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from contracts.action import ActionParameter, AtomicAction, Operation, ReadTemplate, RequestTemplate
from contracts.base import Node, Schema, Tree
from registry.faults import UnrenderableError
from registry.findings import Findings
from registry.nodes import entries_of, parts_of
from registry.options import fields_of
from registry.request import target_of
from registry.sensitive import Grade, grade, path_grade
from registry.targets import split_path
from registry.templates import FOR_EACH, ITEM, VALUE, is_directive, names_of
from registry.yaml_file import Key

_BOUND = "give its value under `bound`"
_SAY_SO = f"{_BOUND}; if it is no secret, say `sensitive: false` beside the parameter"

_ANSWERED = re.compile(r"\bresponse((?:\.\w+|\[[^\]]*\])+)")

Leaf = tuple[Key, list[str], str, frozenset[str]]
"""Where a template text stands, the place it fills, the text, and the names in it that hold a model's values."""


def check_secrets(
    action: AtomicAction,
    requests: Iterable[tuple[Key, RequestTemplate, Operation]],
    reads: Iterable[tuple[Key, ReadTemplate]],
    findings: Findings,
) -> None:
    """Add a finding for each way by which a model's value would reach a secret's place."""
    for parameter in action.parameters:
        _check_parameter(action, parameter, findings)
    requests, reads = list(requests), list(reads)
    everything = frozenset(p.name for p in action.parameters) | {"request"}
    unsaid = everything - {p.name for p in action.parameters if p.sensitive is False}
    for given, least in ((everything, Grade.CERTAIN), (unsaid, Grade.LIKELY)):
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
    """Every template text that holds something of `given`, parameters whose values a model fills in."""
    # Where another action is the undo, `with` fills its parameters, whatever they are called there.
    renamed = action.compensation.values if action.compensation else {}
    of_undo = (given - renamed.keys()) | {name for name, tree in renamed.items() if _used(tree) & given}
    for key, template, operation in requests:
        for leaf in _leaves(key, template, of_undo if key[0] == "compensation" else given):
            yield leaf, operation
    for key, read in reads:
        for name, tree in read.inputs.items():
            place = split_path(target_of(read.operation, name))
            for leaf in _tree_leaves((*key, "with", name), place, tree, given):
                yield leaf, read.operation


def _check_parameter(action: AtomicAction, parameter: ActionParameter, findings: Findings) -> None:
    path = split_path(parameter.target or "")
    schema = parameter.json_schema
    found = max(grade(parameter.name, schema, place=path[0] if path else ""), _grade_at(action.operation, path, schema))
    key: Key = ("parameters", parameter.name)
    if parameter.sensitive is None and found > Grade.NONE:
        hint = _BOUND if found is Grade.CERTAIN else _SAY_SO
        findings.error(key, "is sensitive: no model may see it", hint)
    elif parameter.sensitive is False and found is Grade.CERTAIN:
        reason = "cannot be said not to be sensitive: it is a secret by its name or by the document"
        findings.error((*key, "sensitive"), reason, _BOUND)
    elif parameter.sensitive is False:
        place = parameter.target or "its templates"
        reason = f"a model fills in {place} as no secret, since its author says so (`sensitive: false`)"
        findings.warning((*key, "sensitive"), reason, "remove the line if it may hold a secret after all")


def _say_leaf(leaf: Leaf, found: Grade, findings: Findings) -> None:
    key, place, _, names = leaf
    if names:
        reason = f"puts {', '.join(sorted(names))} into {'.'.join(place)}, which is sensitive: no model may fill it in"
        findings.error(key, reason, _BOUND if found is Grade.CERTAIN else _SAY_SO)


def _check_output(action: AtomicAction, findings: Findings) -> None:
    """What a model would be shown of an answer: secrets in it are hidden, so nothing may be made of them."""
    for index, path in enumerate(action.output.fields):
        if path_grade([part for part in split_path(path) if part != "*"]) > Grade.NONE:
            hint = "leave it out; `answer` may tell the operator"
            findings.error(("output", "fields", index), f"{path} is sensitive: no model may see it", hint)
    for key, _, text, _ in _tree_leaves(("output", "shape"), [], action.output.shape, frozenset()):
        for path in _ANSWERED.findall(text):
            if path_grade(re.findall(r"\w+", path)) > Grade.NONE:
                hint = "leave it out; `answer` may tell the operator"
                findings.error(key, f"{path} is sensitive: no model may see it", hint)


def _grade_at(operation: Operation, place: Sequence[str], schema: Node, *, whole: bool = False) -> Grade:
    """How surely a place of an operation, `["body", "card", "number"]`, is a secret's; a `whole` one is filled without
    a look at what is inside."""
    if len(place) < 2:
        return Grade.NONE
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
    return grade(path[-1], declared, within=path[:-1], beside=beside, place=where)


def _inside(node: Schema | None, name: str) -> Schema | None:
    """The schema of a property, through lists and choices."""
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
    for place in ("path", "query", "header"):
        for name, tree in getattr(template, place).items():
            if (place, name.lower()) == ("header", "cookie") and isinstance(tree, str):
                yield from _cookies((*key, place, name), tree, given)
            else:
                yield from _tree_leaves((*key, place, name), [place, name], tree, given)
    yield from _tree_leaves((*key, "body"), ["body"], template.body, given)


def _cookies(key: Key, text: str, given: frozenset[str]) -> Iterator[Leaf]:
    """Each cookie of a header by its name; as one where they cannot be told apart."""
    rows = [row.partition("=") for row in text.split(";")]
    plain = "{%" not in text and all(value.count("{{") == value.count("}}") for _, _, value in rows)
    for name, _, value in rows if plain else [("Cookie", "", text)]:
        yield key, ["cookie", name.strip()], value, frozenset(_names(value) & given)


def _tree_leaves(key: Key, place: list[str], tree: Tree, given: frozenset[str]) -> Iterator[Leaf]:
    if isinstance(tree, str):
        yield key, place, tree, frozenset(_names(tree) & given)
    elif is_directive(tree):
        inner = given
        if FOR_EACH in tree:
            filled = bool(_names(str(tree[FOR_EACH]), expression=True) & given)
            inner = given | {ITEM} if filled else given - {ITEM}
        yield from _tree_leaves((*key, VALUE), place, tree[VALUE], inner)
    elif isinstance(tree, dict):
        for name, value in tree.items():
            yield from _tree_leaves((*key, name), [*place, name], value, given)
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from _tree_leaves((*key, index), place, value, given)


def _used(tree: Tree) -> frozenset[str]:
    """Every name that a tree's templates ask for."""
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
    except UnrenderableError:
        return set()  # said elsewhere
