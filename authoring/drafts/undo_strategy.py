"""The parts of a draft about the write and its undo, and the helpers that all strategies share."""

from dataclasses import dataclass, field

from authoring.drafts.inputs import Input, Inputs
from authoring.drafts.reads import MatchingRead, constant
from contracts.base import Value
from registry.http.request import split_path


@dataclass
class UndoStrategy:
    """A draft's keys beyond its parameters. `fields`: the inputs that it sets and can restore; `instead`: those of them
    that a template sends, because an input that is not given keeps its value; `carried`: those that it sends unchanged;
    `seen`: where the read shows each; `versions`: those that it takes from the read; `why`: the gaps that a person must
    know."""

    keys: dict[str, Value] = field(default_factory=dict)
    fields: list[Input] = field(default_factory=list)
    instead: set[str] = field(default_factory=set)
    prefix: str = ""
    read: str = ""
    carried: set[str] = field(default_factory=set)
    seen: dict[str, str] = field(default_factory=dict)
    versions: set[str] = field(default_factory=set)
    why: tuple[str, ...] = ()


def put(tree: dict[str, Value], target: str, value: Value) -> None:
    """Put a value at the place of a target: `body.guest.name` goes into the object `guest`."""
    *path, last = split_path(target)
    for name in path:
        inner = tree.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        tree = inner
    tree[last] = value


def snapshot_of(matching: MatchingRead, inputs: Inputs, covers: list[str]) -> dict[str, Value]:
    """Return the read before the write."""
    needed = {f"{p.location}.{p.name}" for p in matching.read.parameters if p.required}
    with_: dict[str, Value] = {
        one.field: f"{{{{ {one.name} }}}}" for one in inputs.rows if one.target in needed and one.place != "body"
    }
    with_ |= {t.partition(".")[2]: inputs.bound[t] for t in sorted(needed) if constant(inputs, t)}
    paths: list[Value] = [*covers]
    return {"snapshot": {"operation": matching.read.key, "with": with_, "covers": paths}}


NOT_COMPARED = "`verify` of this draft does not compare it"


def compares(way: UndoStrategy, one: Input) -> bool:
    """Return whether the strategy's `verify`, if it has one, compares an input with what is read after the write. What
    picks the resource needs no comparison."""
    verify = way.keys.get("verify")
    return (
        verify is None or one.place == "path" or one.role == "booking" or f"request.body.{one.field} " in f"{verify} "
    )


def places_of(inputs: Inputs) -> dict[str, Value]:
    """Return the values of the write that the undo needs, beside the body."""
    found: dict[str, Value] = {}
    for one in inputs.rows:
        if one.place == "path" or (one.place == "query" and one.required):
            put(found, one.target, f"{{{{ {one.name} }}}}")
    for target, value in inputs.bound.items():
        if target.partition(".")[0] in ("query", "header") and constant(inputs, target):
            put(found, target, value)
    return found


def given(one: Input) -> str:
    """Return the condition that the value was given."""
    return " or ".join(one.parts) if one.instant else f"{one.name} is not none"


def as_asked(one: Input, now: str) -> str:
    """Return the condition that `now` is the sent value; a value that was not sent may be anything."""
    sent = f"request.body.{one.field}"
    if one.instant:
        return f"{now} | same_instant({sent} | default({now}))"
    return f"{now} | default(none) == {sent} | default({now} | default(none))"
