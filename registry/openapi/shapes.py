"""Shapes of responses, as the API document declares them and as a sample shows them. With them the lint finds typing
errors in paths when an overlay is loaded.

A document's schemas are followed only where a path leads, so large ones cost nothing. Where a document declares nothing
(no schema, a free object), any name is accepted.

Responses that are an envelope, `{status: success, data: {…}}`: the resource is one level down, and the fields beside
it only give the status of the call, or an error's details.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from contracts.base import Node, Parts, Schema, Value
from registry.errors import OperationError
from registry.openapi.document import Document
from registry.openapi.references import NodeLocation
from registry.openapi.schema_reading import entries_of, parts_of
from registry.openapi.schemas import SchemaNormalizer

_PARTS = ("allOf", "anyOf", "oneOf")
_MOST_PARTS = 200
_MOST_CHOICES = 6
_SCALARS = {bool: "boolean", int: "integer", float: "number"}


class SchemaNode(NamedTuple):
    """A schema and its location."""

    node: Node
    location: NodeLocation


class Shape:
    """All alternative forms of a value, as schemas with their parts resolved."""

    def __init__(self, shaper: SchemaNormalizer | None, schemas: Iterable[SchemaNode]) -> None:
        self._shaper = shaper
        self._parts = list(self._laid_open(schemas))

    @property
    def is_open(self) -> bool:
        """Return whether nothing is declared about the inside, so that any name is accepted."""
        return not self._parts or any(map(_is_free, (part.node for part in self._parts)))

    @property
    def is_list(self) -> bool:
        """Return whether the value is always a list."""
        types = [parts_of(part.node).get("type") for part in self._parts]
        return bool(types) and all(kind == "array" for kind in types if kind != "null")

    @property
    def may_be_value(self) -> bool:
        """Return whether one of its forms is a plain value: an id, where another form is the resource itself."""
        kinds = [parts_of(part.node).get("type") for part in self._parts]
        return any(kind in ("string", "integer", "number", "boolean") for kind in kinds)

    def words(self) -> list[str]:
        """Return the choices of a text, where every form lists them; [] where it may be anything."""
        listed = [[c for c in _choices(parts_of(part.node)) if c is not None] for part in self._parts]
        return [str(word) for words in listed for word in words] if listed and all(listed) else []

    def kinds(self) -> frozenset[str]:
        """Return the types of a value without null; empty where any of its forms leaves them open."""
        types = [_types_of(parts_of(part.node)) for part in self._parts]
        return frozenset(kind for some in types for kind in some if kind != "null") if all(types) else frozenset()

    @property
    def schema(self) -> Parts:
        """Return the first of its forms as written in the document; {} where nothing is declared."""
        return parts_of(self._parts[0].node) if self._parts else {}

    def names(self) -> list[str]:
        """Return the declared names."""
        return [name for part in self._parts for name in parts_of(parts_of(part.node).get("properties"))]

    def deep_names(self, levels: int = 2) -> set[str]:
        """Return the declared names here and up to `levels` levels down."""
        found = set(self.rows().names())
        for name in found.copy() if levels else ():
            inner = self.rows().child(name)
            found |= inner.deep_names(levels - 1) if inner is not None and not inner.is_open else set()
        return found

    def child(self, name: str) -> "Shape | None":
        """Return the shape under `name`; None when the schemas have no such name."""
        found: list[SchemaNode] = []
        for node, location in self._parts:
            properties = parts_of(parts_of(node).get("properties"))
            more = parts_of(node).get("additionalProperties")
            if name in properties:
                found.append(SchemaNode(properties[name], location.under("properties", name)))
            elif isinstance(more, dict):
                found.append(SchemaNode(more, location.under("additionalProperties")))
        if found:
            return Shape(self._shaper, found)
        return ANY if self.is_open else None

    def every(self) -> "Shape":
        """Return the shape under any name."""
        found = [self.child(name) for name in self.names()]
        parts = [part for shape in found if shape for part in shape._parts]
        return ANY if self.is_open or not parts else Shape(self._shaper, parts)

    def rows(self) -> "Shape":
        """Return the shape of a list's rows; the shape itself where it is not a list."""
        found = [
            SchemaNode(parts_of(node)["items"], location.under("items"))
            for node, location in self._parts
            if "items" in parts_of(node)
        ]
        if found:
            return Shape(self._shaper, found)
        return ANY if self.is_list or self.is_open else self

    def _laid_open(self, schemas: Iterable[SchemaNode]) -> Iterator[SchemaNode]:
        waiting, seen = list(schemas), set[NodeLocation]()
        while waiting and len(seen) < _MOST_PARTS:
            node, location = waiting.pop()
            if self._shaper is not None:
                try:
                    node, location = self._shaper.node(node, location)
                except OperationError:
                    node = {}  # a broken reference is not an error of the path
            if location in seen and self._shaper is not None:
                continue
            seen.add(location)
            inner = [
                SchemaNode(part, location.under(key, str(index)))
                for key in _PARTS
                for index, part in enumerate(entries_of(parts_of(node).get(key)))
            ]
            waiting += inner
            if not inner or "properties" in parts_of(node):
                yield SchemaNode(node, location)


def _choices(node: Parts) -> list[Node]:
    """Return the only values that a schema allows."""
    return [node["const"]] if "const" in node else entries_of(node.get("enum"))


def _types_of(node: Parts) -> list[str]:
    """Return the types of a schema as written in the document, which may be anything."""
    kind = node.get("type")
    if kind is None and "properties" in node:
        return ["object"]
    return [str(one) for one in (kind if isinstance(kind, list) else [kind]) if isinstance(one, str)]


def _is_free(node: Node) -> bool:
    if not isinstance(node, dict):
        return True
    if node.get("additionalProperties") is True or "patternProperties" in node:
        return True
    if "properties" in node or isinstance(node.get("additionalProperties"), dict) or "items" in node:
        return False
    kind = node.get("type")
    return kind in (None, "object", "array") or isinstance(kind, list)


_NOWHERE = NodeLocation(Path())
ANY = Shape(None, ())
"""The shape about which nothing is known."""


def shape_of(value: Value) -> Shape:
    """Return the shape of a sample."""
    return Shape(None, [SchemaNode(_schema_of(value), _NOWHERE)])


def shape_of_schema(schema: Schema | None) -> Shape:
    """Return the shape of a neutral schema, such as that of a request's body."""
    return Shape(None, [SchemaNode(schema, _NOWHERE)]) if schema is not None else ANY


class NamedShapes(Shape):
    """A document that consists of several responses, each under its name."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        super().__init__(None, ())
        self._shapes = shapes

    @property
    def is_open(self) -> bool:
        """Return False: the names are all known."""
        return False

    def names(self) -> list[str]:
        """Return the names of the responses."""
        return list(self._shapes)

    def child(self, name: str) -> Shape | None:
        """Return the response of that name."""
        return self._shapes.get(name)

    def every(self) -> Shape:
        """Return the shape of any response: nothing is common to all."""
        return ANY

    def rows(self) -> Shape:
        """Return the shape itself, which is not a list."""
        return self


class UnionShape(Shape):
    """One of two shapes: a name that either knows is accepted."""

    def __init__(self, left: Shape, right: Shape) -> None:
        super().__init__(None, ())
        self._left, self._right = left, right
        self.deep: int = 1 + max(getattr(left, "deep", 0), getattr(right, "deep", 0))

    @property
    def is_open(self) -> bool:
        """Return whether one of them is open."""
        return self._left.is_open or self._right.is_open

    @property
    def is_list(self) -> bool:
        """Return whether both are lists."""
        return self._left.is_list and self._right.is_list

    def words(self) -> list[str]:
        """Return the choices of both, where both list them."""
        left, right = self._left.words(), self._right.words()
        return [*left, *right] if left and right else []

    def kinds(self) -> frozenset[str]:
        """Return the types of both, where both are known."""
        left, right = self._left.kinds(), self._right.kinds()
        return left | right if left and right else frozenset()

    def names(self) -> list[str]:
        """Return the names of both."""
        return [*self._left.names(), *self._right.names()]

    def child(self, name: str) -> Shape | None:
        """Return the shape under `name` in either of them."""
        left, right = self._left.child(name), self._right.child(name)
        return either(left, right) if left and right else left or right

    def every(self) -> Shape:
        """Return the shape under any name."""
        return either(self._left.every(), self._right.every())

    def rows(self) -> Shape:
        """Return the shape of the rows."""
        return either(self._left.rows(), self._right.rows())


def either(left: Shape, right: Shape) -> Shape:
    """Return the union of two shapes; `ANY` where they have too many forms."""
    if left is right:
        return left
    found = UnionShape(left, right)
    return ANY if found.deep > _MOST_CHOICES else found


class AnswerShapes:
    """The responses of one document's operations."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._shaper = SchemaNormalizer(document.references)
        self._known: dict[str, Shape] = {}

    def of(self, name: str) -> Shape:
        """Return the shape of a successful response of the operation called `name`. Raises OperationError when there is
        none."""
        if name not in self._known:
            self._known[name] = Shape(self._shaper, list(self._schemas(name)))
        return self._known[name]

    def refusal(self, name: str) -> Shape:
        """Return the shape of an error response of the operation called `name`. Raises OperationError when there is
        none."""
        return Shape(self._shaper, list(self._schemas(name, ("4", "default"))))

    def _schemas(self, name: str, begins: tuple[str, ...] = ("2",)) -> Iterator[SchemaNode]:
        raw, location = self._document.raw(name)
        answers = parts_of(raw.get("responses"))
        good = [status for status in answers if str(status).startswith(begins)]
        for status in good or [s for s in answers if s == "default"]:
            response, where = self._shaper.met(answers[status], location.under("responses", str(status)))
            for kind, media in parts_of(response.get("content")).items():
                if "json" in kind or kind == "*/*":
                    yield SchemaNode(parts_of(media).get("schema"), where.under("content", kind, "schema"))


def _schema_of(value: Value) -> Node:
    if isinstance(value, dict):
        return {"type": "object", "properties": {name: _schema_of(inner) for name, inner in value.items()}}
    if isinstance(value, list):
        rows = [_schema_of(inner) for inner in value]
        return {"type": "array", "items": {"anyOf": rows} if rows else {}}
    return {"type": _SCALARS.get(type(value), "string")} if value is not None else {}


_INSIDE = ("data", "result", "response", "payload", "item", "body", "content")
_AROUND = frozenset(
    "status success ok code message messages error errors meta metadata pagination paging links warnings timestamp "
    "time version request_id requestId trace_id traceId".split()
)
_NAME = re.compile(r"[A-Za-z_]\w*")
WENT_WELL = frozenset({"success", "successful", "succeeded", "ok", "true"})
_WENT_WRONG = frozenset({"error", "errors", "fail", "failed", "failure", "false"})


def inside_of(answer: Shape) -> str:
    """Return the name under which the resource is in a response; "" where the response is the resource."""
    names = {*answer.names()}
    found = next((name for name in _INSIDE if name in names), "")
    inner = answer.child(found) if found else None
    if inner is None or answer.is_list or names - _AROUND - {found}:
        return ""
    return found if not inner.is_open and inner.rows().names() else ""


def says_only_that_it_went(parent: Shape, name: str) -> list[str]:
    """Return the values of an envelope field that only gives the status of the call; [] for any other."""
    shape = parent.child(name) if not parent.is_list else None
    words = shape.words() if shape is not None and (inside_of(parent) or len({*shape.words()}) == 1) else []
    known = {word.lower() for word in words}
    return words if known & WENT_WELL and known <= WENT_WELL | _WENT_WRONG else []


def is_thing(shape: Shape | None, name: str) -> bool:
    """Return whether the value under a name is one resource, with fields that templates can name."""
    return shape is not None and not shape.is_list and not shape.is_open and bool(_NAME.fullmatch(name))
