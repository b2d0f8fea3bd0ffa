"""The default danger of an action, and whether its undo can be made.

- DELETE and writes called refund, cancel, remove and the like are high risk; a read never is; an overlay decides.
- A compensation that lacks what its operation requires is found at load; one may use the call's answer.
- A blocked operation is not reachable: no undo, snapshot, alternative or check may use it, by whichever of its names,
  and another file cannot open it again. An action's undo may use the action's own operation.
- In strict mode optional properties may be null, and a null is not sent.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

import registry
from contracts.enums import SafetyTier
from registry import BoundAction
from registry.openapi.safety import default_tier
from registry.tools.dialects import openai_tool
from tests.unit.registry.examples import MINIMAL, edited

Load = Callable[..., registry.Pack]


@pytest.mark.parametrize(
    ("method", "key", "path", "risky"),
    [
        ("DELETE", "x", "/x", True), ("POST", "refundPayment", "/x", True), ("POST", "x", "/b/{id}/cancel", True),
        ("PUT", "remove-guest", "/x", True), ("GET", "listRefunds", "/refunds", False), ("POST", "create", "/x", False),
        ("POST", "discard", "/carded", False),
    ],
)  # fmt: skip
def test_default_tiers(method: str, key: str, path: str, risky: bool) -> None:
    assert (default_tier(method, key, path) is SafetyTier.HIGH_RISK) is risky


def test_an_undo_needs_what_its_operation_requires(load: Load) -> None:
    undo = "  operation: update-a-booking\n  request:\n"
    text = edited("reschedule_booking", {undo + '    path: {uniqueId: "{{ booking_id }}"}\n': undo})
    pack = load(reschedule_booking=text)
    assert "reschedule_booking" not in pack.actions
    (finding, *_) = [f for f in pack.findings if f.level == "error"]
    assert "requires uniqueId, which nothing gives" in finding.message


def test_a_blocked_action_is_behind_no_door(load: Load) -> None:
    text = edited("cancel_booking", {"safety: high_risk": "safety: blocked"})
    pack = load(cancel_booking=text)
    assert "cancel_booking" not in pack.actions
    assert all("cancel_booking" not in a.companions for a in pack.actions.values())
    assert "cancel_booking" in pack.skipped


UNDO = """compensation:
  operation: {operation}
  request:
    path: {{uniqueId: "{{{{ booking_id }}}}"}}
    body: {{issueRefund: false}}
  manual: Put the old note back.
"""


def edit_note_undone_by(operation: str) -> str:
    """Return the note action with an operation of the document as its undo."""
    text = edited("edit_note", {})
    return text[: text.index("compensation:")] + UNDO.format(operation=operation) + text[text.index("preview:") :]


@pytest.mark.parametrize(
    "door", ["cancel-a-booking", "POST /bookings/{uniqueId}/cancel", "post /bookings/{uniqueId}/cancel"]
)
@pytest.mark.parametrize("blocked", ["cancel-a-booking", '"POST /bookings/{uniqueId}/cancel"'])
def test_a_blocked_operation_undoes_nothing(load: Load, door: str, blocked: str) -> None:
    text = edit_note_undone_by(f'"{door}"')
    assert "edit_note" in load(edit_note=text).actions
    shut = edited("cancel_booking", {"safety: high_risk": "safety: blocked"})
    pack = load(edit_note=text, cancel_booking=shut.replace("operation: cancel-a-booking", f"operation: {blocked}"))
    assert set(pack.skipped) == {"cancel_booking", "edit_note"}
    (finding,) = [f for f in pack.findings if f.level == "error"]
    assert (finding.file, finding.action) == ("roller/actions/edit_note.yaml", "edit_note")
    assert finding.line is not None
    assert door in text.splitlines()[finding.line - 1]
    assert "cancel-a-booking is blocked by cancel_booking" in finding.message


def test_what_an_action_does_itself_its_undo_may_do(load: Load) -> None:
    pack = load(edit_note=edited("edit_note", {"safety: normal": "safety: blocked"}))
    assert pack.skipped == ("edit_note",)
    assert "reschedule_booking" in pack.actions  # both are update-a-booking


def test_a_snapshot_does_nothing_blocked(load: Load) -> None:
    shut = edited("cancel_booking", {"safety: high_risk": "safety: blocked"})
    read = {"snapshot:\n  operation: get-booking-detail": "snapshot:\n  operation: cancel-a-booking"}
    pack = load(edit_note=edited("edit_note", read), cancel_booking=shut)
    assert "edit_note" not in pack.actions
    assert any(f.message.startswith("snapshot.operation: cancel-a-booking is blocked") for f in pack.findings)
    # Writes may still be checked by a look-up that is blocked as a separate action.
    quiet = load(
        edit_note=edited("edit_note", {}), get_booking=MINIMAL.format(name="get_booking") + "safety: blocked\n"
    )
    assert "edit_note" in quiet.actions
    assert "get_booking" not in quiet.actions


@pytest.mark.parametrize("other", ["a_first", "z_last"])
def test_no_other_file_opens_a_blocked_action(load: Load, other: str) -> None:
    pack = load(**{other: edited("cancel_booking", {"safety: high_risk": "safety: blocked"})})
    assert "cancel_booking" not in pack.actions
    (finding,) = [f for f in pack.findings if f.level == "error"]
    assert finding.file == "roller/actions/cancel_booking.yaml"
    assert finding.line == 1


def test_the_check_does_nothing_blocked(folder: Path, load: Load) -> None:
    venue = folder / "venue.yaml"
    venue.write_text(
        venue.read_text(encoding="utf-8").replace("get-venue-detail", "create-a-booking"), encoding="utf-8"
    )
    shut = MINIMAL.format(name="book").replace("operation: get-booking-detail", "operation: create-a-booking")
    with pytest.raises(registry.PackError, match="create-a-booking is blocked by book"):
        load(book=shut + "safety: blocked\n")


def test_strict_tools_take_null_for_what_is_not_given(pack: registry.Pack) -> None:
    action = pack.actions["edit_note"]
    function = openai_tool(action)["function"]
    assert function["strict"] is True
    assert function["parameters"]["required"] == ["booking_id", "note", "replace"]
    assert function["parameters"]["properties"]["replace"]["type"] == ["boolean", "null"]
    given = {"booking_id": "8231", "note": "nuts", "replace": None}
    assert registry.argument_problems(action, given) == []
    made = BoundAction.of(action, given).with_(before={"comments": ""}).request()
    assert made.body == {"comments": "nuts"}
