"""Drafts over APIs that answer in envelopes, have several ids, and documents that cover more than bookings.

- `covers`, output and preview take their values from inside `{status: success | error, data: {…}}`.
- The id is the one that paths take by their words, whatever ids a row has besides.
- A pack begins with the operations on the main thing, moving it included, and not with the API's user management.
- A description of a header that the draft sets itself is omitted.
"""

import json
from pathlib import Path
from typing import Any

from authoring.drafts.pack import draft_pack
from tests.unit.registry.test_drafts import MOMENT, PING, TEXT, document, draft, path_id, says, takes

_STATE = {"type": "string", "enum": ["accepted", "cancelled"]}
_BOOKING = {
    "type": "object",
    "required": ["id", "uid", "title"],
    "properties": {
        "id": {"type": "integer"},
        "uid": TEXT,
        "title": TEXT,
        "status": _STATE,
        "start": MOMENT,
        "note": TEXT,
    },
}


def enveloped(schema: Any) -> dict[str, Any]:
    went = {"type": "string", "enum": ["success", "error"]}
    return says({"type": "object", "required": ["status"], "properties": {"status": went, "data": schema}})


_ONE = {"parameters": path_id("bookingUid"), "get": {**enveloped(_BOOKING), "summary": "Get a booking"}}
PATHS: dict[str, Any] = {
    **PING,
    "/oauth-clients": {
        "get": enveloped({"type": "array", "items": _BOOKING}),
        "post": {**takes(name=TEXT), **says({})},
    },
    "/oauth-clients/{clientId}": {"parameters": path_id("clientId"), "get": says(_BOOKING), "patch": takes(name=TEXT)},
    "/api-keys": {"get": says({"type": "array", "items": _BOOKING}), "post": takes("name", name=TEXT)},
    "/bookings": {
        "get": enveloped({"type": "array", "items": _BOOKING}),
        "post": {**takes("start", "note", start=MOMENT, note=TEXT), **enveloped(_BOOKING)},
    },
    "/bookings/{bookingUid}": _ONE,
    "/bookings/{bookingUid}/cancel": {"parameters": path_id("bookingUid"), "post": {**takes(reason=TEXT), **says({})}},
    "/bookings/{bookingUid}/reschedule": {
        "parameters": path_id("bookingUid"),
        "post": {**takes("start", start=MOMENT), **enveloped(_BOOKING)},
    },
}


def test_what_is_called_off_is_looked_at_inside_its_envelope(tmp_path: Path) -> None:
    written, _ = draft(tmp_path, PATHS, "POST /bookings/{bookingUid}/cancel")
    assert written["snapshot"]["covers"][0] == "data.status" and "status" not in written["snapshot"]["covers"]
    assert written["verify"] == {"all": ["now.data.status in ['cancelled']"]}
    assert all("before.data." in line["before"] for line in written["preview"] if "before" in line)


def test_what_is_made_is_looked_at_inside_its_envelope(tmp_path: Path) -> None:
    written, _ = draft(tmp_path, PATHS, "POST /bookings")
    assert written["verify"]["reads"]["made"]["with"] == {"bookingUid": "{{ response.data.uid }}"}
    assert any("now.made.data.note" in check for check in written["verify"]["all"])
    assert written["verify"]["gone"] == ["now.made.data.status in ['cancelled']"]


def test_what_is_reported_stands_inside_the_envelope(tmp_path: Path) -> None:
    written, _ = draft(tmp_path, PATHS, "GET /bookings/{bookingUid}")
    assert "data.status" in written["output"]["fields"] and "status" not in written["output"]["fields"]
    assert written["output"]["candidates"]["booking_id"] == "{{ response.data.uid }}"


def test_the_id_is_the_one_that_paths_take(tmp_path: Path) -> None:
    written, _ = draft(tmp_path, PATHS, "GET /bookings")
    assert written["output"]["candidates"]["value"]["booking_id"] == "{{ item.uid }}"
    own = {"parameters": path_id("bookingId")}
    plain = {k.replace("bookingUid", "bookingId"): {**v, **(own if "Uid" in k else {})} for k, v in PATHS.items()}
    written, _ = draft(tmp_path / "plain", plain, "GET /bookings")
    assert written["output"]["candidates"]["value"]["booking_id"] == "{{ item.id }}"


def test_a_pack_begins_with_what_is_dealt_in(tmp_path: Path) -> None:
    found = draft_pack(document(tmp_path, PATHS), "inn", "Inn")
    verbs = ["get_bookings", "get_bookings_booking_uid", "reschedule", "cancel", "post_bookings"]
    assert len(found.actions) == 5, found.actions
    assert all(part in name for part, name in zip(verbs, found.actions, strict=True)), found.actions
    only = {path: item for path, item in PATHS.items() if "booking" not in path and path != "/ping"}
    assert any("oauth" in name for name in draft_pack(document(tmp_path / "only", only), "inn", "Inn").actions)


def test_what_must_be_given_asks_for_nothing_else(tmp_path: Path) -> None:
    move = {**takes("start", start=TEXT, note=TEXT), **enveloped(_BOOKING)}
    paths = {**PATHS, "/bookings/{bookingUid}/reschedule": {"parameters": path_id("bookingUid"), "post": move}}
    written, _ = draft(tmp_path, paths, "POST /bookings/{bookingUid}/reschedule")
    assert "data.start" in written["snapshot"]["covers"] and "require_any" not in written


def test_a_header_that_is_given_is_not_spoken_of(tmp_path: Path) -> None:
    header = {"name": "inn-api-version", "in": "header", "required": True, "schema": {"type": "string", "default": "2"}}
    shown = (
        "<Note>Please pass the inn-api-version header. Not passing it gives an old version.</Note> Finds all bookings."
    )
    get = {**PATHS["/bookings"]["get"], "parameters": [header], "description": shown}
    written, action = draft(tmp_path, {**PATHS, "/bookings": {"get": get}}, "GET /bookings")
    assert action.description == "Finds all bookings."
    assert "2" in json.dumps(written["bound"])
