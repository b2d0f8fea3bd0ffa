"""Drafts the reads before and after a write, and its undo, from the read that belongs to the write."""

from authoring.drafts import wording
from authoring.drafts.cancellation import called_off
from authoring.drafts.inputs import Input, Inputs
from authoring.drafts.reads import MatchingRead, ReadIndex, constant, ends_with_id, id_in, is_scalar, off_checks
from authoring.drafts.titles import OperationTitle
from authoring.drafts.undo_strategy import UndoStrategy, as_asked, given, places_of, put, snapshot_of
from contracts.base import Value
from registry.openapi.document import DescribedOperation
from registry.text import spoken_name

_MOST_SHOWN = 6
_MOST_CARRIED = 30
_NO_READ = (
    "The document has no GET of the same path, so nothing is read before or after, and what was there cannot be put",
    "back. Does another read show it? Then `snapshot`, `verify` and `compensation` can be written by it.",
)
_NO_FIELDS = (
    "The read of it shows none of the values that this call sets, so it is not known whether it worked, and what was",
    "there cannot be put back.",
)


def way_of(described: DescribedOperation, inputs: Inputs, name: OperationTitle, reads: ReadIndex) -> UndoStrategy:
    """Return the undo strategy of a write."""
    operation = described.operation
    own = ends_with_id(operation.path)
    makes = operation.method == "POST" and not own and reads.makes(operation, name.verb)
    matching = None if makes else reads.of(operation, inputs)
    changes = (
        operation.method in ("PUT", "PATCH") or (operation.method == "POST" and own) or name.verb in wording.CHANGES
    )
    if operation.method == "DELETE" or (matching is not None and not changes):
        return called_off(inputs, name, matching, deleted=operation.method == "DELETE")
    if matching is not None:
        return _change(described, inputs, matching)
    if operation.method == "POST" and not own:
        return made(described, inputs, name, reads)
    return UndoStrategy(why=_NO_READ)


def _change(described: DescribedOperation, inputs: Inputs, matching: MatchingRead) -> UndoStrategy:
    """Return the strategy that restores each field that the read shows. A PUT sends all of them, because an API deletes
    those left out."""
    operation, whole = described.operation, described.operation.method == "PUT"
    shown = [one for one in inputs.rows if matching.at(one)]
    way = UndoStrategy(prefix=matching.prefix, read=matching.read.key)
    way.seen = {one.target: f"{matching.prefix}{matching.at(one)}" for one in [*shown, *inputs.versions]}
    scalars = (one for one in shown if is_scalar(one) and one.field.count(".") < 2)
    ranked = sorted(scalars, key=lambda one: (not one.required, not one.role, one.field.count(".")))
    way.fields = fields = ranked[:_MOST_SHOWN]
    if not fields:
        return UndoStrategy(snapshot_of(matching, inputs, ["*"]), prefix=matching.prefix, read=way.read, why=_NO_FIELDS)
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
        "manual": "Put back by hand: " + ", ".join(_note_for(one, _old(way, one)) for one in fields) + ".",
    }
    way.keys["preview"] = [_line(one, _old(way, one)) for one in fields]
    return way


def _old(way: UndoStrategy, one: Input) -> str:
    return f"before.{way.seen[one.target]}"


def _entry(way: UndoStrategy, group: list[Input], whole: bool) -> tuple[Value, Value]:
    """Return the sent value of one property of the body (None if the parameter goes there by itself), and the value
    that restores it."""
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


def _object(way: UndoStrategy, group: list[Input], whole: bool) -> tuple[Value, Value]:
    """Return an object with its old fields and the given ones, because an API may replace the whole by a part."""
    set_here = [one for one in group if one in way.fields]
    before = f"before.{way.prefix}{way.seen[group[0].target].removeprefix(way.prefix).partition('.')[0]}"
    there = f"{before} | default(none) is not none"
    kept = f"{{{{ {before} | default(none) }}}}"
    if not set_here:
        return {"when": there, "value": kept}, {"when": there, "value": kept}
    new = ", ".join(f"'{one.field.rpartition('.')[2]}': {_or_none(one, _old(way, one))}" for one in set_here)
    value = f"{{{{ {before} | default({{}}, true) | merged({{{new}}}) }}}}"
    way.instead |= {one.target for one in set_here}
    question = " or ".join(given(one) for one in set_here)
    must = any(one.required for one in set_here)
    back: Value = kept if whole and must else {"when": there if whole else question, "value": kept}
    if whole and must:
        return value, back
    return {"when": f"{question} or {there}" if whole else question, "value": value}, back


def _versions(
    way: UndoStrategy, inputs: Inputs, matching: MatchingRead, request: dict[str, Value], undo: dict[str, Value]
) -> None:
    """Send the version that was read; the undo sends the one that is current then."""
    for one in inputs.versions:
        named = way.seen[one.target] if one.place == "body" else ""
        held = named.removeprefix(matching.prefix) or matching.named("etag", "version", "revision")
        if held:
            put(request, one.target, f"{{{{ before.{matching.prefix}{held} }}}}")
            put(undo, one.target, f"{{{{ now.{matching.prefix}{held} }}}}")
            way.versions.add(one.target)
    for target in inputs.keyed:
        # During an undo, `marker` is that call's own idempotency key.
        put(undo, target, "{{ marker }}")
    for target, value in inputs.bound.items():
        if target.startswith("body.") and constant(inputs, target):
            put(undo, target, value)


def _new(one: Input, before: str) -> str:
    """Return the sent value: the given one, else the old one."""
    if one.instant:
        day, start = one.parts
        return f"({day} or ({before} | local_day)) | instant({start} or ({before} | local_time))"
    return f"{one.name} if {one.name} is not none else {before} | default(none)"


def _or_none(one: Input, before: str) -> str:
    """Return the given value, or nothing if none is given."""
    return f"(({_new(one, before)}) if {given(one)} else none)" if one.instant else one.name


def _line(one: Input, before: str) -> Value:
    label = spoken_name(one.field.replace(".", " "))
    if one.instant:
        after = f"request.body.{one.field} | default({before}) | day_and_time"
        return {"label": label, "before": f"{{{{ {before} | day_and_time }}}}", "after": f"{{{{ {after} }}}}"}
    after = f"{one.name} if {one.name} is not none else {before} | default('')"
    return {"label": label, "before": f"{{{{ {before} | default('', true) }}}}", "after": f"{{{{ {after} }}}}"}


def _note_for(one: Input, before: str) -> str:
    shown = f"{before} | day_and_time" if one.instant else f"{before} | default('nothing', true)"
    return f"{spoken_name(one.field.replace('.', ' ')).lower()} {{{{ {shown} }}}}"


_MOST_COMPARED = 4
_NOTHING_BENEATH = (
    "The document has no GET and no DELETE or cancel beneath this path, so what was made is not looked at and cannot",
    "be taken away again.",
)
_NO_ID = (
    "The document does not say where the answer has the new id, so what was made cannot be looked at or taken away.",
    "Is it known? Then write `verify.reads` and `compensation` with `response`.",
)
_STAYS = ("The document has no call that takes it away again: a person must.",)
_UNSEEN = (
    "The document has no read of what was made, so nothing tells whether it is there and whose it is: a person must",
    "take it away.",
)
_NOT_KNOWN = (
    "The read of what was made shows none of the values that this call sends, so nothing tells that it is this call's",
    "own: a person must take it away. Does the API keep a key that is sent? Then write `marker` and `compensation`.",
)


def made(described: DescribedOperation, inputs: Inputs, name: OperationTitle, reads: ReadIndex) -> UndoStrategy:
    """Return the undo strategy of a call that creates a resource."""
    operation = described.operation
    gap, reading, away = reads.beneath(operation)
    if reading is None and away is None:
        return UndoStrategy(why=_NOTHING_BENEATH)
    number = id_in(reads.shape(operation.key), gap, name.thing.replace(" ", "_"))
    if not number:
        return UndoStrategy(why=_NO_ID)
    way, known = UndoStrategy(why=_UNSEEN), False
    if reading is not None:
        seen = reads.thing(reading)
        verify = _verify(inputs, seen, gap, number)
        known = "all" in verify
        _, _, off = off_checks(seen.answer, f"now.made.{seen.prefix}")
        if off and away is not None and away.method != "DELETE":
            verify["gone"] = [off]
        way.keys["verify"] = verify
        way.why = _STAYS if away is None else () if known else _NOT_KNOWN
    if away is not None and known:
        request = places_of(inputs)
        path = request.setdefault("path", {})
        assert isinstance(path, dict)
        # By the same id as the read, so that the undo removes the resource that `all` has just verified.
        path[gap] = f"{{{{ response.{number} }}}}"
        way.keys["compensation"] = {
            "operation": away.key,
            "request": {"path": path},
            "manual": f"Take the new {name.thing} away by hand.",
        }
    return way


def _verify(inputs: Inputs, matching: MatchingRead, gap: str, number: str) -> dict[str, Value]:
    others: dict[str, Value] = {one.field: f"{{{{ {one.name} }}}}" for one in inputs.rows if one.place == "path"}
    with_: dict[str, Value] = {**others, gap: f"{{{{ response.{number} }}}}"}
    items = [one for one in inputs.rows if one.place == "body" and is_scalar(one) and not one.cell]
    likely = [one for one in items if one.required] or sorted(items, key=lambda one: not one.role)[:_MOST_COMPARED]
    seen = [(one, matching.at(one)) for one in likely]
    checks: list[Value] = [
        as_asked(one, f"now.made.{matching.prefix}{at}") for one, at in seen if at and _is_name(one.field)
    ]
    found: dict[str, Value] = {"reads": {"made": {"operation": matching.read.key, "with": with_}}}
    return found | ({"all": checks} if checks else {})


def _is_name(field: str) -> bool:
    return all(part.isidentifier() for part in field.split("."))
