"""A pack independent of ROLLER: a dance studio whose API takes instants in UTC and makes new things."""

import json
from pathlib import Path
from typing import Any

from registry import Pack
from registry.loading.load import load_pack


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


TEXT: dict[str, Any] = {"type": "string"}
LESSON = _object(
    id=TEXT,
    status={"type": "string", "enum": ["open", "cancelled"]},
    startsAt={"type": "string", "format": "date-time"},
    note={"type": "string", "nullable": True},
    contact=_object(firstName=TEXT, lastName=TEXT),
    seats={"type": "array", "items": _object(id=TEXT, holder=TEXT, level={"type": "integer"})},
    extras={"type": "object", "additionalProperties": True},
)
DOCUMENT: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Studio", "version": "1"},
    "servers": [{"url": "https://api.studio.example"}],
    "components": {"schemas": {"Lesson": LESSON}},
    "paths": {
        "/me": {"get": {"operationId": "me", "responses": {"200": {"description": "ok"}}}},
        "/lessons/{lesson_id}": {
            "parameters": [{"name": "lesson_id", "in": "path", "required": True, "schema": TEXT}],
            "get": {
                "operationId": "get-lesson",
                "responses": {
                    "200": {
                        "description": "ok",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Lesson"}}},
                    }
                },
            },
            "patch": {
                "operationId": "change-lesson",
                "parameters": [
                    {"name": "Request-Id", "in": "header", "schema": {"type": "string", "format": "uuid"}},
                    {
                        "name": "notify",
                        "in": "query",
                        "schema": {"type": "array", "items": {"type": "string", "enum": ["mail", "sms"]}},
                    },
                ],
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": _object(
                                startsAt={"type": "string", "format": "date-time"},
                                note={"type": "string", "nullable": True, "maxLength": 40},
                                level={"type": "integer", "minimum": 1},
                                channel={"type": "string", "enum": ["desk", "web"]},
                                seats={"type": "array", "items": _object(holder=TEXT)},
                                contact={
                                    "type": "object",
                                    "required": ["firstName", "lastName"],
                                    "properties": {"firstName": TEXT, "lastName": TEXT},
                                },
                            )
                        }
                    }
                },
                "responses": {
                    "200": {
                        "description": "ok",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Lesson"}}},
                    }
                },
            },
        },
    },
}
VENUE = """
venue_id: studio
name: Studio
time_zone: Europe/Rome
locale: en-GB
country: IT
check_operation: me
"""
OVERLAY = """
action: move_lesson
operation: change-lesson
iq_enabled: true
title: Move lesson
description: Move one lesson to another day or time.
parameters:
  lesson: {in: path.lesson_id, role: booking, describe: The lesson}
  new_date: {role: date, describe: New day}
  new_time: {role: time, describe: New time}
snapshot:
  operation: get-lesson
  with: {lesson_id: "{{ lesson }}"}
  covers: [startsAt, status, seats.holder]
  ignore: [seats.id]
request:
  body:
    startsAt: "{{ new_date | instant(new_time) }}"
verify:
  all: [now.startsAt | same_instant(request.body.startsAt)]
compensation:
  operation: change-lesson
  request:
    path: {lesson_id: "{{ lesson }}"}
    body: {startsAt: "{{ before.startsAt }}"}
  manual: Move the lesson back to {{ before.startsAt | day_and_time }}.
preview:
  - {label: When, before: "{{ before.startsAt | day_and_time }}", after: "{{ request.body.startsAt | day_and_time }}"}
sample:
  call: {lesson: l-1, new_date: "2026-11-28", new_time: "15:00"}
  before: {id: l-1, status: open, startsAt: "2026-11-27T09:00:00Z", seats: [{id: s-1, holder: Ann}]}
  after: {id: l-1, status: open, startsAt: "2026-11-28T14:00:00.000+00:00", seats: [{id: s-1, holder: Ann}]}
"""


def write(folder: Path, overlay: str = OVERLAY, *, document: Any = None, venue: str = VENUE) -> Path:
    """Write the pack as files in `folder`."""
    (folder / "actions").mkdir(parents=True, exist_ok=True)
    (folder / "openapi.json").write_text(json.dumps(document or DOCUMENT), encoding="utf-8")
    (folder / "venue.yaml").write_text(venue, encoding="utf-8")
    (folder / "actions" / "move_lesson.yaml").write_text(overlay, encoding="utf-8")
    return folder


def load(folder: Path, overlay: str = OVERLAY, **more: Any) -> Pack:
    """Load the pack."""
    return load_pack(write(folder, overlay, **more))


def pack_texts(pack: Pack) -> list[str]:
    """Return level, message and hint of each of its findings."""
    return [f"{f.level}: {f.message} ({f.hint})" for f in pack.findings]
