"""Follows every path of one template through what the document declares and the sample shows: names, filters, loops,
choices, and comparisons with a value that the document does not list."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from jinja2 import nodes

from registry.errors import did_you_mean
from registry.openapi.shapes import ANY, Shape, either
from registry.overlays.template_sources import TemplateSource
from registry.templating.templates import parsed

_PATHS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(
        ("where", "within", "without", "any_at", "at_least", "nearest_to", "total", "leading", "leading_place"), (0,)
    ),
    **dict.fromkeys(("clocks", "flat"), (0,)),
    **dict.fromkeys(("moments", "differing"), (0, 1)),
    **dict.fromkeys(("line_total", "picked", "priced"), tuple(range(9))),
    **dict.fromkeys(("not_in", "also_in"), (1,)),
    **dict.fromkeys(("holds", "mentioning"), tuple(range(1, 9))),
    "mentioning": tuple(range(1, 9)),
}
"""Which arguments of a filter are paths into the rows that it is given."""

_KEEP = frozenset(
    {
        "where",
        "within",
        "without",
        "at_least",
        "nearest_to",
        "narrowed",
        "not_in",
        "also_in",
        "differing",
        "resized",
        "mentioning",
    }
    | {"sort", "unique", "list", "default"}
)
"""Filters that return the rows, or the value, that they take."""
_ONE = frozenset({"leading", "first", "last"})
"""Filters that return one of the rows."""

_FIELDS = frozenset({"merged", "put_back", "same_at"})
"""Filters whose arguments name fields of the document that they take."""

Report = Callable[[str, str, bool], None]
"""Takes the problem, the hint, and whether it is an error."""


_IN_ANSWERS = "in the answer, by the API document"
_WHERE = {
    "venue": "in venue.yaml",
    "request": "in what is sent, by the API document",
    "seen": "by `preview_reads` and the API document",
}


class PathLocation(NamedTuple):
    """A location in a response: what the document declares there, and what the sample has there (None: no sample)."""

    declared: Shape = ANY
    seen: Shape | None = None

    def child(self, name: str, path: str, say: Report) -> "PathLocation":
        """Return the location under `name`; report it when neither the document nor the sample knows it."""
        declared = self.declared.child(name)
        seen = self.seen.child(name) if self.seen is not None else None
        if declared is not None and not self.declared.is_open:
            return PathLocation(declared, seen)
        if not self.declared.is_open:
            if self.seen is not None and not self.seen.is_open and seen is not None:
                return PathLocation(ANY, seen)  # reported once, for the sample
            hint = did_you_mean(name, self.declared.names())
            where = _WHERE.get(path.partition(".")[0], _IN_ANSWERS)
            say(f"there is no {path} {where}", hint, True)
            return PathLocation()
        if self.seen is not None and not self.seen.is_open and seen is None:
            say(
                f"{path} is not in the sample, and the document does not tell",
                did_you_mean(name, self.seen.names()),
                False,
            )
        return PathLocation(ANY, seen)

    def rows(self) -> "PathLocation":
        """Return the location of the rows of this list."""
        return PathLocation(self.declared.rows(), self.seen.rows() if self.seen is not None else None)

    def every(self) -> "PathLocation":
        """Return the location under any name."""
        return PathLocation(self.declared.every(), None)


UNKNOWN = PathLocation()


def resolve_path(path: str, spot: PathLocation, say: Report) -> PathLocation:
    """Return the location at a dotted path, through lists."""
    for name in path.split("."):
        spot = spot.rows()
        spot = spot.every() if name == "*" else spot.child(name, path, say)
    return spot


class TemplateWalker:
    """Follows every path of one template."""

    def __init__(self, source: TemplateSource, names: Mapping[str, PathLocation], say: Report) -> None:
        self._source, self._names, self._reported = source, dict(names), set[str]()
        self._tell = say

    def run(self) -> PathLocation:
        """Follow every path and return the location of the whole template's value. Raises TemplateRenderError for an
        invalid template."""
        for rows in self._source.loops:
            self._names["item"] = self._value(parsed(rows, "", expression=True)).rows()
        return self._value(parsed(self._source.text, "", expression=self._source.expression))

    def _say(self, message: str, hint: str, fatal: bool) -> None:
        if message not in self._reported:
            self._reported.add(message)
            self._tell(message, hint, fatal)

    def _value(self, node: nodes.Node) -> PathLocation:
        found = UNKNOWN
        match node:
            case nodes.Name():
                found = self._names.get(node.name, UNKNOWN)
            case nodes.Getattr():
                found = self._under(node.node, node.attr)
            case nodes.Getitem():
                found = self._item(node)
            case nodes.Filter():
                found = self._filtered(node)
            case nodes.CondExpr():
                self._value(node.test)
                found = self._either(node.expr1, node.expr2)
            case nodes.Or() | nodes.Add():
                found = self._either(node.left, node.right)
            case nodes.List():
                found = _any_of([self._value(item) for item in node.items])
            case nodes.Assign():
                self._bind(node.target, self._value(node.node))
            case nodes.Compare():
                self._compared(node)
            case _:
                found = self._inside(node)
        return found

    def _compared(self, node: nodes.Compare) -> None:
        """Report a comparison with a value that the document does not list, because its result is always the same."""
        spot = self._value(node.expr)
        for operand in node.ops:
            self._value(operand.expr)
            listed = operand.expr.items if isinstance(operand.expr, nodes.List | nodes.Tuple) else [operand.expr]
            words = spot.declared.words() if operand.op in ("eq", "ne", "in", "notin") else []
            for constant in listed:
                if not isinstance(constant, nodes.Const) or not isinstance(constant.value, str) or not words:
                    continue
                if constant.value and constant.value not in words:
                    message = f"{written(node.expr)} is never {constant.value!r}, by the API document"
                    self._say(message, did_you_mean(constant.value, words), True)

    def _inside(self, node: nodes.Node) -> PathLocation:
        """Return the location of a node that only wraps others: that of its child, if it has exactly one."""
        if isinstance(node, nodes.For):
            self._bind(node.target, self._value(node.iter).rows())
        found = [self._value(inner) for inner in node.iter_child_nodes()]
        return found[0] if len(found) == 1 and isinstance(node, nodes.Output | nodes.Template) else UNKNOWN

    def _bind(self, target: nodes.Node, spot: PathLocation) -> None:
        if isinstance(target, nodes.Name):
            self._names[target.name] = spot

    def _under(self, owner: nodes.Node, name: str) -> PathLocation:
        spot, path = self._value(owner), f"{written(owner)}.{name}"
        if spot.declared.is_list:
            self._say(f"{written(owner)} is a list: {path} has no meaning", "say which row: `[0]`, or a filter", True)
            return UNKNOWN
        return spot.child(name, path, self._say)

    def _item(self, node: nodes.Getitem) -> PathLocation:
        argument = node.arg
        if isinstance(argument, nodes.Const) and isinstance(argument.value, str):
            return self._under(node.node, argument.value)
        spot = self._value(node.node)
        self._value(argument)
        return spot if isinstance(argument, nodes.Slice) else spot.rows()

    def _either(self, left: nodes.Node, right: nodes.Node | None) -> PathLocation:
        found = [self._value(node) for node in (left, right) if node is not None and not _is_nothing(node)]
        return _any_of(found)

    def _filtered(self, node: nodes.Filter) -> PathLocation:
        spot = self._value(node.node) if node.node is not None else UNKNOWN
        for argument in (*node.args, *(pair.value for pair in node.kwargs)):
            self._value(argument)
        if node.name in ("map", "sort", "unique", "min", "max"):
            return self._by_attribute(node, spot)
        texts = [a.value if isinstance(a, nodes.Const) and isinstance(a.value, str) else None for a in node.args]
        rows = spot.rows()
        if node.name == "narrowed" and len(texts) > 1 and texts[0] and texts[1]:
            resolve_path(f"{texts[0]}.{texts[1]}", rows, self._path_sayer(node))
            return spot
        if node.name in _FIELDS:
            self._fields(node, spot)
        for index in _PATHS.get(node.name, ()):
            if index < len(texts) and texts[index]:
                found = resolve_path(str(texts[index]), rows, self._path_sayer(node))
                if node.name == "flat":
                    return found
        if node.name in _KEEP:
            return spot
        return rows if node.name in _ONE else UNKNOWN

    def _by_attribute(self, node: nodes.Filter, spot: PathLocation) -> PathLocation:
        """Check Jinja's own filters that read one field of each row."""
        named = next((pair.value for pair in node.kwargs if pair.key == "attribute"), None)
        found = UNKNOWN
        if isinstance(named, nodes.Const) and isinstance(named.value, str):
            found = resolve_path(named.value, spot.rows(), self._path_sayer(node))
        if node.name == "map":
            return found
        return spot if node.name in _KEEP else spot.rows()

    def _fields(self, node: nodes.Filter, spot: PathLocation) -> None:
        for argument in node.args:
            for pair in argument.items if isinstance(argument, nodes.Dict) else ():
                if isinstance(pair.key, nodes.Const):
                    spot.child(str(pair.key.value), str(pair.key.value), self._path_sayer(node))

    def _path_sayer(self, node: nodes.Filter) -> Report:
        owner = written(node.node) if node.node is not None else ""

        def say(message: str, hint: str, fatal: bool) -> None:
            self._say(f"{message} (`{node.name}` of {owner})", hint, fatal)

        return say


def _any_of(spots: list[PathLocation]) -> PathLocation:
    if not spots:
        return UNKNOWN
    found = spots[0]
    for spot in spots[1:]:
        if spot is found or (spot.declared is found.declared and spot.seen is found.seen):
            continue
        seen = either(found.seen, spot.seen) if found.seen is not None and spot.seen is not None else None
        found = PathLocation(either(found.declared, spot.declared), seen)
    return found


def _is_nothing(node: nodes.Node) -> bool:
    return (isinstance(node, nodes.Const) and not node.value) or (isinstance(node, nodes.List) and not node.items)


def written(node: nodes.Node) -> str:
    """Return a path as an author writes it; "…" for anything that is not a path."""
    match node:
        case nodes.Name():
            return str(node.name)
        case nodes.Getattr():
            return f"{written(node.node)}.{node.attr}"
        case nodes.Getitem():
            return f"{written(node.node)}[…]"
        case nodes.Filter() if node.node is not None:
            return written(node.node)
    return "…"
