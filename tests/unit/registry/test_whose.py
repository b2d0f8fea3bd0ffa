"""Ownership of a thing that a step made, and of a thing that a compensation removes. Guarantees:

- an id in an answer alone proves nothing: a thing counts as the step's own where it carries the step's marker, or,
  without a marker, where `known_by` (otherwise `verify`) holds for the read thing;
- without a marker, only the thing that the venue's answer names is surely the step's own, because an equal thing may be
  another writer's;
- a booking that is as before, and that another call of ours has written to since, does not prove that nothing was done;
- the loader refuses a compensation that takes its id from the answer without such a proof, with file, line and the way
  out; a proof that compares nothing with the request is none;
- the loader refuses a compensation that exchanges rows and does not say which must be there, too;
- a draft of a call that makes something never removes it by the answer's id alone.
"""

from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from contracts.step_activities import WriteOutcome
from infra.config.settings import ROOT
from registry import BoundAction
from registry.loading.load import load_pack
from registry.verification.snapshot import is_ours
from registry.verification.undo_state import named_by_answer
from tests.support.shipped import shipped
from tests.support.small_venue import ACTIONS, write_pack

ORDER = ACTIONS["order_dessert"]
OURS = {"id": "o-1", "party": "p-1", "dessert": "cake", "state": "open", "pieces": 3}
UNPROVEN = "without a proof that the thing is this step's own"


def meeting(folder: Path = ROOT / "overlays" / "calendar") -> BoundAction:
    """Return the scheduling of a meeting."""
    pack = load_pack(folder)
    action = pack.actions["schedule_meeting"]
    asked = {"person": "Aviad", "date": "2026-12-03", "start_time": "14:00"}
    directory = {"people": [{"id": "per_aviad", "name": "Aviad", "email": "a@x.example"}]}
    bound = BoundAction.of(action, asked, pack.profile, "plan-1-1")
    return bound.with_(before={"directory": directory, "day": {"known": True, "busy": []}})


def test_rows_are_exchanged_only_where_all_are_there(tmp_path: Path) -> None:
    folder = copytree(ROOT / "overlays" / "roller", tmp_path / "roller")
    file = folder / "actions" / "change_guest_count.yaml"
    text = file.read_text()
    (when,) = [line for line in text.splitlines() if line.startswith('  when: "now.items')]
    file.write_text(text.replace(f"{when}\n", ""))
    (found,) = [f for f in load_pack(folder).findings if f.level == "error"]
    assert (found.action, found.pointer) == ("change_guest_count", "compensation.request")
    assert "would double them" in found.message and "`compensation.when`" in found.hint


def event(reference: str, **changed: Any) -> dict[str, Any]:
    """Return an event as the calendar shows it."""
    return {
        "id": "evt_1", "status": "confirmed", "title": "Meeting", "reference": reference, "person": {"id": "per_aviad"},
        "timeZone": "Asia/Jerusalem",
        "startsAt": "2026-12-03T12:00:00Z", "endsAt": "2026-12-03T12:30:00Z", **changed,
    }  # fmt: skip


@pytest.mark.parametrize("accepted", [True, False])
@pytest.mark.parametrize(
    ("made", "landing"),
    [
        (event("plan-1-1"), WriteOutcome.APPLIED),
        (event("somebody else's"), None),
        (event("plan-1-1", startsAt="2026-12-03T15:00:00Z"), WriteOutcome.MISAPPLIED),
        (None, None),
    ],
    ids=["ours", "just like ours", "ours, and not as asked", "nothing"],
)
def test_a_marker_alone_tells_whose_it_is(made: Any, landing: WriteOutcome | None, accepted: bool) -> None:
    bound = meeting()
    now = {**bound.before, "listed": {"events": []}, "made": made}
    found = bound.with_(now=now, response={"id": "evt_1"}).outcome(accepted=accepted, last=landing is not None)
    assert found is landing
    if landing is None:
        at_last = bound.with_(now=now).outcome(accepted=accepted, last=True)
        assert at_last is (WriteOutcome.UNKNOWN if accepted else WriteOutcome.NOT_APPLIED)


def test_what_carries_the_marker_is_this_steps_whatever_the_answer_names() -> None:
    bound = meeting()
    made = event("plan-1-1", startsAt="2026-12-03T15:00:00Z")
    bound = bound.with_(now={**bound.before, "listed": {"events": []}, "made": made}, response={"id": "evt_9"})
    assert not named_by_answer(bound)
    assert bound.outcome(accepted=True, last=True) is WriteOutcome.MISAPPLIED


@pytest.mark.parametrize(
    ("made", "ours"),
    [(OURS, True), ({**OURS, "pieces": 2}, True), ({**OURS, "party": "p-9"}, False), (None, False)],
    ids=["as asked", "fewer pieces", "of another party", "nothing"],
)
def test_without_a_marker_it_is_known_by_what_was_asked(tmp_path: Path, made: Any, ours: bool) -> None:
    pack = load_pack(write_pack(tmp_path))
    action = pack.actions["order_dessert"]
    bound = BoundAction.of(action, {"booking_id": "p-1", "pieces": 3}, pack.profile, "k")
    assert is_ours(bound.with_(now={"order": made}, response={"order": {"id": "o-1"}})) is ours


@pytest.mark.parametrize(
    ("mark", "landing"), [("", WriteOutcome.NOT_APPLIED), ("another call's", WriteOutcome.UNKNOWN)]
)
def test_what_is_as_before_by_another_call_does_not_prove_that_nothing_was_done(
    tmp_path: Path, mark: str, landing: WriteOutcome
) -> None:
    pack = load_pack(write_pack(tmp_path))
    party = {"id": "p-1", "guests": 10, "notes": "", "mark": ""}
    bound = BoundAction.of(pack.actions["resize"], {"booking_id": "p-1", "guests": 14}, pack.profile, "k")
    bound = bound.with_(before=party, now={**party, "mark": mark})
    assert bound.outcome(accepted=False, last=True) is landing


@pytest.mark.parametrize(
    ("answered", "people", "named", "landing"),
    [
        ("b-1", 4, True, WriteOutcome.APPLIED),
        ("b-1", 2, True, WriteOutcome.MISAPPLIED),
        ("b-9", 4, False, WriteOutcome.APPLIED),
        ("b-9", 2, False, WriteOutcome.UNKNOWN),
    ],
)
def test_an_equal_thing_that_the_answer_does_not_name_may_be_somebody_elses(
    answered: str, people: int, named: bool, landing: WriteOutcome
) -> None:
    pack = shipped("restaurant")
    action = pack.actions["create_booking"]
    asked = {"name": "Anna", "phone": "+393331234567", "date": "2026-12-03", "start_time": "20:00", "guest_count": 4}
    table = {"booking_id": "b-1", "day": "2026-12-03", "time": "20:00", "people": people, "name": "Anna", "live": True}
    bound = BoundAction.of(action, asked, pack.profile, "plan-1-1").with_(
        before={"table": {"bookings": []}}, response={"ok": True, "booking_id": answered},
        now={"table": {"bookings": []}, "listed": {"bookings": []}, "made": {**table, "phone": "+393331234567"}},
    )  # fmt: skip
    assert is_ours(bound)
    assert named_by_answer(bound) is named
    assert bound.outcome(accepted=True, last=True) is landing


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("  known_by: [now.order.party == booking_id, now.order.dessert == request.body.dessert]\n",
         "  known_by: [now.order.state == 'open']\n"),
        (ORDER[ORDER.index("verify:"):ORDER.index("compensation:")], ""),
    ],
    ids=["compares nothing with what was sent", "is never read"],
)  # fmt: skip
def test_the_loader_refuses_an_id_that_nothing_bears_out(tmp_path: Path, was: str, becomes: str) -> None:
    assert was in ORDER
    pack = load_pack(write_pack(tmp_path, order_dessert=ORDER.replace(was, becomes)))
    [found] = [f for f in pack.findings if f.level == "error" and UNPROVEN in f.message]
    assert "order_dessert" not in pack.actions
    assert found.file.endswith("order_dessert.yaml") and found.line and "verify.reads" in found.hint


def test_the_loader_follows_an_id_through_another_read(tmp_path: Path) -> None:
    by_list = ORDER.replace(
        'reads: {order: {operation: get-order, with: {order: "{{ response.order.id }}"}}}',
        'reads: {first: {operation: get-order, with: {order: "{{ response.order.id }}"}}, '
        'order: {operation: get-order, with: {order: "{{ now.first.id }}"}}}',
    ).replace('path: {order: "{{ response.order.id }}"}', 'path: {order: "{{ now.order.id }}"}')
    fine = load_pack(write_pack(tmp_path / "a", order_dessert=by_list))
    assert not [f for f in fine.findings if UNPROVEN in f.message]
    weak = by_list.replace("known_by: [now.order.party == booking_id, ", "known_by: [").replace(
        "now.order.dessert == request.body.dessert", "now.order.state == 'open'"
    )
    assert [f for f in load_pack(write_pack(tmp_path / "b", order_dessert=weak)).findings if UNPROVEN in f.message]


def test_what_was_made_may_be_named_by_the_read_that_found_it(tmp_path: Path) -> None:
    by_read = ORDER.replace('path: {order: "{{ response.order.id }}"}', 'path: {order: "{{ now.order.id }}"}')
    assert not [f for f in load_pack(write_pack(tmp_path, order_dessert=by_read)).findings if f.level == "error"]


@pytest.mark.parametrize("pack", ["roller", "bookeo", "calendar", "restaurant"])
def test_every_shipped_pack_bears_out_what_it_takes_away(pack: str) -> None:
    assert not [f for f in shipped(pack).findings if f.level == "error"]


TABLE = {"name": "Mario Rossi", "phone": "+393331234567", "date": "2026-11-28", "start_time": "21:00", "guest_count": 4}


def booked_at(time: str, **changed: Any) -> dict[str, Any]:
    return {
        "booking_id": "b-" + time.replace(":", ""), "day": "2026-11-28", "time": time, "people": 4,
        "name": "Mario Rossi", "phone": "+393331234567", "notes": None, "live": True, **changed,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("made", "ours"), [(booked_at("21:00"), True), (booked_at("21:00", people=2), True), (booked_at("19:30"), False)]
)
def test_a_guest_s_other_booking_of_that_day_is_not_this_step_s(made: dict[str, Any], ours: bool) -> None:
    """A booking made meanwhile by telephone, for example, and named by the answer."""
    pack = shipped("restaurant")
    action = pack.actions["create_booking"]
    before = {"table": {"day": "2026-11-28", "bookings": []}}
    bound = BoundAction.of(action, TABLE, pack.profile, "k").with_(
        before=before, response={"booking_id": made["booking_id"]}
    )
    now = {**before, "listed": {"bookings": [booked_at("19:30")]}, "made": made}
    assert is_ours(bound.with_(now=now)) is ours


def test_its_own_is_looked_for_in_the_list_before_the_answer_s_id_is_tried() -> None:
    pack = shipped("restaurant")
    action = pack.actions["create_booking"]
    assert action.verify is not None
    bound = BoundAction.of(action, TABLE, pack.profile, "k").with_(response={"booking_id": "b-1930"})
    both = {"listed": {"bookings": [booked_at("19:30"), booked_at("21:00")]}}
    made = next(read for read in action.verify.reads if read.name == "made")
    assert "b-2100" in bound.with_(now=both).read(made).path
    assert "b-1930" in bound.with_(now={"listed": {"bookings": []}}).read(made).path


def test_the_loader_refuses_what_is_known_without_its_time(tmp_path: Path) -> None:
    folder = Path(copytree(ROOT / "overlays" / "restaurant", tmp_path / "restaurant"))
    file = folder / "actions" / "create_booking.yaml"
    text = file.read_text(encoding="utf-8")
    line = "    - now.made.day == date\n    - now.made.time == start_time\n    - before.table"
    assert text.count(line) == 1
    file.write_text(text.replace(line, "    - now.made.day == date\n    - before.table"), encoding="utf-8")
    pack = load_pack(folder)
    [found] = [f for f in pack.findings if f.level == "error"]
    assert "create_booking" not in pack.actions
    assert "does not compare start_time" in found.message and found.line and "when it was asked for" in found.hint
