"""A change that makes a new thing out of an old one, and a new thing that is looked for without its number. Guarantees:

- the change is undone only where the new thing is gone and the old one is as it was; if the new thing alone is gone,
  even if another writer removed it, that is not "as before";
- a new thing that was never seen and is missing is not known to be gone, because a list may lag;
- without an answer, `verify` alone proves no write if it held before or there is no state from before: the marker must
  be there;
- the report of the current state comes only from a line's own `now`, never from a read of the old thing.
"""

import copy
from pathlib import Path
from typing import Any

import pytest

from contracts.action import AtomicAction
from contracts.step_activities import WriteOutcome
from registry import BoundAction
from registry.loading.load import load_pack
from registry.verification.undo_state import UndoState, left_digest
from tests.integration.stack import salon
from tests.support.small_venue import write_pack

MOVE = """
action: move_appointment
operation: moveAppointment
iq_enabled: true
title: Move appointment
description: Move one appointment; the salon gives it a new number and cancels the old one.
parameters:
  booking_id: {in: path.number, role: booking, describe: The appointment}
  day: {role: date, describe: The day}
  start_time: {role: time, describe: The time}
request: {body: {startsAt: "{{ day | instant(start_time) }}"}}
snapshot: {operation: getAppointment, with: {number: "{{ booking_id }}"}, covers: [state, startsAt]}
verify:
  reads: {made: {operation: getAppointment, with: {number: "{{ response.appointment.id }}"}}}
  all: [now.made.state == 'booked', now.made.startsAt | same_instant(request.body.startsAt)]
  gone: [now.made.state == 'cancelled']
compensation:
  operation: moveAppointment
  request: {path: {number: "{{ response.appointment.id }}"}, body: {startsAt: "{{ before.startsAt }}"}}
  manual: Move it back in the salon book.
preview:
  - {label: When, before: "{{ before.startsAt | day_and_time }}", after: "{{ request.body.startsAt | day_and_time }}"}
sample: none
"""
BOOK = """
action: book_again
operation: createAppointment
iq_enabled: true
title: Book
description: Make an appointment that is found by its instant.
parameters:
  booking_id: {in: body.clientId, role: booking, describe: The client}
  day: {role: date, describe: The day}
  start_time: {role: time, describe: The time}
request: {body: {startsAt: "{{ day | instant(start_time) }}"}}
marker: {body: {reference: "{{ marker }}"}, present: "now.found | where('reference', marker) | length > 0"}
verify:
  reads: {found: {operation: listAppointments, with: {startsAt: "{{ request.body.startsAt }}"}}}
  all: ["now.found | where('clientId', booking_id) | where('startsAt', request.body.startsAt) | length > 0"]
irreversible_note: Cancel it in the salon book.
preview:
  - {label: When, after: "{{ request.body.startsAt | day_and_time }}"}
sample: none
"""
OLD = {"id": "a-1", "state": "booked", "clientId": "c-1", "startsAt": "2030-07-06T13:00:00Z"}
NEW = {**OLD, "id": "a-2", "startsAt": "2030-07-07T13:00:00Z"}
WHEN = {"day": "2030-07-07", "start_time": "15:00"}


def document() -> dict[str, Any]:
    found = copy.deepcopy(salon.DOCUMENT)
    instant = {"type": "string", "format": "date-time"}
    create = found["paths"]["/v1/appointments"]["post"]
    create["requestBody"]["content"]["application/json"]["schema"]["properties"]["reference"] = salon.TEXT
    found["paths"]["/v1/appointments"]["get"] = {
        "operationId": "listAppointments",
        "parameters": [{"name": "startsAt", "in": "query", "required": True, "schema": instant}],
        "responses": salon._answers({"type": "array", "items": {**salon.APPOINTMENT, "additionalProperties": True}}),
    }
    body = salon._takes(salon._object("auth", "startsAt", auth=salon.AUTH, startsAt=instant))
    answer = salon._answers(salon._object(appointment=salon._object(id=salon.TEXT)), "201")
    found["paths"]["/v1/appointments/{number}/move"] = {
        "parameters": [salon.NUMBER],
        "post": {"operationId": "moveAppointment", "requestBody": body, "responses": answer},
    }
    return found


@pytest.fixture(scope="module")
def actions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, AtomicAction]:
    folder: Path = tmp_path_factory.mktemp("pack")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(salon, "DOCUMENT", document())
        patch.setattr(salon, "ACTIONS", {**salon.ACTIONS, "move_appointment": MOVE, "book_again": BOOK})
        patch.setenv("SALON_KEY", "k")
        patch.setenv("SALON_TOKEN", "t")
        pack = load_pack(salon.write(folder / "salon"))
    assert not [f for f in pack.findings if f.level == "error"]
    return dict(pack.actions)


def moved(actions: dict[str, AtomicAction], now: dict[str, Any]) -> tuple[BoundAction, str | None]:
    action = actions["move_appointment"]
    bound = BoundAction.of(action, {"booking_id": "a-1", **WHEN}, None, "plan-1")
    bound = bound.with_(before=OLD, response={"appointment": {"id": "a-2"}})
    left = left_digest(action, {**OLD, "state": "cancelled", "made": NEW})
    return bound.with_(now=now), left


def test_gone_by_another_hand_is_not_as_before(actions: dict[str, AtomicAction]) -> None:
    bound, left = moved(actions, {**OLD, "state": "cancelled", "made": {**NEW, "state": "cancelled"}})
    assert bound.undo_check(left).state is UndoState.CHANGED_SINCE
    assert not bound.undo_check().is_undone
    bound, left = moved(actions, {**OLD, "made": {**NEW, "state": "cancelled"}})
    assert bound.undo_check(left).state is UndoState.UNCHANGED
    assert bound.undo_check().is_undone


def test_as_the_plan_left_it_and_never_made(actions: dict[str, AtomicAction]) -> None:
    bound, left = moved(actions, {**OLD, "state": "cancelled", "made": NEW})
    assert bound.undo_check(left).state is UndoState.AS_PLANNED
    bound, left = moved(actions, {**OLD, "made": None})
    assert bound.undo_check(left).state is UndoState.UNCHANGED


def test_one_that_was_never_seen_is_not_known_to_be_gone(actions: dict[str, AtomicAction]) -> None:
    bound, left = moved(actions, {**OLD, "made": None})
    assert bound.undo_check(None).state is UndoState.CHANGED_SINCE
    assert bound.undo_check(left).state is UndoState.UNCHANGED


def test_the_old_thing_does_not_tell_where_the_new_one_stands(actions: dict[str, AtomicAction]) -> None:
    bound, _ = moved(actions, {**OLD, "state": "cancelled", "made": {**NEW, "startsAt": "2030-07-09T13:00:00Z"}})
    assert bound.state_lines() == []


@pytest.mark.parametrize(("reference", "last", "landed"), [
    ("plan-1", False, WriteOutcome.APPLIED), ("somebody-s", True, WriteOutcome.UNKNOWN), ("somebody-s", False, None),
])  # fmt: skip
def test_a_new_thing_that_no_one_heard_of_is_ours_by_its_marker_alone(
    actions: dict[str, AtomicAction], reference: str, last: bool, landed: WriteOutcome | None
) -> None:
    action = actions["book_again"]
    bound = BoundAction.of(action, {"booking_id": "c-1", **WHEN}, None, "plan-1")
    bound = bound.with_(now={"found": [{**NEW, "startsAt": "2030-07-07T15:00:00Z", "reference": reference}]})
    assert bound.outcome(accepted=False, last=last) is landed


@pytest.mark.parametrize(("before", "landed"), [(14, WriteOutcome.NOT_APPLIED), (10, WriteOutcome.APPLIED)])
def test_a_condition_that_held_before_proves_no_write(before: int, landed: WriteOutcome, tmp_path: Path) -> None:
    action = load_pack(write_pack(tmp_path)).actions["resize"]
    was = {"id": "p-1", "name": "Party", "guests": before, "notes": "", "mark": ""}
    bound = BoundAction.of(action, {"booking_id": "p-1", "guests": 14}, None, "").with_(before=was)
    assert bound.with_(now={**was, "guests": 14}).outcome(accepted=False, last=True) is landed


@pytest.mark.parametrize(
    ("mark", "last", "landed"),
    [
        ("plan-1", False, WriteOutcome.APPLIED),
        ("another-plan", False, None),
        ("another-plan", True, WriteOutcome.UNKNOWN),
        ("before", False, None),
        ("before", True, WriteOutcome.UNKNOWN),
    ],
)
def test_an_equal_change_by_another_call_proves_no_write(
    mark: str, last: bool, landed: WriteOutcome | None, tmp_path: Path
) -> None:
    action = load_pack(write_pack(tmp_path)).actions["resize"]
    was = {"id": "p-1", "name": "Party", "guests": 10, "notes": "", "mark": "before"}
    bound = BoundAction.of(action, {"booking_id": "p-1", "guests": 14}, None, "plan-1").with_(before=was)
    assert bound.with_(now={**was, "guests": 14, "mark": mark}).outcome(accepted=False, last=last) is landed


@pytest.mark.parametrize(("order", "wrong"), [
    ("{{ response.order.id }}", ""), ("{{ (now.order if marker == 'sample-key' else none).id }}", "has no 'id'"),
])  # fmt: skip
def test_a_compensation_that_cannot_be_built_is_found(order: str, wrong: str, tmp_path: Path) -> None:
    """The compensation is sent with its own key, also where nothing is read before the step."""
    pack = write_pack(tmp_path)
    overlay = pack / "actions" / "order_dessert.yaml"
    was = '  request: {path: {order: "{{ response.order.id }}"}}'
    assert was in overlay.read_text()
    overlay.write_text(overlay.read_text().replace(was, f'  request: {{path: {{order: "{order}"}}}}'))
    found = [f"{f.file} {f.message}" for f in load_pack(pack).findings if f.level == "error"]
    assert bool(found) is bool(wrong)
    assert all("order_dessert" in one and wrong in one for one in found), found
