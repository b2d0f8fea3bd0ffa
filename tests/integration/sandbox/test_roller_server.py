"""What the ROLLER sandbox guarantees as a server.

- it says it is a simulation; without controls there are no control endpoints
- a missing, unknown or expired token is a 401; `POST /token` gives one for a day
- 600 requests a minute for each token, then 429 for a minute
- the seed is believable, the same for the same day, and written once; reset restores it
- the requested time zone decides the venue's country and currency
"""

import time
from datetime import date, datetime, timedelta

import httpx
import pytest

from sandbox.roller import create_app
from sandbox.roller.tokens import RateLimiter
from tests.support import http

NOW = datetime(2026, 11, 18, 10, 0)


def test_it_says_what_it_is(venue):
    about = http.get(f"{venue.http.base_url}/")
    assert about.status_code == 200 and "not ROLLER" in about.json()["notice"]
    assert about.headers["X-Sandbox"] == venue.http.get("/nowhere").headers["X-Sandbox"] == "roller"


@pytest.mark.parametrize("header", [None, "Bearer nobody", "Basic demo-operator", "Bearer"])
def test_without_a_valid_token_nothing_is_reported(venue, header):
    headers = {} if header is None else {"Authorization": header}
    answer = http.get(f"{venue.http.base_url}/bookings/8231", headers=headers)
    assert answer.status_code == 401 and answer.json()["errors"][0]["name"] == "Unauthorized"


def test_tokens_are_issued_and_run_out(venue):
    wrong = venue.post("/token", {"client_id": "sandbox", "client_secret": "x"})
    right = venue.post("/token", {"client_id": "sandbox", "client_secret": "sandbox"}).json()
    assert wrong.status_code == 401 and right["expires_in"] == 86_400
    issued = {"Authorization": f"Bearer {right['access_token']}"}
    assert venue.http.get("/venues/me", headers=issued).status_code == 200
    for token, seconds in (("long", 3600), ("brief", 0.05)):
        venue.post("/_sandbox/tokens", {"token": token, "seconds": seconds})
    time.sleep(0.06)
    for token, status in (("long", 200), ("brief", 401)):
        assert venue.http.get("/venues/me", headers={"Authorization": f"Bearer {token}"}).status_code == status


def test_the_601st_request_in_a_minute_starts_a_minutes_penalty(tmp_path, serve):
    app = create_app(database=tmp_path / "roller.db", clock=lambda: NOW, timer=lambda: 0.0)
    first, second = ({"Authorization": f"Bearer demo-operator{more}"} for more in ("", "-2"))
    with serve(app) as url, httpx.Client(base_url=url, timeout=60, verify=False) as client:
        codes = [client.get("/venues/me", headers=first).status_code for _ in range(600)]
        assert set(codes) == {200}
        refused = client.get("/venues/me", headers=first)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
        assert client.get("/venues/me", headers=second).status_code == 200


def test_the_penalty_ends_after_a_minute():
    now = [0.0]
    limiter = RateLimiter(timer=lambda: now[0])
    for _ in range(600):
        assert limiter.penalty("a") is None
    assert limiter.penalty("a") == 60.0
    now[0] = 59.0
    assert limiter.penalty("a") == 1.0 and limiter.penalty("b") is None
    now[0] = 60.0
    assert limiter.penalty("a") is None


def test_without_controls_the_control_endpoints_do_not_exist(tmp_path, serve):
    with serve(create_app(database=tmp_path / "roller.db")) as url:
        for method, path in (
            ("POST", "faults"),
            ("GET", "journal"),
            ("POST", "reset"),
            ("POST", "tokens"),
            ("GET", "stage"),
        ):
            assert http.request(method, f"{url}/_sandbox/{path}", json={}).status_code == 404


def test_the_seed_has_its_cast(venue):
    john = venue.find("John Smith")
    day = date.fromisoformat(john["items"][0]["bookingDate"])
    next_monday = NOW.date() + timedelta(days=7 - NOW.weekday())
    assert next_monday <= day < next_monday + timedelta(days=7)
    for name in ("Emma Brown", "Emma Clarke", "Emma Wilson", "Olivia Chen"):
        assert venue.find(name)["items"][0]["bookingDate"] > NOW.date().isoformat()
    assert len({row["customerId"] for row in venue.get("/bookings", keywords="Emma")["bookings"]}) == 3


def test_every_session_but_one_has_room_to_spare(venue):
    tight = []
    for ahead in range(29):
        day = (NOW.date() + timedelta(days=ahead)).isoformat()
        for product in venue.get("/product-availability", Date=day, ProductIds="61000,62000,63000"):
            tight += [(day, s["startTime"]) for s in product["sessions"] if s["capacityRemaining"] < 20]
    full = venue.get("/_sandbox/stage")["full_session"]
    assert tight == [(full["date"], full["start_time"])]


@pytest.mark.parametrize("ahead", range(0, 400, 57))
def test_the_seed_is_sound_on_any_day(tmp_path, ahead):
    assert create_app(database=tmp_path / "roller.db", clock=lambda: NOW + timedelta(days=ahead)) is not None


def test_a_restart_changes_nothing_and_a_new_day_does_not_reseed(tmp_path, serve):
    database = tmp_path / "roller.db"
    headers = {"Authorization": "Bearer demo-operator"}
    seen = []
    for days in (0, 0, 3):
        moment = NOW + timedelta(days=days)
        with serve(create_app(database=database, clock=lambda moment=moment: moment)) as url:
            seen.append(http.get(f"{url}/bookings/8231", headers=headers).json())
            http.put(f"{url}/bookings/8231", headers=headers, json={"comments": "kept"})
    assert seen[1] == seen[2] == {**seen[0], "comments": "kept"}


def test_reset_restores_the_same_seed_or_an_empty_venue(venue):
    before = venue.find("John Smith")
    venue.put(f"/bookings/{before['uniqueId']}", {"idsToRemove": [before["items"][0]["bookingItemId"]], "name": "x"})
    venue.fault("*", "status", skip=50)
    assert venue.post("/_sandbox/reset", {}).status_code == 204
    assert venue.find("John Smith") == before and venue.journal() == [] and venue.get("/_sandbox/faults") == []
    assert venue.post("/_sandbox/reset", {"seed": False}).status_code == 204
    assert venue.get("/bookings", keywords="example")["bookings"] == []


def test_another_zone_is_another_venue(tmp_path, serve):
    with serve(create_app(database=tmp_path / "roller.db", time_zone="Europe/Rome")) as url:
        me = http.get(f"{url}/venues/me", headers={"Authorization": "Bearer demo-operator"}).json()
    assert (me["ianaTimeZone"], me["currency"], me["locale"]) == ("Europe/Rome", "EUR", "it-IT")
