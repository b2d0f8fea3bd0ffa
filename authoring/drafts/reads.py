"""The read that belongs to a write, and its fields that the write can change."""

import re
from dataclasses import dataclass

from authoring.drafts import wording
from authoring.drafts.body import is_value
from authoring.drafts.inputs import Input, Inputs
from contracts.action import Operation
from registry.errors import OperationError
from registry.openapi.document import Document
from registry.openapi.schema_reading import types_of
from registry.openapi.shapes import AnswerShapes, Shape, inside_of, is_thing
from registry.text import is_plural, words_of

_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class MatchingRead:
    """A read of the resource that a write changes. `prefix` is the resource's path in the response: "" or
    `booking.`."""

    read: Operation
    answer: Shape
    prefix: str = ""

    def at(self, one: Input) -> str:
        """Return where it declares the field that the input sets, with dots into objects, beneath `prefix`; "" if
        nowhere. A request may write `FriendlyName` for `friendly_name` in the response."""
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
        """Return the first of those names that it declares, in any notation; "" for none."""
        return next((n for name in names for n in self.answer.names() if _alike(n, name) and _NAME.fullmatch(n)), "")


def _alike(name: str, other: str) -> bool:
    return words_of(name) == words_of(other) != []


class ReadIndex:
    """The reads of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.shapes = AnswerShapes(document)

    def of(self, operation: Operation, inputs: Inputs) -> MatchingRead | None:
        """Return the read of the operation's resource: at its own path, or at the one above its last word."""
        paths = [operation.path]
        if not ends_with_id(operation.path):
            paths.append(above(operation.path))
        for path in paths:
            if "{" in path and (found := self._read(f"GET {path}", inputs)) is not None:
                return self._placed(found, inputs)
        return None

    def makes(self, operation: Operation, verb: str) -> bool:
        """Return whether a POST creates a resource of its own, instead of changing the one above it in its path."""
        beneath, last = self.beneath(operation), stem(operation.path).rpartition("/")[2]
        return verb in ("make", "add") or beneath[1] is not None or is_plural(last)

    def beneath(self, operation: Operation) -> tuple[str, Operation | None, Operation | None]:
        """Return the placeholder of the created resource, the read of one, and the call that removes it again."""
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
            elif other.method in ("POST", "PUT") and below[3] and wording.base_verb(below[3]) in wording.CALLS_OFF:
                taking["cancel"] = other
        return gap.strip("{}"), reading, taking.get("cancel") or taking.get("delete")

    def shape(self, key: str) -> Shape:
        """Return the response of an operation."""
        return self.shapes.of(key)

    def thing(self, read: Operation) -> MatchingRead:
        """Return a read of one resource, with the resource's path in the response."""
        answer = self.shapes.of(read.key)
        name = inside_of(answer)
        inner = answer.child(name) if name else None
        return MatchingRead(read, inner, f"{name}.") if inner and is_thing(inner, name) else MatchingRead(read, answer)

    def _read(self, key: str, inputs: Inputs) -> Operation | None:
        try:
            found = self._document.operation(key)
        except OperationError:
            return None
        given = {one.target for one in inputs.rows} | {target for target in inputs.bound if constant(inputs, target)}
        return found if {f"{p.location}.{p.name}" for p in found.parameters if p.required} <= given else None

    def _placed(self, read: Operation, inputs: Inputs) -> MatchingRead:
        answer = self.shapes.of(read.key)
        best, limit = MatchingRead(read, answer), -1
        wrapped = inside_of(answer)
        for name in [wrapped] if is_thing(answer.child(wrapped), wrapped) else ["", *answer.names()[:20]]:
            inner = answer.child(name) if name else answer
            if inner is None or (name and not is_thing(inner, name)):
                continue
            matching = MatchingRead(read, inner, f"{name}." if name else "")
            shown = sum(bool(matching.at(one)) for one in inputs.rows if one.place == "body")
            if shown > limit:
                best, limit = matching, shown
        return best


def constant(inputs: Inputs, target: str) -> bool:
    """Return whether the value bound there is a literal, which a read can use too."""
    value = inputs.bound.get(target)
    return value is not None and not (isinstance(value, str) and value.startswith("${"))


def id_in(answer: Shape, gap: str, thing: str) -> str:
    """Return the path of the resource's id in a response: `id`, `booking.uniqueId`; "" where it is unknown."""
    wanted = ("id", "uniqueId", "uuid", "sid", f"{thing}Id", f"{thing}_id")
    for prefix, shape in (("", answer), *((f"{n}.", answer.child(n)) for n in answer.names()[:12])):
        if shape is None or shape.is_list or shape.is_open:
            continue
        names = [name for name in shape.names() if _NAME.fullmatch(name)]
        found = ids_by(gap, names, wanted)
        if found and _NAME.fullmatch(prefix.rstrip(".") or found):
            return f"{prefix}{found}"
    return ""


def off_checks(answer: Shape, at: str) -> tuple[str, str, str]:
    """Return the status field, its value for "off", and the condition for that on the resource at `at`; "" for each
    that is unknown."""
    names = [name for name in answer.names() if _NAME.fullmatch(name)]
    for name in names:
        shape = answer.child(name)
        if {*words_of(name)} & wording.OFF and shape is not None and "boolean" in types_of({**shape.schema}):
            return name, "yes", f"{at}{name} | default(false)"
    for name in names:
        if words_of(name)[-1:] and words_of(name)[-1] in wording.STATES:
            shape = answer.child(name)
            listed = shape.schema.get("enum") if shape else None
            values = [v for v in listed if isinstance(v, str)] if isinstance(listed, list) else []
            off = [v for v in values if v.lower() in wording.OFF]
            return name, off[0] if off else "", f"{at}{name} in {off!r}" if off else ""
    return "", "", ""


def is_scalar(one: Input) -> bool:
    """Return whether a shape is one value, not a list or an object."""
    return is_value(one.schema)


_IDS = frozenset({"id", "uid", "uuid", "guid", "sid"})
_FORMAT = re.compile(r"\.(json|xml|html)$")


def stem(path: str) -> str:
    """Return the path without a slash or a format at its end."""
    return _FORMAT.sub("", path.rstrip("/"))


def ending(path: str) -> str:
    """Return the format at its end, ".json"; "" for none."""
    return path.rstrip("/")[len(stem(path)) :]


def ends_with_id(path: str) -> bool:
    """Return whether it is the path of one resource."""
    return stem(path).endswith("}")


def above(path: str) -> str:
    """Return the path one level up, in the same format."""
    return stem(path).rpartition("/")[0] + ending(path)


def is_everywhere(gap: str) -> bool:
    """Return whether a placeholder's name means the whole venue, as `AccountSid` does."""
    return bool(wording.EVERYWHERE & {*words_of(gap)})


def own_gaps(path: str) -> list[str]:
    """Return the placeholders that are not the whole venue's."""
    return [gap for gap in re.findall(r"{\+?([^}]*)}", path) if not is_everywhere(gap)]


def ids_by(gap: str, names: list[str], others: tuple[str, ...]) -> str:
    """Return the field that a placeholder of a path takes: by all of its words, then by its last word and the usual
    names of ids, then by the usual names of ids; "" for none."""
    words = words_of(gap.strip("{}"))
    own = [words[-1]] if words and words[-1] in _IDS else []
    for wanted in (gap.strip("{}"), *own, *others):
        found = next((n for n in names if n == wanted), "") or next(
            (n for n in names if words_of(n) == words_of(wanted) != []), ""
        )
        if found:
            return found
    return ""
