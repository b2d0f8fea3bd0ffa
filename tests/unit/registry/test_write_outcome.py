"""Where a step stands, and whether its write landed: each way of knowing it alone, on the small venue. Guarantees:

- what the venue took and does not show as asked is a partial application only where it is known as this step's own: by
  its marker, or, where none is kept, by a booking that is not as it was;
- what nobody accepted is known by its marker alone, where what was asked held before or nothing was read before;
- a step stands as it was left by what matters to its undoing, else by the whole of it, else by `verify`;
- what a step left and nobody could look at is not told apart from what others did;
- a new thing that was never seen is not known to be gone; without `gone` it is undone where it is no more as asked;
- what the venue's answer names is what was read, and nothing where nothing would be taken away.
"""

from pathlib import Path
from typing import Any

import pytest

from contracts.action import AtomicAction
from contracts.step_activities import WriteOutcome
from registry import (
    Scope,
    TemplateRenderError,
    UndoState,
    is_undone,
    left_digest,
    load_pack,
    named_by_answer,
    some_is_back,
)
from registry.verification.outcome import write_outcome
from registry.verification.snapshot import digest
from registry.verification.undo_state import own_changes_removed, own_changes_separable, undo_state
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


def resizing(actions: dict[str, AtomicAction], *without: str) -> tuple[AtomicAction, Scope]:
    """A party of ten that is to be for 14, by an action that says less."""
    action = actions["resize"].model_copy(update=dict.fromkeys(without))
    before = None if "snapshot" in without else PARTY
    return action, Scope.of(action, {"booking_id": "p-1", "guests": 14}, None, "plan-1").with_(before=before)


def ordering(actions: dict[str, AtomicAction], **verify: Any) -> tuple[AtomicAction, Scope]:
    """Three pieces of cake, with other rules of reading them back."""
    action = actions["order_dessert"]
    assert action.verify is not None
    action = action.model_copy(update={"verify": action.verify.model_copy(update=verify)})
    return action, Scope.of(action, {"booking_id": "p-1", "pieces": 3}, None, "plan-1").with_(response=ANSWER)


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
    action, scope = resizing(actions, *without)
    scope = scope.with_(now={**PARTY, **now})
    assert write_outcome(action, scope, accepted=True, last=False) is at_first
    assert write_outcome(action, scope, accepted=True, last=True) is at_last


def test_what_no_one_accepted_is_known_by_its_marker_where_there_is_no_other_before(
    actions: dict[str, AtomicAction],
) -> None:
    action, scope = resizing(actions)
    scope = scope.with_(before={**PARTY, "guests": 14}, now={**PARTY, "guests": 14, "mark": "plan-1"})
    assert write_outcome(action, scope, accepted=False, last=False) is WriteOutcome.APPLIED
    action, scope = ordering(actions)
    scope = scope.with_(now={"order": ORDER}, response=None)
    assert write_outcome(action, scope, accepted=False, last=False) is None
    assert write_outcome(action, scope, accepted=False, last=True) is WriteOutcome.UNKNOWN


@pytest.mark.parametrize(("left", "now", "where"), [
    (14, 14, UndoState.AS_PLANNED), (14, 10, UndoState.UNCHANGED), (14, 12, UndoState.CHANGED_SINCE),
    (13, 13, UndoState.AS_PLANNED), (13, 14, UndoState.CHANGED_SINCE),
    (None, 14, UndoState.AS_PLANNED), (None, 10, UndoState.UNCHANGED), (None, 12, UndoState.CHANGED_SINCE),
])  # fmt: skip
def test_a_step_stands_as_it_was_left_by_what_matters(
    actions: dict[str, AtomicAction], left: int | None, now: int, where: UndoState
) -> None:
    action, scope = resizing(actions)
    known = None if left is None else left_digest(action, {**PARTY, "guests": left})
    assert undo_state(action, scope.with_(now={**PARTY, "guests": now, "notes": "b"}), known) is where


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
    scope = Scope.of(action, {"booking_id": "p-1", "note": "b"}, None, "plan-1").with_(before=PARTY)
    known, rest = left_digest(action, left), digest(left, ("*",)) if whole else None
    assert undo_state(action, scope.with_(now={**PARTY, **now}), known, rest) is where
    unverified = action.model_copy(update={"verify": None})
    assert undo_state(unverified, scope.with_(now={**PARTY, **now}), known, rest) is UndoState.CHANGED_SINCE


@pytest.mark.parametrize(("seen", "now", "where"), [
    (True, ORDER, UndoState.AS_PLANNED), (True, {**ORDER, "pieces": 5}, UndoState.CHANGED_SINCE),
    (True, None, UndoState.UNCHANGED), (True, {**ORDER, "state": "cancelled"}, UndoState.UNCHANGED),
    (False, ORDER, UndoState.AS_PLANNED), (False, {**ORDER, "pieces": 5}, UndoState.CHANGED_SINCE),
    (False, None, UndoState.CHANGED_SINCE), (False, {**ORDER, "state": "cancelled"}, UndoState.UNCHANGED),
])  # fmt: skip
def test_a_new_thing_that_was_never_seen_is_not_known_to_be_gone(
    actions: dict[str, AtomicAction], seen: bool, now: Any, where: UndoState
) -> None:
    action, scope = ordering(actions)
    left = left_digest(action, {"order": ORDER}) if seen else None
    assert undo_state(action, scope.with_(now={"order": now}), left) is where


@pytest.mark.parametrize(("now", "by_gone", "without"), [
    (None, True, True), (ORDER, False, False), ({**ORDER, "pieces": 5}, False, False),
    ({**ORDER, "state": "cancelled"}, True, False),
])  # fmt: skip
def test_a_new_thing_is_undone_where_it_is_gone(
    actions: dict[str, AtomicAction], now: Any, by_gone: bool, without: bool
) -> None:
    action, scope = ordering(actions)
    assert is_undone(action, scope.with_(now={"order": now})) is by_gone
    action, scope = ordering(actions, gone=())
    assert is_undone(action, scope.with_(now={"order": now})) is without, "somebody else may have changed it"


def test_a_change_is_undone_where_it_shows_no_more_and_all_is_as_before(actions: dict[str, AtomicAction]) -> None:
    for without in ((), ("verify",)):
        action, scope = resizing(actions, *without)
        assert is_undone(action, scope.with_(now={**PARTY, "notes": "b"}))
        assert not is_undone(action, scope.with_(now={**PARTY, "guests": 14}))
        assert not is_undone(action, scope.with_(now={**PARTY, "guests": 12}))
    action, scope = resizing(actions)
    as_asked = {**PARTY, "guests": 14}
    assert is_undone(action, scope.with_(before=as_asked, now=as_asked)), "it changed nothing"


def test_an_own_part_is_not_reported_apart_where_no_one_could_look_at_what_was_left() -> None:
    action, asked = shipped("roller").actions["reschedule_booking"], {"booking_id": "8231", "new_start_time": "15:00"}
    scope = Scope.of(action, asked, None, "plan-1").with_(before=BOOKING, now=BOOKING)
    assert not own_changes_separable(action, scope)
    with pytest.raises(TemplateRenderError):
        own_changes_separable(action, scope.with_(left={"items": None}))


def test_what_matters_of_a_new_thing_is_what_its_overlay_says(actions: dict[str, AtomicAction]) -> None:
    touched = {"order": {**ORDER, "pieces": 5}}
    for rules, alike in (({}, False), ({"ignore": ("order.pieces",)}, True), ({"covers": ("order.state",)}, True)):
        action, _ = ordering(actions, **rules)
        assert (left_digest(action, {"order": ORDER}) == left_digest(action, touched)) is alike, rules


def test_the_answer_names_what_was_read_and_nothing_where_nothing_is_taken_away(
    actions: dict[str, AtomicAction],
) -> None:
    action, scope = ordering(actions)
    undo = action.compensation
    assert undo is not None and undo.request is not None
    request = undo.request.model_copy(update={"path": {"order": "{{ now.order.id }}", "shop": "main", "floor": 1}})
    by_read = action.model_copy(update={"compensation": undo.model_copy(update={"request": request})})
    assert named_by_answer(by_read, scope.with_(now={"order": ORDER}))
    assert not named_by_answer(by_read, scope.with_(now={"order": {**ORDER, "id": "o-2"}}))
    final = action.model_copy(update={"compensation": None})
    seen = scope.with_(now={"order": {**ORDER, "pieces": 5}})
    assert not named_by_answer(final, seen)
    assert write_outcome(final, seen, accepted=True, last=True) is WriteOutcome.UNKNOWN
    assert not own_changes_separable(final, seen) and not own_changes_removed(final, seen)


@pytest.mark.parametrize(("left", "now", "back"), [
    ({"guests": 14}, {"guests": 10}, True), ({"guests": 14}, {"guests": 14}, False),
    ({"guests": 14}, {"guests": 12}, False),
    ({"guests": 14, "notes": "b"}, {"guests": 12, "notes": "a"}, True), ({"extra": "x"}, {"extra": None}, True),
    ({"extra": "x"}, {"extra": "y"}, False),
])  # fmt: skip
def test_some_is_back_where_a_part_of_what_differed_is_as_before(
    actions: dict[str, AtomicAction], left: dict[str, Any], now: dict[str, Any], back: bool
) -> None:
    """Also what the plan added, which was not there before: None stands for what is not there."""
    action, scope = resizing(actions)
    assert action.snapshot is not None
    covers = action.snapshot.model_copy(update={"covers": ("guests", "notes", "extra")})
    action = action.model_copy(update={"snapshot": covers})
    there = {name: value for name, value in {**PARTY, **now}.items() if value is not None}
    assert some_is_back(action, scope.with_(now=there), {**PARTY, **left}) is back
