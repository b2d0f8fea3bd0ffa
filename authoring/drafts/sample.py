"""Makes a draft's sample from the document's own examples."""

import copy
import re
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

from authoring.drafts.inputs import Input, Inputs
from authoring.drafts.undo_strategy import UndoStrategy
from contracts.base import Node, Value
from contracts.venue import VenueProfile
from registry.http.request import split_path
from registry.openapi.document import Document
from registry.openapi.references import NodeLocation
from registry.openapi.schema_reading import entries_of, parts_of, types_of
from registry.openapi.schemas import SchemaNormalizer
from registry.openapi.shapes import SchemaNode, Shape

PLAUSIBLE: dict[str, Value] = {
    "date": "2026-11-28", "time": "15:00", "count": 4, "email": "ann@example.com", "phone": "+61400111222",
    "first_name": "Ann", "last_name": "Smith", "note": "Ground floor, please", "search": "Smith",
}  # fmt: skip
"""A value by the meaning of its parameter; none belongs to a real person."""

_OTHERS: dict[str, Value] = {
    "date": "2026-12-05", "time": "16:30", "count": 6, "email": "bo@example.com", "phone": "+61400333444",
    "first_name": "Bo", "last_name": "Green", "note": "By the window, please",
}  # fmt: skip
_LIKE_A_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

NO_ZONE = "UTC"
"""The zone of a venue that is not known yet."""

_DAY, _TIME = "2026-11-28", "15:00"


def plausible(one: Input) -> Value:
    """Return a plausible value; None if nothing determines one."""
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


def sample_of(inputs: Inputs, way: UndoStrategy, before: Value, profile: VenueProfile) -> dict[str, Value] | None:
    """Return `call`, `before` and `after` of a change; None if the examples are not sufficient."""
    place = _at(before, way.prefix)
    if place is None or not way.fields:
        return None
    call: dict[str, Value] = {}
    for one in inputs.rows:
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
            continue  # its moment is unknown until the venue's zone is
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
    """Return the object that contains the end of a path, and the last name of the path."""
    inner, _, last = path.rpartition(".")
    return _at(place, inner), last


def _number(before: Value, one: Input) -> Value:
    """Return the id, from the example of the response or of the parameter."""
    held = before if isinstance(before, dict) else {}
    found = held.get(one.field, held.get("id", one.schema.get("example")))
    if "integer" in types_of(one.schema):
        return found if isinstance(found, int) else 1
    return str(found) if isinstance(found, str | int) else "b-1"


def _other(one: Input, before: Value) -> Value:
    """Return a value that differs from the previous one."""
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


_DEEPEST = 6
_MOST = 400


class Examples:
    """The examples of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._shaper = SchemaNormalizer(document.references)
        self._left = 0

    def answer(self, key: str) -> Value:
        """Return an example of the operation's success response; None if the document has none."""
        raw, location = self._document.raw(key)
        for status, response in parts_of(raw.get("responses")).items():
            if str(status).startswith("2"):
                node, where = self._shaper.met(response, location.under("responses", str(status)))
                return self._of_content(node, where)
        return None

    def body(self, key: str) -> Value:
        """Return an example of the operation's request body; None if the document has none."""
        raw, location = self._document.raw(key)
        return self._of_content(*self._shaper.met(raw.get("requestBody"), location.under("requestBody")))

    def texts(self, key: str) -> Callable[[str], str]:
        """Return the document's description of a part of the operation's body, by its target."""
        raw, location = self._document.raw(key)
        holder, where = self._shaper.met(raw.get("requestBody"), location.under("requestBody"))
        kinds = parts_of(holder.get("content"))
        schemas = [SchemaNode(parts_of(m).get("schema"), where.under("content", k, "schema")) for k, m in kinds.items()]
        body = Shape(self._shaper, schemas)

        def text_of(target: str) -> str:
            shape: Shape | None = body
            for name in split_path(target.replace("[]", ""))[1:] if target.startswith("body") else [""]:
                shape = shape.rows().child(name) if shape is not None else None
            return str(shape.schema.get("description") or "") if shape is not None else ""

        return text_of

    def _of_content(self, holder: dict[str, Node], location: NodeLocation) -> Value:
        for kind, media in parts_of(holder.get("content")).items():
            held = parts_of(media)
            where = location.under("content", kind)
            if "example" in held:
                return _plain(held["example"])
            for label, example in parts_of(held.get("examples")).items():
                found = self._shaper.met(example, where.under("examples", label))[0]
                if "value" in found:
                    return _plain(found["value"])
            self._left = _MOST
            return self._of_schema(held.get("schema"), where.under("schema"), 0)
        return None

    def _of_schema(self, schema: Node, location: NodeLocation, depth: int) -> Value:
        """Return the example of a schema, or one made from its properties, without those that have none."""
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            return None
        node, where = self._shaper.met(schema, location)
        if "example" in node:
            return _plain(node["example"])
        if entries_of(node.get("examples")):
            return _plain(entries_of(node["examples"])[0])
        if "items" in node:
            row = self._of_schema(node["items"], where.under("items"), depth + 1)
            return None if row is None else [row]
        found: dict[str, Value] = {}
        for index, part in enumerate(entries_of(node.get("allOf"))):
            inner = self._of_schema(part, where.under("allOf", str(index)), depth + 1)
            found |= inner if isinstance(inner, dict) else {}
        for name, inner_schema in parts_of(node.get("properties")).items():
            value = self._of_schema(inner_schema, where.under("properties", name), depth + 1)
            if value is not None:
                found[name] = value
        return found or None


def _plain(value: Node) -> Value:
    """Return an example as plain values; None if it is not one."""
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | int | float | bool) else None
