"""The read that belongs to a write, and what it shows of what the write can change."""

import re
from dataclasses import dataclass

from contracts.action import Operation
from language import api_words as said
from registry.document import Document
from registry.draft_inputs import Input, Inputs
from registry.draft_leaves import is_value
from registry.draft_paths import above, ending, ends_with_id, ids_by, stem
from registry.envelope import inside_of, is_thing
from registry.faults import OperationError
from registry.neutral import types_of
from registry.produced import is_plural
from registry.shapes import AnswerShapes, Shape
from registry.words import words_of

_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Matching:
    """A read of what a write is about. `prefix` is where in its answer the thing stands: "" or `booking.`."""

    read: Operation
    answer: Shape
    prefix: str = ""

    def at(self, one: Input) -> str:
        """Where it declares the field that the input sets, with dots into objects, beneath `prefix`; "" where it does
        not. A request may write `FriendlyName` where the answer has `friendly_name`."""
        shape: Shape | None = self.answer
        found: list[str] = []
        for name in one.field.split(".") if one.place == "body" and not one.cell else [""]:
            known = shape.names() if shape is not None and not shape.is_list else []
            alike = next((n for n in known if n == name), None) or next((n for n in known if _alike(n, name)), None)
            if alike is None or not _NAME.fullmatch(alike):
                return ""
            found.append(alike)
            shape = shape.child(alike) if shape is not None else None
        return ".".join(found)

    def named(self, *names: str) -> str:
        """The first of those names that it declares, however it is written; "" for none."""
        return next((n for name in names for n in self.answer.names() if _alike(n, name) and _NAME.fullmatch(n)), "")


def _alike(name: str, other: str) -> bool:
    return words_of(name) == words_of(other) != []


class Reads:
    """The reads of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.shapes = AnswerShapes(document)

    def of(self, operation: Operation, inputs: Inputs) -> Matching | None:
        """The read of what the operation is about: at its own path, or at the one that its last word hangs on."""
        paths = [operation.path]
        if not ends_with_id(operation.path):
            paths.append(above(operation.path))
        for path in paths:
            if "{" in path and (found := self._read(f"GET {path}", inputs)) is not None:
                return self._placed(found, inputs)
        return None

    def makes(self, operation: Operation, verb: str) -> bool:
        """Whether a POST makes a thing of its own, and does nothing to the one that stands above it in its path."""
        beneath, last = self.beneath(operation), stem(operation.path).rpartition("/")[2]
        return verb in ("make", "add") or beneath[1] is not None or is_plural(last)

    def beneath(self, operation: Operation) -> tuple[str, Operation | None, Operation | None]:
        """The gap for what the operation makes, the read of one such thing, and the call that takes it away again."""
        start, end = f"{stem(operation.path)}/", ending(operation.path)
        gap, taking, reading = "", dict[str, Operation](), None
        for key in self._document.keys:
            try:
                other = self._document.operation(key)
            except OperationError:
                continue
            below = re.fullmatch(re.escape(start) + r"(\{[^}]+\})(/([\w-]+))?" + re.escape(end), other.path)
            if below is None or (gap and below[1] != gap):
                continue
            gap = below[1]
            if other.method == "GET" and not below[2]:
                reading = other
            elif other.method == "DELETE" and not below[2]:
                taking.setdefault("delete", other)
            elif other.method in ("POST", "PUT") and below[3] and said.base_verb(below[3]) in said.CALLS_OFF:
                taking["cancel"] = other
        return gap.strip("{}"), reading, taking.get("cancel") or taking.get("delete")

    def shape(self, key: str) -> Shape:
        """What an operation answers."""
        return self.shapes.of(key)

    def thing(self, read: Operation) -> Matching:
        """A read of one thing, and where in its answer that stands."""
        answer = self.shapes.of(read.key)
        name = inside_of(answer)
        inner = answer.child(name) if name else None
        return Matching(read, inner, f"{name}.") if inner and is_thing(inner, name) else Matching(read, answer)

    def _read(self, key: str, inputs: Inputs) -> Operation | None:
        try:
            found = self._document.operation(key)
        except OperationError:
            return None
        given = {one.target for one in inputs.shown} | {target for target in inputs.bound if constant(inputs, target)}
        return found if {f"{p.location}.{p.name}" for p in found.parameters if p.required} <= given else None

    def _placed(self, read: Operation, inputs: Inputs) -> Matching:
        answer = self.shapes.of(read.key)
        best, most = Matching(read, answer), -1
        wrapped = inside_of(answer)
        for name in [wrapped] if is_thing(answer.child(wrapped), wrapped) else ["", *answer.names()[:20]]:
            inner = answer.child(name) if name else answer
            if inner is None or (name and not is_thing(inner, name)):
                continue
            matching = Matching(read, inner, f"{name}." if name else "")
            shown = sum(bool(matching.at(one)) for one in inputs.shown if one.place == "body")
            if shown > most:
                best, most = matching, shown
        return best


def constant(inputs: Inputs, target: str) -> bool:
    """Whether what is bound there is a plain value, which a read can be given too."""
    value = inputs.bound.get(target)
    return value is not None and not (isinstance(value, str) and value.startswith("${"))


def id_in(answer: Shape, gap: str, thing: str) -> str:
    """Where an answer has the id of the thing in it: `id`, `booking.uniqueId`; "" where nothing tells."""
    wanted = ("id", "uniqueId", "uuid", "sid", f"{thing}Id", f"{thing}_id")
    for prefix, shape in (("", answer), *((f"{n}.", answer.child(n)) for n in answer.names()[:12])):
        if shape is None or shape.is_list or shape.free:
            continue
        names = [name for name in shape.names() if _NAME.fullmatch(name)]
        found = ids_by(gap, names, wanted)
        if found and _NAME.fullmatch(prefix.rstrip(".") or found):
            return f"{prefix}{found}"
    return ""


def off_checks(answer: Shape, at: str) -> tuple[str, str, str]:
    """The field that tells a state, the value of it that says that it is off, and the condition that it is, on what
    stands at `at`; "" for each that there is not."""
    names = [name for name in answer.names() if _NAME.fullmatch(name)]
    for name in names:
        shape = answer.child(name)
        if {*words_of(name)} & said.OFF and shape is not None and "boolean" in types_of({**shape.schema}):
            return name, "yes", f"{at}{name} | default(false)"
    for name in names:
        if words_of(name)[-1:] and words_of(name)[-1] in said.STATES:
            shape = answer.child(name)
            listed = shape.schema.get("enum") if shape else None
            values = [v for v in listed if isinstance(v, str)] if isinstance(listed, list) else []
            off = [v for v in values if v.lower() in said.OFF]
            return name, off[0] if off else "", f"{at}{name} in {off!r}" if off else ""
    return "", "", ""


def is_scalar(one: Input) -> bool:
    """Whether it is one value, not a list or an object."""
    return is_value(one.schema)
