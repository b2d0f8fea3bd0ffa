"""What an answer may hold, as the API document declares it and as a sample shows it: so that a path into an answer can
be told from a typing error when an overlay is loaded.

A document's schemas are followed only where a path leads, so large ones cost nothing. Where a document says nothing (no
schema, a free object), everything may be there.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from contracts.base import Node, Parts, Schema, Value
from registry.document import Document
from registry.faults import OperationError
from registry.nodes import entries_of, parts_of
from registry.references import Place
from registry.schemas import Shaper

_PARTS = ("allOf", "anyOf", "oneOf")
_MOST_PARTS = 200
_MOST_CHOICES = 6
_SCALARS = {bool: "boolean", int: "integer", float: "number"}


class Standing(NamedTuple):
    """A schema and where it stands."""

    node: Node
    place: Place


class Shape:
    """Every form that a value may have: schemas with what they are made of laid open."""

    def __init__(self, shaper: Shaper | None, schemas: Iterable[Standing]) -> None:
        self._shaper = shaper
        self._parts = list(self._laid_open(schemas))

    @property
    def free(self) -> bool:
        """True when nothing is declared of what is inside: any name may be there."""
        return not self._parts or any(map(_is_free, (part.node for part in self._parts)))

    @property
    def is_list(self) -> bool:
        """True when it can be nothing but a list."""
        types = [parts_of(part.node).get("type") for part in self._parts]
        return bool(types) and all(kind == "array" for kind in types if kind != "null")

    @property
    def may_be_value(self) -> bool:
        """True when one of its forms is a plain value: an id, where another form is the thing itself."""
        kinds = [parts_of(part.node).get("type") for part in self._parts]
        return any(kind in ("string", "integer", "number", "boolean") for kind in kinds)

    def words(self) -> list[str]:
        """The words that a text here may be, where every form of it lists them; [] where it may be anything."""
        listed = [[c for c in _choices(parts_of(part.node)) if c is not None] for part in self._parts]
        return [str(word) for words in listed for word in words] if listed and all(listed) else []

    def kinds(self) -> frozenset[str]:
        """The types that a value here may have, null aside; none where any of its forms leaves that open."""
        types = [_types_of(parts_of(part.node)) for part in self._parts]
        return frozenset(kind for some in types for kind in some if kind != "null") if all(types) else frozenset()

    @property
    def schema(self) -> Parts:
        """The first of its forms as the document writes it; {} where nothing is declared."""
        return parts_of(self._parts[0].node) if self._parts else {}

    def names(self) -> list[str]:
        """The declared names."""
        return [name for part in self._parts for name in parts_of(parts_of(part.node).get("properties"))]

    def deep_names(self, levels: int = 2) -> set[str]:
        """The declared names here and in what is inside, so many levels down."""
        found = set(self.rows().names())
        for name in found.copy() if levels else ():
            inner = self.rows().child(name)
            found |= inner.deep_names(levels - 1) if inner is not None and not inner.free else set()
        return found

    def child(self, name: str) -> "Shape | None":
        """What stands under `name`; None when the schemas know no such name."""
        found: list[Standing] = []
        for node, place in self._parts:
            properties = parts_of(parts_of(node).get("properties"))
            more = parts_of(node).get("additionalProperties")
            if name in properties:
                found.append(Standing(properties[name], place.under("properties", name)))
            elif isinstance(more, dict):
                found.append(Standing(more, place.under("additionalProperties")))
        if found:
            return Shape(self._shaper, found)
        return ANY if self.free else None

    def every(self) -> "Shape":
        """What stands under any name."""
        found = [self.child(name) for name in self.names()]
        parts = [part for shape in found if shape for part in shape._parts]
        return ANY if self.free or not parts else Shape(self._shaper, parts)

    def rows(self) -> "Shape":
        """What stands in a list; the thing itself where it is none."""
        found = [
            Standing(parts_of(node)["items"], place.under("items"))
            for node, place in self._parts
            if "items" in parts_of(node)
        ]
        if found:
            return Shape(self._shaper, found)
        return ANY if self.is_list or self.free else self

    def _laid_open(self, schemas: Iterable[Standing]) -> Iterator[Standing]:
        waiting, seen = list(schemas), set[Place]()
        while waiting and len(seen) < _MOST_PARTS:
            node, place = waiting.pop()
            if self._shaper is not None:
                try:
                    node, place = self._shaper.node(node, place)
                except OperationError:
                    node = {}  # a broken reference is no fault of a path
            if place in seen and self._shaper is not None:
                continue
            seen.add(place)
            inner = [
                Standing(part, place.under(key, str(index)))
                for key in _PARTS
                for index, part in enumerate(entries_of(parts_of(node).get(key)))
            ]
            waiting += inner
            if not inner or "properties" in parts_of(node):
                yield Standing(node, place)


def _choices(node: Parts) -> list[Node]:
    """What a schema says that a value can only be."""
    return [node["const"]] if "const" in node else entries_of(node.get("enum"))


def _types_of(node: Parts) -> list[str]:
    """The types that a schema names as the document writes it, which may be anything."""
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


_NOWHERE = Place(Path())
ANY = Shape(None, ())
"""Of which nothing is known."""


def shape_of(value: Value) -> Shape:
    """What a document that was seen holds."""
    return Shape(None, [Standing(_schema_of(value), _NOWHERE)])


def shape_of_schema(schema: Schema | None) -> Shape:
    """What a neutral schema allows, such as that of a request's body."""
    return Shape(None, [Standing(schema, _NOWHERE)]) if schema is not None else ANY


class Named(Shape):
    """A document that is made of several answers, each under its name."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        super().__init__(None, ())
        self._shapes = shapes

    @property
    def free(self) -> bool:
        """False: the names are all known."""
        return False

    def names(self) -> list[str]:
        """The names of the answers."""
        return list(self._shapes)

    def child(self, name: str) -> Shape | None:
        """The answer of that name."""
        return self._shapes.get(name)

    def every(self) -> Shape:
        """Any of the answers: nothing is known of all alike."""
        return ANY

    def rows(self) -> Shape:
        """Itself: it is no list."""
        return self


class Either(Shape):
    """One thing or the other: what one of them knows may be there."""

    def __init__(self, left: Shape, right: Shape) -> None:
        super().__init__(None, ())
        self._left, self._right = left, right
        self.deep: int = 1 + max(getattr(left, "deep", 0), getattr(right, "deep", 0))

    @property
    def free(self) -> bool:
        """True when one of them is."""
        return self._left.free or self._right.free

    @property
    def is_list(self) -> bool:
        """True when both are."""
        return self._left.is_list and self._right.is_list

    def words(self) -> list[str]:
        """The words of both, where both list them."""
        left, right = self._left.words(), self._right.words()
        return [*left, *right] if left and right else []

    def kinds(self) -> frozenset[str]:
        """The types of both, where both are known."""
        left, right = self._left.kinds(), self._right.kinds()
        return left | right if left and right else frozenset()

    def names(self) -> list[str]:
        """The names of both."""
        return [*self._left.names(), *self._right.names()]

    def child(self, name: str) -> Shape | None:
        """What stands under `name` in one of them."""
        left, right = self._left.child(name), self._right.child(name)
        return either(left, right) if left and right else left or right

    def every(self) -> Shape:
        """What stands under any name."""
        return either(self._left.every(), self._right.every())

    def rows(self) -> Shape:
        """What stands in the lists."""
        return either(self._left.rows(), self._right.rows())


def either(left: Shape, right: Shape) -> Shape:
    """One thing or the other; anything, where they are too many to tell."""
    if left is right:
        return left
    found = Either(left, right)
    return ANY if found.deep > _MOST_CHOICES else found


class AnswerShapes:
    """The answers of one document's operations."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._shaper = Shaper(document.references)
        self._known: dict[str, Shape] = {}

    def of(self, name: str) -> Shape:
        """What the operation called `name` answers when it succeeds. Raises OperationError when there is none."""
        if name not in self._known:
            self._known[name] = Shape(self._shaper, list(self._schemas(name)))
        return self._known[name]

    def refusal(self, name: str) -> Shape:
        """What the operation called `name` answers when it refuses. Raises OperationError when there is none."""
        return Shape(self._shaper, list(self._schemas(name, ("4", "default"))))

    def _schemas(self, name: str, begins: tuple[str, ...] = ("2",)) -> Iterator[Standing]:
        raw, place = self._document.raw(name)
        answers = parts_of(raw.get("responses"))
        good = [status for status in answers if str(status).startswith(begins)]
        for status in good or [s for s in answers if s == "default"]:
            response, where = self._shaper.met(answers[status], place.under("responses", str(status)))
            for kind, media in parts_of(response.get("content")).items():
                if "json" in kind or kind == "*/*":
                    yield Standing(parts_of(media).get("schema"), where.under("content", kind, "schema"))


def _schema_of(value: Value) -> Node:
    if isinstance(value, dict):
        return {"type": "object", "properties": {name: _schema_of(inner) for name, inner in value.items()}}
    if isinstance(value, list):
        rows = [_schema_of(inner) for inner in value]
        return {"type": "array", "items": {"anyOf": rows} if rows else {}}
    return {"type": _SCALARS.get(type(value), "string")} if value is not None else {}
