"""Checks that `covers` and `verify` can fail. A condition that always holds, by the API document or by itself, would
accept every write as applied."""

from collections.abc import Mapping

from jinja2 import nodes

from contracts.action import AtomicAction
from contracts.base import Value
from registry.errors import TemplateRenderError
from registry.lint.template_paths import PathLocation, Report, written
from registry.openapi.shapes import WENT_WELL, Shape, inside_of, says_only_that_it_went
from registry.overlays.findings import Findings
from registry.overlays.template_sources import TemplateSource
from registry.templating.templates import names_of, parsed

_LOOKS = frozenset({"now", "response", "left"})


def check_covered_path(path: str, spot: PathLocation, say: Report) -> None:
    """Report a covered path that is only the status of an envelope."""
    *above, last = path.split(".")
    shape: Shape | None = spot.declared
    for name in above:
        shape = shape.child(name) if shape is not None and name != "*" else None
    words = says_only_that_it_went(shape, last) if shape is not None else []
    if shape is not None and words:
        say(f"{path} can only be {_or(words)}, by the API document: it never tells of a change", _inside(shape), False)


def check_not_vacuous(source: TemplateSource, names: Mapping[str, PathLocation], say: Report) -> None:
    """Report a condition of `verify` that holds whatever was done. Raises TemplateRenderError for an invalid one."""
    if not names_of(source.text, "", expression=True):
        hint = "compare what is read with what was asked: `now.… == request.body.…`"
        say(f"{source.text} names nothing that was read: it is the same whatever was done", hint, True)
        return
    tree = parsed(source.text, "", expression=True)
    if _always(tree, names):
        hint = "compare what the call changes: `now.… == request.body.…`"
        say(f"{source.text} always holds, by the API document: it never tells whether it worked", hint, False)
        return
    for node in tree.find_all(nodes.Getattr):
        parent = _shape(node.node, names)
        words = says_only_that_it_went(parent, node.attr) if parent is not None else []
        if parent is not None and words:
            reason = f"{written(node)} can only be {_or(words)}, by the API document: it never tells whether it worked"
            say(reason, _inside(parent), False)
            return


def check_looks(action: AtomicAction, findings: Findings) -> None:
    """Report a `verify` that reads only what was sent, because it proves nothing about the result."""
    checks = action.verify.checks if action.verify else ()
    try:
        named = [names_of(text, "", expression=True) for text in checks]
    except TemplateRenderError:
        return  # another check reports it
    if named and all(named) and not any(_LOOKS & names for names in named):
        reason = "names nothing that was read after the call: it never tells whether it worked"
        findings.warning(("verify",), reason, "compare `now` with what was asked: `now.… == request.body.…`")


def _always(node: nodes.Node, names: Mapping[str, PathLocation]) -> bool:
    """Return whether an expression is true whatever is read, as far as the document shows."""
    match node:
        case nodes.Template() | nodes.Output():
            inner = [*node.iter_child_nodes()]
            return len(inner) == 1 and _always(inner[0], names)
        case nodes.Const():
            return bool(node.value)
        case nodes.And():
            return _always(node.left, names) and _always(node.right, names)
        case nodes.Or():
            return _always(node.left, names) or _always(node.right, names)
        case nodes.Compare() if len(node.ops) == 1:
            return _always_compared(node.expr, node.ops[0], names)
    return False


def _always_compared(left: nodes.Node, operand: nodes.Operand, names: Mapping[str, PathLocation]) -> bool:
    if operand.op == "eq" and left == operand.expr:
        return True
    can_be = _can_be(left, names)
    listed = operand.expr.items if isinstance(operand.expr, nodes.List | nodes.Tuple) else [operand.expr]
    wanted: list[Value] = [one.value for one in listed if isinstance(one, nodes.Const)]
    if not can_be or len(wanted) != len(listed):
        return False
    if operand.op in ("eq", "in"):
        return all(word in wanted for word in can_be)
    return operand.op in ("ne", "notin") and not any(word in wanted for word in can_be)


def _can_be(node: nodes.Node, names: Mapping[str, PathLocation]) -> list[str]:
    """Return the values that a path can only have in a successful response; [] where they are unknown."""
    shape = _shape(node, names)
    if shape is None or not isinstance(node, nodes.Getattr):
        return []
    listed = shape.schema.get("enum")
    if (
        shape.schema.get("nullable")
        or (isinstance(listed, list) and None in listed)
        or "null" in str(shape.schema.get("type"))
    ):
        return []
    parent = _shape(node.node, names)
    went = says_only_that_it_went(parent, node.attr) if parent is not None else []
    return [word for word in went if word.lower() in WENT_WELL] or shape.words()


def _shape(node: nodes.Node, names: Mapping[str, PathLocation]) -> Shape | None:
    """Return the shape that a plain path leads to; None for anything else."""
    if isinstance(node, nodes.Name):
        return names[node.name].declared if node.name in names else None
    owner = _shape(node.node, names) if isinstance(node, nodes.Getattr) else None
    return owner.child(node.attr) if owner is not None and isinstance(node, nodes.Getattr) else None


def _inside(parent: Shape) -> str:
    inner = inside_of(parent)
    return f"name what matters inside `{inner}`" if inner else "name what the call changes"


def _or(words: list[str]) -> str:
    return " or ".join(dict.fromkeys(words))
