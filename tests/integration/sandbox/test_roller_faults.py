"""What the ROLLER sandbox guarantees about network faults, each seen by a real HTTP client.

- status: that answer, nothing applied; delay: applied at once, answered late
- hang: applied late, even when the client has gone meanwhile
- drop_before and drop_after: the connection is cut without a byte, before or after the write
- rate_limit: 429 with Retry-After; expire_token: 401 from then on
- `operation`, `path`, `times` and `skip` choose the calls; faults can be listed and cleared, all or those of a path
- the journal has the writes applied, in order, and only those
"""

import time

import httpx
import pytest

CHANGE = {"comments": "changed"}


def applied(venue):
    return venue.get("/bookings/8231")["comments"] == "changed"


def test_status_answers_in_place_of_the_call(venue):
    venue.fault("update-a-booking", "status", status=503, body={"errors": [{"name": "Down", "message": "later"}]})
    answer = venue.put("/bookings/8231", CHANGE)
    assert (answer.status_code, answer.json()["errors"][0]["name"]) == (503, "Down")
    assert answer.headers["X-Sandbox"] == "roller" and not applied(venue) and venue.journal() == []
    assert venue.put("/bookings/8231", CHANGE).status_code == 200


HOUR = 3600
IMPATIENT = httpx.Timeout(60, read=0.15)


def until(ready):
    """Wait until it holds; the suite's own limit ends it otherwise."""
    while not ready():
        time.sleep(0.01)


def test_delay_applies_at_once_and_answers_late(venue):
    venue.fault("update-a-booking", "delay", seconds=HOUR)
    with pytest.raises(httpx.ReadTimeout):
        venue.http.put("/bookings/8231", json=CHANGE, timeout=IMPATIENT)
    until(lambda: applied(venue))
    venue.fault("update-a-booking", "delay", seconds=0.2)
    begin = time.monotonic()
    assert venue.put("/bookings/8231", {"comments": "again"}).status_code == 200
    assert time.monotonic() - begin >= 0.2


def test_hang_applies_late_though_the_client_has_gone(venue):
    venue.fault("update-a-booking", "hang", seconds=HOUR)
    with pytest.raises(httpx.ReadTimeout):
        venue.http.put("/bookings/8231", json=CHANGE, timeout=IMPATIENT)
    until(lambda: venue.get("/_sandbox/faults") == [])
    assert not applied(venue)
    venue.fault("update-a-booking", "hang", seconds=1)
    with pytest.raises(httpx.ReadTimeout):
        venue.http.put("/bookings/8231", json=CHANGE, timeout=IMPATIENT)
    until(lambda: applied(venue))
    assert len(venue.journal()) == 1


def test_a_dropped_connection_is_no_answer_at_all(venue):
    for effect, lands in (("drop_before", False), ("drop_after", True)):
        venue.fault("update-a-booking", effect)
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            venue.put("/bookings/8231", CHANGE)
        assert applied(venue) is lands
    assert [row["operation"] for row in venue.journal()] == ["update-a-booking"]


def test_reads_can_be_dropped_too_and_the_server_lives_on(venue):
    venue.fault("*", "drop_before", times=2)
    for path in ("/bookings/8231", "/venues/me"):
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            venue.http.get(path)
    assert venue.get("/venues/me")["id"]


def test_rate_limit_says_when_to_come_back(venue):
    venue.fault("update-a-booking", "rate_limit")
    venue.fault("update-a-booking", "rate_limit", seconds=7)
    answers = [venue.put("/bookings/8231", CHANGE) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [429, 429, 200]
    assert [answer.headers.get("Retry-After") for answer in answers] == ["5", "7", None]


def test_an_expired_token_stays_expired_until_it_is_registered_again(venue):
    venue.fault("update-a-booking", "expire_token", skip=1)
    assert venue.put("/bookings/8231", {"comments": "first"}).status_code == 200
    assert venue.put("/bookings/8231", CHANGE).status_code == 401
    assert venue.http.get("/venues/me").status_code == 401
    other = {"Authorization": "Bearer demo-operator-2"}
    assert venue.http.get("/bookings/8231", headers=other).json()["comments"] == "first"
    assert venue.post("/_sandbox/tokens", {"token": "demo-operator"}).status_code == 204
    assert venue.put("/bookings/8231", CHANGE).status_code == 200


def test_operation_times_and_skip_choose_the_calls(venue):
    venue.fault("get-booking-detail", "status", status=500, times=2, skip=1)
    codes = [venue.http.get("/bookings/8231").status_code for _ in range(4)]
    assert codes == [200, 500, 500, 200]
    venue.fault("get-guest-detail", "status")
    assert venue.http.get("/bookings/8231").status_code == 200


def test_faults_are_listed_cleared_and_checked(venue):
    venue.fault("cancel-a-booking", "hang", seconds=9, times=3)
    (listed,) = venue.get("/_sandbox/faults")
    assert (listed["operation"], listed["effect"], listed["times"]) == ("cancel-a-booking", "hang", 3)
    assert venue.http.delete("/_sandbox/faults").status_code == 204 and venue.get("/_sandbox/faults") == []
    for wrong in (
        {"operation": "cancel", "effect": "hang"},
        {"operation": "*", "effect": "explode"},
        {"operation": "*"},
    ):
        assert venue.post("/_sandbox/faults", wrong).status_code == 400


def test_a_fault_of_one_path_leaves_other_calls_alone(venue):
    venue.fault("get-booking-detail", "status", status=503, path="/bookings/8231")
    venue.fault("get-booking-detail", "status", status=503, path="/bookings/8232")
    other = venue.find("John Smith")["uniqueId"]
    assert venue.http.get(f"/bookings/{other}").status_code == 200
    assert venue.http.get("/bookings/8231").status_code == 503
    venue.http.delete("/_sandbox/faults", params={"path": "/bookings/8231"})
    (left,) = venue.get("/_sandbox/faults")
    assert left["path"] == "/bookings/8232"


def test_the_journal_holds_applied_writes_in_order(venue):
    john = venue.find("John Smith")
    guest = venue.get(f"/guests/{john['customerId']}")
    venue.put(f"/bookings/{john['bookingReference']}", {"name": "x", "unknownField": 1})
    venue.put(f"/bookings/{john['bookingReference']}", {"idsToRemove": [1]})
    venue.put(f"/guests/{john['customerId']}", guest)
    venue.http.headers["Authorization"] = "Bearer demo-operator-2"
    venue.post(f"/bookings/{john['uniqueId']}/cancel", {"issueRefund": False})
    rows = venue.journal()
    assert [(row["seq"], row["operation"], row["target"]) for row in rows] == [
        (1, "update-a-booking", john["uniqueId"]),
        (2, "update-guest-detail", str(john["customerId"])),
        (3, "cancel-a-booking", john["uniqueId"]),
    ]
    assert rows[0]["body"] == {"name": "x", "unknownField": 1} and rows[0]["at"].endswith("+00:00")
    assert rows[0]["token"] == rows[1]["token"] != rows[2]["token"]
    assert len(rows[0]["token"]) == 8 and "demo" not in rows[0]["token"]
