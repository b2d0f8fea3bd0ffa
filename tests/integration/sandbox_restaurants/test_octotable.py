"""The OctoTable sandbox over HTTP. Guarantees:

- A token is given for client credentials in a form, at both addresses; JSON is 415; it expires, and can be revoked.
- Without a token 401, without the header `Property` 400, for another property 403, each in OctoTable's form of errors.
- Answers are wrapped in `data`; a list comes in pages, each with the cursor of the next.
- PUT requires the whole body with `customer.id`: a part of one, or one without, is 500 and changes nothing.
- DELETE sets CANCELLED and keeps the reservation; unknown ids are 404.
- Faults strike as in all sandboxes, and every request is counted.
"""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from sandbox.octotable import AUTH_PATH, CLIENT_ID, CLIENT_SECRET, PATH
from tests.integration.sandbox_restaurants.conftest import token

Opened = Callable[..., httpx.Client]
RESERVATIONS = f"{PATH}/reservations"


def reservation(**more: Any) -> dict[str, Any]:
    customer = {"first_name": "Zoë", "last_name": "Müller", "phone": "+393331234567"}
    return {"start_date": "2026-12-02", "start_hour": "20:00:00", "pax": 2, "service_id": 12, "room_id": 21,
            "channel": "PHONE", "customer": customer, **more}  # fmt: skip


def make(client: httpx.Client, **more: Any) -> dict[str, Any]:
    answer = client.post(RESERVATIONS, json=reservation(**more))
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json()["data"]
    return made


def refusal(answer: httpx.Response) -> tuple[int, bool, int]:
    body = answer.json()
    assert set(body["error"]) == {"code", "message", "class_name"}
    return answer.status_code, body["success"], body["error"]["code"]


def test_tokens(open_octotable: Opened) -> None:
    now = 0.0
    client = open_octotable(token_seconds=60, clock=lambda: now)
    form = {"grant_type": "client_credentials", "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}
    for path in (PATH, AUTH_PATH):
        assert refusal(client.post(f"{path}/oauth2/token", json=form)) == (415, False, 415)
        assert client.post(f"{path}/oauth2/token", data=form).json()["access_token"]
    assert token(client, client_secret="another").status_code == 401
    assert token(client, grant_type="password").status_code == 400
    assert client.get(RESERVATIONS).status_code == 200
    now = 60.0
    assert refusal(client.get(RESERVATIONS)) == (401, False, 401)
    client.headers["Authorization"] = f"Bearer {token(client).json()['access_token']}"
    assert client.get(RESERVATIONS).status_code == 200
    client.post("/_sandbox/tokens/revoke")
    assert client.get(RESERVATIONS).status_code == 401


def test_the_property_is_named(open_octotable: Opened) -> None:
    client = open_octotable()
    assert refusal(client.get(RESERVATIONS, headers={"Property": "2"})) == (403, False, 403)
    del client.headers["Property"]
    assert refusal(client.get(RESERVATIONS)) == (400, False, 400)


def test_made_read_replaced_cancelled(open_octotable: Opened) -> None:
    client = open_octotable()
    made = make(client, notes="tavolo fuori ☀")
    one = f"{RESERVATIONS}/{made['id']}"
    assert client.get(one).json()["data"] == made
    assert (made["status"], made["customer"]["first_name"], made["notes"]) == ("CONFIRMED", "Zoë", "tavolo fuori ☀")
    assert (made["service"]["id"], made["room"]["id"], made["start_hour"]) == (12, 21, "20:00:00")
    whole = reservation(pax=4, customer={"first_name": "Zoë", "id": made["customer"]["id"]})
    after = client.put(one, json=whole).json()["data"]
    assert (after["pax"], after["notes"], after["customer"]["last_name"], after["id"]) == (4, "", "", made["id"])
    assert client.delete(one).json()["data"]["status"] == "CANCELLED"
    assert client.delete(one).status_code == 200
    assert [row["status"] for row in client.get(RESERVATIONS).json()["data"]] == ["CANCELLED"]


def test_a_part_of_a_body_is_a_crash_that_changes_nothing(open_octotable: Opened) -> None:
    client = open_octotable()
    made = make(client)
    one = f"{RESERVATIONS}/{made['id']}"
    wrong_id = {"first_name": "Zoë", "id": made["customer"]["id"] + 1}
    for body in ({"pax": 5}, reservation(pax=5), reservation(pax=5, customer=wrong_id)):
        assert refusal(client.put(one, json=body)) == (500, False, 500)
    assert client.get(one).json()["data"] == made
    assert client.post(RESERVATIONS, json={"pax": 5}).status_code == 400
    assert client.post(RESERVATIONS, json=reservation(start_hour="20:00")).status_code == 400
    assert client.post(RESERVATIONS, json=reservation(room_id=99)).status_code == 400
    for method in ("GET", "DELETE"):
        assert refusal(client.request(method, f"{RESERVATIONS}/9")) == (404, False, 404)
    assert client.put(f"{RESERVATIONS}/9", json=reservation()).status_code == 404


def test_pages_by_cursor(open_octotable: Opened) -> None:
    client = open_octotable(page=3)
    made = [make(client, start_date=f"2026-12-0{day}")["id"] for day in (1, 2, 2, 2, 2, 3, 3)]
    found, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        answer = client.get(RESERVATIONS, params={"limit": 100, **({"next_cursor": cursor} if cursor else {})}).json()
        assert len(answer["data"]) <= 3
        found += [row["id"] for row in answer["data"]]
        cursor, pages = answer["next_cursor"], pages + 1
    assert (found, pages) == (made, 3)
    day = client.get(RESERVATIONS, params={"start_date": "2026-12-03", "end_date": "2026-12-03"}).json()
    assert [row["id"] for row in day["data"]] == made[5:]
    assert client.get(RESERVATIONS, params={"text_search": "müller"}).json()["data"]
    assert client.get(RESERVATIONS, params={"text_search": "nobody"}).json()["data"] == []


def test_an_answer_can_be_lost_and_requests_are_counted(open_octotable: Opened) -> None:
    client = open_octotable()
    for effect, lands in (("drop_before", 0), ("drop_after", 1)):
        client.post("/_sandbox/faults", json={"operation": "create-reservation", "effect": effect})
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            client.post(RESERVATIONS, json=reservation())
        assert len(client.get(RESERVATIONS).json()["data"]) == lands
    client.post("/_sandbox/faults", json={"operation": "list-reservations", "effect": "status", "status": 500})
    answer = client.get(RESERVATIONS)
    assert refusal(answer) == (500, False, 500) and answer.headers["X-Sandbox"] == "octotable"
    counted = client.get("/_sandbox/requests").json()
    assert counted == {"create-reservation": 2, "create-token": 1, "list-reservations": 3, "total": 6}
