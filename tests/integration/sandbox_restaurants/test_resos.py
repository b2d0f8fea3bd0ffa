"""The resOS sandbox over HTTP. Guarantees:

- The API key is the user of Basic auth, with a blank password; everything else is 401.
- POST answers a bare id and PUT `true`, so that only a read shows the booking; a new booking is a `request`.
- PUT takes a part of a body; PATCH is 405, DELETE is 400 and deletes nothing; cancelling is a status.
- A key that resOS does not know is 422, and so is a party that no table is free for, at the same time or after a move;
  a cancelled booking gives its table back; two at once for the last table: one of them gets it.
- A page is 100 at most, whatever the request; a query by phone is honoured or ignored, as configured.
- Beyond the rate it answers 429 with `Retry-After` in milliseconds.
- Faults strike as in all sandboxes: an answer can be lost after the booking was made; every request is counted.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

Opened = Callable[..., httpx.Client]
DAY = "2026-12-02"


def booking(**more: Any) -> dict[str, Any]:
    guest = {"name": "Nicolò D'Amico", "phone": "+393331234567"}
    return {"date": DAY, "time": "20:00", "people": 2, "guest": guest, **more}


def make(client: httpx.Client, **more: Any) -> str:
    answer = client.post("/v1/bookings", json=booking(**more))
    assert answer.status_code == 200, answer.text
    made: str = answer.json()
    return made


def read(client: httpx.Client, booking_id: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/v1/bookings/{booking_id}").json()
    return found


def test_who_is_let_in(open_resos: Opened) -> None:
    client = open_resos()
    assert client.get("/v1/healthcheck").status_code == 200
    for auth in (("another", ""), ("sandbox-resos-key", "password"), ("", "sandbox-resos-key")):
        assert client.get("/v1/healthcheck", auth=auth).status_code == 401
    answer = httpx.get(f"{client.base_url}/v1/bookings", verify=False)
    assert answer.status_code == 401 and answer.headers["X-Sandbox"] == "resos"


def test_writes_say_little_and_a_new_booking_is_a_request(open_resos: Opened) -> None:
    client = open_resos()
    answer = client.post("/v1/bookings", json=booking(note="seggiolone 🍼", metadata={"key": "k"}))
    made = read(client, answer.json())
    assert isinstance(answer.json(), str) and made["_id"] == answer.json()
    assert (made["status"], made["guest"]["name"], made["note"], made["metadata"]) == (
        "request", "Nicolò D'Amico", "seggiolone 🍼", {"key": "k"},
    )  # fmt: skip
    answer = client.put(f"/v1/bookings/{made['_id']}", json={"status": "approved", "guest": {"email": "a@b.example"}})
    assert answer.json() is True
    after = read(client, made["_id"])
    assert after["status"] == "approved" and after["guest"] == {**made["guest"], "email": "a@b.example"}
    assert after["time"] == "20:00"


def test_what_resos_refuses(open_resos: Opened) -> None:
    client = open_resos()
    made = make(client)
    assert client.patch(f"/v1/bookings/{made}", json={"people": 3}).status_code == 405
    assert client.delete(f"/v1/bookings/{made}").status_code == 400
    assert read(client, made)["status"] == "request"
    for method, path in (("POST", "/v1/bookings"), ("PUT", f"/v1/bookings/{made}")):
        answer = client.request(method, path, json=booking(phone="+39"))
        assert answer.status_code == 422 and answer.json() == {"message": '"phone" is not allowed'}
    assert client.put(f"/v1/bookings/{made}", json={"status": "cancelled"}).status_code == 422
    assert client.get("/v1/bookings/nothing").status_code == 404
    assert client.put("/v1/bookings/nothing", json={"status": "canceled"}).status_code == 404


def test_a_table_is_needed_and_given_back(open_resos: Opened) -> None:
    client = open_resos(seats=(2, 4), stay=60)
    small, large = make(client), make(client)
    answer = client.post("/v1/bookings", json=booking(time="20:59"))
    assert answer.status_code == 422 and "no suitable table found" in answer.text
    later = make(client, time="21:00")
    assert client.put(f"/v1/bookings/{later}", json={"time": "20:30"}).status_code == 422
    assert read(client, later)["time"] == "21:00"
    assert client.put(f"/v1/bookings/{small}", json={"status": "canceled"}).json() is True
    assert client.put(f"/v1/bookings/{later}", json={"time": "20:30"}).json() is True
    assert client.put(f"/v1/bookings/{small}", json={"status": "approved"}).status_code == 422
    assert client.put(f"/v1/bookings/{large}", json={"people": 5}).status_code == 422
    assert make(client, status="waitlist")


def test_the_last_table_goes_to_one(open_resos: Opened) -> None:
    client = open_resos(seats=(4,))
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: client.post("/v1/bookings", json=booking()).status_code, range(8)))
    assert sorted(answers) == [200] + [422] * 7


def test_pages_and_days(open_resos: Opened) -> None:
    client = open_resos(seats=[2] * 130)
    made = {make(client) for _ in range(120)} | {make(client, date="2026-12-03")}
    first = client.get("/v1/bookings", params={"limit": 1000}).json()
    second = client.get("/v1/bookings", params={"limit": 100, "skip": 100}).json()
    assert (len(first), len(second)) == (100, 21)
    assert {row["_id"] for row in first + second} == made
    day = {"fromDateTime": "2026-12-03T00:00:00", "toDateTime": "2026-12-03T23:59:59"}
    assert [row["date"] for row in client.get("/v1/bookings", params=day).json()] == ["2026-12-03"]


@pytest.mark.parametrize(("phone_filter", "found"), [("honoured", 1), ("ignored", 2)])
def test_a_query_by_phone(open_resos: Opened, phone_filter: str, found: int) -> None:
    client = open_resos(phone_filter=phone_filter)
    make(client), make(client, guest={"name": "Ada", "phone": "+393330000000"})
    asked = {"customQuery": '{"guest.phone": "+393330000000"}'}
    assert len(client.get("/v1/bookings", params=asked).json()) == found


def test_what_can_be_looked_up(open_resos: Opened) -> None:
    client = open_resos(seats=(2,))
    make(client, time="20:00")
    rows = client.get("/v1/bookingFlow/times", params={"date": DAY, "people": 2}).json()
    dinner = next(row for row in rows if row["name"] == "Dinner")
    assert dinner["availableTimes"] == ["22:00", "22:30", "23:00"]
    assert [row["seatsMax"] for row in client.get("/v1/tables").json()] == [2]
    assert len(client.get("/v1/openingHours").json()) == 14


def test_the_rate_answers_in_milliseconds(open_resos: Opened) -> None:
    now = 100.25
    client = open_resos(per_second=3, clock=lambda: now)
    answers = [client.get("/v1/healthcheck") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[3].headers["Retry-After"] == "750"
    now = 101.0
    assert client.get("/v1/healthcheck").status_code == 200


def test_an_answer_can_be_lost_and_requests_are_counted(open_resos: Opened) -> None:
    client = open_resos()
    for effect, lands in (("drop_before", 0), ("drop_after", 1)):
        client.post("/_sandbox/faults", json={"operation": "create-booking", "effect": effect})
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            client.post("/v1/bookings", json=booking())
        assert len(client.get("/v1/bookings").json()) == lands
    client.post("/_sandbox/faults", json={"operation": "*", "effect": "status", "status": 503, "times": 2})
    assert [client.get("/v1/tables").status_code for _ in range(3)] == [503, 503, 200]
    counted = client.get("/_sandbox/requests").json()
    assert counted == {"create-booking": 2, "list-bookings": 2, "list-tables": 3, "total": 7}
    assert [row["operation"] for row in client.get("/_sandbox/journal").json()] == ["create-booking"]
    client.post("/_sandbox/reset")
    client.delete("/_sandbox/requests")
    assert client.get("/_sandbox/requests").json() == {"total": 0} and client.get("/v1/bookings").json() == []
