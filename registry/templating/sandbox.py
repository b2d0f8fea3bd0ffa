"""Which templates are allowed, and the budget of their work. Overlays are untrusted, and a few characters can demand
unbounded work: before compilation, everything in a template that could multiply work goes through a filter that charges
for it. Nothing is executed here.

One unit is about half a microsecond, a node of a document or sixteen characters of a text. All that one call renders
shares one budget, so that it ends within a second or two, whatever the data.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from types import GeneratorType
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.visitor import NodeTransformer

_MOST = 2_000_000
_LONGEST = 1_000_000
_LARGEST = 10**30
_FREE = 16  # uses of filters that walk through documents without being fully charged: there are few more outside loops
RENDERING, ROW = 100, 10
"""The cost of rendering one text, and of each row of a loop."""


class BudgetExceededError(ValueError):
    """A template exceeds its work budget."""


class _Meter(threading.local):
    left: int | None = None
    uses = 0


_METER = _Meter()


@contextmanager
def measured() -> Iterator[None]:
    """Share one work budget for all rendering inside the block."""
    if _METER.left is not None:
        yield
        return
    _METER.left, _METER.uses = _MOST, 0
    try:
        yield
    finally:
        _METER.left = None


def consume(work: int) -> None:
    """Consume some of the budget. Raises BudgetExceededError when none is left."""
    if _METER.left is not None:
        _METER.left -= work
        if _METER.left < 0:
            raise BudgetExceededError("asks for more work than a template may do: make it smaller, or loop over less")


def consume_size(value: object) -> None:
    """Charge for walking through `value`. Raises BudgetExceededError."""
    _METER.uses += 1
    if isinstance(value, str):
        consume(1 + len(value) // 16)
    elif isinstance(value, Mapping | list | tuple):
        consume(len(value) + 1 if _METER.uses <= _FREE else _nodes(value))
    else:
        consume(1)


def built(value: Any) -> Any:
    """Return a list or mapping literal, charged for its expanded size: one that holds the same list ten times, nested
    again, is no longer small. Raises BudgetExceededError."""
    consume(_nodes(value))
    return value


def settled(value: Any) -> Any:
    """Return the result of a filter or an operator if it is not too large; one made row by row is charged so. Raises
    BudgetExceededError."""
    if isinstance(value, str):
        long_enough(len(value))
    elif isinstance(value, int) and not -_LARGEST < value < _LARGEST:
        raise BudgetExceededError("a number is too large")
    elif isinstance(value, list):
        consume(len(value))
    elif isinstance(value, GeneratorType):
        return each(value, 1)
    return value


def long_enough(characters: int) -> None:
    """Charge for a text that is about to be built. Raises BudgetExceededError."""
    if characters > _LONGEST:
        raise BudgetExceededError(f"a text would have {characters} characters; at most {_LONGEST} are allowed")
    consume(1 + characters // 16)


def each(rows: Iterable[Any], cost: int) -> Iterator[Any]:
    """Yield the rows and charge for each. Raises BudgetExceededError."""
    for row in rows:
        consume(cost)
        yield row


def _nodes(value: object) -> int:
    """Return the number of nodes of a document when expanded, those of shared parts each time; the count stops far
    beyond the limit."""
    waiting, count = [value], 0
    limit = _MOST if _METER.left is None else _METER.left
    while waiting and count <= limit:
        inner = waiting.pop()
        count += 1
        if isinstance(inner, Mapping):
            waiting += inner.values()
        elif isinstance(inner, list | tuple):
            waiting += inner
        elif isinstance(inner, str):
            count += len(inner) // 16
    return count


def metered(filter_: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter that charges for its arguments, and whose result is `settled`."""
    location = 1 if hasattr(filter_, "jinja_pass_arg") else 0

    @wraps(filter_)
    def run(*given: Any, **named: Any) -> Any:
        for value in given[location:]:
            consume_size(value)
        return settled(filter_(*given, **named))

    return run


def weighed(value: Any) -> Any:
    """Return `value`, charged for walking through it. Raises BudgetExceededError."""
    consume_size(value)
    return value


def joined(parts: Iterable[Any]) -> str:
    """Return the parts as one text, as `~` does. Raises BudgetExceededError; TypeError for a list or a mapping."""
    texts = []
    for part in parts:
        if isinstance(part, Mapping | list | tuple):
            raise TypeError("a list or a document cannot be part of a text")
        texts.append(str(part))
    long_enough(sum(map(len, texts)))
    return "".join(texts)


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


CHARGING = {EACH: each, BUILT: built, JOINED: joined, WEIGHED: weighed}
"""The filters that charge, by their names."""
