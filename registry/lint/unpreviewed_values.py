"""Checks that every value a change sends is shown by a line of its preview, because the operator would otherwise
confirm it unread.

A line of the preview shows a parameter by its name, or by its place in the request (`request.body.startsAt`). A step
always names its booking. A value that operators never mention, such as the version that an API wants back, is declared
`technical`.
"""

from collections.abc import Iterator, Sequence

from jinja2 import nodes

from contracts.action import ActionParameter, AtomicAction
from contracts.base import Value
from contracts.enums import ParameterRole, SafetyTier
from registry.errors import TemplateRenderError
from registry.http.request import split_path
from registry.openapi.schema_reading import types_of
from registry.overlays.findings import Findings
from registry.overlays.models import OverlayFile
from registry.templating.templates import FOR_EACH, ITEM, VALUE, WHEN, is_directive, names_of, parsed

_REQUEST = "request"


def check_previewed(action: AtomicAction, overlay: OverlayFile, findings: Findings) -> None:
    """Add a finding for each parameter that would be sent unread, and for each `technical` one that operators
    mention."""
    if action.read_only or action.safety is SafetyTier.BLOCKED:
        return
    shown = shown_by(action)
    for parameter in action.parameters:
        key = ("parameters", parameter.name)
        if overlay.parameters[parameter.name].technical:
            if parameter.role is not None or parameter.phrases:
                reason = "is for operators (it has a `role` or `phrases`), so it is not technical"
                findings.error((*key, "technical"), reason, _way_out(parameter))
        elif parameter.name not in shown:
            reason = "is sent, and no line of `preview` shows it: it would be confirmed unread"
            hint = f"{_way_out(parameter)}; or say `technical: true` beside it, if no operator speaks of it"
            findings.error(key, reason, hint)


def shown_by(action: AtomicAction) -> set[str]:
    """Return the parameters that an operator reads before confirming: those that the preview shows, and the one that
    picks the booking."""
    plain = {p.name: _says_itself(p) for p in action.parameters}
    shown = {p.name for p in action.with_role(ParameterRole.BOOKING)[:1]}
    for line in action.preview:
        for text in (line.before or "", line.after):
            try:
                tree = parsed(text, "")
            except TemplateRenderError:
                continue  # another check reports it
            for written, tested in paths_read(tree):
                names = parameters_at(action, written)
                shown |= {name for name in names if not tested or plain.get(name)}
    return shown


def _says_itself(parameter: ActionParameter) -> bool:
    """Return whether a line that only tests the value also shows it: yes or no, or one of a few."""
    return types_of(parameter.json_schema) == ["boolean"] or bool(parameter.json_schema.get("enum"))


def _way_out(parameter: ActionParameter) -> str:
    label = parameter.display_name[:1].upper() + parameter.display_name[1:]
    plain = types_of(parameter.json_schema) == ["boolean"]
    after = f"{{{{ 'yes' if {parameter.name} else '' }}}}" if plain else f"{{{{ {parameter.name} }}}}"
    return f'add a line to `preview`: {{label: {label}, after: "{after}"}}'


def paths_read(node: nodes.Node, tested: bool = False) -> Iterator[tuple[nodes.Node, bool]]:
    """Yield each name or path of a template, and whether it only decides what else is written."""
    match node:
        case nodes.Name() | nodes.Getattr() | nodes.Getitem():
            yield node, tested
            for used in node.find_all(nodes.Filter):
                for argument in (*used.args, *(pair.value for pair in used.kwargs)):
                    yield from paths_read(argument, tested)
        case nodes.If():
            yield from paths_read(node.test, True)
            for inner in (*node.body, *node.elif_, *node.else_):
                yield from paths_read(inner, tested)
        case nodes.CondExpr():
            yield from paths_read(node.test, True)
            for part in (node.expr1, node.expr2):
                yield from paths_read(part, tested) if part is not None else ()
        case nodes.Compare():
            for inner in node.iter_child_nodes():
                yield from paths_read(inner, True)
        case _:
            for inner in node.iter_child_nodes():
                yield from paths_read(inner, tested)


def parameters_at(action: AtomicAction, node: nodes.Node) -> set[str]:
    """Return the parameters behind a name or a path, including all inside a part of the request."""
    path = _path(node)
    if path[:1] != [_REQUEST]:
        return {path[0]} if path else set()
    location, *inside = path[1:] or [""]
    found = {
        p.name for p in action.parameters if p.target and (at := split_path(p.target)) and _same_branch(at, path[1:])
    }
    if action.request is not None and location in ("path", "query", "header", "body"):
        found |= set(names_beneath(getattr(action.request, location), inside))
    return found


def _same_branch(target: Sequence[str], path: Sequence[str]) -> bool:
    """Return whether a value goes to a location of the request, or inside it."""
    shorter = min(len(target), len(path))
    return list(target[:shorter]) == list(path[:shorter])


def names_beneath(tree: Value, path: Sequence[str]) -> Iterator[str]:
    """Yield the names that a part of a request template uses, on the way to it and in it."""
    if isinstance(tree, str):
        yield from _asked(tree, expression=False)
    elif isinstance(tree, list):
        for inner in tree:
            yield from names_beneath(inner, path)
    elif isinstance(tree, dict) and is_directive(tree):
        for key in (FOR_EACH, WHEN):
            if isinstance(text := tree.get(key), str):
                yield from _asked(text, expression=True)
        yield from names_beneath(tree.get(VALUE), path)
    elif isinstance(tree, dict):
        for name, inner in tree.items():
            if not path or name == path[0]:
                yield from names_beneath(inner, path[1:])


def _asked(text: str, *, expression: bool) -> set[str]:
    try:
        return names_of(text, "", expression=expression) - {ITEM}
    except TemplateRenderError:
        return set()  # another check reports it


def _path(node: nodes.Node) -> list[str]:
    """Return a dotted path without list indexes; [] for anything that does not begin with a name."""
    match node:
        case nodes.Name():
            return [str(node.name)]
        case nodes.Getattr():
            return [*_path(node.node), str(node.attr)]
        case nodes.Getitem(arg=nodes.Const(value=str(name))):
            return [*_path(node.node), name]
        case nodes.Getitem():
            return _path(node.node)
        case nodes.Filter() if node.node is not None:
            return _path(node.node)
    return []
