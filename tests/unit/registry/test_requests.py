"""Requests: every ROLLER action against example documents, and the styles of OpenAPI.

- Each action renders the exact request that ROLLER documents, types and all.
- The request carries the idempotency key when there is one. A contact update sends the whole guest, flags kept.
- Values cannot leave their place: paths are encoded, `..` and header line breaks are refused.
- Arrays and objects are written in the operation's style.
- A missing value is omitted; a null is sent only where a property must be there and may be null.
"""

import pytest

import registry
from contracts.action import ActionParameter, Operation, WireParameter
from contracts.base import Json
from contracts.credentials import HttpRequest
from registry import BoundAction
from registry.http.request import assemble, null_is_sent
from tests.unit.registry.examples import BOOKING, GUEST


def request(
    pack: registry.Pack, name: str, arguments: dict[str, Json], *, before: Json = None, marker: str = ""
) -> HttpRequest:
    action = pack.actions[name]
    assert registry.argument_problems(action, arguments) == []
    return BoundAction.of(action, arguments, pack.profile, marker).with_(before=before).request()


@pytest.mark.parametrize(
    ("target", "required", "kinds", "sent"),
    [
        ("body.note", True, ["string", "null"], True),
        ("body.note", False, ["string", "null"], False),
        ("body.note", True, "string", False),
        ("query.note", True, ["string", "null"], False),
        (None, True, ["string", "null"], False),
    ],
)
def test_a_null_is_sent_only_where_it_must_be_there(
    target: str | None, required: bool, kinds: Json, sent: bool
) -> None:
    schema: dict[str, Json] = {"type": kinds}
    parameter = ActionParameter(name="note", description="", target=target, required=required, json_schema=schema)
    assert null_is_sent(parameter) is sent


def test_an_empty_value_in_a_row_of_a_list_is_omitted_by_the_row_s_own_rules(pack: registry.Pack) -> None:
    row: dict[str, Json] = {
        "type": "object", "required": ["id", "slot"],
        "properties": {"id": {"type": "string"}, "note": {"type": "string"}, "slot": {"type": ["string", "null"]}},
    }  # fmt: skip
    schema: dict[str, Json] = {"type": "array", "items": row}
    parameter = ActionParameter(name="rows", description="", target="body.rows", required=True, json_schema=schema)
    body: dict[str, Json] = {"type": "object", "properties": {"rows": schema}}
    operation = Operation(key="x", method="POST", path="/x", body_schema=body, content_type="application/json")
    plain = {"parameters": (parameter,), "operation": operation, "request": None, "bound": None, "marker": None}
    action = pack.actions["edit_note"].model_copy(update=plain)
    rows: Json = [{"id": "a", "note": None, "slot": None}, {"id": "b", "note": "x", "slot": "1"}]
    sent = BoundAction.of(action, {"rows": rows}, pack.profile).request()
    assert sent.body == {"rows": [{"id": "a", "slot": None}, {"id": "b", "note": "x", "slot": "1"}]}


def test_find(pack: registry.Pack) -> None:
    made = request(pack, "find_bookings", {"keywords": "John Smith", "date": "2026-11-28", "start_time": "15:00"})
    assert (made.method, made.path) == ("GET", "/bookings")
    assert made.query == (("keywords", "John Smith"), ("date", "2026-11-28"), ("startTime", "15:00"))
    assert (made.body, made.content_type) == (None, None)


def test_get_encodes_the_id(pack: registry.Pack) -> None:
    assert request(pack, "get_booking", {"booking_id": "8231"}).path == "/bookings/8231"
    assert request(pack, "get_booking", {"booking_id": "a/b?c#d ü"}).path == "/bookings/a%2Fb%3Fc%23d%20%C3%BC"
    for sly in ("..", "."):
        action = pack.actions["get_booking"]
        with pytest.raises(registry.TemplateRenderError):
            BoundAction.of(action, {"booking_id": sly}).request()
        assert registry.argument_problems(action, {"booking_id": sly})


def test_availability(pack: registry.Pack) -> None:
    made = request(pack, "check_availability", {"date": "2026-11-28"})
    assert (made.path, made.query) == ("/product-availability", (("Date", "2026-11-28"),))
    narrow = request(pack, "check_availability", {"date": "2026-11-28", "product_ids": "1,2"})
    assert narrow.query == (("Date", "2026-11-28"), ("ProductIds", "1,2"))


def test_reschedule_removes_and_adds_every_item(pack: registry.Pack) -> None:
    arguments = {"booking_id": "8231", "new_date": "2026-12-05", "new_start_time": "15:30"}
    made = request(pack, "reschedule_booking", arguments, before=BOOKING, marker="plan-1/1")
    assert (made.method, made.path, made.content_type) == ("PUT", "/bookings/8231", "application/json")
    assert made.body == {
        "idsToRemove": [501, 502],
        "newItems": [
            {
                "productId": 61001, "quantity": 12, "bookingDate": "2026-12-05", "startTime": "15:30",
                "priceOverride": 24.0,
            },
            {"productId": 61090, "quantity": 12, "bookingDate": "2026-12-05", "priceOverride": 3.5},
        ],
        "metadata": {"iq_ref": "plan-1/1"},
    }  # fmt: skip


def test_reschedule_keeps_what_is_not_stated(pack: registry.Pack) -> None:
    made = request(pack, "reschedule_booking", {"booking_id": "8231", "new_date": "2026-12-05"}, before=BOOKING)
    assert [item.get("startTime") for item in made.body["newItems"]] == ["14:00", None]
    assert "metadata" not in made.body


def test_reschedule_keeps_the_distance_between_items_and_the_names_on_tickets(pack: registry.Pack) -> None:
    tickets = [{"ticketId": "1", "customTicketId": "w-1", "ticketHolderName": "Mia"}, {"ticketId": "2"}]
    later = {
        **BOOKING["items"][0],
        "bookingItemId": 503,
        "sessionStartTime": "15:30",
        "quantity": 2,
        "tickets": tickets,
    }
    before = {**BOOKING, "items": [BOOKING["items"][0], later]}
    made = request(pack, "reschedule_booking", {"booking_id": "8231", "new_start_time": "16:00"}, before=before)
    assert [item["startTime"] for item in made.body["newItems"]] == ["16:00", "17:30"]
    assert made.body["newItems"][1]["tickets"] == [{"id": "w-1", "name": "Mia"}, {}]
    assert "tickets" not in made.body["newItems"][0]


def test_guest_count_changes_the_first_item_only(pack: registry.Pack) -> None:
    made = request(pack, "change_guest_count", {"booking_id": "8231", "guest_count": 14}, before=BOOKING)
    assert [item["quantity"] for item in made.body["newItems"]] == [14, 12]
    assert made.body["idsToRemove"] == [501, 502]
    assert made.body["newItems"][0]["startTime"] == "14:00"


def test_contact_sends_the_whole_guest(pack: registry.Pack) -> None:
    before = {"booking": BOOKING, "guest": GUEST}
    made = request(pack, "update_contact", {"booking_id": "8231", "phone": "+61400111222"}, before=before)
    assert (made.method, made.path) == ("PUT", "/guests/77388293")
    # An empty gender is a gap of the venue's own data: its API accepts no null there.
    assert made.body == {k: v for k, v in GUEST.items() if k != "gender"} | {"phone": "+61400111222"}


def test_note_is_added_on_a_new_line(pack: registry.Pack) -> None:
    def comments(before: Json, **arguments: Json) -> Json:
        made = request(pack, "edit_note", {"booking_id": "8231", **arguments}, before={**BOOKING, "comments": before})
        return made.body["comments"]

    assert comments("First visit", note="nut allergy") == "First visit\nnut allergy"
    assert comments("", note="nut allergy") == "nut allergy"
    assert comments(None, note='{"json": "looking"}') == '{"json": "looking"}'
    assert comments("First visit", note="12", replace=True) == "12"
    with pytest.raises(registry.TemplateRenderError, match="at most 500"):
        comments("x" * 499, note="nut allergy")


def test_cancel_notes_no_refund_unless_stated(pack: registry.Pack) -> None:
    made = request(pack, "cancel_booking", {"booking_id": "8231"}, before=BOOKING)
    assert (made.method, made.path, made.body) == ("POST", "/bookings/8231/cancel", {"issueRefund": False})
    paid = {"booking_id": "8231", "issue_refund": True, "refund_type": "Cash"}
    assert request(pack, "cancel_booking", paid, before=BOOKING).body == {"issueRefund": True, "refundType": "Cash"}


def test_snapshot_reads_build_on_each_other(pack: registry.Pack) -> None:
    action = pack.actions["update_contact"]
    assert action.snapshot is not None
    bound = BoundAction.of(action, {"booking_id": "8231"})
    first, second = action.snapshot.reads
    assert bound.read(first).path == "/bookings/8231"
    assert bound.with_(before={"booking": BOOKING}).read(second).path == "/guests/77388293"
    with pytest.raises(registry.TemplateRenderError):
        bound.read(second)


def test_a_missing_field_names_action_and_key(pack: registry.Pack) -> None:
    with pytest.raises(registry.TemplateRenderError) as caught:
        request(pack, "reschedule_booking", {"booking_id": "1", "new_date": "2026-12-05"}, before={"items": [{}]})
    assert str(caught.value).startswith("reschedule_booking: request.body.idsToRemove[0]: ")
    assert "bookingItemId" in str(caught.value)


def wire(location: str, style: str = "simple", *, explode: bool = False) -> Operation:
    return Operation(
        key="x", method="GET", path="/p/{v}" if location == "path" else "/p",
        parameters=(
            WireParameter.model_validate({"name": "v", "location": location, "required": True, "json_schema": {},
                                          "style": style, "explode": explode}),
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("style", "explode", "value", "query"),
    [
        ("form", True, [1, "a"], (("v", "1"), ("v", "a"))),
        ("form", False, [1, "a"], (("v", "1,a"),)),
        ("pipeDelimited", False, [1, 2], (("v", "1|2"),)),
        ("spaceDelimited", False, [1, 2], (("v", "1 2"),)),
        ("deepObject", True, {"a": 1, "b": True}, (("v[a]", "1"), ("v[b]", "true"))),
        ("form", True, {"a": 1}, (("a", "1"),)),
        ("form", False, {"a": 1, "b": 2}, (("v", "a,1,b,2"),)),
        ("form", True, 1.0, (("v", "1"),)),
    ],
)
def test_query_styles(style: str, explode: bool, value: Json, query: tuple[tuple[str, str], ...]) -> None:
    inputs: dict[str, dict[str, Json]] = {"path": {}, "query": {"v": value}, "header": {}, "cookie": {}}
    assert assemble(wire("query", style, explode=explode), inputs, None, "w").query == query


def test_path_and_header_lists() -> None:
    inputs: dict[str, dict[str, Json]] = {"path": {"v": ["a b", 2]}, "query": {}, "header": {}, "cookie": {}}
    assert assemble(wire("path"), inputs, None, "w").path == "/p/a%20b,2"
    inputs = {"path": {}, "query": {}, "header": {"v": "a\r\nX-Evil: 1"}, "cookie": {}}
    with pytest.raises(registry.TemplateRenderError, match="line breaks"):
        assemble(wire("header"), inputs, None, "w")
    with pytest.raises(registry.TemplateRenderError, match="nothing gives it"):
        assemble(wire("header"), {"path": {}, "query": {}, "header": {}, "cookie": {}}, None, "w")
