"""How a draft is looked at before and after, and taken back: from the read that belongs to the write."""

from dataclasses import dataclass, field

from contracts.base import Value
from language import api_words as said
from registry.document import Described
from registry.draft_inputs import Input, Inputs
from registry.draft_reads import Matching, Reads, id_in, is_scalar, off_values
from registry.draft_title import Called
from registry.words import spoken_name

_MOST_SHOWN = 6
_MOST_CARRIED = 30


@dataclass
class Way:
    """What a draft says beyond its parameters. `fields`: the inputs that it sets and can put back; `instead`: those of
    them that a template sends, since what is not given stays as it was."""

    keys: dict[str, Value] = field(default_factory=dict)
    fields: list[Input] = field(default_factory=list)
    instead: set[str] = field(default_factory=set)
    prefix: str = ""
    read: str = ""


def way_of(described: Described, inputs: Inputs, name: Called, reads: Reads) -> Way:
    """The way there and back of a write."""
    operation = described.operation
    if operation.method == "DELETE":
        return Way()
    matching = reads.of(operation, inputs)
    ends_with_id = operation.path.rstrip("/").endswith("}")
    if matching is not None and (operation.method in ("PUT", "PATCH") or ends_with_id or name.verb in said.CHANGES):
        return _change(described, inputs, matching)
    if matching is not None:
        return _called_off(inputs, name, matching)
    return _make(described, inputs, name, reads) if operation.method in ("POST", "PUT") else Way()


def _change(described: Described, inputs: Inputs, matching: Matching) -> Way:
    """Each field that the read shows is put back as it was. A PUT sends all of it: what is left out would be wiped."""
    operation, whole = described.operation, described.operation.method == "PUT"
    shown = [one for one in inputs.shown if matching.shows(one)]
    ranked = sorted((one for one in shown if is_scalar(one)), key=lambda one: (not one.required, not one.role))
    fields = ranked[:_MOST_SHOWN]
    if not fields:
        return Way(_snapshot(matching, inputs, ["*"]), prefix=matching.prefix, read=matching.read.key)
    old = {one.target: f"before.{matching.prefix}{one.field}" for one in shown}
    way = Way(fields=fields, prefix=matching.prefix, read=matching.read.key)
    way.keys = _snapshot(matching, inputs, [f"{matching.prefix}{one.field}" for one in fields])
    sent: dict[str, Value] = {}
    back: dict[str, Value] = {}
    for one in [*fields, *([o for o in shown if o not in fields][:_MOST_CARRIED] if whole else [])]:
        before = old[one.target]
        there = f"{before} | default(none) is not none"
        if whole and one in fields:
            value = f"{{{{ {_new(one, before)} }}}}"
            sent[one.field] = value if one.required else {"when": f"{_given(one)} or {there}", "value": value}
            way.instead.add(one.target)
        elif whole:
            sent[one.field] = {"when": there, "value": f"{{{{ {before} }}}}"}
        elif one.instant:
            sent[one.field] = {"when": _given(one), "value": f"{{{{ {_new(one, before)} }}}}"}
            way.instead.add(one.target)
        kept = f"{{{{ {before} }}}}"
        back[one.field] = kept if whole and one.required else {"when": there if whole else _given(one), "value": kept}
    if sent:
        way.keys["request"] = {"body": sent}
    way.keys["verify"] = {"all": [_as_asked(one, f"now.{matching.prefix}{one.field}") for one in fields]}
    way.keys["compensation"] = {
        "operation": operation.key,
        "request": {**_places(inputs), "body": back},
        "manual": "Put back by hand: " + ", ".join(_told(one, old[one.target]) for one in fields) + ".",
    }
    way.keys["preview"] = [_line(one, old[one.target]) for one in fields]
    return way


def _snapshot(matching: Matching, inputs: Inputs, covers: list[str]) -> dict[str, Value]:
    given: dict[str, Value] = {
        one.field: f"{{{{ {one.name} }}}}" for one in inputs.shown
        if one.place == "path" and any(p.name == one.field for p in matching.read.parameters)
    }  # fmt: skip
    paths: list[Value] = [*covers]
    return {"snapshot": {"operation": matching.read.key, "with": given, "covers": paths}}


def _called_off(inputs: Inputs, name: Called, matching: Matching) -> Way:
    """What cannot be put back is at least looked at: the state that it has before and after."""
    state, off = off_values(matching.answer)
    keys = _snapshot(matching, inputs, [f"{matching.prefix}{state}" if state else "*"])
    if state:
        before = f"before.{matching.prefix}{state}"
        after = off[0] if off and name.verb in said.CALLS_OFF else f"{name.verb}: done"
        shown: list[Value] = [{"label": spoken_name(state), "before": f"{{{{ {before} }}}}", "after": after}]
        keys["preview"] = shown
        if off and name.verb in said.CALLS_OFF:
            keys["verify"] = {"all": [f"now.{matching.prefix}{state} in {off!r}"]}
    return Way(keys, prefix=matching.prefix, read=matching.read.key)


def _make(described: Described, inputs: Inputs, name: Called, reads: Reads) -> Way:
    """What is made anew is read by the id that the call answers, and taken away by the call that the path has."""
    operation = described.operation
    beneath = reads.beneath(operation)
    instants: dict[str, Value] = {
        one.field: f"{{{{ {one.parts[0]} | instant({one.parts[1]}) }}}}" for one in inputs.required if one.instant
    }
    way = Way({"request": {"body": instants}} if instants else {})
    way.instead = {one.target for one in inputs.required if one.instant}
    if beneath is None:
        return way
    read, away = beneath
    gap = read.path.rpartition("/")[2]
    number = id_in(reads.shape(operation.key), gap, name.thing.replace(" ", "_"))
    if not number:
        return way
    answer = reads.shape(read.key)
    others: dict[str, Value] = {one.field: f"{{{{ {one.name} }}}}" for one in inputs.shown if one.place == "path"}
    given: dict[str, Value] = {**others, gap.strip("{}"): f"{{{{ response.{number} }}}}"}
    seen = [one for one in inputs.required if one.place == "body" and one.field in answer.names() and is_scalar(one)]
    verify: dict[str, Value] = {
        "reads": {"made": {"operation": read.key, "with": given}},
    }
    if checks := [_as_asked(one, f"now.made.{one.field}") for one in seen if one.field.isidentifier()]:
        verify["all"] = [*checks]
    state, off = off_values(answer)
    if off and away is not None and away.method != "DELETE":
        verify["gone"] = [f"now.made.{state} in {off!r}"]
    if away is not None:
        way.keys["verify"] = verify
        way.keys["compensation"] = {
            "operation": away.key,
            "request": {"path": given},
            "manual": f"Take the new {name.thing} away by hand.",
        }
    return way


def _given(one: Input) -> str:
    return " or ".join(one.parts) if one.instant else f"{one.name} is not none"


def _new(one: Input, before: str) -> str:
    """What is sent: what was given, else what was there."""
    if one.instant:
        day, start = one.parts
        return f"({day} or ({before} | local_day)) | instant({start} or ({before} | local_time))"
    return f"{one.name} if {one.name} is not none else {before} | default(none)"


def _as_asked(one: Input, now: str) -> str:
    sent = f"request.body.{one.field}"
    if one.instant:
        return f"{now} | same_instant({sent} | default({now}))"
    return f"{now} | default(none) == {sent} | default({now} | default(none))"


def _line(one: Input, before: str) -> Value:
    label = spoken_name(one.field)
    if one.instant:
        after = f"request.body.{one.field} | default({before}) | day_and_time"
        return {"label": label, "before": f"{{{{ {before} | day_and_time }}}}", "after": f"{{{{ {after} }}}}"}
    after = f"{one.name} if {one.name} is not none else {before} | default('')"
    return {"label": label, "before": f"{{{{ {before} | default('', true) }}}}", "after": f"{{{{ {after} }}}}"}


def _told(one: Input, before: str) -> str:
    shown = f"{before} | day_and_time" if one.instant else f"{before} | default('nothing', true)"
    return f"{spoken_name(one.field).lower()} {{{{ {shown} }}}}"


def _places(inputs: Inputs) -> dict[str, Value]:
    """What the way back needs of the way there, beside the body."""
    found: dict[str, dict[str, Value]] = {}
    for one in inputs.shown:
        if one.place == "path" or (one.place == "query" and one.required):
            found.setdefault(one.place, {})[one.field] = f"{{{{ {one.name} }}}}"
    for target, value in inputs.bound.items():
        place, _, name = target.partition(".")
        if place in ("query", "header") and not (isinstance(value, str) and value.startswith("${")):
            found.setdefault(place, {})[name] = value
    return {**found}
