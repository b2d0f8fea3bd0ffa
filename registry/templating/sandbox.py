"""Which templates are allowed, and how they count their work (`budget.py`): before compilation, everything in a
template that could multiply work goes through a filter that charges for it. Nothing is executed here."""

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.visitor import NodeTransformer

from registry.templating.budget import ROW

LONGEST = 8_000
"""Characters of one template; the longest seen has 1,300."""

DEEPEST = 40
"""Nesting depth, as Jinja parses a template; a sentence with conditions has 13."""

_LOOPS, _SETS = 2, 20
_TAKEN = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.If, nodes.For, nodes.Assign, nodes.Name, nodes.Const,
    nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Keyword, nodes.CondExpr, nodes.Filter, nodes.Test,
    nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Concat, nodes.Compare, nodes.Operand, nodes.Not, nodes.And,
    nodes.Or, nodes.Neg, nodes.Pos, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow,
)  # fmt: skip

EACH, BUILT, JOINED, WEIGHED = " each", " built", " joined", " weighed"
"""Names of the charging filters; with their space, no overlay can write them."""


def judge(tree: nodes.Template) -> nodes.Template:
    """Return `tree` if the template is allowed. Raises TemplateSyntaxError."""
    level: list[tuple[nodes.Node, int]] = [(tree, 0)]
    sets = 0
    for _ in range(DEEPEST):
        level = [(inner, loops + isinstance(node, nodes.For)) for node, loops in level for inner in _inside(node)]
        for node, loops in level:
            if not isinstance(node, _TAKEN):
                raise _refused(f"{type(node).__name__.lower()} is nothing that a template may hold", node)
            if isinstance(node, nodes.For) and (loops >= _LOOPS or node.recursive):
                raise _refused(f"more than {_LOOPS} loops in one another, or one in itself", node)
            sets += isinstance(node, nodes.Assign)
        if not level:
            break
    else:
        raise _refused(f"nested more than {DEEPEST} deep", tree)
    if sets > _SETS:
        raise _refused(f"more than {_SETS} times `set`", tree)
    for node in tree.find_all(nodes.Assign):
        if len(tree.body) > 1 and _names(node.target) & _names(node.node):
            raise _refused("`set` may not use the name that it sets: give the new value another name", node)
    return tree


def _inside(node: nodes.Node) -> list[nodes.Node]:
    return list(node.iter_child_nodes())


def _names(node: nodes.Node) -> set[str]:
    own = {node.name} if isinstance(node, nodes.Name) else set[str]()
    return own | {n.name for n in node.find_all(nodes.Name)}


def _refused(why: str, node: nodes.Node) -> TemplateSyntaxError:
    return TemplateSyntaxError(why, node.lineno)


def charging(tree: nodes.Template, environment: Environment) -> nodes.Template:
    """Return `tree` with its loops, joined texts, comparisons and literal lists passed through the charging filters."""
    found: nodes.Template = _Charging().visit(tree)
    found.set_environment(environment)
    return found


class _Charging(NodeTransformer):
    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        texts = sum(len(data.data) for part in node.body for data in _texts(part))
        node.iter = _through(node.iter, EACH, nodes.Const(ROW + texts // 16))
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through(nodes.List(node.nodes, lineno=node.lineno), JOINED)

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.expr = _weighed(node.expr)
        for operand in node.ops:
            operand.expr = _weighed(operand.expr)
        return node

    def visit_List(self, node: nodes.List) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return node if all(isinstance(n, nodes.Const) for n in node.items) else _through(node, BUILT)

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through(node, BUILT) if node.ctx == "load" else node

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through(node, BUILT)


def _texts(node: nodes.Node) -> list[nodes.TemplateData]:
    own = [node] if isinstance(node, nodes.TemplateData) else []
    return [*own, *node.find_all(nodes.TemplateData)]


def _weighed(node: nodes.Expr) -> nodes.Expr:
    return node if isinstance(node, nodes.Const) else _through(node, WEIGHED)


def _through(node: nodes.Node, name: str, *given: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(node, name, list(given), [], None, None, lineno=node.lineno)
