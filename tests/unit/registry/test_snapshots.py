"""Drift, read-back and undo.

- The digest ignores ids, tickets and other metadata, number spelling and key order; it sees everything covered.
- `landed` is false on what was and true on what was asked, for every reversible action; the marker tells this write.
- An undo is not needed when what is covered is as it was; else it restores, from what is there now. It counts only
  where all of that is as it was again.
- A manual step always gives words.
"""

from copy import deepcopy

import pytest

import registry
from contracts.base import Json
from tests.unit.registry.examples import BOOKING, GUEST

COVERS, IGNORE = ["items", "customerId", "status"], ["items.bookingItemId", "items.tickets"]


def changed(**changes: Json) -> dict[str, Json]:
    """The example booking with its first item changed and all ids new, as after a PUT."""
    booking = deepcopy(BOOKING)
    booking["items"][0] |= changes
    for index, item in enumerate(booking["items"]):
        item |= {"bookingItemId": 900 + index, "tickets": [{"ticketId": f"n-{index}"}]}
    return booking


def test_digest_sees_what_matters() -> None:
    base = registry.digest(BOOKING, COVERS, IGNORE)
    assert registry.digest(changed(), COVERS, IGNORE) == base
    assert registry.digest({**BOOKING, "metadata": {"iq_ref": "x"}, "comments": "new"}, COVERS, IGNORE) == base
    assert registry.digest(changed(quantity=12.0), COVERS, IGNORE) == base
    assert registry.digest(dict(reversed(BOOKING.items())), COVERS, IGNORE) == base
    assert registry.digest(changed(quantity=13), COVERS, IGNORE) != base
    assert registry.digest({**BOOKING, "status": "Cancelled"}, COVERS, IGNORE) != base
    assert registry.digest({**BOOKING, "items": BOOKING["items"][::-1]}, COVERS, IGNORE) != base
    assert registry.digest({**BOOKING, "items": []}, COVERS, IGNORE) != base


def test_covered_paths() -> None:
    document = {"guest": {"name": "x", "flags": [{"type": "VIP", "at": 1}]}, "booking": {"id": 1, "customerId": 2.0}}
    assert registry.covered(document, ["guest.flags.type", "booking.customerId", "gone"]) == {
        "guest": {"flags": [{"type": "VIP"}]},
        "booking": {"customerId": 2},
    }
    assert registry.covered(document, ["guest.*"]) == {"guest": document["guest"]}
    assert registry.covered(document, ["guest", "guest.name"], ["guest.flags.at"]) == {
        "guest": {"name": "x", "flags": [{"type": "VIP"}]}
    }
    assert registry.covered(None, ["a"]) is None


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
    scope = registry.Scope.of(action, arguments, pack.profile, "key-1").with_(before=before)
    assert registry.matches_request(action, scope.with_(now=before)) is False
    assert registry.matches_request(action, scope.with_(now=after)) is True
    left = registry.left_digest(action, after)
    assert registry.undo_state(action, scope.with_(now=before), left) is registry.UndoState.UNCHANGED
    assert registry.undo_state(action, scope.with_(now=after), left) is registry.UndoState.AS_PLANNED
    assert registry.compensation_request(action, scope.with_(now=after)).method == "PUT"
    assert registry.manual_instruction(action, scope.with_(now=after))
    assert action.snapshot is not None
    rules = (action.snapshot.covers, action.snapshot.ignore)
    assert registry.digest(before, *rules) != registry.digest(after, *rules)


def test_undo_removes_what_is_there_now_and_restores_what_was(pack: registry.Pack) -> None:
    action = pack.actions["reschedule_booking"]
    scope = registry.Scope.of(action, {"booking_id": "8231", "new_start_time": "15:00"}, marker="key-1")
    undo = registry.compensation_request(action, scope.with_(before=BOOKING, now=changed(sessionStartTime="15:00")))
    assert undo.body["idsToRemove"] == [900, 901]
    assert undo.body["newItems"][0] == {
        "productId": 61001, "quantity": 12, "bookingDate": "2026-11-28", "startTime": "14:00",
        "priceOverride": 24.0,
    }  # fmt: skip
    as_it_was = scope.with_(before=BOOKING, now=changed())
    assert registry.undo_state(action, as_it_was, "what the plan left") is registry.UndoState.UNCHANGED


def test_an_undo_counts_only_where_all_that_is_covered_is_as_it_was(pack: registry.Pack) -> None:
    action = pack.actions["reschedule_booking"]
    scope = registry.Scope.of(action, {"booking_id": "8231", "new_start_time": "15:00"}, marker="key-1")
    scope = scope.with_(before=BOOKING)
    assert registry.is_undone(action, scope.with_(now=changed()))
    for halfway in (changed(sessionStartTime="16:00"), changed(quantity=13), changed(sessionStartTime="15:00")):
        assert not registry.is_undone(action, scope.with_(now=halfway)), halfway


def test_undo_of_a_contact_restores_the_whole_guest(pack: registry.Pack) -> None:
    action = pack.actions["update_contact"]
    before = {"booking": BOOKING, "guest": GUEST}
    now = {"booking": BOOKING, "guest": {"firstName": "J", "lastName": "S", "email": None, "phone": None}}
    undo = registry.compensation_request(action, registry.Scope.of(action, {}).with_(before=before, now=now))
    assert undo.path == "/guests/77388293"
    assert undo.body["flags"] == GUEST["flags"]


def test_the_marker_tells_this_write_from_another(pack: registry.Pack) -> None:
    action = pack.actions["reschedule_booking"]
    scope = registry.Scope.of(action, {"booking_id": "1", "new_date": "2026-12-05"}, marker="key-1").with_(
        before=BOOKING
    )
    assert registry.has_marker(action, scope.with_(now={**BOOKING, "metadata": {"iq_ref": "key-1"}})) is True
    assert registry.has_marker(action, scope.with_(now={**BOOKING, "metadata": {"iq_ref": "key-0"}})) is False
    assert registry.has_marker(action, scope.with_(now={**BOOKING, "metadata": None})) is False
    assert registry.has_marker(pack.actions["update_contact"], scope) is None
    assert registry.matches_request(pack.actions["find_bookings"], scope) is None


def test_cancel_is_reported_by_status_and_undone_by_hand(pack: registry.Pack) -> None:
    action = pack.actions["cancel_booking"]
    scope = registry.Scope.of(action, {"booking_id": "8231"}).with_(before=BOOKING)
    assert registry.matches_request(action, scope.with_(now=BOOKING)) is False
    assert registry.matches_request(action, scope.with_(now={**BOOKING, "status": "Cancelled"})) is True
    with pytest.raises(registry.TemplateRenderError, match="cannot be undone"):
        registry.compensation_request(action, scope.with_(now=BOOKING))
    step = registry.manual_instruction(action, scope)
    assert step.startswith("Rebook John Smith in Venue Manager: Sat 28 Nov 2026, 2pm")
    assert "8231" in step


def test_a_manual_step_never_fails(pack: registry.Pack) -> None:
    for action in pack.actions.values():
        step = registry.manual_instruction(action, registry.Scope(parameters={"booking_id": "8231", "odd": [1]}))
        assert action.title in step
        assert "8231" in step


def test_a_star_stands_for_any_key_in_what_is_ignored_too() -> None:
    document = {"a": {"x": 1, "y": 2}, "b": {"x": 3}}
    assert registry.covered(document, ("*",), ("*.x",)) == {"a": {"y": 2}, "b": {}}
    assert registry.covered(document, ("*",), ("*",)) == {}
