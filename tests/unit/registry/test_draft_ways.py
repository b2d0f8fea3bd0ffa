"""How a first draft reads and undoes its change, and how it shows the bookings that it finds.

- A change of a part of an object sends the old object with the part replaced, and the undo sends the old part. A
  deletion reads the thing first. A created thing is read by its new id, with or without an undo. Where the document has
  no such read, a comment lists what a person has to find out.
- A row is shown by a name and a day, from anywhere in the row, and by an id only where there is nothing else.
- A path may end in its format, and a form may be the body; what all paths need of the venue is written once, in its
  file. `iq pack init` reports how many operations it left, and which cannot be used and why.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from authoring.drafts.draft import OverlayDrafter
from contracts.base import Value
from registry import BoundAction
from registry.loading.load import load_pack
from registry.openapi.document import Document
from tests.unit.registry.test_drafts import MOMENT, PING, SPECS, TEXT, document, draft, pack_init, path_id, says, takes

PERSON = {"type": "object", "properties": {"firstName": TEXT, "lastName": TEXT, "id": TEXT}}
BOOKING = {
    "type": "object",
    "properties": {"id": TEXT, "title": TEXT, "guest": PERSON, "status": {**TEXT, "enum": ["booked", "cancelled"]}},
}
CHANGE = takes(title=TEXT, guest={"type": "object", "properties": {"firstName": TEXT, "lastName": TEXT}})
BEFORE: Value = {"id": "7", "title": "Party", "guest": {"firstName": "Ann", "lastName": "Smith", "id": "g"}}


@pytest.mark.parametrize("method", ["patch", "put"])
def test_a_part_of_an_object_goes_there_and_back(tmp_path: Path, method: str) -> None:
    item = {"parameters": path_id(), "get": says(BOOKING), method: {**CHANGE, **says(BOOKING)}}
    written, action = draft(tmp_path, {**PING, "/bookings/{id}": item}, f"{method.upper()} /bookings/{{id}}")
    assert "guest.firstName" in written["snapshot"]["covers"]
    bound = BoundAction.of(action, {"booking_id": "7", "first_name": "Bo"}).with_(before=BEFORE)
    guest = {"firstName": "Bo", "lastName": "Smith", "id": "g"}
    kept = {"title": "Party"} if method == "put" else {}
    assert bound.request().body == {"guest": guest} | kept
    now: Value = {**BEFORE, "guest": guest}  # type: ignore[dict-item]
    assert not bound.with_(now=BEFORE).matches_request()
    assert bound.with_(now=now).matches_request()
    back = bound.with_(now=now).compensation().body
    assert back == {"guest": {"firstName": "Ann", "lastName": "Smith", "id": "g"}} | kept
    labels = [line["label"] for line in written["preview"]]
    assert "Guest first name" in labels


def test_where_there_is_no_read_a_comment_says_so(tmp_path: Path) -> None:
    alone = {"/bookings/{id}": {"parameters": path_id(), "put": {**takes("note", note=TEXT), **says({})}}}
    assert "# The document has no GET of the same path" in text_of(tmp_path / "a", alone, "PUT /bookings/{id}")
    other = {"parameters": path_id(), "get": says(BOOKING), "put": {**takes("memo", memo=TEXT), **says({})}}
    text = text_of(tmp_path / "b", {"/bookings/{id}": other}, "PUT /bookings/{id}")
    assert "# The read of it shows none of the values" in text
    made = {"/bookings": {"post": {**takes("note", note=TEXT), **says(BOOKING)}}}
    assert "# The document has no GET and no DELETE or cancel" in text_of(tmp_path / "c", made, "POST /bookings")


def text_of(folder: Path, paths: dict[str, Any], key: str) -> str:
    return OverlayDrafter(document(folder, paths)).overlay(key).text


def test_what_is_deleted_is_looked_at_first(tmp_path: Path) -> None:
    item = {"parameters": path_id(), "get": says(BOOKING), "delete": says({})}
    written, _ = draft(tmp_path, {**PING, "/bookings/{id}": item}, "DELETE /bookings/{id}")
    assert written["snapshot"]["operation"] == "GET /bookings/{id}"
    assert written["snapshot"]["covers"] == ["status", "title"]
    assert written["preview"][0] == {
        "label": "Booking", "before": "{{ before.title | default('', true) }}", "after": "Deleted"
    }  # fmt: skip
    assert written["verify"] == {"all": ["now.status in ['cancelled']"]}


@pytest.mark.parametrize("name", ["canceled", "isCancelled"])
def test_a_yes_or_no_tells_that_it_is_off(tmp_path: Path, name: str) -> None:
    booking = {"type": "object", "properties": {"id": TEXT, name: {"type": "boolean"}}}
    item = {"parameters": path_id(), "get": says(booking), "delete": {**says({}), "summary": "Cancel a booking"}}
    written, action = draft(tmp_path, {**PING, "/bookings/{id}": item}, "DELETE /bookings/{id}")
    bound = BoundAction.of(action, {"booking_id": "7"}).with_(before={"id": "7", name: False})
    assert bound.with_(now={"id": "7", name: True}).matches_request()
    assert not bound.with_(now={"id": "7", name: False}).matches_request()
    assert [line["label"] for line in written["preview"]] == [name.replace("isC", "Is c").capitalize()]


def test_what_is_made_is_looked_at_even_where_it_stays(tmp_path: Path) -> None:
    post = {**takes("title", title=TEXT), **says(BOOKING)}
    paths = {
        **PING,
        "/bookings": {"get": says({"type": "array", "items": BOOKING}), "post": post},
        "/bookings/{id}": {"parameters": path_id(), "get": says(BOOKING)},
    }  # fmt: skip
    written, action = draft(tmp_path, paths, "POST /bookings")
    assert written["verify"]["reads"]["made"]["with"] == {"id": "{{ response.id }}"}
    assert "snapshot" not in written
    assert not action.reversible
    text = text_of(tmp_path / "again", paths, "POST /bookings")
    assert "# The document has no call that takes it away again: a person must." in text


def label(folder: Path, **properties: Any) -> str:
    row = {"type": "object", "required": ["id"], "properties": {"id": TEXT, **properties}}
    answer = {"type": "object", "properties": {"data": {"type": "array", "items": row}}}
    written, _ = draft(folder, {**PING, "/bookings": {"get": says(answer)}}, "GET /bookings")
    found: str = written["output"]["candidates"]["value"]["label"]
    return found


def test_a_row_is_shown_by_a_name_and_a_day(tmp_path: Path) -> None:
    slots = {"type": "array", "items": {"type": "object", "properties": {"bookingDate": TEXT}}}
    either = {"anyOf": [TEXT, PERSON]}
    shown = [
        label(tmp_path / "a", guest=PERSON, startsAt=MOMENT),
        label(tmp_path / "b", title=TEXT, items=slots),
        label(tmp_path / "c", passenger_name=TEXT, trip=TEXT),
        label(tmp_path / "d", subject=TEXT, created={"type": "integer", "format": "unix-time"}),
        label(tmp_path / "e", customer=either, description=TEXT),
        label(tmp_path / "f", kind=TEXT),
    ]
    day = "{{ item.startsAt | default(none) and (item.startsAt | local_day) }}"
    assert shown[0].startswith(
        "{{ item.guest.firstName | default('', true) }} {{ item.guest.lastName | default('', true) }}, " + day
    )
    assert shown[1].startswith("{{ item.title | default(item.id, true) }}, {{ (item.items")
    assert shown[2] == "{{ item.passenger_name | default(item.id, true) }}"
    assert shown[3].startswith("{{ item.subject | default(item.id, true) }}, {{ (item.created")
    assert "from_epoch | local_day" in shown[3]
    # A customer that may be a bare id has no name to show.
    assert shown[4] == "{{ item.description | default(item.id, true) }}"
    assert shown[5] == "{{ item.id }}"


ROW = {"type": "object", "properties": {"sid": TEXT, "guest_name": TEXT}}
FORM = {
    "openapi": "3.1.0",
    "info": {"title": "Inn API", "version": "1"},
    "servers": [{"url": "http://127.0.0.1:9"}],
    "paths": {
        "/v1/Accounts/{AccountSid}/Bookings.json": {
            "parameters": path_id("AccountSid"),
            "get": {"operationId": "ListBooking", **says({"type": "object", "properties": {
                "bookings": {"type": "array", "items": ROW}
            }})},
            "post": {"operationId": "CreateBooking", **says({"type": "object", "properties": {"sid": TEXT}}),
                     "requestBody": {"required": True, "content": {"application/x-www-form-urlencoded": {"schema": {
                         "type": "object", "required": ["GuestName"], "properties": {"GuestName": TEXT}}}}}},
        },
        "/v1/Accounts/{AccountSid}/Bookings/{Sid}.json": {
            "parameters": [*path_id("AccountSid"), *path_id("Sid")],
            "get": {"operationId": "FetchBooking",
                    **says(ROW)},
            "post": {"operationId": "UpdateBooking", **says({}),
                     "requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {
                         "type": "object", "properties": {"GuestName": TEXT}}}}}},
            "delete": {"operationId": "DeleteBooking", **says({}, "204")},
        },
        "/v1/broken": {"post": {"operationId": "Broken", "requestBody": {"$ref": "#/none"}, "responses": {}}},
    },
}  # fmt: skip


def test_forms_and_paths_with_a_format(tmp_path: Path) -> None:
    source = tmp_path / "inn.json"
    source.write_text(json.dumps(FORM))
    folder = tmp_path / "inn"
    code, message = pack_init(source, "--out", folder)
    assert code == 0
    assert "5 drafts in actions/" in message
    assert "  1 (Broken): #/none leads nowhere" in message
    assert "not drafted" not in message
    assert 'bound: {path.AccountSid: "${INN_ACCOUNT_SID}"}\n' in (folder / "venue.yaml").read_text()
    for file in (folder / "actions").glob("*.yaml"):
        file.write_text(file.read_text().replace("iq_enabled: false", "iq_enabled: true"))
    pack = load_pack(folder)
    assert not [f for f in pack.findings if f.level == "error"]
    change = pack.actions["update_booking"]
    assert [p.name for p in change.parameters] == ["booking_id", "guest_name"]
    bound = BoundAction.of(change, {"booking_id": "b-1", "guest_name": "Ann"}).with_(before={"guest_name": "Bo"})
    request = bound.request()
    assert request.form is not None
    assert [(f.name, f.value) for f in request.form] == [("GuestName", "Ann")]
    assert bound.with_(now={"guest_name": "Ann"}).matches_request()
    assert bound.with_(now={"guest_name": "Ann"}).compensation().body == {"GuestName": "Bo"}
    assert pack.actions["create_booking"].reversible


def test_how_many_are_left_is_stated(tmp_path: Path) -> None:
    source = tmp_path / "inn.json"
    look = {**says({}), "parameters": [*path_id(), *path_id("key")]}
    more = {f"/rooms/{{id}}/keys/{{key}}/part{n}": {"get": look} for n in range(2)}
    paths = {"/bookings": {"get": says({"type": "array"})}, **more}
    source.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Inn", "version": "1"}, "paths": paths}))
    message = pack_init(source, "--out", tmp_path / "inn")[1]
    assert "2 other operations are not drafted: `iq actions init OPERATION --pack " in message


@pytest.mark.skipif(not SPECS.is_dir(), reason="the shared documents are not beside this checkout")
@pytest.mark.parametrize(
    ("name", "drafts", "left"), [("twilio.json", 5, ""), ("bookeo-malformed.json", 8, "43 other operations")]
)
def test_packs_of_documents_of_others(tmp_path: Path, name: str, drafts: int, left: str) -> None:
    code, message = pack_init(SPECS / name, "--out", tmp_path / "pack")
    assert code == 0
    assert left in message
    assert len(list((tmp_path / "pack" / "actions").iterdir())) >= drafts
    for file in (tmp_path / "pack" / "actions").iterdir():
        file.write_text(file.read_text().replace("iq_enabled: false", "iq_enabled: true"))
    venue = tmp_path / "pack" / "venue.yaml"
    pack = load_pack(tmp_path / "pack")
    assert not [f for f in pack.findings if f.level == "error"], venue.read_text()


@pytest.mark.skipif(not SPECS.is_dir(), reason="the shared documents are not beside this checkout")
def test_most_changes_of_a_document_can_be_taken_back() -> None:
    made = Document.read(SPECS / "twilio.json")
    drafter = OverlayDrafter(made)
    texts = [drafter.overlay(k).text for k in made.keys if k.startswith("Update")]
    both = [t for t in texts if "\nverify:" in t and "\ncompensation:" in t]
    assert len(both) >= len(texts) * 2 // 3, (len(both), len(texts))
