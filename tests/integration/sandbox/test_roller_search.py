"""What the ROLLER sandbox guarantees about finding bookings and guests.

- a search needs a criterion, three letters of keywords, well-formed values, and a date with ids
- keywords: every word must match; case, accents, apostrophes, small typos and phone spellings do not matter
- references, externalIds, e-mail addresses and ticket ids match as a whole
- the criteria about items must meet in one item; at most the newest hundred come back
- items say `startTime` in a search and `sessionStartTime` in the detail
"""

import pytest

from sandbox.roller.matching import haystack, matches, one_slip_apart
from tests.support.tables import table

JOHN = {"firstName": "John", "lastName": "Murphy", "email": "jm@example.com", "phone": "07700 900555"}
ITEM = {"productId": 61001, "quantity": 2, "bookingDate": "2026-11-28", "startTime": "15:00"}


def names(venue, **query):
    return [booking["name"] for booking in venue.get("/bookings", **query)["bookings"]]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ({}, "query"),
        ({"keywords": "jo"}, "keywords"),
        ({"keywords": "  jo "}, "keywords"),
        ({"date": "28.11.2026"}, "date"),
        ({"startTime": "3pm"}, "startTime"),
        ({"productIds": "61001"}, "date"),
        ({"locationIds": "7101"}, "date"),
        ({"productIds": "party", "date": "2026-11-28"}, "productIds"),
    ],
)
def test_a_search_without_a_proper_criterion_is_a_400(venue, query, name):
    answer = venue.http.get("/bookings", params=query)
    assert (answer.status_code, answer.json()["errors"][0]["name"]) == (400, name)


def test_a_full_name_finds_only_its_owner(venue):
    assert len(names(venue, keywords="John")) == 1
    for external_id, customer in (
        ("A", JOHN),
        ("B", {**JOHN, "firstName": "Kate", "lastName": "Smith", "email": "ks@example.com"}),
    ):
        venue.post("/bookings", {"externalId": external_id, "customer": customer, "items": [ITEM]})
    assert names(venue, keywords="john smith") == ["John Smith's birthday party"]
    assert sorted(names(venue, keywords="John")) == ["John Murphy", "John Smith's birthday party"]


@pytest.mark.parametrize(
    "keywords", ["07700 900555", "07700900555", "+44 7700 900555", "+44 (0)7700 900-555", "7700900555"]
)
def test_a_phone_number_matches_in_any_spelling(venue, keywords):
    venue.post("/bookings", {"externalId": "A", "customer": JOHN, "items": [ITEM]})
    assert names(venue, keywords=keywords) == ["John Murphy"]
    assert names(venue, keywords="07700 900556") == []


def test_a_number_stored_with_its_country_prefix_is_found_without_it(venue):
    assert names(venue, keywords="0491 570 006") == ["John Smith's birthday party"]


def test_three_emmas_are_reported_apart_by_their_last_names(venue):
    assert len(names(venue, keywords="emma")) == 3
    for last in ("Brown", "Clarke", "Wilson"):
        assert len(names(venue, keywords=f"Emma {last}")) == 1
    assert names(venue, keywords="Emma Willson") == ["Wilson family"]


@table(
    "keywords, found",
    [
        ("garcia", True),
        ("GARCÍA", True),
        ("garciá's party", True),
        ("o'connor", True),
        ("oconnor", True),
        ("Garica", True),
        ("Gacria", True),
        ("Garc", True),
        ("jose@example.com", True),
        ("hose@example.com", False),
        ("joseph", False),
        ("Jse", False),
        ("Bk-1042", True),
        ("BK-104", False),
        ("garcia saturday", False),
        ("---", False),
    ],
)
def test_the_matching_rules(keywords, found):
    booking = haystack(["José García", "O'Connor party"], ["8231", "BK-1042"], "jose@example.com", "")
    assert matches(keywords, booking) is found


@pytest.mark.parametrize(
    ("left", "right", "close"),
    [("smith", "smith", True), ("smith", "smyth", True), ("smith", "simth", True), ("smith", "smit", True),
     ("smith", "smiths", True), ("smith", "smythe", False), ("smith", "htims", False), ("wilson", "nelson", False)],
)  # fmt: skip
def test_one_slip(left, right, close):
    assert one_slip_apart(left, right) is close and one_slip_apart(right, left) is close


def test_references_and_ticket_ids_match_as_a_whole(venue):
    booking = venue.get("/bookings/8231")
    ticket = booking["items"][0]["tickets"][3]["ticketId"]
    for keywords in ("8231", booking["externalId"], ticket, booking["uniqueId"]):
        assert names(venue, keywords=keywords) == [booking["name"]]
    assert names(venue, keywords="823") == []


def test_date_time_and_product_must_meet_in_one_item(venue):
    john = venue.find("John Smith")
    both = [ITEM, {**ITEM, "bookingDate": "2026-11-25", "startTime": "09:00"}]
    venue.put(f"/bookings/{john['uniqueId']}", {"newItems": both})
    assert john["name"] in names(venue, date="2026-11-28", startTime="15:00", productIds="61001", locationIds="7101")
    assert john["name"] not in names(venue, date="2026-11-28", startTime="09:00")
    assert john["name"] not in names(venue, date="2026-11-28", startTime="15:00", productIds="62001")
    assert john["name"] not in names(venue, date="2026-11-28", locationIds="7102,9999")


def test_rows_are_basic_and_say_start_time(venue):
    (row,) = venue.get("/bookings", keywords="John Smith")["bookings"]
    assert row["status"] == "PaidFull" and [flag["type"] for flag in row["customerFlags"]] == ["Medical", "VIP"]
    assert row["items"] == [{"productId": 61001, "quantity": 12, "bookingDate": "2026-11-25", "startTime": "14:00"}]


def test_only_the_newest_hundred_come_back(venue):
    rows = venue.get("/bookings", keywords="example.com")["bookings"]
    created = [row["createdDate"] for row in rows]
    assert len(rows) == 100 and created == sorted(created, reverse=True)
