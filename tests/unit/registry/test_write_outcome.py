"""The undo state of a step, and whether its write landed: each kind of evidence alone, on the small venue. Guarantees:

- an accepted write that does not show as asked is a partial application only where it is known as this step's own: by
  its marker, or, where the venue keeps none, by a booking that is not as it was;
- a write that was not accepted is recognised by its marker alone, where the requested state held before or nothing was
  read before;
- a change that a read shows without its marker may be this step's, or another's: its outcome is unknown;
- a step's state is compared with how it was left by its covered fields, otherwise by the whole of it, otherwise by
  `verify`;
- the changes of a step whose result could not be read are not separated from others' changes;
- a new thing that was never seen is not known to be gone; without `gone` it is undone where it is no longer as asked;
- the venue's answer names the thing that was read, and nothing where the undo would remove nothing.
"""

from pathlib import Path
from typing import Any

import pytest

from contracts.action import AtomicAction
from contracts.step_activities import WriteOutcome
from registry import BoundAction, TemplateRenderError
from registry.loading.load import load_pack
from registry.verification.snapshot import digest
from registry.verification.undo_state import UndoState, named_by_answer
from tests.support.shipped import shipped
from tests.support.small_venue import write_pack
from tests.unit.registry.examples import BOOKING

PARTY = {"id": "p-1", "name": "Party", "guests": 10, "notes": "a", "mark": "", "tags": []}
ORDER = {"id": "o-1", "party": "p-1", "dessert": "cake", "state": "open", "pieces": 3}
ANSWER = {"order": {"id": "o-1"}}


@pytest.fixture(scope="module")
def actions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, AtomicAction]:
    folder: Path = tmp_path_factory.mktemp("small")
    return dict(load_pack(write_pack(folder)).actions)


def resizing(actions: dict[str, AtomicAction], *without: str) -> BoundAction:
    """Return a change of a party of ten to 14, by an action without these parts."""
    action = actions["resize"].model_copy(update=dict.fromkeys(without))
    before = None if "snapshot" in without else PARTY
    return BoundAction.of(action, {"booking_id": "p-1", "guests": 14}, None, "plan-1").with_(before=before)


def ordering(actions: dict[str, AtomicAction], **verify: Any) -> BoundAction:
    """Return an order of three pieces of cake, with other rules of reading them back."""
    action = actions["order_dessert"]
    assert action.verify is not None
    action = action.model_copy(update={"verify": action.verify.model_copy(update=verify)})
    return BoundAction.of(action, {"booking_id": "p-1", "pieces": 3}, None, "plan-1").with_(response=ANSWER)


@pytest.mark.parametrize(("without", "now", "at_first", "at_last"), [
    ((), {"guests": 12, "mark": "plan-1"}, None, WriteOutcome.MISAPPLIED),
    ((), {"guests": 12, "mark": "another"}, None, WriteOutcome.UNKNOWN),
    ((), {"guests": 14, "mark": "another"}, WriteOutcome.APPLIED, WriteOutcome.APPLIED),
    (("marker",), {"guests": 14}, WriteOutcome.APPLIED, WriteOutcome.APPLIED),
    (("marker",), {"guests": 12}, None, WriteOutcome.MISAPPLIED),
    (("marker",), {}, None, WriteOutcome.UNKNOWN),
    (("marker", "snapshot"), {"guests": 12}, None, WriteOutcome.UNKNOWN),
    (("verify",), {"guests": 12, "mark": "plan-1"}, WriteOutcome.APPLIED, WriteOutcome.APPLIED),
    (("verify",), {"guests": 12, "mark": "another"}, None, WriteOutcome.UNKNOWN),
    (("verify", "marker"), {}, WriteOutcome.APPLIED, WriteOutcome.APPLIED),
])  # fmt: skip
def test_what_the_venue_took_is_partly_done_only_where_it_is_known_as_the_steps_own(
    actions: dict[str, AtomicAction],
    without: tuple[str, ...],
    now: dict[str, Any],
    at_first: WriteOutcome | None,
    at_last: WriteOutcome,
) -> None:
    bound = resizing(actions, *without)
    bound = bound.with_(now={**PARTY, **now})
    assert bound.outcome(accepted=True, last=False) is at_first
    assert bound.outcome(accepted=True, last=True) is at_last


@pytest.mark.parametrize(("mark", "found"), [
    ("plan-1", WriteOutcome.MISAPPLIED), (None, WriteOutcome.UNKNOWN),
])  # fmt: skip
def test_after_a_read_without_a_change_only_the_marker_shows_whose_a_later_change_is(
    actions: dict[str, AtomicAction], mark: str | None, found: WriteOutcome
) -> None:
    bound = resizing(actions, *(() if mark else ("marker",)))
    bound = bound.with_(now={**PARTY, "guests": 12, "mark": mark})
    assert bound.outcome(accepted=True, last=True, seen_unchanged=True) is found


def test_what_no_one_accepted_is_known_by_its_marker_where_there_is_no_other_before(
    actions: dict[str, AtomicAction],
) -> None:
    bound = resizing(actions)
    bound = bound.with_(before={**PARTY, "guests": 14}, now={**PARTY, "guests": 14, "mark": "plan-1"})
    assert bound.outcome(accepted=False, last=False) is WriteOutcome.APPLIED
    bound = ordering(actions)
    bound = bound.with_(now={"order": ORDER}, response=None)
    assert bound.outcome(accepted=False, last=False) is None
    assert bound.outcome(accepted=False, last=True) is WriteOutcome.UNKNOWN


@pytest.mark.parametrize(("guests", "at_last"), [
    (14, WriteOutcome.UNKNOWN), (12, WriteOutcome.NOT_APPLIED), (10, WriteOutcome.NOT_APPLIED),
])  # fmt: skip
def test_what_no_one_accepted_and_every_read_shows_without_its_marker_is_unknown(
    actions: dict[str, AtomicAction], guests: int, at_last: WriteOutcome
) -> None:
    bound = resizing(actions).with_(before={**PARTY, "mark": "plan-0"})
    bound = bound.with_(now={**PARTY, "guests": guests, "mark": "plan-0"})
    assert bound.outcome(accepted=False, last=False) is None
    assert bound.outcome(accepted=False, last=True) is at_last


@pytest.mark.parametrize(("left", "now", "where"), [
    (14, 14, UndoState.AS_PLANNED), (14, 10, UndoState.UNCHANGED), (14, 12, UndoState.CHANGED_SINCE),
    (13, 13, UndoState.AS_PLANNED), (13, 14, UndoState.CHANGED_SINCE),
    (None, 14, UndoState.AS_PLANNED), (None, 10, UndoState.UNCHANGED), (None, 12, UndoState.CHANGED_SINCE),
])  # fmt: skip
def test_a_step_stands_as_it_was_left_by_what_matters(
    actions: dict[str, AtomicAction], left: int | None, now: int, where: UndoState
) -> None:
    bound = resizing(actions)
    known = None if left is None else bound.left_digest({**PARTY, "guests": left})
    assert bound.with_(now={**PARTY, "guests": now, "notes": "b"}).undo_check(known).state is where


@pytest.mark.parametrize(("now", "whole", "where"), [
    ({"notes": "b"}, True, UndoState.AS_PLANNED),
    ({"notes": "b", "guests": 12}, True, UndoState.CHANGED_SINCE),
    ({"notes": "b", "guests": 12}, False, UndoState.AS_PLANNED),
    ({}, True, UndoState.UNCHANGED),
])  # fmt: skip
def test_where_the_change_is_not_among_what_matters_the_whole_of_it_tells(
    actions: dict[str, AtomicAction], now: dict[str, Any], whole: bool, where: UndoState
) -> None:
    action, left = actions["note_unseen"], {**PARTY, "notes": "b"}
    bound = BoundAction.of(action, {"booking_id": "p-1", "note": "b"}, None, "plan-1").with_(before=PARTY)
    known, rest = bound.left_digest(left), digest(left, ("*",)) if whole else None
    assert bound.with_(now={**PARTY, **now}).undo_check(known, rest).state is where
    unverified = action.model_copy(update={"verify": None})
    changed = bound.with_(action=unverified, now={**PARTY, **now})
    assert changed.undo_check(known, rest).state is UndoState.CHANGED_SINCE


@pytest.mark.parametrize(("seen", "now", "where"), [
    (True, ORDER, UndoState.AS_PLANNED), (True, {**ORDER, "pieces": 5}, UndoState.CHANGED_SINCE),
    (True, None, UndoState.UNCHANGED), (True, {**ORDER, "state": "cancelled"}, UndoState.UNCHANGED),
    (False, ORDER, UndoState.AS_PLANNED), (False, {**ORDER, "pieces": 5}, UndoState.CHANGED_SINCE),
    (False, None, UndoState.CHANGED_SINCE), (False, {**ORDER, "state": "cancelled"}, UndoState.UNCHANGED),
])  # fmt: skip
def test_a_new_thing_that_was_never_seen_is_not_known_to_be_gone(
    actions: dict[str, AtomicAction], seen: bool, now: Any, where: UndoState
) -> None:
    bound = ordering(actions)
    left = bound.left_digest({"order": ORDER}) if seen else None
    assert bound.with_(now={"order": now}).undo_check(left).state is where


@pytest.mark.parametrize(("now", "by_gone", "without"), [
    (None, True, True), (ORDER, False, False), ({**ORDER, "pieces": 5}, False, False),
    ({**ORDER, "state": "cancelled"}, True, False),
])  # fmt: skip
def test_a_new_thing_is_undone_where_it_is_gone(
    actions: dict[str, AtomicAction], now: Any, by_gone: bool, without: bool
) -> None:
    bound = ordering(actions)
    assert bound.with_(now={"order": now}).undo_check().is_undone is by_gone
    bound = ordering(actions, gone=())
    assert bound.with_(now={"order": now}).undo_check().is_undone is without, "somebody else may have changed it"


def test_a_change_is_undone_where_it_shows_no_more_and_all_is_as_before(actions: dict[str, AtomicAction]) -> None:
    for without in ((), ("verify",)):
        bound = resizing(actions, *without)
        assert bound.with_(now={**PARTY, "notes": "b"}).undo_check().is_undone
        assert not bound.with_(now={**PARTY, "guests": 14}).undo_check().is_undone
        assert not bound.with_(now={**PARTY, "guests": 12}).undo_check().is_undone
    bound = resizing(actions)
    as_asked = {**PARTY, "guests": 14}
    assert bound.with_(before=as_asked, now=as_asked).undo_check().is_undone, "it changed nothing"


def test_an_own_part_is_not_reported_apart_where_no_one_could_look_at_what_was_left() -> None:
    action, asked = shipped("roller").actions["reschedule_booking"], {"booking_id": "8231", "new_start_time": "15:00"}
    bound = BoundAction.of(action, asked, None, "plan-1").with_(before=BOOKING, now=BOOKING)
    assert not bound.undo_check().own_part_separable
    with pytest.raises(TemplateRenderError):
        assert bound.with_(left={"items": None}).undo_check().own_part_separable


def test_what_matters_of_a_new_thing_is_what_its_overlay_says(actions: dict[str, AtomicAction]) -> None:
    touched = {"order": {**ORDER, "pieces": 5}}
    for rules, alike in (({}, False), ({"ignore": ("order.pieces",)}, True), ({"covers": ("order.state",)}, True)):
        bound = ordering(actions, **rules)
        assert (bound.left_digest({"order": ORDER}) == bound.left_digest(touched)) is alike, rules


def test_the_answer_names_what_was_read_and_nothing_where_nothing_is_taken_away(
    actions: dict[str, AtomicAction],
) -> None:
    bound = ordering(actions)
    action = bound.action
    undo = action.compensation
    assert undo is not None and undo.request is not None
    request = undo.request.model_copy(update={"path": {"order": "{{ now.order.id }}", "shop": "main", "floor": 1}})
    by_read = action.model_copy(update={"compensation": undo.model_copy(update={"request": request})})
    assert named_by_answer(bound.with_(action=by_read, now={"order": ORDER}))
    assert not named_by_answer(bound.with_(action=by_read, now={"order": {**ORDER, "id": "o-2"}}))
    final = action.model_copy(update={"compensation": None})
    seen = bound.with_(action=final, now={"order": {**ORDER, "pieces": 5}})
    assert not named_by_answer(seen)
    assert seen.outcome(accepted=True, last=True) is WriteOutcome.UNKNOWN
    assert not seen.undo_check().own_part_separable and not seen.undo_check().own_part_removed


@pytest.mark.parametrize(("left", "now", "back"), [
    ({"guests": 14}, {"guests": 10}, True), ({"guests": 14}, {"guests": 14}, False),
    ({"guests": 14}, {"guests": 12}, False),
    ({"guests": 14, "notes": "b"}, {"guests": 12, "notes": "a"}, True), ({"extra": "x"}, {"extra": None}, True),
    ({"extra": "x"}, {"extra": "y"}, False),
])  # fmt: skip
def test_some_is_back_where_a_part_of_what_differed_is_as_before(
    actions: dict[str, AtomicAction], left: dict[str, Any], now: dict[str, Any], back: bool
) -> None:
    """This includes an addition of the plan, which was not there before: None means that the field is missing."""
    bound = resizing(actions)
    assert bound.action.snapshot is not None
    covers = bound.action.snapshot.model_copy(update={"covers": ("guests", "notes", "extra")})
    bound = bound.with_(action=bound.action.model_copy(update={"snapshot": covers}))
    there = {name: value for name, value in {**PARTY, **now}.items() if value is not None}
    assert bound.with_(now=there).undo_check().some_is_back({**PARTY, **left}) is back


@pytest.mark.parametrize("at_once", [True, False])
def test_what_a_late_read_shows_of_a_new_thing_is_not_known_as_what_the_write_left(
    actions: dict[str, AtomicAction], at_once: bool
) -> None:
    """Staff may have changed it since: with a digest, the undo would remove their change with the thing."""
    bound = ordering(actions)
    bound = bound.with_(now={"order": {**ORDER, "pieces": 5}}, response=ANSWER)
    reply = bound.misapplied_reply("seen", surely_left=at_once)
    assert reply.write_outcome is WriteOutcome.MISAPPLIED
    assert (reply.left_digest is not None, reply.left_whole is not None) == (at_once, at_once)
