"""How a draft looks whether something new was made, and takes it away again: by the id that the call answers."""

from contracts.base import Value
from registry.document import Described
from registry.draft_inputs import Inputs
from registry.draft_reads import Matching, Reads, id_in, is_scalar, off_checks
from registry.draft_title import Called
from registry.draft_way import Way, as_asked, places_of

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


def made(described: Described, inputs: Inputs, name: Called, reads: Reads) -> Way:
    """The way of a call that makes something new."""
    operation = described.operation
    gap, reading, away = reads.beneath(operation)
    if reading is None and away is None:
        return Way(why=_NOTHING_BENEATH)
    number = id_in(reads.shape(operation.key), gap, name.thing.replace(" ", "_"))
    if not number:
        return Way(why=_NO_ID)
    way, known = Way(why=_UNSEEN), False
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
        # By the same id as the read: what `all` has just borne out is what is taken away.
        path[gap] = f"{{{{ response.{number} }}}}"
        way.keys["compensation"] = {
            "operation": away.key,
            "request": {"path": path},
            "manual": f"Take the new {name.thing} away by hand.",
        }
    return way


def _verify(inputs: Inputs, matching: Matching, gap: str, number: str) -> dict[str, Value]:
    others: dict[str, Value] = {one.field: f"{{{{ {one.name} }}}}" for one in inputs.shown if one.place == "path"}
    with_: dict[str, Value] = {**others, gap: f"{{{{ response.{number} }}}}"}
    told = [one for one in inputs.shown if one.place == "body" and is_scalar(one) and not one.cell]
    likely = [one for one in told if one.required] or sorted(told, key=lambda one: not one.role)[:_MOST_COMPARED]
    seen = [(one, matching.at(one)) for one in likely]
    checks: list[Value] = [
        as_asked(one, f"now.made.{matching.prefix}{at}") for one, at in seen if at and _is_name(one.field)
    ]
    found: dict[str, Value] = {"reads": {"made": {"operation": matching.read.key, "with": with_}}}
    return found | ({"all": checks} if checks else {})


def _is_name(field: str) -> bool:
    return all(part.isidentifier() for part in field.split("."))
