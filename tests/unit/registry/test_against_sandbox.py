"""The ROLLER pack against the ROLLER sandbox: the overlays match the sandbox's behaviour.

- Every reversible action: read, write, read back as landed and marked, undo, back to the same digest.
- The unknown-outcome question has an answer: before the write nothing looks landed.
- A later validity that staff set on a line since is neither sent over nor undone over.
- Names, codes and prices of the lines that an undo adds again are as they were, or it is not undone.
- A full session answers with real alternatives; a cancellation that is not allowed is refused with a message.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from fastapi.testclient import TestClient

import registry
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.credentials import HttpRequest
from registry import BoundAction
from registry.presentation.error_rules import error_rule
from registry.verification.snapshot import covered, has_marker
from registry.verification.undo_state import UndoState, left_digest
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


def snapshot(client: TestClient, action: AtomicAction, bound: BoundAction) -> Json:
    assert action.snapshot is not None
    document: Json = {}
    for read in action.snapshot.reads:
        status, answer = send(client, bound.with_(before=document).read(read))
        assert status == 200
        document = {**document, read.name: answer} if read.name else answer
    return document


def found(client: TestClient, pack: registry.Pack, keywords: str) -> list[str]:
    action = pack.actions["find_bookings"]
    bound = BoundAction.of(action, {"keywords": keywords}, pack.profile)
    status, answer = send(client, bound.request())
    assert status == 200
    return [row.booking_id for row in bound.with_(response=answer).candidates()]


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
    bound = BoundAction.of(action, {"booking_id": booking_id, **arguments}, pack.profile, "plan-1/1")
    before = snapshot(client, action, bound)
    bound = bound.with_(before=before)
    request = bound.request()
    bound = bound.with_request()
    assert bound.preview()
    assert bound.with_(now=before).matches_request() is False
    status, answer = send(client, request)
    assert status == 200, answer
    now = snapshot(client, action, bound)
    assert bound.with_(now=now).matches_request() is True
    assert has_marker(bound.with_(now=now)) in (True, None)
    left = left_digest(action, now)
    assert bound.with_(now=now).undo_check(left).state is UndoState.AS_PLANNED
    status, answer = send(client, bound.with_(now=now, left=now).compensation())
    assert status == 200, answer
    after = snapshot(client, action, bound)
    assert action.snapshot is not None
    rules = (action.snapshot.covers, action.snapshot.ignore)
    assert covered(after, *rules) == covered(before, *rules)
    assert bound.with_(now=after).undo_check(left).state is UndoState.UNCHANGED


CHANGES: list[tuple[str, dict[str, Json]]] = [
    ("reschedule_booking", {"new_start_time": "14:00"}),
    ("change_guest_count", {"guest_count": 9}),
]


class Lines:
    """A change of the lines of a booking, which staff change, too."""

    def __init__(self, client: TestClient, pack: registry.Pack, name: str, arguments: dict[str, Json]) -> None:
        order = {
            "externalId": f"lines-{uuid4().hex}",
            "customer": {"firstName": "Lia", "lastName": "Nes", "email": "lia@example.com", "phone": "0491570156"},
            "items": [
                {
                    "productId": 61001,
                    "quantity": 10,
                    "bookingDate": "2026-12-09",
                    "startTime": "10:00",
                    "priceOverride": 40,
                }
            ],
        }
        self.client = client
        self.id = client.post("/bookings", json=order).json()["uniqueId"]
        self.action = pack.actions[name]
        self.bound = BoundAction.of(self.action, {"booking_id": self.id, **arguments}, pack.profile, "plan-5/1")

    def read(self) -> Any:
        """Return the booking as it is now."""
        return snapshot(self.client, self.action, self.bound)

    def set_by_staff(self, ticket: dict[str, Json] | None = None, **fields: Json) -> None:
        """Change the first line, or its first ticket."""
        line = self.read()["items"][0]
        if ticket is not None:
            fields["tickets"] = [{"ticketId": line["tickets"][0]["ticketId"], **ticket}]
        change = {"itemsToUpdate": [{"bookingItemId": str(line["bookingItemId"]), **fields}]}
        assert self.client.put(f"/bookings/{self.id}", json=change).status_code == 200

    def carry_out(self) -> BoundAction:
        """Send the change and return it as it was left."""
        self.bound = self.bound.with_(before=self.read())
        self.bound = self.bound.with_request()
        assert send(self.client, self.bound.request())[0] == 200
        now = self.read()
        self.bound = self.bound.with_(now=now, left=now)
        assert self.bound.matches_request() is True
        return self.bound

    def undo(self) -> BoundAction:
        """Send the undo of the plan's own part and return the step as it is then."""
        assert self.bound.undo_check().own_part_separable
        assert send(self.client, self.bound.compensation(own_part=True))[0] == 200
        return self.bound.with_(now=self.read())


@pytest.mark.parametrize(("name", "arguments"), CHANGES)
def test_a_later_validity_by_staff_is_not_overwritten(
    client: TestClient, pack: registry.Pack, name: str, arguments: dict[str, Json]
) -> None:
    lines = Lines(client, pack, name, arguments)
    confirmed = lines.read()
    lines.set_by_staff(bookingEndDate="2026-12-20")
    assert not lines.bound.with_(before=confirmed, now=lines.read()).unchanged(), "nothing wrote in between but staff"
    bound = lines.carry_out()
    left = left_digest(bound.action, bound.now)
    lines.set_by_staff(bookingEndDate="2026-12-24")
    check = bound.with_(now=lines.read()).undo_check(left)
    assert (check.state, check.own_part_separable) == (UndoState.CHANGED_SINCE, False)


@pytest.mark.parametrize(("name", "arguments"), CHANGES)
@pytest.mark.parametrize("ticket", [{"name": "Zoe"}, {"customTicketId": "MEMBER-7"}], ids=["name", "code"])
def test_names_and_codes_of_tickets_are_carried_over_and_back(
    client: TestClient, pack: registry.Pack, name: str, arguments: dict[str, Json], ticket: dict[str, Json]
) -> None:
    lines = Lines(client, pack, name, arguments)
    lines.set_by_staff(ticket)
    lines.carry_out()
    undone = lines.undo()
    assert undone.unchanged(undone=True) and undone.undo_check().own_part_removed
    lines.set_by_staff({"name": "Another", "customTicketId": "ANOTHER"})
    assert not undone.with_(now=lines.read()).undo_check().own_part_removed


def test_lines_at_another_price_are_not_undone(client: TestClient, pack: registry.Pack) -> None:
    lines = Lines(client, pack, "change_guest_count", {"guest_count": 9})
    lines.carry_out()
    undone = lines.undo()
    assert undone.undo_check().own_part_removed
    line = undone.now["items"][0]
    dearer = {**undone.now, "items": [{**line, "cost": line["cost"] + 1}]}
    assert not undone.with_(now=dearer).undo_check().own_part_removed


def test_a_full_session_has_alternatives(client: TestClient, pack: registry.Pack) -> None:
    full = client.get("/_sandbox/stage").json()["full_session"]
    action = pack.actions["reschedule_booking"]
    (booking_id,) = found(client, pack, "John Smith")
    arguments = {"booking_id": booking_id, "new_date": full["date"], "new_start_time": full["start_time"]}
    bound = BoundAction.of(action, arguments, pack.profile, "plan-2/1")
    bound = bound.with_(before=snapshot(client, action, bound))
    status, answer = send(client, bound.request())
    assert status == 409
    rule = error_rule(action, status, answer["errors"][0]["name"])
    assert rule is not None
    assert rule.alternatives is not None
    status, answer = send(client, bound.read(rule.alternatives))
    assert status == 200
    labels = [a.label for a in bound.alternatives(rule, answer)]
    assert 1 <= len(labels) <= 5
    assert all("am" in label or "pm" in label for label in labels)


def test_more_guests_need_room_for_those_who_come_in_addition(client: TestClient, pack: registry.Pack) -> None:
    """The sandbox removes the old line before it counts, and so does the overlay."""
    action = pack.actions["change_guest_count"]
    (booking_id,) = found(client, pack, "John Smith")

    def looked(count: int) -> tuple[BoundAction, Json]:
        bound = BoundAction.of(action, {"booking_id": booking_id, "guest_count": count}, pack.profile, "plan-3/1")
        bound = bound.with_(before=snapshot(client, action, bound))
        assert action.availability is not None
        status, answer = send(client, bound.read(action.availability.read))
        assert status == 200
        return bound, answer

    bound, answer = looked(1)
    line = bound.before["items"][0]
    sessions = [s for product in answer for s in product["sessions"] if s["startTime"] == line["sessionStartTime"]]
    [left] = [
        a["capacityRemaining"] for s in sessions for a in s["allocations"] if a["productId"] == str(line["productId"])
    ]
    most = line["quantity"] + left
    assert looked(most + 1)[0].availability_error([]) is None, "a day that lists no such session"
    for count, fits in ((most, True), (most + 1, False), (most, True), (1, True), (line["quantity"], True)):
        bound, answer = looked(count)
        rule = bound.availability_error(answer)
        assert (rule is None) is fits, count
        assert rule is None or f"not enough room for {count} guests" in str(bound.rule_message(rule))
        status, shown = send(client, bound.request())
        assert status == (200 if fits else 409), shown


def test_availability(client: TestClient, pack: registry.Pack) -> None:
    action = pack.actions["check_availability"]
    bound = BoundAction.of(action, {"date": "2026-11-28"}, pack.profile)
    status, answer = send(client, bound.request())
    assert status == 200
    seen = bound.with_(response=answer).observation()
    assert any(session["places_left"] for product in seen for session in product["sessions"])


def test_the_check_request_tells_a_good_token(client: TestClient, pack: registry.Pack) -> None:
    assert send(client, pack.check)[0] == 200
    assert client.get(pack.check.path, headers={"Authorization": "Bearer wrong"}).status_code == 401
