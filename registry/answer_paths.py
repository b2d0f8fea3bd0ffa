"""Paths into answers, checked against what the document declares and the sample shows (`overlays/README.md`, "What is
checked"): in `covers`, `ignore`, `fields`, `on`, and wherever a template reaches into `before`, `now`, `response`.

A name that neither knows is an error with the nearest right one; what only the sample has is a warning, since documents
leave things out. Where neither says anything, nothing is said.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from jinja2 import nodes

from contracts.action import AtomicAction, ReadTemplate
from contracts.base import Value
from contracts.venue import VenueProfile
from registry.document import Document
from registry.faults import OperationError, UnrenderableError, nearest
from registry.findings import Findings
from registry.overlay import OverlayFile, SampleOverlay
from registry.shapes import ANY, AnswerShapes, Named, Shape, either, shape_of, shape_of_schema
from registry.sources import Source, sources_of
from registry.templates import parsed
from registry.yaml_file import Key

_PATHS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(
        ("where", "within", "without", "any_at", "at_least", "nearest_to", "total", "leading", "leading_place"), (0,)
    ),
    **dict.fromkeys(("clocks", "flat"), (0,)),
    **dict.fromkeys(("moments", "differing"), (0, 1)),
    **dict.fromkeys(("line_total", "picked"), tuple(range(9))),
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
"""Filters that give the rows, or the value, that they take."""
_ONE = frozenset({"leading", "first", "last"})
"""Filters that give one of the rows."""

_FIELDS = frozenset({"merged", "put_back", "same_at"})
"""Filters whose arguments name fields of the document that they take."""

Say = Callable[[str, str, bool], None]
"""Takes what is wrong, the way out, and whether it is an error."""


class Spot(NamedTuple):
    """A place in an answer: what the document declares there, and what the sample has there (None: no sample)."""

    declared: Shape = ANY
    seen: Shape | None = None

    def child(self, name: str, path: str, say: Say) -> "Spot":
        """What stands under `name`; says when neither the document nor the sample knows it."""
        declared = self.declared.child(name)
        seen = self.seen.child(name) if self.seen is not None else None
        if declared is not None and not self.declared.free:
            return Spot(declared, seen)
        if not self.declared.free:
            if self.seen is not None and not self.seen.free and seen is not None:
                return Spot(ANY, seen)  # said once, of the sample
            hint = nearest(name, self.declared.names())
            say(f"there is no {path} in the answer, by the API document", hint, True)
            return Spot()
        if self.seen is not None and not self.seen.free and seen is None:
            say(f"{path} is not in the sample, and the document does not tell", nearest(name, self.seen.names()), False)
        return Spot(ANY, seen)

    def rows(self) -> "Spot":
        """What stands in the list here."""
        return Spot(self.declared.rows(), self.seen.rows() if self.seen is not None else None)

    def every(self) -> "Spot":
        """What stands under any name."""
        return Spot(self.declared.every(), None)


UNKNOWN = Spot()
_PROFILE = Spot(Named(dict.fromkeys(VenueProfile.model_fields, ANY)))


@dataclass(frozen=True)
class _Scene:
    """What each name of a template is, for one action."""

    before: Spot
    now: Spot
    response: Spot
    seen: Spot
    request: Spot
    detail: Spot
    guest: Spot

    def names(self, source: Source, replies: Mapping[Key, Spot]) -> dict[str, Spot]:
        """What the names of one source are: a read of its own has a `response` of its own."""
        response = next((r for key, r in replies.items() if source.key[: len(key)] == key), self.response)
        found = {"before": self.before, "now": self.now, "left": self.now, "request": self.request}
        looked = {"detail": self.detail, "guest": self.guest}
        return {**found, **looked, "response": response, "seen": self.seen, "venue": _PROFILE}


def check_paths(action: AtomicAction, overlay: OverlayFile, document: Document, findings: Findings) -> None:
    """Add a finding for each path into an answer that cannot be right."""
    shapes = AnswerShapes(document)
    sample = overlay.sample
    scene = _scene(action, sample, shapes)
    for key, path, spot in _dotted(action, scene):
        _follow(path, spot, _sayer(findings, key))
    for key, document_seen, spot in _samples(sample, scene):
        _compare(document_seen, spot.declared, "", _sayer(findings, key))
    replies = dict(_replies(action, shapes))
    linked = action.compensation is not None and overlay.compensation is not None and overlay.compensation.action
    for source in sources_of(action):
        if linked and source.key[:2] == ("compensation", "request"):
            continue  # it is checked where it is written
        try:
            _Walk(source, scene.names(source, replies), _sayer(findings, source.key)).run()
        except UnrenderableError:
            continue  # said elsewhere


def _scene(action: AtomicAction, sample: SampleOverlay | None, shapes: AnswerShapes) -> _Scene:
    before = _read_together(action.snapshot.reads, shapes) if action.snapshot else ANY
    now = _with_made(before, action.verify.reads if action.verify else (), shapes)
    seen = Named({read.name: _of(read, shapes) for read in action.preview_reads})
    body = Named({"method": ANY, "path": ANY, "query": ANY, "body": shape_of_schema(action.operation.body_schema)})
    was = shape_of(sample.before) if sample and sample.before is not None else None
    is_now = shape_of([d for d in (sample.before, sample.after) if d is not None]).rows() if sample and was else None
    answered = shape_of(sample.response) if sample and sample.response is not None else None
    shown = shape_of(sample.seen) if sample and sample.seen else None
    return _Scene(
        before=Spot(before, was),
        now=Spot(now, is_now),
        response=Spot(shapes.of(action.operation.key), answered),
        seen=Spot(seen, shown),
        request=Spot(body),
        detail=Spot(_of(action.output.detail, shapes)),
        guest=Spot(_of(action.output.guest, shapes)),
    )


def _of(read: ReadTemplate | None, shapes: AnswerShapes) -> Shape:
    if read is None:
        return ANY
    try:
        return shapes.of(read.operation.key)
    except OperationError:
        return ANY


def _read_together(reads: tuple[ReadTemplate, ...], shapes: AnswerShapes) -> Shape:
    if len(reads) == 1 and not reads[0].name:
        return _of(reads[0], shapes)
    return Named({read.name: _of(read, shapes) for read in reads})


def _with_made(before: Shape, reads: tuple[ReadTemplate, ...], shapes: AnswerShapes) -> Shape:
    if not reads:
        return before
    known = {name: before.child(name) or ANY for name in before.names()} if before is not ANY else {}
    return Named({**known, **{read.name: _of(read, shapes) for read in reads}})


def _replies(action: AtomicAction, shapes: AnswerShapes) -> Iterator[tuple[Key, Spot]]:
    if action.room:
        yield ("room", "needs"), Spot(_of(action.room.read, shapes))
    for index, rule in enumerate(action.errors):
        if rule.alternatives:
            yield ("errors", index, "alternatives"), Spot(_of(rule.alternatives, shapes))


def _dotted(action: AtomicAction, scene: _Scene) -> Iterator[tuple[Key, str, Spot]]:
    if action.snapshot:
        for name, paths in (("covers", action.snapshot.covers), ("ignore", action.snapshot.ignore)):
            for index, path in enumerate(paths):
                yield ("snapshot", name, index), path, scene.before
    if action.verify and action.verify.reads:
        for name, paths in (("covers", action.verify.covers), ("ignore", action.verify.ignore)):
            for index, path in enumerate(paths):
                yield ("verify", name, index), path, scene.now
    for index, path in enumerate(action.output.fields):
        yield ("output", "fields", index), path, scene.response


def _samples(sample: SampleOverlay | None, scene: _Scene) -> Iterator[tuple[Key, Value, Spot]]:
    if sample is not None:
        yield ("sample", "before"), sample.before, scene.before
        yield ("sample", "after"), sample.after, scene.now
        yield ("sample", "response"), sample.response, scene.response
        yield ("sample", "seen"), sample.seen, scene.seen


def _compare(value: Value, declared: Shape, path: str, say: Say) -> None:
    """Say what a sample has that the document does not declare."""
    if isinstance(value, list):
        for row in value:
            _compare(row, declared.rows(), path, say)
    elif isinstance(value, dict):
        for name, inner in value.items():
            child = declared.child(name)
            if child is not None:
                _compare(inner, child, f"{path}{name}.", say)
                continue
            hint = nearest(name, declared.names()) or "or the document leaves it out"
            say(f"the API document declares no {path}{name} in that answer", hint, False)


def _follow(path: str, spot: Spot, say: Say) -> Spot:
    """Go down a dotted path, through lists."""
    for name in path.split("."):
        spot = spot.rows()
        spot = spot.every() if name == "*" else spot.child(name, path, say)
    return spot


def _sayer(findings: Findings, key: Key) -> Say:
    def say(message: str, hint: str, fatal: bool) -> None:
        (findings.error if fatal else findings.warning)(key, message, hint)

    return say


class _Walk:
    """One template, every path in it followed."""

    def __init__(self, source: Source, names: Mapping[str, Spot], say: Say) -> None:
        self._source, self._names, self._said = source, dict(names), set[str]()
        self._tell = say

    def run(self) -> None:
        """Follow every path. Raises UnrenderableError for what is no template."""
        for rows in self._source.loops:
            self._names["item"] = self._value(parsed(rows, "", expression=True)).rows()
        self._value(parsed(self._source.text, "", expression=self._source.expression))

    def _say(self, message: str, hint: str, fatal: bool) -> None:
        if message not in self._said:
            self._said.add(message)
            self._tell(message, hint, fatal)

    def _value(self, node: nodes.Node) -> Spot:
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
            case _:
                found = self._inside(node)
        return found

    def _inside(self, node: nodes.Node) -> Spot:
        """What a node gives that only holds others: the value of the one, if it is one."""
        if isinstance(node, nodes.For):
            self._bind(node.target, self._value(node.iter).rows())
        found = [self._value(inner) for inner in node.iter_child_nodes()]
        return found[0] if len(found) == 1 and isinstance(node, nodes.Output | nodes.Template) else UNKNOWN

    def _bind(self, target: nodes.Node, spot: Spot) -> None:
        if isinstance(target, nodes.Name):
            self._names[target.name] = spot

    def _under(self, owner: nodes.Node, name: str) -> Spot:
        spot, path = self._value(owner), f"{_written(owner)}.{name}"
        if spot.declared.is_list:
            self._say(f"{_written(owner)} is a list: {path} has no meaning", "say which row: `[0]`, or a filter", True)
            return UNKNOWN
        return spot.child(name, path, self._say)

    def _item(self, node: nodes.Getitem) -> Spot:
        argument = node.arg
        if isinstance(argument, nodes.Const) and isinstance(argument.value, str):
            return self._under(node.node, argument.value)
        spot = self._value(node.node)
        self._value(argument)
        return spot if isinstance(argument, nodes.Slice) else spot.rows()

    def _either(self, left: nodes.Node, right: nodes.Node | None) -> Spot:
        found = [self._value(node) for node in (left, right) if node is not None and not _is_nothing(node)]
        return _any_of(found)

    def _filtered(self, node: nodes.Filter) -> Spot:
        spot = self._value(node.node) if node.node is not None else UNKNOWN
        for argument in (*node.args, *(pair.value for pair in node.kwargs)):
            self._value(argument)
        if node.name in ("map", "sort", "unique", "min", "max"):
            return self._by_attribute(node, spot)
        texts = [a.value if isinstance(a, nodes.Const) and isinstance(a.value, str) else None for a in node.args]
        rows = spot.rows()
        if node.name == "narrowed" and len(texts) > 1 and texts[0] and texts[1]:
            _follow(f"{texts[0]}.{texts[1]}", rows, self._path_sayer(node))
            return spot
        if node.name in _FIELDS:
            self._fields(node, spot)
        for place in _PATHS.get(node.name, ()):
            if place < len(texts) and texts[place]:
                found = _follow(str(texts[place]), rows, self._path_sayer(node))
                if node.name == "flat":
                    return found
        if node.name in _KEEP:
            return spot
        return rows if node.name in _ONE else UNKNOWN

    def _by_attribute(self, node: nodes.Filter, spot: Spot) -> Spot:
        """Jinja's own filters that look at one field of each row."""
        named = next((pair.value for pair in node.kwargs if pair.key == "attribute"), None)
        found = UNKNOWN
        if isinstance(named, nodes.Const) and isinstance(named.value, str):
            found = _follow(named.value, spot.rows(), self._path_sayer(node))
        if node.name == "map":
            return found
        return spot if node.name in _KEEP else spot.rows()

    def _fields(self, node: nodes.Filter, spot: Spot) -> None:
        for argument in node.args:
            for pair in argument.items if isinstance(argument, nodes.Dict) else ():
                if isinstance(pair.key, nodes.Const):
                    spot.child(str(pair.key.value), str(pair.key.value), self._path_sayer(node))

    def _path_sayer(self, node: nodes.Filter) -> Say:
        owner = _written(node.node) if node.node is not None else ""

        def say(message: str, hint: str, fatal: bool) -> None:
            self._say(f"{message} (`{node.name}` of {owner})", hint, fatal)

        return say


def _any_of(spots: list[Spot]) -> Spot:
    if not spots:
        return UNKNOWN
    found = spots[0]
    for spot in spots[1:]:
        if spot is found or (spot.declared is found.declared and spot.seen is found.seen):
            continue
        seen = either(found.seen, spot.seen) if found.seen is not None and spot.seen is not None else None
        found = Spot(either(found.declared, spot.declared), seen)
    return found


def _is_nothing(node: nodes.Node) -> bool:
    return (isinstance(node, nodes.Const) and not node.value) or (isinstance(node, nodes.List) and not node.items)


def _written(node: nodes.Node) -> str:
    match node:
        case nodes.Name():
            return str(node.name)
        case nodes.Getattr():
            return f"{_written(node.node)}.{node.attr}"
        case nodes.Getitem():
            return f"{_written(node.node)}[…]"
        case nodes.Filter() if node.node is not None:
            return _written(node.node)
    return "…"
