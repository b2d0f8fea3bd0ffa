"""Bodies that are a choice (`oneOf`, `anyOf`): a request may have what any option takes, and nothing else.

- A name, a written value and a path are checked against all options together: one that fits none of them is an error.
- A parameter may go to a field of any option; fields that all options require must be given.
- A draft offers the options' fields one by one, and its draft is a valid request.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from contracts.base import Value
from registry import BoundAction
from registry.openapi.schema_reading import fields_of, is_open, items_of, needed_of
from tests.unit.registry.studio import DOCUMENT, TEXT, load, pack_texts
from tests.unit.registry.test_drafts import ONE, PING, draft, says

_SHORT = {"type": "object", "properties": {"reason": {"type": "string", "maxLength": 9}, "channel": {"enum": ["desk"]}}}
_SEATED = {
    "type": "object",
    "required": ["seats"],
    "properties": {
        "seats": {"type": "array", "items": {"type": "object", "properties": {"seatId": TEXT}}},
        "channel": {"enum": ["web"]},
        "level": {"type": "integer"},
        "at": {
            "oneOf": [
                {"type": "object", "required": ["street"], "properties": {"kind": {"enum": ["here"]}, "street": TEXT}},
                {"type": "object", "required": ["url"], "properties": {"kind": {"enum": ["online"]}, "url": TEXT}},
            ]
        },
    },
}
OVERLAY = """
action: cancel_lesson
operation: cancel-lesson
iq_enabled: true
title: Cancel lesson
description: Cancel one lesson.
parameters:
  lesson: {in: path.lesson_id, role: booking, describe: The lesson}
  why: {in: body.reason, describe: Why, required: false}
snapshot: {operation: get-lesson, with: {lesson_id: "{{ lesson }}"}, covers: [note]}
preview:
  - {label: Why, after: "{{ why }}"}
irreversible_note: Book it again.
"""


def document(schema: Any = None, **more: Any) -> dict[str, Any]:
    found = deepcopy(DOCUMENT)
    body = {"content": {"application/json": {"schema": schema or {"oneOf": [_SHORT, _SEATED]}}}, "required": True}
    found["paths"]["/lessons/{lesson_id}/cancel"] = {
        "parameters": found["paths"]["/lessons/{lesson_id}"]["parameters"],
        "post": {
            "operationId": "cancel-lesson",
            "requestBody": body,
            "responses": {"200": {"description": "ok"}},
            **more,
        },
    }
    return found


def findings(folder: Path, body: str, schema: Any = None) -> list[str]:
    overlay = f"{OVERLAY}request: {{body: {body}}}\n"
    return [one for one in pack_texts(load(folder, overlay, document=document(schema))) if one.startswith("error")]


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("{reason: x}", None),
        ("{channel: desk}", None),
        ("{channel: web, seats: [{seatId: x}]}", None),
        ("{at: {kind: online, url: x}}", None),
        ("{raeson: x}", "the operation's body has no raeson (did you mean reason?)"),
        ("{seats: [{seatid: x}]}", "the operation's body has no seatid (did you mean seatId?)"),
        ("{seats: {for_each: '[1]', value: {seatid: x}}}", "has no seatid"),
        ("{channel: fax}", "the operation does not take this: 'fax' is not one of desk, web"),
        ("{level: high}", "the operation does not take this: 'high' is not of type integer"),
        ("{seats: one}", "the operation does not take this: 'one' is not of type array"),
        ("{at: {kind: nowhere}}", "'nowhere' is not one of here, online"),
        ("{at: {kind: here}}", "the operation requires street"),
        ("{at: {knid: here}}", "the operation's body has no knid (did you mean kind?)"),
        ("{seats: '{{ before.status }}'}", "before.status is text by the API document, and what it is put into takes"),
    ],
)  # fmt: skip
def test_a_body_is_checked_against_its_options(tmp_path: Path, body: str, wrong: str | None) -> None:
    found = findings(tmp_path / "studio", body)
    assert (wrong is None) == (found == []) and all(wrong in one for one in found[:1] if wrong), found


def test_what_an_option_leaves_open_is_not_checked(tmp_path: Path) -> None:
    for number, more in enumerate(({"type": "object"}, {"type": "object", "additionalProperties": True})):
        assert findings(tmp_path / str(number), "{anything: x}", {"oneOf": [_SHORT, more]}) == []


def test_names_beside_a_choice_of_what_is_required(tmp_path: Path) -> None:
    schema = {**_SHORT, "anyOf": [{"required": ["reason"]}, {"required": ["channel"]}]}
    assert findings(tmp_path / "good", "{channel: desk}", schema) == []
    assert "has no chanel" in findings(tmp_path / "wrong", "{chanel: desk}", schema)[0]


def test_a_parameter_goes_to_a_field_of_an_option(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", OVERLAY, document=document())
    assert pack_texts(pack) == []
    action = pack.actions["cancel_lesson"]
    why = action.parameter("why")
    assert why is not None and (why.json_schema["maxLength"], why.required) == (9, False)
    given: dict[str, Value] = {"lesson": "l-1", "why": "ill"}
    assert BoundAction.of(action, given).request().body == {"reason": "ill"}
    assert BoundAction.of(action, {"lesson": "l-1"}).request().body == {}
    wrong = pack_texts(load(tmp_path / "wrong", OVERLAY.replace("body.reason", "body.raeson"), document=document()))
    assert "has no body.raeson (did you mean body.reason?)" in wrong[0]


def test_what_all_options_require_must_be_given(tmp_path: Path) -> None:
    needed = [{**option, "required": ["level", *option.get("required", [])]} for option in (_SHORT, _SEATED)]
    needed[0] = {**needed[0], "properties": {**_SHORT["properties"], "level": {"type": "integer"}}}
    found = findings(tmp_path / "studio", "{reason: x}", {"oneOf": needed})
    assert found == [
        "error: operation: cancel-lesson requires body.level, which nothing gives (expose, bind or template it)"
    ]


def test_a_secret_in_an_option_is_one(tmp_path: Path) -> None:
    secret = {"type": "object", "properties": {"user": TEXT, "password": TEXT}}
    overlay = OVERLAY.replace("body.reason", "body.password")
    found = pack_texts(load(tmp_path / "studio", overlay, document=document({"oneOf": [_SHORT, secret]})))
    assert any("sensitive" in one for one in found)


def test_a_draft_offers_the_fields_of_the_options(tmp_path: Path) -> None:
    one = {
        "type": "object",
        "properties": {"cancellationReason": {**TEXT, "description": "Why"}, "later": {"type": "boolean"}},
    }
    other = {"type": "object", "required": ["seatUid"], "properties": {"seatUid": TEXT, "cancellationReason": TEXT}}
    body = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"oneOf": [one, other]}}}}}
    cancel = {"parameters": ONE["parameters"], "post": {**body, **says({"type": "object"})}}
    written, action = draft(
        tmp_path, {**PING, "/bookings/{id}": ONE, "/bookings/{id}/cancel": cancel}, "POST /bookings/{id}/cancel"
    )
    assert written["parameters"]["cancellation_reason"]["in"] == "body.cancellationReason"
    assert "body" not in written["parameters"] and written["parameters"]["seat_uid"]["required"] is False
    bound = BoundAction.of(action, {"booking_id": "b-7", "cancellation_reason": "ill"})
    assert bound.request().body == {"cancellationReason": "ill"}


def test_the_fields_of_all_options() -> None:
    rows = {"oneOf": [{"type": "array", "items": TEXT}, {"type": "array", "items": {"type": "integer"}}, TEXT]}
    assert items_of(rows) == {"anyOf": [TEXT, {"type": "integer"}]}
    assert items_of({"oneOf": [{"type": "array", "items": TEXT}, {"type": "array"}]}) is None
    maybe = {"anyOf": [{"type": "object", "required": ["a"], "properties": {"a": TEXT}}, {"type": "null"}]}
    assert (fields_of(maybe), needed_of(maybe), is_open(maybe)) == ({"a": TEXT}, ["a"], False)
    shown = {
        "properties": {"kind": TEXT},
        "oneOf": [{"properties": {"kind": {"enum": ["x"]}}}, {"properties": {"b": TEXT}}],
    }
    assert fields_of(shown) == {"kind": TEXT, "b": TEXT}
    both = {"properties": {"kind": TEXT}, "oneOf": [{"properties": {"kind": {"enum": [w]}}} for w in "xy"]}
    assert fields_of(both) == {"kind": {"type": "string", "enum": ["x", "y"]}}
