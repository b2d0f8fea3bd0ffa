"""The ROLLER pack against the ROLLER sandbox: what the overlays say is what happens.

- Every reversible action: read, write, read back as landed and marked, undo, back to the same digest.
- The unknown-outcome question has an answer: before the write nothing looks landed.
- A full session answers with real alternatives; what may not be cancelled is refused in words.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import registry
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.credentials import HttpRequest
from sandbox.roller import create_app

NOW = datetime(2026, 11, 18, 10, 0)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database: Path = tmp_path_factory.mktemp("roller") / "roller.sqlite"
    with TestClient(create_app(database=database, controls=True, clock=lambda: NOW)) as client:
        client.headers["Authorization"] = "Bearer demo-operator"
        yield client


def send(client: TestClient, request: HttpRequest) -> tuple[int, Json]:
    answer = client.request(
        request.method, request.path, params=list(request.query), headers=request.headers, json=request.body
    )
    return answer.status_code, answer.json() if answer.content else None


def snapshot(client: TestClient, action: AtomicAction, scope: registry.Scope) -> Json:
    assert action.snapshot is not None
    document: Json = {}
    for read in action.snapshot.reads:
        status, answer = send(client, registry.build_read(read, scope.with_(before=document)))
        assert status == 200
        document = {**document, read.name: answer} if read.name else answer
    return document


def found(client: TestClient, pack: registry.Pack, keywords: str) -> list[str]:
    action = pack.actions["find_bookings"]
    scope = registry.Scope.of(action, {"keywords": keywords}, pack.profile)
    status, answer = send(client, registry.build_request(action, scope))
    assert status == 200
    return [row.booking_id for row in registry.candidates(action, answer, scope)]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("reschedule_booking", {"new_date": "2026-12-02", "new_start_time": "14:00"}),
        ("change_guest_count", {"guest_count": 9}),
        ("update_contact", {"phone": "+61 400 111 222", "email": "new@example.com"}),
        ("edit_note", {"note": "nut allergy"}),
    ],
)
def test_write_read_back_and_undo(
    client: TestClient, pack: registry.Pack, name: str, arguments: dict[str, Json]
) -> None:
    action = pack.actions[name]
    (booking_id,) = found(client, pack, "John Smith")
    scope = registry.Scope.of(action, {"booking_id": booking_id, **arguments}, pack.profile, "plan-1/1")
    before = snapshot(client, action, scope)
    scope = scope.with_(before=before)
    request = registry.build_request(action, scope)
    scope = scope.with_(request=request)
    assert registry.preview_lines(action, scope)
    assert registry.matches_request(action, scope.with_(now=before)) is False
    status, answer = send(client, request)
    assert status == 200, answer
    now = snapshot(client, action, scope)
    assert registry.matches_request(action, scope.with_(now=now)) is True
    assert registry.has_marker(action, scope.with_(now=now)) in (True, None)
    left = registry.left_digest(action, now)
    assert registry.undo_state(action, scope.with_(now=now), left) is registry.UndoState.AS_PLANNED
    status, answer = send(client, registry.compensation_request(action, scope.with_(now=now, left=now)))
    assert status == 200, answer
    after = snapshot(client, action, scope)
    assert action.snapshot is not None
    rules = (action.snapshot.covers, action.snapshot.ignore)
    assert registry.covered(after, *rules) == registry.covered(before, *rules)
    assert registry.undo_state(action, scope.with_(now=after), left) is registry.UndoState.UNCHANGED


def test_a_full_session_has_alternatives(client: TestClient, pack: registry.Pack) -> None:
    full = client.get("/_sandbox/stage").json()["full_session"]
    action = pack.actions["reschedule_booking"]
    (booking_id,) = found(client, pack, "John Smith")
    arguments = {"booking_id": booking_id, "new_date": full["date"], "new_start_time": full["start_time"]}
    scope = registry.Scope.of(action, arguments, pack.profile, "plan-2/1")
    scope = scope.with_(before=snapshot(client, action, scope))
    status, answer = send(client, registry.build_request(action, scope))
    assert status == 409
    rule = registry.error_rule(action, status, answer["errors"][0]["name"])
    assert rule is not None
    assert rule.alternatives is not None
    status, answer = send(client, registry.build_read(rule.alternatives, scope))
    assert status == 200
    labels = [a.label for a in registry.alternatives(action, rule, answer, scope)]
    assert 1 <= len(labels) <= 5
    assert all("am" in label or "pm" in label for label in labels)


def test_more_guests_need_room_for_those_who_come_in_addition(client: TestClient, pack: registry.Pack) -> None:
    """The sandbox takes out the old line before it counts, and so does the overlay."""
    action = pack.actions["change_guest_count"]
    (booking_id,) = found(client, pack, "John Smith")

    def looked(count: int) -> tuple[registry.Scope, Json]:
        scope = registry.Scope.of(action, {"booking_id": booking_id, "guest_count": count}, pack.profile, "plan-3/1")
        scope = scope.with_(before=snapshot(client, action, scope))
        assert action.availability is not None
        status, answer = send(client, registry.build_read(action.availability.read, scope))
        assert status == 200
        return scope, answer

    scope, answer = looked(1)
    line = scope.before["items"][0]
    sessions = [s for product in answer for s in product["sessions"] if s["startTime"] == line["sessionStartTime"]]
    [left] = [
        a["capacityRemaining"] for s in sessions for a in s["allocations"] if a["productId"] == str(line["productId"])
    ]
    most = line["quantity"] + left
    assert registry.availability_error(action, [], looked(most + 1)[0]) is None, "a day that lists no such session"
    for count, fits in ((most, True), (most + 1, False), (most, True), (1, True), (line["quantity"], True)):
        scope, answer = looked(count)
        rule = registry.availability_error(action, answer, scope)
        assert (rule is None) is fits, count
        assert rule is None or f"not enough room for {count} guests" in str(registry.rule_message(action, rule, scope))
        status, shown = send(client, registry.build_request(action, scope))
        assert status == (200 if fits else 409), shown


def test_availability(client: TestClient, pack: registry.Pack) -> None:
    action = pack.actions["check_availability"]
    scope = registry.Scope.of(action, {"date": "2026-11-28"}, pack.profile)
    status, answer = send(client, registry.build_request(action, scope))
    assert status == 200
    seen = registry.observation(action, answer, scope)
    assert any(session["places_left"] for product in seen for session in product["sessions"])


def test_the_check_request_tells_a_good_token(client: TestClient, pack: registry.Pack) -> None:
    assert send(client, pack.check)[0] == 200
    assert client.get(pack.check.path, headers={"Authorization": "Bearer wrong"}).status_code == 401
