"""Rows of a response for a list made from it (`for_each: response.data | sort(attribute='start')`). A row without a
value that the list needs is left out, and the others stay."""

from jinja2 import nodes

from contracts.base import Tree
from registry.errors import TemplateRenderError
from registry.templating.templates import FOR_EACH, Names, evaluate, is_directive, parsed

_MOST = 500
"""Rows that are tried individually: more than a look-up reads."""


def readable(tree: Tree, names: Names, where: str, odd: list[TemplateRenderError]) -> Names:
    """Return the names without the rows from which the lists of a tree cannot be made; an error for each goes to
    `odd`."""
    if isinstance(tree, dict) and FOR_EACH not in tree:
        for inner in tree.values():
            names = readable(inner, names, where, odd)
    if not is_directive(tree) or FOR_EACH not in tree:
        return names
    expression = tree[FOR_EACH]
    try:
        evaluate(expression, names, where)
    except TemplateRenderError as fault:
        path = _path(expression, where)
        rows = _at(names, path)
        if not isinstance(rows, list) or len(rows) > _MOST:
            return names
        # Twice each, because one row alone is never compared with another, which is where a sort fails.
        kept = [row for row in rows if _fits(expression, _with(names, path, [row, row]), where)]
        if not kept:
            return names
        odd += [fault] * (len(rows) - len(kept))
        return _with(names, path, kept)
    return names


def _fits(expression: str, names: Names, where: str) -> bool:
    try:
        evaluate(expression, names, where)
    except TemplateRenderError:
        return False
    return True


def _path(expression: str, where: str) -> list[str]:
    """Return the path that the filters of an expression begin with; [] where it begins with anything else."""
    body = parsed(expression, where, expression=True).body
    node = body[0].nodes[0] if len(body) == 1 and isinstance(body[0], nodes.Output) else None
    while isinstance(node, nodes.Filter):
        node = node.node
    path: list[str] = []
    while isinstance(node, nodes.Getattr):
        path.insert(0, node.attr)
        node = node.node
    return [node.name, *path] if isinstance(node, nodes.Name) else []


def _at(names: Names, path: list[str]) -> object:
    found: object = {**names} if path else None
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _with(names: Names, path: list[str], rows: list[object]) -> Names:
    """Return the same names, with other rows at the path."""
    first, *rest = path
    return {**names, first: _put(names[first], rest, rows)}


def _put(tree: object, path: list[str], rows: list[object]) -> object:
    if not path or not isinstance(tree, dict):
        return rows
    return {**tree, path[0]: _put(tree[path[0]], path[1:], rows)}
