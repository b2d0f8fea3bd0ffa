"""How dangerous an action is by itself, and whether its undo can be made.

- DELETE and writes called refund, cancel, remove and the like are high risk; looking never is; an overlay decides.
- A compensation that lacks what its operation requires is found at load; one may use the call's answer.
- In strict mode optional properties may be null, and a null is not sent.
"""

from collections.abc import Callable

import pytest

import registry
from contracts.enums import SafetyTier
from registry.emit import openai_tool
from registry.tiers import default_tier
from tests.registry.examples import edited

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
    text = edited("reschedule_booking", {'    path: {uniqueId: "{{ booking_id }}"}\n': ""})
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


def test_strict_tools_take_null_for_what_is_not_given(pack: registry.Pack) -> None:
    action = pack.actions["edit_note"]
    function = openai_tool(action)["function"]
    assert function["strict"] is True
    assert function["parameters"]["required"] == ["booking_id", "note", "replace"]
    assert function["parameters"]["properties"]["replace"]["type"] == ["boolean", "null"]
    given = {"booking_id": "8231", "note": "nuts", "replace": None}
    assert registry.argument_problems(action, given) == []
    made = registry.build_request(action, registry.Scope.of(action, given).with_(before={"comments": ""}))
    assert made.body == {"comments": "nuts"}
