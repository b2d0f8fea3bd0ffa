"""The Bookeo sandbox behaves: seats, instants, numbers, what a PUT loses, what cancelling leaves, and what is rejected.
Guarantees:

- A slot has a number of seats; a canceled booking takes none; a changed booking counts its own seats once.
- Moments have an offset, the school's own in answers, summer and winter; a query may have any.
- A PUT replaces what can be written and nothing else; a canceled booking stays, for good.
- Without both keys every request is rejected, wherever they are given; pages have every row once.
- A write whose answer was lost is applied, or is not, as the fault says; the journal has what was written, but no keys.
- The seed is the same for one day, and has what the rehearsals name.
"""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox.bookeo import API_KEY, SECRET_KEY, create_app
from sandbox.bookeo.schedule import BEGINNERS, PONIES, TRAIL
from sandbox.bookeo.seed import KNOWN_NUMBER
from tests.support.bookeo import KEYS, body, event

NOW = datetime(2026, 11, 18, 10, 0)
FREE = date(2027, 2, 6)
"""A day beyond the seed."""


@pytest.fixture
def school(serve: Callable[..., Any], tmp_path: Path) -> Iterator[httpx.Client]:
    """A client of a fresh school on a Wednesday in November."""
    app = create_app(database=tmp_path / "bookeo.db", controls=True, clock=lambda: NOW)
    with serve(app) as url, httpx.Client(base_url=url, headers=KEYS, timeout=60, verify=False) as client:
        yield client


def made(school: httpx.Client, riders: int = 2, at: str = "10:00", **more: Any) -> dict[str, Any]:
    answer = school.post("/bookings", json=body("Ada Neri", more.pop("day", FREE), at, riders, **more))
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def seats(school: httpx.Client, day: date = FREE, at: str = "10:00") -> int:
    asked = {"startTime": f"{day}T00:00:00+01:00", "endTime": f"{day}T23:59:00+01:00", "productId": BEGINNERS.id}
    rows = school.get("/availability/slots", params=asked).raise_for_status().json()["data"]
    [left] = [s["numSeatsAvailable"] for s in rows if s["startTime"][11:16] == at]
    return int(left)


def test_seats_are_taken_given_back_and_run_out(school: httpx.Client) -> None:
    assert seats(school) == 8
    first = made(school, 5)
    assert seats(school) == 3
    assert school.post("/bookings", json=body("Ugo Blu", FREE, "10:00", 4)).status_code == 409
    numbers = {"numbers": [{"peopleCategoryId": "Cadults", "number": 8}]}
    place = f"/bookings/{first['bookingNumber']}"
    assert school.put(place, json={**first, "participants": numbers}).status_code == 200, "its own seats count once"
    assert seats(school) == 0
    assert school.delete(place).status_code == 204
    assert seats(school) == 8


def test_moments_have_the_schools_offset_and_questions_any(school: httpx.Client) -> None:
    winter, summer = made(school), made(school, day=date(2027, 7, 3), lesson=TRAIL, at="09:00")
    assert (winter["startTime"], winter["endTime"]) == ("2027-02-06T10:00:00+01:00", "2027-02-06T11:00:00+01:00")
    assert (summer["startTime"], summer["endTime"]) == ("2027-07-03T09:00:00+02:00", "2027-07-03T11:00:00+02:00")
    for start, end, there in (
        ("2027-02-06T09:00:00Z", "2027-02-06T09:00:00Z", True),
        ("2027-02-06T20:00:00+11:00", "2027-02-06T20:00:00+11:00", True),
        ("2027-02-06T10:00:00Z", "2027-02-06T11:00:00Z", False),
    ):
        rows = school.get("/bookings", params={"startTime": start, "endTime": end}).json()["data"]
        assert (winter["bookingNumber"] in {b["bookingNumber"] for b in rows}) is there, start


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2027-02-06T10:00:00", "2027-02-06T11:00:00"),
        ("2027-02-06", "2027-02-07"),
        ("2027-02-06T10:00:00Z", "2027-03-10T10:00:00Z"),
        ("2027-02-06T10:00:00Z", "2027-02-05T10:00:00Z"),
    ],
)
def test_a_stretch_that_makes_no_sense_is_refused(school: httpx.Client, start: str, end: str) -> None:
    assert school.get("/bookings", params={"startTime": start, "endTime": end}).status_code == 400


def test_a_put_replaces_all_that_can_be_written_and_nothing_else(school: httpx.Client) -> None:
    options = [{"id": "o", "name": "Level", "value": "canter"}]
    booking = made(school, options=options, externalRef="partner-7")
    place = f"/bookings/{booking['bookingNumber']}"
    tried = {
        **booking,
        "bookingNumber": "1",
        "canceled": True,
        "price": {},
        "title": "x",
        "eventId": event(FREE, "17:00"),
    }
    now = school.put(place, json=tried).json()
    assert now["startTime"] == "2027-02-06T17:00:00+01:00" and now["lastChangeTime"]
    for kept in ("bookingNumber", "canceled", "price", "title", "options", "externalRef", "creationTime"):
        assert now[kept] == booking[kept], kept
    bare = {k: booking[k] for k in ("productId", "eventId", "participants")}
    lost = school.put(place, json=bare).json()
    assert (lost["options"], "externalRef" in lost, lost["customerId"]) == ([], False, booking["customerId"])


def test_what_is_canceled_stays_so_and_is_reported_only_when_asked_for(school: httpx.Client) -> None:
    booking = made(school)
    place = f"/bookings/{booking['bookingNumber']}"
    assert school.delete(place, params={"reason": "ill", "notifyCustomer": "true"}).status_code == 204
    now = school.get(place).json()
    assert now["canceled"] and now["cancelationTime"] and now["cancelationAgent"]
    assert school.delete(place).status_code == 409
    assert school.put(place, json=booking).status_code == 409
    asked = {"startTime": booking["startTime"], "endTime": booking["startTime"]}
    assert school.get("/bookings", params=asked).json()["data"] == []
    shown = school.get("/bookings", params={**asked, "includeCanceled": "true"}).json()["data"]
    assert [b["bookingNumber"] for b in shown] == [booking["bookingNumber"]]


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"productId": "nothing"}, 404),
        ({"eventId": None}, 400),
        ({"eventId": event(FREE, "10:00", PONIES)}, 400),
        ({"eventId": event(FREE, "11:11")}, 400),
        ({"eventId": "x_y"}, 400),
        ({"participants": {"numbers": []}}, 400),
        ({"participants": {"numbers": [{"peopleCategoryId": "Chorses", "number": 1}]}}, 400),
        ({"customer": None}, 400),
        ({"customerId": "nobody"}, 404),
        ({"externalRef": "x" * 65}, 400),
    ],
)
def test_what_cannot_be_booked_is_refused_and_not_noted(school: httpx.Client, changed: Any, status: int) -> None:
    answer = school.post("/bookings", json={**body("Ada Neri", FREE, "10:00", 2), **changed})
    assert answer.status_code == status, answer.text
    assert school.get("/_sandbox/journal").json() == []


def test_both_keys_are_needed_and_may_stand_in_the_query(school: httpx.Client) -> None:
    place = f"{school.base_url}/settings/apikeyinfo"
    with httpx.Client(verify=False) as no_one:
        in_query = {"apiKey": API_KEY, "secretKey": SECRET_KEY}
        assert no_one.get(place, params=in_query).status_code == 200
        for name in in_query:
            assert no_one.get(place, params={**in_query, name: "wrong"}).status_code == 403
            assert no_one.get(place, params={k: v for k, v in in_query.items() if k != name}).status_code == 403
        assert "simulation" in no_one.get(str(school.base_url)).json()["notice"], "what it is, it tells anybody"


def test_pages_hold_every_row_once(school: httpx.Client) -> None:
    asked = {"startTime": "2026-11-18T10:00:00+01:00", "endTime": "2026-12-19T10:00:00+01:00"}
    whole = school.get("/bookings", params={**asked, "itemsPerPage": 300}).json()
    first = school.get("/bookings", params={**asked, "itemsPerPage": 7}).json()
    token, rows = first["info"]["pageNavigationToken"], first["data"]
    for number in range(2, first["info"]["totalPages"] + 1):
        rows += school.get("/bookings", params={"pageNavigationToken": token, "pageNumber": number}).json()["data"]
    assert rows == whole["data"] and len(rows) > 20
    assert school.get("/bookings", params={**asked, "itemsPerPage": 301}).status_code == 400


@pytest.mark.parametrize(("effect", "lands"), [("drop_before", False), ("drop_after", True)])
def test_a_lost_answer_is_of_a_write_that_landed_or_did_not(school: httpx.Client, effect: str, lands: bool) -> None:
    school.post("/_sandbox/faults", json={"operation": "PostBookings", "effect": effect})
    with pytest.raises(httpx.TransportError):
        made(school)
    journal = school.get("/_sandbox/journal").json()
    assert [row["operation"] for row in journal] == (["PostBookings"] if lands else [])
    assert seats(school) == (6 if lands else 8)


def test_the_journal_has_what_was_written_and_no_key(school: httpx.Client) -> None:
    booking = made(school)
    query = {"reason": "ill", "apiKey": API_KEY, "secretKey": SECRET_KEY}
    school.delete(f"/bookings/{booking['bookingNumber']}", params=query)
    shown = school.get("/_sandbox/journal")
    assert [row["target"] for row in shown.json()] == [booking["bookingNumber"]] * 2
    assert "ill" in shown.text and API_KEY not in shown.text and SECRET_KEY not in shown.text


def test_the_seed_is_the_same_for_one_day_and_survives(serve: Callable[..., Any], tmp_path: Path) -> None:
    shown = []
    for name in ("one.db", "two.db", "one.db"):
        app = create_app(database=tmp_path / name, clock=lambda: NOW)
        with serve(app) as url, httpx.Client(base_url=url, headers=KEYS, verify=False) as client:
            asked = {
                "startTime": "2026-11-18T10:00:00+01:00",
                "endTime": "2026-12-19T10:00:00+01:00",
                "itemsPerPage": 300,
            }
            rows = client.get("/bookings", params=asked).json()["data"]
            shown.append([(b["bookingNumber"], b["title"], b["startTime"], b["participants"]["numbers"]) for b in rows])
            known = client.get(f"/bookings/{KNOWN_NUMBER}").json()
            assert (known["title"], known["productName"], known["startTime"][11:16]) == (
                "Marco Bianchi",
                "Trail ride",
                "09:00",
            )
            assert client.post("/_sandbox/reset").status_code == 404, "controls are off unless asked for"
    assert shown[0] == shown[1] == shown[2] and len(shown[0]) > 30
