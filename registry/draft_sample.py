"""A draft's sample, made of the document's own examples."""

import copy
import re
from datetime import datetime
from zoneinfo import ZoneInfo

from contracts.base import Value
from contracts.venue import VenueProfile
from registry.draft_inputs import Input, Inputs
from registry.draft_way import Way
from registry.neutral import types_of

PLAUSIBLE: dict[str, Value] = {
    "date": "2026-11-28", "time": "15:00", "count": 4, "email": "ann@example.com", "phone": "+61400111222",
    "first_name": "Ann", "last_name": "Smith", "note": "Ground floor, please", "search": "Smith",
}  # fmt: skip
"""A value by the meaning of its parameter; of nobody who lives."""

_OTHERS: dict[str, Value] = {
    "date": "2026-12-05", "time": "16:30", "count": 6, "email": "bo@example.com", "phone": "+61400333444",
    "first_name": "Bo", "last_name": "Green", "note": "By the window, please",
}  # fmt: skip
_LIKE_A_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

NO_ZONE = "UTC"
"""The zone of a venue that is not known yet."""

_DAY, _TIME = "2026-11-28", "15:00"


def plausible(one: Input) -> Value:
    """A value that could be given; None where nothing tells."""
    if one.role in PLAUSIBLE:
        return PLAUSIBLE[one.role]
    choices = one.schema.get("enum")
    if isinstance(choices, list) and choices:
        first: Value = choices[0]
        return first
    shown = one.schema.get("example", one.schema.get("default"))
    fits = {"string": str, "integer": int, "number": int | float, "boolean": bool}
    kinds = [fits[kind] for kind in types_of(one.schema) if kind in fits]
    return shown if any(isinstance(shown, kind) for kind in kinds) else None


def sample_of(inputs: Inputs, way: Way, before: Value, profile: VenueProfile) -> dict[str, Value] | None:
    """`call`, `before` and `after` of a change; None where the examples are not enough for one."""
    place = _at(before, way.prefix)
    if place is None or not way.fields:
        return None
    call: dict[str, Value] = {}
    for one in inputs.shown:
        if one in way.fields or not one.required:
            continue
        if one.instant:
            call |= dict(zip(one.parts, (_DAY, _TIME), strict=True))
            continue
        value = _number(before, one) if one.place == "path" else plausible(one)
        if value is None:
            return None
        call[one.name] = value
    after = copy.deepcopy(before)
    target, changed = _at(after, way.prefix), 0
    assert target is not None
    for one in way.fields:
        must = one.required and one.target not in way.instead
        held, name = _held(target, way.seen[one.target].removeprefix(way.prefix))
        if held is None or ((changed == 2 or name not in held) and not must):
            if must:
                return None
            continue
        if one.instant and (one.required or profile.time_zone != NO_ZONE):
            call |= dict(zip(one.parts, (_DAY, _TIME), strict=True))
            held[name] = _moment(profile)
        elif one.instant:
            continue  # which moment it comes to is not known before the venue's zone is
        elif (value := _other(one, held.get(name))) is not None:
            call[one.name] = held[name] = value
        elif must:
            return None
        else:
            continue
        changed += 1
    return {"call": call, "before": before, "after": after} if changed else None


def _at(document: Value, prefix: str) -> dict[str, Value] | None:
    for name in filter(None, prefix.split(".")):
        document = document.get(name) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else None


def _held(place: dict[str, Value], path: str) -> tuple[dict[str, Value] | None, str]:
    """The object that a path leads into, and its last name."""
    inner, _, last = path.rpartition(".")
    return _at(place, inner), last


def _number(before: Value, one: Input) -> Value:
    """The id: as the example of the answer or of the parameter has it."""
    held = before if isinstance(before, dict) else {}
    found = held.get(one.field, held.get("id", one.schema.get("example")))
    if "integer" in types_of(one.schema):
        return found if isinstance(found, int) else 1
    return str(found) if isinstance(found, str | int) else "b-1"


def _other(one: Input, before: Value) -> Value:
    """A value that is not what was there."""
    choices = one.schema.get("enum")
    options: list[Value] = [plausible(one), _OTHERS.get(one.role), *(choices if isinstance(choices, list) else ())]
    kinds = types_of(one.schema)
    if isinstance(before, bool) or "boolean" in kinds:
        options = [not before]
    elif isinstance(before, int | float) and ("integer" in kinds or "number" in kinds):
        options.append(before + 1)
    elif isinstance(before, str) and _LIKE_A_DAY.fullmatch(before):
        options.append(_DAY)
    elif "string" in kinds and not choices and not one.schema.get("format") and not one.schema.get("pattern"):
        options.append("something else")
    return next((value for value in options if value is not None and value != before), None)


def _moment(profile: VenueProfile) -> str:
    local = datetime.fromisoformat(f"{_DAY}T{_TIME}").replace(tzinfo=ZoneInfo(profile.time_zone))
    return local.astimezone(ZoneInfo("UTC")).strftime("%Y-%m-%dT%H:%M:%SZ")
