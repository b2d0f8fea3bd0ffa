"""What the ROLLER sandbox guarantees about guests, sessions and the venue.

- a guest PUT replaces the whole record: flags and other optional fields not resent are wiped
- a guest's required fields and formats are checked; a guest is shared by all their bookings
- availability gives each session's places left, null when unlimited, and follows the bookings
- products and the venue answer by ROLLER's field names
"""

import pytest


@pytest.fixture
def guest_path(venue):
    return f"/guests/{venue.find('John Smith')['customerId']}"


def test_a_whole_guest_comes_back_as_it_was_put(venue, guest_path):
    john = venue.get(guest_path)
    assert john["phone"] == "+61 491 570 006" and john["flags"][0]["type"] == "Medical"
    address = {"street": "1 High Street", "city": "Melbourne"}
    changed = {**john, "email": "new@example.com", "address": address, "dateOfBirth": "1988-02-29"}
    answer = venue.put(guest_path, changed)
    assert (answer.status_code, answer.content) == (200, b"")
    assert venue.get(guest_path) == changed


def test_flags_that_are_not_resent_are_wiped(venue, guest_path):
    john = venue.get(guest_path)
    required = {key: john[key] for key in ("firstName", "lastName", "email", "phone")}
    assert venue.put(guest_path, required).status_code == 200
    assert venue.get(guest_path) == {**required, "flags": [], "acceptMarketing": False, "acceptMarketingSms": False}


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"firstName": None}, "firstName"),
        ({"lastName": "x" * 33}, "lastName"),
        ({"email": "john.example.com"}, "email"),
        ({"email": None, "phone": None}, "email"),
        ({"phone": "0" * 21}, "phone"),
        ({"dateOfBirth": "3 May 1990"}, "dateOfBirth"),
        ({"dateOfBirth": "2027-01-01"}, "dateOfBirth"),
        ({"flags": [{"type": "Nice"}]}, "type"),
        ({"gender": "x"}, "gender"),
        ({"acceptMarketing": "yes"}, "acceptMarketing"),
    ],
)
def test_a_malformed_guest_is_refused_and_unchanged(venue, guest_path, changes, name):
    john = venue.get(guest_path)
    answer = venue.put(guest_path, {**john, **changes})
    assert (answer.status_code, answer.json()["errors"][0]["name"]) == (400, name)
    assert venue.get(guest_path) == john


@pytest.mark.parametrize("field", ["firstName", "lastName", "email", "phone"])
def test_the_four_required_fields(venue, guest_path, field):
    john = venue.get(guest_path)
    del john[field]
    answer = venue.put(guest_path, john)
    assert answer.status_code == 400 and answer.json()["errors"] == [{"name": field, "message": f"{field} is required"}]


def test_an_unknown_guest_is_a_404(venue):
    body = {"firstName": "A", "lastName": "B", "email": "a@example.com", "phone": "1"}
    for guest_id in ("1", "abc"):
        assert venue.http.get(f"/guests/{guest_id}").status_code == 404
        assert venue.put(f"/guests/{guest_id}", body).status_code == 404


def test_a_guest_is_shared_by_several_bookings(venue, guest_path):
    john = venue.get(guest_path)
    customer = {key: john[key] for key in ("firstName", "lastName", "email", "phone")}
    item = {"productId": 62001, "quantity": 2, "bookingDate": "2026-12-01", "startTime": "10:30"}
    assert venue.post("/bookings", {"externalId": "B", "customer": customer, "items": [item]}).status_code == 201
    venue.put(guest_path, {**john, "lastName": "Smythson"})
    assert len(venue.get("/bookings", keywords="Smythson")["bookings"]) == 2
    assert venue.get(guest_path)["flags"] == john["flags"]


def test_availability_follows_the_bookings(venue):
    full = venue.get("/_sandbox/stage")["full_session"]

    def left(day, start):
        (party,) = venue.get("/product-availability", Date=day, ProductIds=str(full["parent_product_id"]))
        return {session["startTime"]: session["capacityRemaining"] for session in party["sessions"]}[start]

    assert left(full["date"], full["start_time"]) == 0
    for session in venue.get("/_sandbox/stage")["open_sessions"]:
        assert left(session["date"], session["start_time"]) == session["capacity_remaining"] > 20
    before = left("2026-11-28", "15:00")
    item = {"productId": 61002, "quantity": 7, "bookingDate": "2026-11-28", "startTime": "15:00"}
    venue.put("/bookings/8231", {"newItems": [item]})
    assert left("2026-11-28", "15:00") == before - 7


def test_sessions_run_every_day_and_some_never_fill(venue):
    party, toddler, socks = venue.get("/product-availability", Date="2026-11-29", ProductIds="61000,64000,65000")
    starts = [session["startTime"] for session in party["sessions"]]
    assert (starts[0], starts[1], starts[-1], len(starts)) == ("09:00", "09:30", "18:30", 20)
    assert party["parentProductId"] == "61000" and [child["id"] for child in party["products"]] == ["61001", "61002"]
    afternoon = next(session for session in party["sessions"] if session["startTime"] == "13:30")
    assert (afternoon["endTime"], afternoon["name"], afternoon["onlineSalesOpen"]) == ("15:30", "1:30 pm", True)
    assert {session["capacityRemaining"] for session in toddler["sessions"]} == {None}
    assert socks["sessions"] == [] and socks["availabilities"][0]["date"] == "2026-11-29"
    assert venue.get("/product-availability", Date="2026-11-01", ProductIds="61000")[0]["sessions"] == []


@pytest.mark.parametrize("query", [{}, {"Date": "tomorrow"}, {"Date": "2026-11-28", "ProductIds": "party"}])
def test_availability_needs_a_proper_date_and_ids(venue, query):
    answer = venue.http.get("/product-availability", params=query)
    assert answer.status_code == 400 and answer.json()["errors"][0]["name"] in ("Date", "ProductIds")


def test_a_family_ticket_takes_four_places(venue):
    item = {"productId": 62003, "quantity": 2, "bookingDate": "2026-11-28", "startTime": "15:00"}
    venue.put("/bookings/8231", {"newItems": [item]})
    assert len(venue.get("/bookings/8231")["items"][1]["tickets"]) == 8


def test_add_ons_have_no_session(venue):
    venue.put("/bookings/8231", {"newItems": [{"productId": 65001, "quantity": 10, "bookingDate": "2026-11-28"}]})
    assert "sessionStartTime" not in venue.get("/bookings/8231")["items"][1]


def test_products_and_venue(venue):
    parents = {product["parentProductName"]: product for product in venue.get("/products")}
    assert parents["Birthday Party"]["products"][0]["price"] == 32.0 and len(parents) == 6
    assert [product["type"] for product in venue.get("/products", productType="PartyPackage")] == ["partypackage"]
    me = venue.get("/venues/me")
    assert (me["ianaTimeZone"], me["countryCode"], me["currency"]) == ("Australia/Melbourne", "AU", "AUD")
