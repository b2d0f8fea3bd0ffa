"""Access to the restaurant service.

Guarantees:
- Beyond loopback the service does not start without a secret, however it is configured to listen there; with one, every
  route but `/healthz` requires it, in any of the four ways to send it.
- A client that guesses is refused for a while, right or wrong; a client with the secret may make 300 calls in a few
  seconds.
- A page of another site in a browser is refused, even where no secret is needed.
- The clock can be set only with the controls on.
- A caller's number, by header or by Vapi's message, decides whose bookings they see and change; a caller may book for
  any number. Two numbers that differ match no booking; a setting decides whether to trust a call that proves no number.
- Nothing of a guest is in the log.
"""

import asyncio
import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from infra.config.settings import ROOT, Settings
from restaurant.auth import MissingSecretError, refuse_open_door
from restaurant.service import assemble
from tests.support.restaurants import MARIO, RunningRestaurant, running_restaurant

SECRET = "a-long-secret"
DOORS = [
    ("POST", "/api/check_openings"),
    ("POST", "/api/create_booking"),
    ("POST", "/api/list_bookings"),
    ("POST", "/api/modify_booking"),
    ("POST", "/api/cancel_booking"),
    ("POST", "/api/faq"),
    ("POST", "/api/is_open_now"),
    ("POST", "/api/resolve_relative_day"),
    ("POST", "/api/resolve_relative_time"),
    ("POST", "/vapi"),
    ("GET", "/counts"),
    ("GET", "/openapi.json"),
    ("GET", "/staff/roma"),
    ("GET", "/staff/roma/days/2026-02-19"),
    ("GET", "/staff/roma/bookings"),
    ("GET", "/staff/roma/bookings/1"),
    ("GET", "/staff/roma/bookings/1/instead?day=2026-02-19&time=20:00"),
]
SHOWN = [
    {"Authorization": f"Bearer {SECRET}"},
    {"X-Vapi-Secret": SECRET},
    {"X-Service-Key": SECRET},
    {"Authorization": "Basic c3RhZmY6YS1sb25nLXNlY3JldA=="},
]
NOT_SHOWN = [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic !!"}, {"X-Vapi-Secret": "a-long-secreT"}]


def test_beyond_loopback_it_takes_a_secret(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="IQ_RESTAURANT_SECRET"):
        Settings(_env_file=None, restaurant_host="0.0.0.0")
    by_command_line = Settings(_env_file=None, data=tmp_path).model_copy(update={"restaurant_host": "0.0.0.0"})
    with pytest.raises(MissingSecretError, match="IQ_RESTAURANT_SECRET"):
        assemble(by_command_line)
    for blank in (" ", "\t"):
        with pytest.raises(ValidationError, match="IQ_RESTAURANT_SECRET"):
            Settings(_env_file=None, restaurant_host="0.0.0.0", restaurant_secret=blank)
        assert Settings(_env_file=None, service_key=blank).service_key is None
        with pytest.raises(MissingSecretError):
            refuse_open_door("0.0.0.0", blank)


@pytest.mark.parametrize(("method", "path"), DOORS)
async def test_every_door_asks(tmp_path: Path, method: str, path: str) -> None:
    async with running_restaurant(tmp_path, restaurant_secret=SECRET) as door:
        for headers in NOT_SHOWN:
            answer = await door.http.request(method, path, json={}, headers=headers)
            assert answer.status_code == 401 and answer.json()["error_code"] == "UNAUTHORIZED"
        for headers in SHOWN:
            assert (await door.http.request(method, path, json={}, headers=headers)).status_code != 401
        assert (await door.http.get("/healthz")).json() == {"ok": True}


def test_the_list_of_doors_is_whole() -> None:
    document = json.loads((ROOT / "overlays" / "restaurant" / "openapi.json").read_text())
    there = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    listed = {
        (method, path.replace("roma", "{restaurant_id}").replace("2026-02-19", "{day}").replace("/1", "/{booking_id}"))
        for method, path in ((m, p.partition("?")[0]) for m, p in DOORS)
    }
    assert there - {("GET", "/healthz")} == listed - {("GET", "/openapi.json")}


async def test_anyone_guesses_is_refused(tmp_path: Path) -> None:
    async with running_restaurant(tmp_path, restaurant_secret=SECRET) as door:
        for _ in range(10):
            assert (await door.http.get("/counts", headers={"X-Vapi-Secret": "x"})).status_code == 401
        answer = await door.http.get("/counts", headers=SHOWN[0])
        assert answer.status_code == 429 and int(answer.headers["Retry-After"]) > 0


async def test_a_page_of_another_site_is_refused(door: RunningRestaurant) -> None:
    for origin, status in (("https://evil.example", 401), ("null", 401), ("http://restaurant", 200)):
        answer = await door.http.post("/api/is_open_now", json={"restaurant_id": "roma"}, headers={"Origin": origin})
        assert answer.status_code == status


async def test_three_hundred_calls_at_once(tmp_path: Path) -> None:
    async with running_restaurant(tmp_path, restaurant_secret=SECRET) as door:
        asked = [door.ask("is_open_now", headers=SHOWN[1]) for _ in range(300)]
        assert all(one["ok"] for one in await asyncio.gather(*asked))


async def test_the_clock_is_set_with_the_controls_alone(door: RunningRestaurant, tmp_path: Path) -> None:
    moment = {"X-Restaurant-Clock": "2026-02-19T20:00"}
    assert (await door.http.put("/control/clock", json={"now": "2026-02-19T20:00"})).status_code == 404
    assert not (await door.ask("is_open_now", headers=moment))["open_now"]
    async with running_restaurant(tmp_path / "other", restaurant_controls=True) as controlled:
        assert (await controlled.ask("is_open_now", headers=moment))["open_now"]
        assert not (await controlled.ask("is_open_now"))["open_now"], "for that request alone"
        assert (await controlled.http.put("/control/clock", json={"now": "2026-02-19T20:00"})).status_code == 200
        assert (await controlled.ask("is_open_now"))["open_now"]
        assert (await controlled.http.put("/control/clock", json={"now": "boh"})).status_code == 422


async def test_two_numbers_that_differ_are_nobodys(door: RunningRestaurant) -> None:
    made = (await door.book())["booking_id"]
    call = {"id": "1", "name": "cancel_booking", "arguments": {"restaurant_id": "roma", "booking_id": made}}
    body = {"message": {"type": "tool-calls", "toolCallList": [call], "call": {"customer": {"number": MARIO}}}}
    for phone, code in (("+393330000000", "BOOKING_NOT_FOUND"), (MARIO, None)):
        answer = (await door.http.post("/vapi", json=body, headers={"X-Caller-Phone": phone})).json()
        assert json.loads(answer["results"][0]["result"]).get("error_code") == code


async def test_a_call_that_proves_nothing(tmp_path: Path) -> None:
    call = {"id": "1", "name": "list_bookings", "arguments": {"restaurant_id": "roma", "phone": MARIO}}
    body = {"message": {"type": "tool-calls", "toolCallList": [call]}}
    for proven, code in ((False, None), (True, "VALIDATION_ERROR")):
        async with running_restaurant(tmp_path, restaurant_proven_callers=proven) as door:
            answer = (await door.http.post("/vapi", json=body)).json()
            assert json.loads(answer["results"][0]["result"]).get("error_code") == code
            assert (await door.ask("list_bookings", phone=MARIO))["ok"], "the operator's backend"


OFFICE, GUEST = "+390655501234", "+447700900123"


@pytest.mark.parametrize("caller", [{"customer": {"number": OFFICE}}, {"type": "inboundPhoneCall"}])
async def test_a_caller_books_for_another_number_and_touches_nothing_of_it(
    door: RunningRestaurant, caller: dict[str, Any]
) -> None:
    async def by_voice(tool: str, **asked: object) -> dict[str, Any]:
        call = {"id": "1", "name": tool, "arguments": {"restaurant_id": "roma", **asked}}
        body = {"message": {"type": "tool-calls", "toolCallList": [call], "call": caller}}
        [result] = (await door.http.post("/vapi", json=body)).json()["results"]
        found: dict[str, Any] = json.loads(result["result"])
        return found

    wanted = {"day": "2026-02-19", "time": "20:00", "people": 2, "name": "Anna Bell", "phone": GUEST}
    made = await by_voice("create_booking", **wanted)
    assert made["ok"], made
    assert (await by_voice("create_booking", **wanted))["error_code"] == "DUPLICATE_BOOKING"
    own = made["booking_id"]
    assert (await by_voice("list_bookings", phone=GUEST))["error_code"] == "VALIDATION_ERROR"
    assert (await by_voice("modify_booking", booking_id=own, new_time="21:00"))["error_code"] == "BOOKING_NOT_FOUND"
    assert (await by_voice("cancel_booking", booking_id=own))["error_code"] == "BOOKING_NOT_FOUND"
    [listed] = (await door.ask("list_bookings", phone=GUEST))["results"]
    assert (listed["booking_id"], listed["time"]) == (own, "20:00"), "booked for the guest, and untouched since"


@pytest.mark.parametrize(
    "call",
    [
        {"customer": {}},
        {"customer": {"number": None}},
        {"customer": {"number": ""}},
        {"customer": {"number": "anonymous"}},
        {"customer": {"name": "Mario"}},
        {"type": "inboundPhoneCall"},
        {"type": "inboundPhoneCall", "customer": None},
    ],
)
async def test_a_number_that_is_withheld_is_nobodys(door: RunningRestaurant, call: dict[str, object]) -> None:
    made = (await door.book())["booking_id"]
    asked = {"restaurant_id": "roma", "phone": MARIO, "booking_id": made}
    listed = [{"id": tool, "name": tool, "arguments": asked} for tool in ("list_bookings", "cancel_booking")]
    body = {"message": {"type": "tool-calls", "toolCallList": listed, "call": call}}
    answer = (await door.http.post("/vapi", json=body)).json()
    codes = [json.loads(one["result"]).get("error_code") for one in answer["results"]]
    assert codes == ["VALIDATION_ERROR", "BOOKING_NOT_FOUND"]


async def test_a_restaurant_whose_provider_is_not_there(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = Path(shutil.copytree(ROOT / "restaurant" / "kb", tmp_path / "kb"))
    octo = folder / "octodemo.yaml"
    octo.write_text(octo.read_text().replace("provider: database", "provider: octotable"))
    async with running_restaurant(tmp_path, restaurant_provider=None, restaurant_kb=folder) as door:
        assert (
            "octodemo is served without its bookings: octodemo: provider_options.property_id is not set" in caplog.text
        )
        answer = await door.ask("check_openings", restaurant_id="octodemo", day="2026-02-19", time="20:00")
        assert answer["error_code"] == "CAPACITY_READ_ERROR"
        assert (await door.ask("check_openings", day="2026-02-19", time="20:00"))["available"]


async def test_nothing_of_a_guests_is_logged(door: RunningRestaurant, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="restaurant")
    await door.book(notes="compleanno")
    door.provider().fails = {"create": RuntimeError(f"Mario Rossi {MARIO}"), "of_day": RuntimeError(MARIO)}
    await door.book("21:00")
    await door.ask("check_openings", day="2026-02-19", time="20:00")
    await door.ask("faq", restaurant_id="Mario Rossi", question="x")
    assert "CREATE_BOOKING_ERROR" in caplog.text
    assert not any(word in caplog.text for word in ("Rossi", "333", "compleanno"))
