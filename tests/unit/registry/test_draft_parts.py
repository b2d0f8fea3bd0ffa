"""The values that a first draft asks a model for, and those that it sets itself.

- A draft asks for a body in parts that people name: required ones first, a limited number of the rest, and deep ones
  are named in a comment. A required list gets one row. Such a draft is a valid request.
- Idempotency keys, versions and field lists are in no sentence: the service sets them, the read has them, or they are
  omitted; a comment names each. The undo has a separate key and version.
- A POST that only searches is a read; one that makes something is none, whatever its name is.
"""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from authoring.drafts.draft import OverlayDrafter
from contracts.action import AtomicAction
from contracts.base import Value
from registry import BoundAction
from registry.openapi.document import Document
from tests.unit.registry.test_drafts import PING, SPECS, TEXT, document, draft, path_id, says, takes

GUEST = {
    "type": "object",
    "required": ["firstName", "lastName"],
    "properties": {
        "firstName": {**TEXT, "description": "Their first name"},
        "lastName": TEXT,
        "email": TEXT,
        "address": {"type": "object", "properties": {"city": TEXT, "zip": TEXT}},
    },
}
ITEMS = {
    "type": "array",
    "items": {"type": "object", "required": ["productId", "quantity"], "properties": {
        "productId": {"type": "integer"}, "quantity": {"type": "integer"}, "extras": {"type": "array", "items": TEXT},
    }},
}  # fmt: skip


def sent(action: AtomicAction, marker: str = "", before: Value = None, **given: Value) -> Value:
    return BoundAction.of(action, given, marker=marker).with_(before=before).request().body


def text_of(folder: Path, paths: dict[str, Any], key: str) -> str:
    return OverlayDrafter(document(folder, paths)).overlay(key).text


def test_a_body_is_asked_for_in_parts(tmp_path: Path) -> None:
    post = {**takes("guest", "items", guest=GUEST, items=ITEMS, note=TEXT), **says({"type": "object"})}
    paths = {**PING, "/bookings": {"post": post}}
    written, action = draft(tmp_path, paths, "POST /bookings")
    assert written["parameters"]["first_name"] == {
        "in": "body.guest.firstName", "role": "first_name", "describe": "Their first name"
    }  # fmt: skip
    assert {n for n, p in written["parameters"].items() if p.get("required") is not False} == {
        "first_name", "last_name", "product_id", "quantity"
    }  # fmt: skip
    assert written["parameters"]["email"] == {
        "in": "body.guest.email", "role": "email", "describe": "Guest email", "required": False
    }  # fmt: skip
    text = text_of(tmp_path / "again", paths, "POST /bookings")
    assert "body.guest.address.city, body.guest.address.zip" in text
    assert "`for_each` makes several" in text
    given: dict[str, Value] = {"first_name": "Ann", "last_name": "Smith", "product_id": 7, "quantity": 4}
    assert sent(action, **given) == {
        "guest": {"firstName": "Ann", "lastName": "Smith"}, "items": [{"productId": 7, "quantity": 4}]
    }  # fmt: skip


def test_an_object_that_must_be_there_is_never_sent_empty(tmp_path: Path) -> None:
    contact = {"type": "object", "properties": {"name": TEXT, "phone": TEXT}}
    written, action = draft(
        tmp_path, {**PING, "/visits": {"post": {**takes("contact", contact=contact), **says({})}}}, "POST /visits"
    )
    assert written["parameters"]["contact_name"]["required"] is True
    assert written["parameters"]["phone"]["required"] is False
    assert sent(action, contact_name="Ann Smith") == {"contact": {"name": "Ann Smith"}}


def test_what_may_be_left_out_is_offered_in_bounds(tmp_path: Path) -> None:
    many = {f"{word}Date": TEXT for word in ("arrival", "birth", "billing", "event", "due", "order", "party", "trip")}
    lists = {f"list{n}": {"type": "array", "items": TEXT} for n in range(30)}
    paths = {**PING, "/visits": {"post": {**takes("name", name=TEXT, **many, **lists), **says({})}}}
    written, _ = draft(tmp_path, paths, "POST /visits")
    assert len(written["parameters"]) == 5
    text = text_of(tmp_path / "again", paths, "POST /visits")
    assert len([line for line in text.splitlines() if line.startswith("#  ")]) <= 17
    assert "# And 19 more, by the API document" in text


def test_a_secret_inside_an_object_is_no_input(tmp_path: Path) -> None:
    door = {"type": "object", "required": ["name", "password"], "properties": {"name": TEXT, "password": TEXT}}
    written, action = draft(
        tmp_path, {**PING, "/doors": {"post": {**takes("door", door=door), **says({})}}}, "POST /doors"
    )
    assert written["bound"] == {"body.door.password": "${VENUE_PASSWORD}"}
    assert [p.target for p in action.parameters] == ["body.door.name"]


BOOKING = {
    "type": "object",
    "properties": {"id": TEXT, "note": TEXT, "version": {"type": "integer"}, "guest": GUEST},
}
VERSION = {"type": "integer"}


def test_what_no_operator_says_is_given_by_the_service_or_left_out(tmp_path: Path) -> None:
    cancel = takes("idempotency_key", idempotency_key=TEXT, version=VERSION, expand={"type": "array", "items": TEXT})
    cancel["parameters"] = [{"name": "fields", "in": "query", "schema": TEXT}]
    paths = {
        **PING,
        "/bookings/{id}": {"parameters": path_id(), "get": says(BOOKING)},
        "/bookings/{id}/cancel": {"parameters": path_id(), "post": {**cancel, **says(BOOKING)}},
    }
    written, action = draft(tmp_path, paths, "POST /bookings/{id}/cancel")
    assert [*written["parameters"]] == ["booking_id"]
    assert sent(action, marker="k-1", booking_id="7") == {"idempotency_key": "k-1"}
    text = text_of(tmp_path / "again", paths, "POST /bookings/{id}/cancel")
    assert "# `body.idempotency_key` is given a key against doing it twice" in text
    assert "operator says it: body.version (which version of it is changed)" in text
    assert "operator says it: body.expand (which fields are answered)" in text
    assert "operator says it: query.fields (which fields are answered)" in text


def test_the_version_is_the_one_that_was_read(tmp_path: Path) -> None:
    change = takes("version", "requestId", note=TEXT, version=VERSION, requestId=TEXT)
    item = {"parameters": path_id(), "get": says(BOOKING), "patch": {**change, **says(BOOKING)}}
    written, action = draft(tmp_path, {**PING, "/bookings/{id}": item}, "PATCH /bookings/{id}")
    assert [*written["parameters"]] == ["booking_id", "note"]
    before: Value = {"id": "7", "note": "old", "version": 3}
    bound = BoundAction.of(action, {"booking_id": "7", "note": "new"}, marker="k-1").with_(before=before)
    assert bound.request().body == {"version": 3, "note": "new", "requestId": "k-1"}
    back = bound.with_(now={"id": "7", "note": "new", "version": 4}, marker="k-1-undo").compensation()
    assert back.body == {"version": 4, "note": "old", "requestId": "k-1-undo"}


def test_a_key_has_the_form_that_the_document_says(tmp_path: Path) -> None:
    post = {**takes("idempotencyKey", "note", idempotencyKey={**TEXT, "format": "uuid"}, note=TEXT), **says(BOOKING)}
    _, action = draft(tmp_path, {**PING, "/bookings": {"post": post}}, "POST /bookings")
    body = sent(action, marker="plan-1:3", note="x")
    assert isinstance(body, dict)
    assert str(UUID(str(body["idempotencyKey"]))) == body["idempotencyKey"]


def test_the_callers_own_number_is_made_by_the_service(tmp_path: Path) -> None:
    post = {**takes("externalId", "note", externalId=TEXT, note=TEXT), **says(BOOKING)}
    written, action = draft(tmp_path, {**PING, "/bookings": {"post": post}}, "POST /bookings")
    assert [*written["parameters"]] == ["note"]
    assert sent(action, marker="k-1", note="x") == {"externalId": "k-1", "note": "x"}


ROWS = {"type": "object", "properties": {"total": {"type": "integer"}, "products": {"type": "array", "items": {
    "type": "object", "properties": {"productCode": TEXT, "title": TEXT},
}}}}  # fmt: skip
FILTER = {"type": "object", "required": ["destination"], "properties": {"destination": TEXT, "startDate": TEXT}}


def test_a_search_by_post_is_a_read(tmp_path: Path) -> None:
    post = {**takes("filter", filter=FILTER, name=TEXT, page=VERSION), **says(ROWS)}
    written, action = draft(tmp_path, {**PING, "/products/search": {"post": post}}, "POST /products/search")
    assert (written["read_only"], written["safety"], action.read_only) == (True, "normal", True)
    assert {n: p["in"] for n, p in written["parameters"].items()} == {
        "destination": "body.filter.destination", "start_date": "body.filter.startDate", "name": "body.name"
    }  # fmt: skip
    assert written["output"]["candidates"]["value"] == {
        "booking_id": "{{ item.productCode }}",
        "label": "{{ item.title | default(item.productCode, true) }}",
    }
    assert "irreversible_note" not in written


@pytest.mark.parametrize(
    ("path", "more", "answer", "read"),
    [
        ("/products/search", {}, ROWS, True),
        ("/search/products", {"operationId": "searchProducts"}, ROWS, True),
        ("/products/query", {}, ROWS, True),
        ("/products", {"summary": "List products that fit"}, ROWS, True),
        ("/products", {"summary": "Create a list of products"}, ROWS, False),
        ("/users/createWithList", {"operationId": "createUsersWithListInput"}, ROWS, False),
        ("/searches", {"operationId": "saveSearch"}, BOOKING, False),
        ("/products/search", {}, BOOKING, False),
        ("/products/{id}/search", {"operationId": "deleteBySearch"}, ROWS, False),
    ],
)
def test_which_posts_only_look(
    tmp_path: Path, path: str, more: dict[str, Any], answer: dict[str, Any], read: bool
) -> None:
    item = {"parameters": path_id() if "{" in path else [], "post": {**takes(name=TEXT), **says(answer), **more}}
    made = document(tmp_path, {path: item})
    assert ("read_only: true\n" in OverlayDrafter(made).overlay(made.keys[0]).text) is read


@pytest.mark.skipif(not SPECS.is_dir(), reason="the shared documents are not beside this checkout")
def test_searches_in_documents_of_others() -> None:
    names = {"viator-partner.json": 4, "oas-examples/3.0-star-trek.json": 40, "oas-examples/3.0-uspto.json": 1}
    for name, least in names.items():
        made = Document.read(SPECS / name)
        drafter = OverlayDrafter(made)
        searches = [k for k in made.keys if made.operation(k).method == "POST" and drafter.looks(made.described(k))]
        assert len(searches) >= least, (name, searches)


@pytest.mark.skipif(not SPECS.is_dir(), reason="the shared documents are not beside this checkout")
def test_no_draft_of_others_asks_for_a_key() -> None:
    made = Document.read(SPECS / "twilio.json")
    drafter, keyed = OverlayDrafter(made), 0
    for key in made.keys:
        text = drafter.overlay(key).text
        assert "in: body.IdempotencyKey" not in text, key
        keyed += "`body.IdempotencyKey` is given a key" in text
    assert keyed == 4
