"""The read that belongs to a write, and what it shows of what the write can change."""

import re
from dataclasses import dataclass

from contracts.action import Operation
from language import api_words as said
from registry.document import Document
from registry.draft_inputs import Input, Inputs
from registry.faults import OperationError
from registry.neutral import types_of
from registry.shapes import AnswerShapes, Shape
from registry.words import words_of

_NAME = re.compile(r"[A-Za-z_]\w*")
_SCALARS = frozenset({"string", "integer", "number", "boolean"})


@dataclass(frozen=True)
class Matching:
    """A read of what a write is about. `prefix` is where in its answer the thing stands: "" or `booking.`."""

    read: Operation
    answer: Shape
    prefix: str = ""

    def shows(self, one: Input) -> bool:
        """Whether it declares the field that the input sets."""
        return one.place == "body" and _NAME.fullmatch(one.field) is not None and one.field in self.answer.names()


class Reads:
    """The reads of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.shapes = AnswerShapes(document)

    def of(self, operation: Operation, inputs: Inputs) -> Matching | None:
        """The read of what the operation is about: at its own path, or at the one that its last word hangs on."""
        paths = [operation.path]
        if not operation.path.rstrip("/").endswith("}"):
            paths.append(operation.path.rstrip("/").rpartition("/")[0])
        for path in paths:
            if "{" in path and (found := self._read(f"GET {path}", {one.field for one in inputs.shown})) is not None:
                return self._placed(found, inputs)
        return None

    def beneath(self, operation: Operation) -> tuple[Operation, Operation | None] | None:
        """The read of one thing that the operation makes, and the call that takes it away again."""
        start = f"{operation.path.rstrip('/')}/"
        gap, taking, reading = "", dict[str, Operation](), None
        for key in self._document.keys:
            try:
                other = self._document.operation(key)
            except OperationError:
                continue
            below = re.fullmatch(re.escape(start) + r"(\{[^}]+\})(/([\w-]+))?", other.path)
            if below is None or (gap and below[1] != gap):
                continue
            gap = below[1]
            if other.method == "GET" and not below[2]:
                reading = other
            elif other.method == "DELETE" and not below[2]:
                taking.setdefault("delete", other)
            elif other.method in ("POST", "PUT") and below[3] and said.base_verb(below[3]) in said.CALLS_OFF:
                taking["cancel"] = other
        if reading is None:
            return None
        return reading, taking.get("cancel") or taking.get("delete")

    def shape(self, key: str) -> Shape:
        """What an operation answers."""
        return self.shapes.of(key)

    def _read(self, key: str, given: set[str]) -> Operation | None:
        try:
            found = self._document.operation(key)
        except OperationError:
            return None
        needed = {p.name for p in found.parameters if p.required}
        return found if needed <= given and all(p.location == "path" for p in found.parameters if p.required) else None

    def _placed(self, read: Operation, inputs: Inputs) -> Matching:
        answer = self.shapes.of(read.key)
        fields = {one.field for one in inputs.shown if one.place == "body"}
        best, prefix, most = answer, "", len(fields & {*answer.names()})
        for name in answer.names()[:20]:
            inner = answer.child(name)
            if inner is None or inner.is_list or inner.free or not _NAME.fullmatch(name):
                continue
            if len(fields & {*inner.names()}) > most:
                best, prefix, most = inner, f"{name}.", len(fields & {*inner.names()})
        return Matching(read, best, prefix)


def id_in(answer: Shape, gap: str, thing: str) -> str:
    """Where an answer has the id of the thing in it: `id`, `booking.uniqueId`; "" where nothing tells."""
    own = gap.strip("{}")
    wanted = [own, "id", "uniqueId", "uuid", "sid", f"{thing}Id", f"{thing}_id"]
    for prefix, shape in (("", answer), *((f"{n}.", answer.child(n)) for n in answer.names()[:12])):
        if shape is None or shape.is_list or shape.free:
            continue
        names = shape.names()
        found = next((name for name in wanted if name in names), None)
        if found is not None:
            return f"{prefix}{found}"
    return ""


def off_values(answer: Shape) -> tuple[str, list[str]]:
    """The field that tells a state, and those of its values that say that it is off; ("", []) where there is none."""
    for name in answer.names():
        if words_of(name)[-1:] and words_of(name)[-1] in said.STATES and _NAME.fullmatch(name):
            shape = answer.child(name)
            listed = shape.schema.get("enum") if shape else None
            values = [v for v in listed if isinstance(v, str)] if isinstance(listed, list) else []
            return name, [v for v in values if v.lower() in said.OFF]
    return "", []


def is_scalar(one: Input) -> bool:
    """Whether it is one value, not a list or an object."""
    kinds = {kind for kind in types_of(one.schema) if kind != "null"}
    return bool(kinds) and kinds <= _SCALARS
