"""The calendar sandbox over HTTP, with a clock of its own. Guarantees:

- The spec's three examples work on each day of the week: Wednesday at 14:00 is free, tomorrow at 2pm is taken (on a
  Tuesday, once the first was booked), Tuesday at 3pm is free between other events.
- An event gets an id, and its moments are UTC instants, whatever offset they were sent with.
- An overlap is rejected by 409, side by side is not; a cancelled event keeps no person busy, and can be restored where
  its time is still free.
- Openings are on the half hour, in working hours, free and still to come.
- A bearer token is required; every answer says that it is a sandbox; a journal has every write; faults strike once.
- The pack's document is valid, names the operations that are served, and each answer fits it.
"""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from openapi_pydantic import OpenAPI

from infra.config.settings import ROOT
from sandbox.calendar import create_app
from sandbox.calendar.app import OPERATIONS
from sandbox.calendar.seed import AVIAD, DANA_LEVI
from tests.integration.sandbox.contract import fits, read, shown
from tests.support.calendar import instant

FILE = ROOT / "overlays" / "calendar" / "openapi.yaml"
MONDAY = datetime(2026, 11, 23, 10, 0)
KEYS = {"Authorization": "Bearer anybody"}
DAY = date(2026, 12, 9)
"""A Wednesday, on which nobody has anything."""
ONE = "/v1/events/{eventId}"


@pytest.fixture
def at(serve: Callable[..., Any], tmp_path: Path) -> Iterator[Callable[[datetime], httpx.Client]]:
    """A function that opens a fresh calendar at a moment of the team's clock."""
    opened: list[Any] = []

    def open_at(now: datetime) -> httpx.Client:
        app = create_app(database=tmp_path / f"{now:%d%H%M}.db", controls=True, clock=lambda: now)
        served = serve(app)
        client = httpx.Client(base_url=served.__enter__(), headers=KEYS, timeout=60, verify=False)
        opened.append((served, client))
        return client

    yield open_at
    for served, client in opened:
        client.close()
        served.__exit__(None, None, None)


def event(day: date, start: str, end: str, **more: Any) -> dict[str, Any]:
    """Return the body that creates an event."""
    times = {"startsAt": instant(day, start), "endsAt": instant(day, end)}
    return {"title": "Meeting", "personId": AVIAD.id, "timeZone": "Asia/Jerusalem", **times, **more}


def next_(weekday: int, now: datetime) -> date:
    """Return the next such weekday."""
    return (now + timedelta(days=(weekday - now.weekday()) % 7 or 7)).date()


@pytest.mark.parametrize("ahead", range(7), ids="mon tue wed thu fri sat sun".split())
def test_the_specs_examples_on_every_weekday(at: Callable[[datetime], httpx.Client], ahead: int) -> None:
    now = MONDAY + timedelta(days=ahead)
    calendar = at(now)
    wednesday = calendar.post("/v1/events", json=event(next_(2, now), "14:00", "14:30"))
    tomorrow = calendar.post("/v1/events", json=event((now + timedelta(days=1)).date(), "14:00", "14:30"))
    tuesday = calendar.post("/v1/events", json=event(next_(1, now), "15:00", "15:30"))
    assert [a.status_code for a in (wednesday, tomorrow, tuesday)] == [201, 409, 201]
    day = {"from": instant(next_(1, now), "00:00"), "to": instant(next_(1, now), "23:59"), "personId": AVIAD.id}
    assert len(calendar.get("/v1/busy-times", params=day).json()["busy"]) > 1
    day = {"from": instant(next_(2, now), "00:00"), "to": instant(next_(2, now), "23:59"), "personId": AVIAD.id}
    assert len(calendar.get("/v1/busy-times", params=day).json()["busy"]) == 1


def test_moments_are_utc_and_what_is_side_by_side_fits(at: Callable[[datetime], httpx.Client]) -> None:
    calendar = at(MONDAY)
    sent = event(DAY, "14:00", "14:30", startsAt="2026-12-09T14:00:00+02:00", reference="k-1")
    made = calendar.post("/v1/events", json=sent).json()
    assert (made["startsAt"], made["endsAt"], made["reference"]) == (
        "2026-12-09T12:00:00Z", "2026-12-09T12:30:00Z", "k-1",
    )  # fmt: skip
    assert made["id"].startswith("evt_") and made["person"]["name"] == "Aviad"
    for start, end, status in (("13:30", "14:00", 201), ("14:30", "15:00", 201), ("14:15", "14:20", 409)):
        assert calendar.post("/v1/events", json=event(DAY, start, end)).status_code == status
    assert calendar.post("/v1/events", json=event(DAY, "14:15", "14:20", personId=DANA_LEVI.id)).status_code == 201


def test_a_cancelled_event_keeps_no_one_busy(at: Callable[[datetime], httpx.Client]) -> None:
    calendar = at(MONDAY)
    first = calendar.post("/v1/events", json=event(DAY, "14:00", "14:30")).json()["id"]
    assert calendar.delete(f"/v1/events/{first}").json()["status"] == "cancelled"
    assert calendar.delete(f"/v1/events/{first}").status_code == 409
    second = calendar.post("/v1/events", json=event(DAY, "14:00", "14:30"))
    assert second.status_code == 201
    assert calendar.patch(f"/v1/events/{first}", json={"status": "confirmed"}).status_code == 409
    calendar.delete(f"/v1/events/{second.json()['id']}")
    assert calendar.patch(f"/v1/events/{first}", json={"status": "confirmed"}).json()["status"] == "confirmed"


def test_an_event_may_move_onto_its_own_time(at: Callable[[datetime], httpx.Client]) -> None:
    calendar = at(MONDAY)
    one = calendar.post("/v1/events", json=event(DAY, "14:00", "15:00")).json()["id"]
    calendar.post("/v1/events", json=event(DAY, "16:00", "17:00"))
    by = {"startsAt": instant(DAY, "14:30"), "endsAt": instant(DAY, "15:30")}
    assert calendar.patch(f"/v1/events/{one}", json=by).json()["startsAt"] == by["startsAt"]
    onto = {"startsAt": instant(DAY, "15:30"), "endsAt": instant(DAY, "16:30")}
    assert calendar.patch(f"/v1/events/{one}", json=onto).status_code == 409


def test_openings(at: Callable[[datetime], httpx.Client]) -> None:
    calendar = at(MONDAY)
    calendar.post("/v1/events", json=event(DAY, "09:30", "17:00"))
    asked = {"from": instant(DAY, "00:00"), "to": instant(DAY, "23:59"), "personId": AVIAD.id}
    rows = calendar.get("/v1/openings", params=asked).json()["openings"]
    assert [r["startsAt"] for r in rows] == [instant(DAY, t) for t in ("09:00", "17:00", "17:30")]
    rows = calendar.get("/v1/openings", params={**asked, "minutes": 60}).json()["openings"]
    assert [r["startsAt"] for r in rows] == [instant(DAY, "17:00")]
    gone = {"from": instant(MONDAY.date(), "00:00"), "to": instant(MONDAY.date(), "10:30"), "personId": DANA_LEVI.id}
    rows = calendar.get("/v1/openings", params=gone).json()["openings"]
    assert [r["startsAt"] for r in rows] == [instant(MONDAY.date(), "10:30")]
    assert calendar.get("/v1/openings", params={**asked, "personId": "nobody"}).json() == {
        "known": False,
        "openings": [],
    }


def test_faults_strike_once_and_the_journal_has_every_write(at: Callable[[datetime], httpx.Client]) -> None:
    calendar = at(MONDAY)
    calendar.post("/_sandbox/faults", json={"operation": "create-event", "effect": "status", "status": 503})
    sent = event(DAY, "14:00", "14:30")
    assert [calendar.post("/v1/events", json=sent).status_code for _ in range(2)] == [503, 201]
    [row] = calendar.get("/_sandbox/journal").json()
    assert (row["operation"], row["body"]) == ("create-event", sent)
    assert calendar.post("/_sandbox/faults", json={"operation": "fly", "effect": "status"}).status_code == 400
    calendar.post("/_sandbox/reset", json={"seed": False})
    every = {"from": instant(MONDAY.date(), "00:00"), "to": instant(DAY, "23:59")}
    assert calendar.get("/v1/events", params=every).json() == {"events": []}


def test_the_document_is_valid_and_each_answer_fits_it(at: Callable[[datetime], httpx.Client]) -> None:
    document, calendar = read(FILE), at(MONDAY)
    OpenAPI.model_validate(document)
    calls = [call for path in document["paths"].values() for key, call in path.items() if key != "parameters"]
    assert {call["operationId"] for call in calls} == OPERATIONS.ids
    made = calendar.post("/v1/events", json=event(DAY, "14:00", "14:30"))
    one = f"/v1/events/{made.json()['id']}"
    asked = {"from": instant(DAY, "00:00"), "to": instant(DAY, "23:59"), "personId": AVIAD.id}
    answers = [
        ("/v1/account", "get", calendar.get("/v1/account"), 200),
        ("/v1/account", "get", calendar.get("/v1/account", headers={"Authorization": "Bearer expired-operator"}), 401),
        ("/v1/people", "get", calendar.get("/v1/people"), 200),
        ("/v1/people", "get", calendar.get("/v1/people", headers={"Authorization": ""}), 401),
        ("/v1/busy-times", "get", calendar.get("/v1/busy-times", params=asked), 200),
        ("/v1/busy-times", "get", calendar.get("/v1/busy-times"), 400),
        ("/v1/openings", "get", calendar.get("/v1/openings", params=asked), 200),
        ("/v1/openings", "get", calendar.get("/v1/openings", params={**asked, "to": "soon"}), 400),
        ("/v1/events", "get", calendar.get("/v1/events", params=asked), 200),
        ("/v1/events", "post", made, 201),
        ("/v1/events", "post", calendar.post("/v1/events", json=event(DAY, "14:00", "14:30")), 409),
        ("/v1/events", "post", calendar.post("/v1/events", json=event(DAY, "15:00", "14:30")), 400),
        ("/v1/events", "post", calendar.post("/v1/events", json=event(MONDAY.date(), "09:00", "09:30")), 400),
        ("/v1/events", "post", calendar.post("/v1/events", json=event(DAY, "14:00", "14:30", personId="x")), 404),
        ("/v1/events", "post", calendar.post("/v1/events", json=event(DAY, "09:00", "09:30", timeZone="Moon")), 400),
        (ONE, "get", calendar.get(one), 200),
        (ONE, "get", calendar.get("/v1/events/evt_0"), 404),
        (ONE, "patch", calendar.patch(one, json={"title": "Roadmap"}), 200),
        (ONE, "delete", calendar.delete(one), 200),
        (ONE, "patch", calendar.patch(one, json={"title": "Roadmap"}), 409),
    ]
    for path, method, answer, status in answers:
        assert (answer.status_code, fits(document, path, method, answer.status_code, shown(answer))) == (status, []), (
            path,
            method,
            answer.text,
        )
        assert answer.headers["X-Sandbox"] == "calendar"
    assert "simulation" in calendar.get("/").json()["notice"]
