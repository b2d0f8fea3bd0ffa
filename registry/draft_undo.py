"""How a draft is looked at before and after, and taken back: from the read that belongs to the write."""

from contracts.base import Value
from language import api_words as said
from registry.document import Described
from registry.draft_inputs import Input, Inputs
from registry.draft_make import made
from registry.draft_off import called_off
from registry.draft_paths import ends_with_id
from registry.draft_reads import Matching, Reads, constant, is_scalar
from registry.draft_title import Called
from registry.draft_way import Way, as_asked, given, places_of, put, snapshot_of
from registry.words import spoken_name

_MOST_SHOWN = 6
_MOST_CARRIED = 30
_NO_READ = (
    "The document has no GET of the same path, so nothing is read before or after, and what was there cannot be put",
    "back. Does another read show it? Then `snapshot`, `verify` and `compensation` can be written by it.",
)
_NO_FIELDS = (
    "The read of it shows none of the values that this call sets, so it cannot be told whether it worked, and what was",
    "there cannot be put back.",
)


def way_of(described: Described, inputs: Inputs, name: Called, reads: Reads) -> Way:
    """The way there and back of a write."""
    operation = described.operation
    own = ends_with_id(operation.path)
    makes = operation.method == "POST" and not own and reads.makes(operation, name.verb)
    matching = None if makes else reads.of(operation, inputs)
    changes = operation.method in ("PUT", "PATCH") or (operation.method == "POST" and own) or name.verb in said.CHANGES
    if operation.method == "DELETE" or (matching is not None and not changes):
        return called_off(inputs, name, matching, deleted=operation.method == "DELETE")
    if matching is not None:
        return _change(described, inputs, matching)
    if operation.method == "POST" and not own:
        return made(described, inputs, name, reads)
    return Way(why=_NO_READ)


def _change(described: Described, inputs: Inputs, matching: Matching) -> Way:
    """Each field that the read shows is put back as it was. A PUT sends all of it: what is left out would be wiped."""
    operation, whole = described.operation, described.operation.method == "PUT"
    shown = [one for one in inputs.shown if matching.at(one)]
    way = Way(prefix=matching.prefix, read=matching.read.key)
    way.seen = {one.target: f"{matching.prefix}{matching.at(one)}" for one in [*shown, *inputs.versions]}
    scalars = (one for one in shown if is_scalar(one) and one.field.count(".") < 2)
    ranked = sorted(scalars, key=lambda one: (not one.required, not one.role, one.field.count(".")))
    way.fields = fields = ranked[:_MOST_SHOWN]
    if not fields:
        return Way(snapshot_of(matching, inputs, ["*"]), prefix=matching.prefix, read=way.read, why=_NO_FIELDS)
    way.keys = snapshot_of(matching, inputs, [way.seen[one.target] for one in fields])
    carried = [o for o in shown if o not in fields][:_MOST_CARRIED] if whole else []
    sent: dict[str, Value] = {}
    back: dict[str, Value] = {}
    for top in dict.fromkeys(one.field.partition(".")[0] for one in [*fields, *carried]):
        group = [one for one in [*fields, *carried] if one.field.partition(".")[0] == top]
        there, kept = _entry(way, group, whole)
        sent |= {} if there is None else {top: there}
        back[top] = kept
        way.carried |= {one.target for one in group if one not in fields}
    request: dict[str, Value] = {"body": sent} if sent else {}
    undo: dict[str, Value] = {**places_of(inputs), "body": back}
    _versions(way, inputs, matching, request, undo)
    if request:
        way.keys["request"] = request
    way.keys["verify"] = {"all": [as_asked(one, f"now.{way.seen[one.target]}") for one in fields]}
    way.keys["compensation"] = {
        "operation": operation.key,
        "request": undo,
        "manual": "Put back by hand: " + ", ".join(_told(one, _old(way, one)) for one in fields) + ".",
    }
    way.keys["preview"] = [_line(one, _old(way, one)) for one in fields]
    return way


def _old(way: Way, one: Input) -> str:
    return f"before.{way.seen[one.target]}"


def _entry(way: Way, group: list[Input], whole: bool) -> tuple[Value, Value]:
    """What is sent of one property of the body, None where the parameter goes there by itself, and what puts it
    back."""
    one = group[0]
    if "." in one.field:
        return _object(way, group, whole)
    before = _old(way, one)
    there = f"{before} | default(none) is not none"
    kept = f"{{{{ {before} }}}}"
    back: Value = kept if whole and one.required else {"when": there if whole else given(one), "value": kept}
    if one not in way.fields:
        return {"when": there, "value": kept}, back
    value = f"{{{{ {_new(one, before)} }}}}"
    if whole:
        way.instead.add(one.target)
        return (value if one.required else {"when": f"{given(one)} or {there}", "value": value}), back
    if one.instant:
        way.instead.add(one.target)
        return {"when": given(one), "value": value}, back
    return None, back


def _object(way: Way, group: list[Input], whole: bool) -> tuple[Value, Value]:
    """An object is sent as it was with what is given put in, since an API may take a part of it for all of it."""
    set_here = [one for one in group if one in way.fields]
    before = f"before.{way.prefix}{way.seen[group[0].target].removeprefix(way.prefix).partition('.')[0]}"
    there = f"{before} | default(none) is not none"
    kept = f"{{{{ {before} | default(none) }}}}"
    if not set_here:
        return {"when": there, "value": kept}, {"when": there, "value": kept}
    new = ", ".join(f"'{one.field.rpartition('.')[2]}': {_or_none(one, _old(way, one))}" for one in set_here)
    value = f"{{{{ {before} | default({{}}, true) | merged({{{new}}}) }}}}"
    way.instead |= {one.target for one in set_here}
    asked = " or ".join(given(one) for one in set_here)
    must = any(one.required for one in set_here)
    back: Value = kept if whole and must else {"when": there if whole else asked, "value": kept}
    if whole and must:
        return value, back
    return {"when": f"{asked} or {there}" if whole else asked, "value": value}, back


def _versions(way: Way, inputs: Inputs, matching: Matching, request: dict[str, Value], undo: dict[str, Value]) -> None:
    """The version that is changed is the one that was read; the way back changes the one that is there by then."""
    for one in inputs.versions:
        named = way.seen[one.target] if one.place == "body" else ""
        held = named.removeprefix(matching.prefix) or matching.named("etag", "version", "revision")
        if held:
            put(request, one.target, f"{{{{ before.{matching.prefix}{held} }}}}")
            put(undo, one.target, f"{{{{ now.{matching.prefix}{held} }}}}")
            way.versions.add(one.target)
    for target in inputs.keyed:
        # While something is undone, `marker` is a key of that call's own.
        put(undo, target, "{{ marker }}")
    for target, value in inputs.bound.items():
        if target.startswith("body.") and constant(inputs, target):
            put(undo, target, value)


def _new(one: Input, before: str) -> str:
    """What is sent: what was given, else what was there."""
    if one.instant:
        day, start = one.parts
        return f"({day} or ({before} | local_day)) | instant({start} or ({before} | local_time))"
    return f"{one.name} if {one.name} is not none else {before} | default(none)"


def _or_none(one: Input, before: str) -> str:
    """What is given; nothing, where nothing is."""
    return f"(({_new(one, before)}) if {given(one)} else none)" if one.instant else one.name


def _line(one: Input, before: str) -> Value:
    label = spoken_name(one.field.replace(".", " "))
    if one.instant:
        after = f"request.body.{one.field} | default({before}) | day_and_time"
        return {"label": label, "before": f"{{{{ {before} | day_and_time }}}}", "after": f"{{{{ {after} }}}}"}
    after = f"{one.name} if {one.name} is not none else {before} | default('')"
    return {"label": label, "before": f"{{{{ {before} | default('', true) }}}}", "after": f"{{{{ {after} }}}}"}


def _told(one: Input, before: str) -> str:
    shown = f"{before} | day_and_time" if one.instant else f"{before} | default('nothing', true)"
    return f"{spoken_name(one.field.replace('.', ' ')).lower()} {{{{ {shown} }}}}"
