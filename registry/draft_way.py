"""What a first draft says of the way there and back, and the pieces that all its ways share."""

from dataclasses import dataclass, field

from contracts.base import Value
from registry.draft_inputs import Input, Inputs
from registry.draft_reads import Matching, constant
from registry.targets import split_path


@dataclass
class Way:
    """What a draft says beyond its parameters. `fields`: the inputs that it sets and can put back; `instead`: those of
    them that a template sends, since what is not given stays as it was; `carried`: those that it sends as they were;
    `seen`: where the read shows each; `versions`: those that it takes from the read; `why`: what a person must know of
    what it lacks."""

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
    """Put a value where a target says: `body.guest.name` goes into the object `guest`."""
    *path, last = split_path(target)
    for name in path:
        inner = tree.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        tree = inner
    tree[last] = value


def snapshot_of(matching: Matching, inputs: Inputs, covers: list[str]) -> dict[str, Value]:
    """What is read before acting."""
    needed = {f"{p.location}.{p.name}" for p in matching.read.parameters if p.required}
    with_: dict[str, Value] = {
        one.field: f"{{{{ {one.name} }}}}" for one in inputs.shown if one.target in needed and one.place != "body"
    }
    with_ |= {t.partition(".")[2]: inputs.bound[t] for t in sorted(needed) if constant(inputs, t)}
    paths: list[Value] = [*covers]
    return {"snapshot": {"operation": matching.read.key, "with": with_, "covers": paths}}


def places_of(inputs: Inputs) -> dict[str, Value]:
    """What the way back needs of the way there, beside the body."""
    found: dict[str, Value] = {}
    for one in inputs.shown:
        if one.place == "path" or (one.place == "query" and one.required):
            put(found, one.target, f"{{{{ {one.name} }}}}")
    for target, value in inputs.bound.items():
        if target.partition(".")[0] in ("query", "header") and constant(inputs, target):
            put(found, target, value)
    return found


def given(one: Input) -> str:
    """The condition that it was said."""
    return " or ".join(one.parts) if one.instant else f"{one.name} is not none"


def as_asked(one: Input, now: str) -> str:
    """The condition that `now` is what was sent; what was not sent may be anything."""
    sent = f"request.body.{one.field}"
    if one.instant:
        return f"{now} | same_instant({sent} | default({now}))"
    return f"{now} | default(none) == {sent} | default({now} | default(none))"
