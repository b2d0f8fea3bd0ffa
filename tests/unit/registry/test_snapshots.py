"""Drift, read-back and undo.

- The digest ignores ids, tickets and other metadata, number spelling and key order; it sees everything covered.
- What no undo restores counts before the write and in what it left; a step that is undone may lack it.
- `landed` is false on the old state and true on the requested one, for every reversible action; the marker identifies
  this write.
- An undo is not needed when the covered state is as it was; otherwise it restores, from the current state. It counts
  only where all of that is as it was again.
- A manual step always has a text.
"""

from copy import deepcopy

import pytest

import registry
from clients.venue.reads import Snapshot
from contracts.base import Json
from registry import BoundAction
from registry.verification.snapshot import covered, digest, fingerprints, has_marker
from registry.verification.undo_state import UndoState, left_digest
from tests.unit.registry.examples import BOOKING, GUEST

COVERS, IGNORE = ["items", "customerId", "status"], ["items.bookingItemId", "items.tickets"]


def changed(**changes: Json) -> dict[str, Json]:
    """Return the example booking with its first item changed and all ids new, as after a PUT."""
    booking = deepcopy(BOOKING)
    booking["items"][0] |= changes
    for index, item in enumerate(booking["items"]):
        item |= {"bookingItemId": 900 + index, "tickets": [{"ticketId": f"n-{index}"}]}
    return booking


def test_digest_sees_what_matters() -> None:
    base = digest(BOOKING, COVERS, IGNORE)
    assert digest(changed(), COVERS, IGNORE) == base
    assert digest({**BOOKING, "metadata": {"iq_ref": "x"}, "comments": "new"}, COVERS, IGNORE) == base
    assert digest(changed(quantity=12.0), COVERS, IGNORE) == base
    assert digest(dict(reversed(BOOKING.items())), COVERS, IGNORE) == base
    assert digest(changed(quantity=13), COVERS, IGNORE) != base
    assert digest({**BOOKING, "status": "Cancelled"}, COVERS, IGNORE) != base
    assert digest({**BOOKING, "items": BOOKING["items"][::-1]}, COVERS, IGNORE) != base
    assert digest({**BOOKING, "items": []}, COVERS, IGNORE) != base


def test_what_no_undo_restores_counts_until_the_undo(pack: registry.Pack) -> None:
    action = pack.actions["change_guest_count"]
    assert action.snapshot is not None
    later = changed(bookingEndDate="2026-12-24")
    (then,), (now,) = (fingerprints(action.snapshot, [("", "b", document)]) for document in (changed(), later))
    seen = Snapshot(document=later, answers=[("", "b", later)])
    assert (now.digest, seen.digest_of(then.expected(1))) != (then.digest, then.digest)
    undone = then.expected_undone(1)
    assert seen.digest_of(undone) == undone.digest
    bound = BoundAction.of(action, {"booking_id": "8231", "guest_count": 14}).with_(before=changed(), now=later)
    assert (bound.unchanged(), bound.unchanged(undone=True)) == (False, True)


def test_covered_paths() -> None:
    document = {"guest": {"name": "x", "flags": [{"type": "VIP", "at": 1}]}, "booking": {"id": 1, "customerId": 2.0}}
    assert covered(document, ["guest.flags.type", "booking.customerId", "gone"]) == {
        "guest": {"flags": [{"type": "VIP"}]},
        "booking": {"customerId": 2},
    }
    assert covered(document, ["guest.*"]) == {"guest": document["guest"]}
    assert covered(document, ["guest", "guest.name"], ["guest.flags.at"]) == {
        "guest": {"name": "x", "flags": [{"type": "VIP"}]}
    }
    assert covered(None, ["a"]) is None
    alike = {"guest": {"name": "x"}, "guestCount": 12, "guests": [1]}
    assert covered(alike, ["guest", "guestCount"]) == {"guest": {"name": "x"}, "guestCount": 12}
    assert covered(alike, ["guest.name", "guests"], ["guest"]) == {"guests": [1]}


CASES: list[tuple[str, dict[str, Json], Json, Json]] = [
    (
        "reschedule_booking", {"booking_id": "8231", "new_start_time": "15:00"}, BOOKING,
        changed(sessionStartTime="15:00"),
    ),
    ("change_guest_count", {"booking_id": "8231", "guest_count": 14}, BOOKING, changed(quantity=14)),
    (
        "update_contact", {"booking_id": "8231", "phone": "+61 400 111 222"}, {"booking": BOOKING, "guest": GUEST},
        {"booking": BOOKING, "guest": GUEST | {"phone": "+61400111222"}},
    ),
    (
        "edit_note", {"booking_id": "8231", "note": "nut allergy"}, BOOKING,
        {**BOOKING, "comments": "First visit\nnut allergy"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "before", "after"), CASES)
def test_every_reversible_action_lands_and_goes_back(
    pack: registry.Pack, name: str, arguments: dict[str, Json], before: Json, after: Json
) -> None:
    action = pack.actions[name]
    bound = BoundAction.of(action, arguments, pack.profile, "key-1").with_(before=before)
    assert bound.with_(now=before).matches_request() is False
    assert bound.with_(now=after).matches_request() is True
    left = left_digest(action, after)
    assert bound.with_(now=before).undo_check(left).state is UndoState.UNCHANGED
    assert bound.with_(now=after).undo_check(left).state is UndoState.AS_PLANNED
    assert bound.with_(now=after).compensation().method == "PUT"
    assert bound.with_(now=after).manual_instruction()
    assert action.snapshot is not None
    rules = (action.snapshot.covers, action.snapshot.ignore)
    assert digest(before, *rules) != digest(after, *rules)


def test_undo_removes_what_is_there_now_and_restores_what_was(pack: registry.Pack) -> None:
    action = pack.actions["reschedule_booking"]
    bound = BoundAction.of(action, {"booking_id": "8231", "new_start_time": "15:00"}, marker="key-1")
    undo = bound.with_(before=BOOKING, now=changed(sessionStartTime="15:00")).compensation()
    assert undo.body["idsToRemove"] == [900, 901]
    assert undo.body["newItems"][0] == {
        "productId": 61001, "quantity": 12, "bookingDate": "2026-11-28", "startTime": "14:00",
        "priceOverride": 24.0,
    }  # fmt: skip
    as_it_was = bound.with_(before=BOOKING, now=changed())
    assert as_it_was.undo_check("what the plan left").state is UndoState.UNCHANGED


def test_an_undo_counts_only_where_all_that_is_covered_is_as_it_was(pack: registry.Pack) -> None:
    action = pack.actions["reschedule_booking"]
    bound = BoundAction.of(action, {"booking_id": "8231", "new_start_time": "15:00"}, marker="key-1")
    bound = bound.with_(before=BOOKING)
    assert bound.with_(now=changed()).undo_check().is_undone
    for halfway in (changed(sessionStartTime="16:00"), changed(quantity=13), changed(sessionStartTime="15:00")):
        assert not bound.with_(now=halfway).undo_check().is_undone, halfway


def test_undo_of_a_contact_restores_the_whole_guest(pack: registry.Pack) -> None:
    action = pack.actions["update_contact"]
    before = {"booking": BOOKING, "guest": GUEST}
    now = {"booking": BOOKING, "guest": {"firstName": "J", "lastName": "S", "email": None, "phone": None}}
    undo = BoundAction.of(action, {}).with_(before=before, now=now).compensation()
    assert undo.path == "/guests/77388293"
    assert undo.body["flags"] == GUEST["flags"]


def test_the_marker_tells_this_write_from_another(pack: registry.Pack) -> None:
    action = pack.actions["reschedule_booking"]
    bound = BoundAction.of(action, {"booking_id": "1", "new_date": "2026-12-05"}, marker="key-1").with_(before=BOOKING)
    assert has_marker(bound.with_(now={**BOOKING, "metadata": {"iq_ref": "key-1"}})) is True
    assert has_marker(bound.with_(now={**BOOKING, "metadata": {"iq_ref": "key-0"}})) is False
    assert has_marker(bound.with_(now={**BOOKING, "metadata": None})) is False
    assert has_marker(bound.with_(action=pack.actions["update_contact"])) is None
    assert bound.with_(action=pack.actions["find_bookings"]).matches_request() is None


def test_cancel_is_reported_by_status_and_undone_by_hand(pack: registry.Pack) -> None:
    action = pack.actions["cancel_booking"]
    bound = BoundAction.of(action, {"booking_id": "8231"}).with_(before=BOOKING)
    assert bound.with_(now=BOOKING).matches_request() is False
    assert bound.with_(now={**BOOKING, "status": "Cancelled"}).matches_request() is True
    with pytest.raises(registry.TemplateRenderError, match="cannot be undone"):
        bound.with_(now=BOOKING).compensation()
    step = bound.manual_instruction()
    assert step.startswith("Rebook John Smith in Venue Manager: Sat 28 Nov 2026, 2pm")
    assert "8231" in step


def test_a_manual_step_never_fails(pack: registry.Pack) -> None:
    for action in pack.actions.values():
        step = BoundAction(action, {"booking_id": "8231", "odd": [1]}).manual_instruction()
        assert action.title in step
        assert "8231" in step


def test_a_star_stands_for_any_key_in_what_is_ignored_too() -> None:
    document = {"a": {"x": 1, "y": 2}, "b": {"x": 3}}
    assert covered(document, ("*",), ("*.x",)) == {"a": {"y": 2}, "b": {}}
    assert covered(document, ("*",), ("*",)) == {}
