"""First drafts: `iq actions init` and `iq pack init`.

- A draft loads once it is enabled, for every operation of ROLLER's document and for a large share of those in documents
  that others wrote. A drafted undo is a valid request.
- A draft describes its operation, in a title that people use; it never holds a secret, nor leaves a header with one
  possible value to a model; it asks for a moment as a day and a time; a PUT carries over the values that are not given;
  a created thing is read by its new number and removed again.
- A generated pack loads as it is and with every draft enabled. Where it cannot be written, one line gives the reason.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from typer.testing import CliRunner

from authoring.drafts.draft import OverlayDrafter
from authoring.drafts.pack import pack_name
from cli.commands.pack import app
from contracts.action import AtomicAction
from infra.config.settings import ROOT
from registry.errors import OperationError, PackError
from registry.loading.load import load_pack
from registry.openapi.document import Document
from tests.integration.stack import salon
from tests.unit.registry.examples import ROLLER

SPECS = ROOT.parent / "shared" / "specs"
TEXT = {"type": "string"}
MOMENT = {"type": "string", "format": "date-time"}
BOOKING = {
    "type": "object",
    "properties": {"id": TEXT, "note": TEXT, "startsAt": MOMENT, "guests": {"type": "integer"}, "kind": TEXT},
    "example": {"id": "b-7", "note": "Old", "startsAt": "2030-01-01T10:00:00Z", "guests": 3, "kind": "party"},
}


def document(folder: Path, paths: dict[str, Any]) -> Document:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "openapi.json"
    path.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Inn API", "version": "1"}, "paths": paths}))
    return Document.read(path)


def says(schema: Any, status: str = "200") -> dict[str, Any]:
    return {"responses": {status: {"description": "", "content": {"application/json": {"schema": schema}}}}}


def takes(*required: str, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": [*required]}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def path_id(name: str = "id") -> list[dict[str, Any]]:
    return [{"name": name, "in": "path", "required": True, "schema": TEXT}]


def draft(folder: Path, paths: dict[str, Any], key: str) -> tuple[dict[str, Any], AtomicAction]:
    """Return the written overlay, and the action that it makes once it is enabled."""
    found = OverlayDrafter(document(folder, paths)).overlay(key)
    assert found.problems == ()
    (folder / "actions").mkdir(exist_ok=True)
    (folder / "actions" / "one.yaml").write_text(found.text.replace("iq_enabled: false", "iq_enabled: true"))
    (folder / "venue.yaml").write_text(
        "venue_id: inn\nname: Inn\ntime_zone: Europe/Rome\nlocale: en-GB\ncountry: IT\nbase_url: http://x\n"
        f"check_operation: {json.dumps(next(k for k in paths if 'ping' in k) and 'GET /ping')}\n"
    )
    pack = load_pack(folder)
    assert [f for f in pack.findings if f.level == "error"] == []
    return YAML(typ="safe", pure=True).load(found.text), pack.actions[found.name]


PING = {"/ping": {"get": says({"type": "object"})}}
ONE = {"parameters": path_id(), "get": says(BOOKING)}


@pytest.mark.parametrize(
    ("path", "method", "more", "title"),
    [
        ("/bookings/{id}", "put", {"summary": "Booking Update"}, "Change a booking"),
        ("/bookings/{id}", "patch", {"operationId": "updateBooking"}, "Change a booking"),
        ("/bookings/{id}/cancel", "post", {}, "Cancel a booking"),
        ("/bookings/{id}/cancel", "post", {"summary": "Cancels the booking."}, "Cancel the booking"),
        ("/bookings", "get", {"operationId": "GetBookings"}, "Find bookings"),
        ("/parties/{id}", "get", {}, "Look at a party"),
        ("/orders", "post", {}, "Make an order"),
        ("/staff/{id}/unlock", "post", {"operationId": "unlock-staff"}, "Unlock a staff"),
    ],
)
def test_titles_that_people_say(tmp_path: Path, path: str, method: str, more: dict[str, Any], title: str) -> None:
    item = {"parameters": path_id() if "{" in path else [], method: {**says({"type": "object"}), **more}}
    made = document(tmp_path, {path: item})
    text = OverlayDrafter(made).overlay(made.keys[0]).text
    assert f"title: {title}\n" in text
    assert f"when_to_use: the operator wants to {title[0].lower()}{title[1:]}\n" in text


def test_a_change_goes_there_and_back(tmp_path: Path) -> None:
    change = takes(note=TEXT, startsAt=MOMENT, guests={"type": "integer"})
    written, action = draft(
        tmp_path, {**PING, "/bookings/{id}": {**ONE, "patch": {**change, **says(BOOKING)}}}, "PATCH /bookings/{id}"
    )
    parameters = written["parameters"]
    assert parameters["booking_id"] == {"in": "path.id", "role": "booking", "describe": "Id"}
    assert {n: p["role"] for n, p in parameters.items() if "role" in p} == {
        "booking_id": "booking", "note": "note", "starts_day": "date", "starts_time": "time", "guests": "count"
    }  # fmt: skip
    assert sorted(written["snapshot"]["covers"]) == ["guests", "note", "startsAt"]
    assert "instant" in json.dumps(written["request"])
    assert set(written["compensation"]["request"]["body"]) == {"note", "startsAt", "guests"}
    assert written["sample"]["before"] == BOOKING["example"]
    assert action.reversible


def test_a_put_carries_over_what_is_not_given(tmp_path: Path) -> None:
    change = takes("note", "kind", note=TEXT, kind=TEXT, address={"type": "object", "properties": {"city": TEXT}})
    booking = {
        **BOOKING,
        "properties": {**BOOKING["properties"], "address": {"type": "object", "properties": {"city": TEXT}}},
    }  # type: ignore[dict-item]
    item = {"parameters": path_id(), "get": says(booking), "put": {**change, **says(booking)}}
    written, action = draft(tmp_path, {**PING, "/bookings/{id}": item}, "PUT /bookings/{id}")
    assert set(written["request"]["body"]) == {"note", "kind", "address"}
    assert "before.address" in json.dumps(written["request"]["body"]["address"])
    assert written["parameters"]["note"]["required"] is False
    assert set(written["compensation"]["request"]["body"]) == {"note", "kind", "address"}
    assert action.reversible


def test_what_is_made_is_read_and_taken_away_again(tmp_path: Path) -> None:
    paths = {
        **PING,
        "/bookings": {"post": {**takes("note", note=TEXT), **says(BOOKING, "201")}},
        "/bookings/{number}": {"parameters": path_id("number"), "get": says(BOOKING), "delete": says({})},
    }
    written, action = draft(tmp_path, paths, "POST /bookings")
    assert written["verify"]["reads"]["made"]["with"] == {"number": "{{ response.id }}"}
    assert written["compensation"]["operation"] == "DELETE /bookings/{number}"
    assert written["compensation"]["request"] == {"path": {"number": "{{ response.id }}"}}
    assert action.reversible


def test_headers_and_secrets(tmp_path: Path) -> None:
    headers = [
        {"name": "Api-Version", "in": "header", "required": True, "schema": {**TEXT, "enum": ["2024-06"]}},
        {"name": "X-Client", "in": "header", "required": True, "schema": TEXT},
        {"name": "Idempotency-Key", "in": "header", "required": True, "schema": TEXT},
    ]
    post = {"parameters": headers, **takes("note", "password", note=TEXT, password=TEXT), **says(BOOKING, "201")}
    written, action = draft(tmp_path, {**PING, "/notes": {"post": post}}, "POST /notes")
    assert written["bound"] == {
        "header.Api-Version": "2024-06",
        "header.X-Client": "${VENUE_X_CLIENT}",
        "body.password": "${VENUE_PASSWORD}",
    }
    assert written["idempotency_header"] == "Idempotency-Key"
    assert set(written["parameters"]) == {"note"}
    assert "password" not in json.dumps(written.get("examples", []))
    assert [p.name for p in action.parameters] == ["note"]


def drafts_that_load(path: Path) -> tuple[int, int]:
    """Return (how many load, of how many usable operations)."""
    made = Document.read(path)
    drafter, good, every = OverlayDrafter(made), 0, 0
    for key in made.keys:
        try:
            found = drafter.overlay(key)
        except OperationError:
            continue
        every += 1
        good += not found.problems
    return good, every


def test_every_operation_of_roller_can_be_drafted() -> None:
    good, every = drafts_that_load(ROLLER / "openapi.yaml")
    assert good == every == 10


@pytest.mark.skipif(not SPECS.is_dir(), reason="the shared documents are not beside this checkout")
def test_documents_of_others_can_be_drafted() -> None:
    counts = [drafts_that_load(SPECS / n) for n in ("roller-rest-api.yaml", "viator-partner.json", "twilio.json")]
    good, every = map(sum, zip(*counts, strict=True))
    assert every == 285
    assert good == every


def pack_init(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["init", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_a_pack_to_start_from(tmp_path: Path) -> None:
    source = tmp_path / "salon.json"
    source.write_text(json.dumps(salon.DOCUMENT))
    folder = tmp_path / "hair-salon"
    code, message = pack_init(source, "--out", folder, "--name", "Hair Salon")
    assert code == 0
    assert "HAIR_SALON_X_SALON_KEY" in message
    assert "Next: " in message.splitlines()[-1]
    pack = load_pack(folder)
    assert (pack.profile.name, pack.check.path) == ("Hair Salon", "/v1/me")
    assert not [f for f in pack.findings if f.level != "info"]
    for file in (folder / "actions").glob("*.yaml"):
        text = file.read_text()
        assert text.startswith("# yaml-language-server: $schema=../schemas/overlay.json\n")
        file.write_text(text.replace("iq_enabled: false", "iq_enabled: true"))
    pack = load_pack(folder)
    assert not [f for f in pack.findings if f.level == "error"]
    assert len(pack.actions) >= 3
    assert "${HAIR_SALON_X_SALON_KEY}" in (folder / "venue.yaml").read_text()
    code, message = pack_init(source, "--out", folder)
    assert code == 1


def test_the_cheapest_read_is_the_check(tmp_path: Path) -> None:
    source = tmp_path / "inn.json"
    paths = {
        "/bookings": {"get": says({"type": "array"})},
        "/a/long/list": {"get": says({})},
        "/v1/me": {"get": says({})},
    }
    source.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Inn", "version": "1"}, "paths": paths}))
    assert pack_init(source, "--out", tmp_path / "inn")[0] == 0
    assert load_pack(tmp_path / "inn").check.path == "/v1/me"


def test_what_cannot_be_a_pack(tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_text('{"swagger": "2.0"}')
    assert pack_init(old, "--out", tmp_path / "x")[0] == 1
    empty = tmp_path / "empty.json"
    empty.write_text('{"openapi": "3.1.0", "paths": {}}')
    assert pack_init(empty, "--out", tmp_path / "x")[0] == 1
    assert pack_init(tmp_path / "nowhere.json", "--out", tmp_path / "x")[0] == 1
    assert not (tmp_path / "x").exists()
    with pytest.raises(PackError):
        Document.read(old)


def test_a_folder_is_named_after_the_api() -> None:
    assert pack_name(Path("x.json"), "Dive School API v2") == "dive-school"
    assert pack_name(Path("booking_tool.json"), "REST API") == "booking-tool"
