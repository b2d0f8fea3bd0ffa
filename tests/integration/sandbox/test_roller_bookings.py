"""What the ROLLER sandbox guarantees about changing a booking.

- a PUT is a delta and answers 200 with an empty body; metadata merges, null removes
- new items get new ids and tickets; a resent PUT adds them again; own places count as free
- it is all or nothing: an unknown item, a full session, a missing session or a past day is a 409
- a malformed body is a 400 that names the field and the format
- a booking answers to its uniqueId and to its bookingReference
- cancel: needs issueRefund and then refundType, only Api and future, once, and frees the places
- create: 201 with both ids, externalId unique, the guest reused by e-mail
"""

import re
from typing import Any

import pytest


def move(item: dict[str, Any], **changes: object) -> dict[str, Any]:
    """Return the body that replaces one item by a changed one."""
    new = {
        "productId": item["productId"],
        "quantity": item["quantity"],
        "bookingDate": item["bookingDate"],
        "startTime": item["sessionStartTime"],
    }
    return {"idsToRemove": [item["bookingItemId"]], "newItems": [{**new, **changes}]}


def adding(**changes: object) -> dict[str, Any]:
    """Return the body that adds two guests to the booking."""
    return {"newItems": [{"productId": 61001, "quantity": 2, "bookingDate": "2026-11-28", **changes}]}


def order(**changes: object) -> dict[str, Any]:
    """Return a valid create-a-booking body."""
    body: dict[str, Any] = {
        "externalId": "BK-1042",
        "customer": {"firstName": "José", "lastName": "García", "email": "jose@example.com", "phone": "0491 571 266"},
        "items": [{"productId": 61001, "quantity": 8, "bookingDate": "2026-11-28", "startTime": "15:00"}],
    }
    return {**body, **changes}


def test_a_detail_carries_the_fields_that_plans_depend_on(venue):
    john = venue.find("John Smith")
    assert john["channel"] == "Api" and john["status"] == "Paid" and john["metadata"] == {"source": "partner-portal"}
    assert john["total"] == 384.0 and john["remainder"] == 0.0
    (item,) = john["items"]
    assert (item["quantity"], item["bookingDate"]) == (12, "2026-11-25")
    assert (item["sessionStartTime"], item["sessionEndTime"]) == ("14:00", "16:00")
    assert isinstance(item["bookingItemId"], int) and len({t["ticketId"] for t in item["tickets"]}) == 12


def test_moving_a_party_replaces_its_item_by_one_with_new_ids(venue):
    john = venue.find("John Smith")
    old = john["items"][0]
    answer = venue.put(
        f"/bookings/{john['uniqueId']}", move(old, quantity=14, bookingDate="2026-11-28", startTime="15:00")
    )
    assert (answer.status_code, answer.content) == (200, b"")
    (new,) = venue.find("John Smith")["items"]
    assert (new["quantity"], new["bookingDate"], new["sessionStartTime"]) == (14, "2026-11-28", "15:00")
    assert new["bookingItemId"] != old["bookingItemId"]
    assert not {t["ticketId"] for t in new["tickets"]} & {t["ticketId"] for t in old["tickets"]}


def test_a_resent_put_adds_its_new_items_twice(venue):
    john = venue.find("John Smith")
    body = {"newItems": move(john["items"][0])["newItems"]}
    for _ in range(2):
        venue.put(f"/bookings/{john['uniqueId']}", body)
    assert [item["quantity"] for item in venue.find("John Smith")["items"]] == [12, 12, 12]


def test_name_comments_and_metadata_change_without_touching_the_rest(venue):
    john = venue.find("John Smith")
    body = {"name": "Johnny", "comments": "Host name: Ali", "metadata": {"iq-step": "p1/<b>1</b>", "source": None}}
    assert venue.put(f"/bookings/{john['uniqueId']}", body).status_code == 200
    now = venue.get(f"/bookings/{john['bookingReference']}")
    assert now == {**john, "name": "Johnny", "comments": "Host name: Ali", "metadata": {"iq-step": "p1/1"}}
    venue.put(f"/bookings/{john['uniqueId']}", {"metadata": {"iq-step": None}})
    assert "metadata" not in venue.get(f"/bookings/{john['uniqueId']}")


def test_the_reference_stands_for_the_unique_id(venue):
    booking = venue.get("/bookings/8231")
    assert booking["bookingReference"] == "8231" and booking["channel"] == "Api"
    assert venue.put("/bookings/8231", {"comments": "x"}).status_code == 200
    assert venue.get(f"/bookings/{booking['uniqueId']}")["comments"] == "x"
    assert venue.post("/bookings/8231/cancel", {"issueRefund": False}).status_code == 200
    assert venue.http.get("/bookings/7001").status_code == 404
    assert venue.http.get("/bookings/7001").json()["errors"][0]["name"] == "BookingNotFound"


def test_an_unknown_item_fails_the_whole_put(venue):
    john = venue.find("John Smith")
    body = {"name": "Lost", "metadata": {"iq": "1"}, **move(john["items"][0]), "idsToRemove": [1]}
    answer = venue.put(f"/bookings/{john['uniqueId']}", body)
    assert answer.status_code == 409 and answer.json()["errors"][0]["name"] == "InvalidBookingItem"
    assert venue.get(f"/bookings/{john['uniqueId']}") == john and venue.journal() == []


def test_a_full_session_and_a_group_too_large_are_refused_apart(venue):
    john = venue.find("John Smith")
    full = venue.get("/_sandbox/stage")["full_session"]
    there = move(john["items"][0], bookingDate=full["date"], startTime=full["start_time"])
    answer = venue.put(f"/bookings/{john['uniqueId']}", there)
    assert answer.status_code == 409 and answer.json()["errors"][0]["name"] == "LocationFullyBooked"
    answer = venue.put(f"/bookings/{john['uniqueId']}", move(john["items"][0], quantity=61))
    assert answer.status_code == 409 and answer.json()["errors"][0]["name"] == "VenueCapacity"
    assert venue.get(f"/bookings/{john['uniqueId']}") == john


def test_places_are_counted_after_the_booking_gives_its_own_back(venue):
    full = venue.get("/_sandbox/stage")["full_session"]
    found = venue.get("/bookings", date=full["date"], startTime=full["start_time"], productIds="61001")["bookings"]
    group = venue.get(f"/bookings/{found[0]['uniqueId']}")
    assert venue.put(f"/bookings/{group['uniqueId']}", move(group["items"][0])).status_code == 200
    item = venue.get(f"/bookings/{group['uniqueId']}")["items"][0]
    more = venue.put(f"/bookings/{group['uniqueId']}", move(item, quantity=item["quantity"] + 1))
    assert more.status_code == 409


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"productId": 999}, "InvalidProduct"),
        ({"startTime": "15:10"}, "SessionNotAvailable"),
        ({"startTime": None}, "SessionNotAvailable"),
        ({"bookingDate": "2026-11-17"}, "BookingDateInPast"),
        ({"tickets": [{"name": "Ann"}]}, "InvalidTickets"),
    ],
)
def test_what_the_venue_cannot_do_is_a_conflict(venue, changes, name):
    answer = venue.put("/bookings/8231", move(venue.get("/bookings/8231")["items"][0], **changes))
    assert answer.status_code == 409 and answer.json()["errors"][0]["name"] == name


@pytest.mark.parametrize(
    ("body", "name", "says"),
    [
        (adding(startTime="3pm"), "startTime", "HH:MM"),
        (adding(bookingDate="28/11/2026"), "bookingDate", "YYYY-MM-DD"),
        (adding(bookingDate="2026-02-30"), "bookingDate", "real date"),
        (adding(productId="61001"), "productId", "whole number"),
        (adding(quantity=0), "quantity", "newItems[0].quantity must be 1 or more"),
        ({"newItems": [{"productId": 61001, "bookingDate": "2026-11-28"}]}, "quantity", "quantity is required"),
        ({"idsToRemove": ["52000101"]}, "idsToRemove", "whole number"),
        ({"itemsToUpdate": [{"bookingItemId": 52000101}]}, "bookingItemId", "text"),
        ({"name": "x" * 129}, "name", "128"),
        ({"comments": "x" * 501}, "comments", "500"),
        ({"metadata": {"k": 1}}, "metadata", "metadata.k must be text"),
        ({"metadata": {str(n): "v" for n in range(20)}}, "metadata", "20"),
    ],
)  # fmt: skip
def test_a_malformed_put_names_the_field_and_the_format(venue, body, name, says):
    answer = venue.put("/bookings/8231", body)
    (error,) = answer.json()["errors"]
    assert answer.status_code == 400 and error["name"] == name and says in error["message"]


def test_a_body_that_is_not_json_is_a_400(venue):
    answer = venue.http.put("/bookings/8231", content=b"{", headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["errors"][0]["name"]) == (400, "body")


def test_items_to_update_take_the_item_id_as_text(venue):
    item = venue.get("/bookings/8231")["items"][0]
    ticket = item["tickets"][0]["ticketId"]
    update = {
        "bookingItemId": str(item["bookingItemId"]),
        "tickets": [{"ticketId": ticket, "name": "Ada", "customTicketId": "w-1"}],
    }
    assert venue.put("/bookings/8231", {"itemsToUpdate": [update]}).status_code == 200
    named = venue.get("/bookings/8231")["items"][0]["tickets"][0]
    assert named == {"ticketId": ticket, "customTicketId": "w-1", "ticketHolderName": "Ada"}
    assert [row["bookingReference"] for row in venue.get("/bookings", keywords="w-1")["bookings"]] == ["8231"]
    unknown = venue.put("/bookings/8231", {"itemsToUpdate": [{"bookingItemId": "1"}]})
    assert unknown.status_code == 409 and unknown.json()["errors"][0]["name"] == "InvalidBookingItem"


def test_cancel_asks_for_its_refund_fields(venue):
    answer = venue.post("/bookings/8231/cancel", {})
    assert answer.status_code == 400 and answer.json()["errors"][0]["name"] == "issueRefund"
    answer = venue.post("/bookings/8231/cancel", {"issueRefund": True})
    message = "refundType is required when issueRefund is true"
    assert answer.status_code == 400 and answer.json() == {"errors": [{"name": "refundType", "message": message}]}
    assert venue.post("/bookings/8231/cancel", {"issueRefund": True, "refundType": "Gold"}).status_code == 400


def test_cancel_frees_the_places_for_good_and_happens_once(venue):
    full = venue.get("/_sandbox/stage")["full_session"]
    found = venue.get("/bookings", date=full["date"], startTime=full["start_time"])["bookings"]
    groups = [venue.get(f"/bookings/{row['uniqueId']}") for row in found]
    group = next(row for row in groups if row["items"][0]["productId"] == 61001)
    path = f"/bookings/{group['uniqueId']}"
    assert venue.post(f"{path}/cancel", {"issueRefund": True, "refundType": "Cash"}).content == b""
    after = venue.get(path)
    assert after["status"] == "Cancelled" and after["payments"][-1]["total"] < 0
    assert venue.get("/_sandbox/stage")["full_session"] is None
    assert venue.post(f"{path}/cancel", {"issueRefund": False}).status_code == 409
    assert venue.put(path, {"comments": "again"}).status_code == 409
    assert group["bookingReference"] in {
        row["bookingReference"] for row in venue.get("/bookings", keywords=group["name"])["bookings"]
    }


def test_cancel_refuses_other_channels_and_the_past_with_a_plain_string(venue):
    online = venue.find("Olivia Chen")
    answer = venue.post(f"/bookings/{online['uniqueId']}/cancel", {"issueRefund": False})
    assert online["channel"] == "Online" and answer.status_code == 403 and isinstance(answer.json(), str)
    days = [f"2026-11-{day:02d}" for day in range(4, 18)]
    rows = [row for day in days for row in venue.get("/bookings", date=day)["bookings"]]
    past = [row["uniqueId"] for row in rows if venue.get(f"/bookings/{row['uniqueId']}")["channel"] == "Api"]
    answers = [venue.post(f"/bookings/{past[n]}/cancel", {"issueRefund": False}) for n in range(3)]
    assert [answer.status_code for answer in answers] == [403, 403, 403] and "future" in answers[0].json()


def test_create_answers_both_ids_and_reuses_the_guest(venue):
    answer = venue.post("/bookings", order())
    assert answer.status_code == 201 and set(answer.json()) == {"bookingReference", "uniqueId"}
    booking = venue.get(f"/bookings/{answer.json()['uniqueId']}")
    assert (booking["channel"], booking["externalId"], booking["name"]) == ("Api", "BK-1042", "José García")
    assert re.fullmatch(r"[0-9a-f-]{36}", booking["uniqueId"]) and booking["status"] == "PendingPayment"
    again = venue.post("/bookings", order())
    assert again.status_code == 409 and again.json()["errors"][0]["name"] == "DuplicateExternalId"
    second = venue.post("/bookings", order(externalId="BK-1043")).json()
    assert venue.get(f"/bookings/{second['uniqueId']}")["customerId"] == booking["customerId"]
    crowd = [{"productId": 61001, "quantity": 61, "bookingDate": "2026-11-28", "startTime": "15:00"}]
    assert venue.post("/bookings", order(externalId="BK-1044", items=crowd)).status_code == 409
    assert venue.http.get("/bookings", params={"keywords": "BK-1044"}).json() == {"bookings": []}


def test_create_records_payments_and_checks_its_dates(venue):
    body = order(
        purchaseDate="2026-11-01T12:00:00.5306035+11:00",
        payments=[{"id": "TX-1", "paymentType": "CreditCard", "amount": 100}],
        customer={
            "firstName": "A",
            "lastName": "B",
            "email": "a@example.com",
            "phone": "1",
            "address": {"city": "Geelong"},
        },
    )
    booking = venue.get(f"/bookings/{venue.post('/bookings', body).json()['uniqueId']}")
    assert booking["createdDate"].startswith("2026-11-01T01:00:00") and booking["status"] == "PartiallyPaid"
    assert booking["remainder"] == 156.0 and booking["payments"][0]["transactionId"] == "TX-1"
    assert venue.get(f"/guests/{booking['customerId']}")["address"] == {"city": "Geelong"}
    answer = venue.post("/bookings", order(externalId="X", purchaseDate="yesterday"))
    assert (answer.status_code, answer.json()["errors"][0]["name"]) == (400, "purchaseDate")
