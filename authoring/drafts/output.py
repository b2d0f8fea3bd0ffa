"""Drafts the output of a look-up: the rows of "which booking?", and the model's view."""

import re
from collections.abc import Mapping

from authoring.drafts import wording
from authoring.drafts.inputs import role_of
from authoring.drafts.reads import ids_by
from authoring.drafts.row_label import label_of, value_of
from contracts.base import Value
from registry.openapi.schema_reading import entries_of, types_of
from registry.openapi.shapes import Shape, inside_of, is_thing
from registry.secrets.names import is_sensitive
from registry.text import words_of

_NAME = re.compile(r"[A-Za-z_]\w*")
_IDS = ("id", "uniqueId", "unique_id", "uuid", "sid", "uid", "bookingId", "booking_id")
_NUMBERS = frozenset({"id", "code", "sid", "uid", "uuid", "number", "reference", "symbol"})
_MOST = 12


def output_of(answer: Shape, gap: str, thing: str) -> dict[str, Value]:
    """Return `output` of an overlay; {} if the document declares no response. `gap` names the id in paths."""
    path, rows = rows_of(answer)
    if path is not None:
        row = row_of(rows, gap, "item", thing)
        if "booking_id" in row:
            return {"output": {
                "shape": {"for_each": path, "value": {**row}},
                "candidates": {"for_each": path, "value": {**row, "label": label_of(rows, row, "item")}},
            }}  # fmt: skip
    name = inside_of(answer)
    inner, prefix, at = answer.child(name) if name else None, f"{name}.", f"response.{name}"
    answer, prefix, at = (inner, prefix, at) if inner and is_thing(inner, name) else (answer, "", "response")
    single = row_of(answer, gap, at, thing) if not answer.is_list else {}
    fields = [n for n in answer.names() if _NAME.fullmatch(n) and not is_sensitive(n) and _is_plain(answer.child(n))]
    fields = list(dict.fromkeys(fields))
    if not fields:
        return {}
    details: dict[str, Value] = {"fields": [f"{prefix}{name}" for name in fields[:_MOST]]}
    if len(single) > 1:
        details["candidates"] = {**single, "label": label_of(answer, single, at)}
    return {"output": details}


def row_of(row: Shape, gap: str, item: str, thing: str) -> dict[str, Value]:
    """Return the fields of one row by the names of `BookingSummary`."""
    names = [name for name in row.names() if _NAME.fullmatch(name)]
    number = _number(names, gap, thing) if item == "item" else ids_by(gap, names, _IDS)
    if not number:
        return {}
    found: dict[str, Value] = {"booking_id": f"{{{{ {item}.{number} }}}}"}
    always = {*map(str, entries_of(row.schema.get("required")))}
    for name in names:
        child = row.child(name)
        part = _part_of(name, child.schema if child else {})
        for key, after in part.items():
            if key not in found:
                empty = "none" if key == "guest_count" else "''"
                found[key] = f"{{{{ {value_of(f'{item}.{name}', after, name in always, empty)} }}}}"
    return found


def _number(names: list[str], gap: str, thing: str) -> str:
    """Return the field that identifies a row, by its name in paths or by the usual names of ids."""
    own = ids_by(gap, names, _IDS)
    things = set(words_of(thing))
    for name in names if not own else ():
        words = words_of(name)
        if words and words[-1] in _NUMBERS and {*words[:-1]} <= things:
            return name
    return own


def _part_of(name: str, schema: Mapping[str, object]) -> dict[str, str]:
    """Return the parts of a row that a field gives, each with the filter that computes it."""
    words = words_of(name)
    plain = {str(key): value for key, value in schema.items()}
    kinds = types_of(plain) or ["string"]
    last = words[-1] if words else ""
    if plain.get("format") == "date-time" and not wording.STAMPS & {*words}:
        return {"date": "local_day", "start_time": "local_time"}
    if last in ("reference", "ref") or ({"reference", "confirmation"} & {*words} and last in _NUMBERS):
        return {"reference": ""} if "string" in kinds or "integer" in kinds else {}
    if last in wording.STATES:
        return {"status": ""} if "string" in kinds else {}
    role = role_of(name, plain, "body")
    if role in ("date", "time") and not (wording.STAMPS | {"end", "birth"}) & {*words}:
        return {"date": ""} if role == "date" else {"start_time": ""}
    if role == "count":
        return {"guest_count": ""}
    people = last == "name" and (len(words) == 1 or {*words} <= wording.PEOPLE)
    return {"guest_name": ""} if people and "string" in kinds else {}


def rows_of(answer: Shape) -> tuple[str | None, Shape]:
    """Return the path of a response's rows and their shape; None and the response itself if it has none."""
    if answer.is_list:
        return "response", answer.rows()
    for name in answer.names():
        child = answer.child(name)
        if child is not None and child.is_list and _NAME.fullmatch(name) and child.rows().names():
            return f"response.{name}", child.rows()
    return None, answer


def _is_plain(shape: Shape | None) -> bool:
    kinds = {*types_of({**shape.schema})} if shape is not None else set()
    return bool(kinds) and not kinds & {"object", "array"}
