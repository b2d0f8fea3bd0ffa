"""The expected end of a scenario: `completed` where all its faults are survivable, otherwise one of the drawn
reasons."""

from collections.abc import Sequence
from typing import Any

from tests.e2e.chaos.reports import Shown
from tests.e2e.chaos.scenario import Disturbance, Scenario

_LOST = {"timeout", "unknown_outcome", "network"}
_REASONS: dict[str, set[str]] = {
    "worker": _LOST,
    "kill_hang": _LOST,
    "temporal": _LOST,
    "redis": {"unauthorized", "server_error", *_LOST},
    "line": set(),
    "sign_out": {"unauthorized"},
    "cancel": {"conflict"},
    "workflow_cancel": {"conflict"},
    "writer": {"conflict", "not_found", "partly_applied"},
    "rival": {"conflict", "partly_applied"},
}
_BY_STATUS = {401: "unauthorized", 403: "forbidden", 404: "not_found", 409: "conflict", 410: "not_found",
              412: "conflict", 429: "rate_limited"}  # fmt: skip
_RETRIED_READS = 2
"""A read that fails so often is asked once more."""


def unexpected(scenario: Scenario, fired: Sequence[Disturbance], shown: Shown, plan: dict[str, Any]) -> list[str]:
    """Return how the end differs from the expected one."""
    status, failure = plan["status"], plan.get("failure") or {}
    if status in ("pending_confirmation", "cancelled", "expired") and not shown.taken(scenario.assent):
        return []
    if scenario.busy and failure.get("error_type") == "timeout":
        return []
    if not scenario.fails_at and all(survivable(one) for one in fired) and not _left_unanswered(scenario, shown):
        if status == "completed" or (scenario.undoes and status == "rolled_back" and not failure):
            return []
        return [f"only survivable things went wrong, and the plan ended as {status}: {_reason(failure)}"]
    allowed = _allowed(scenario, fired, shown)
    if failure and failure["error_type"] not in allowed:
        return [f"the failure is a {_reason(failure)}, expected one of {sorted(allowed)}"]
    return []


def survivable(one: Disturbance) -> bool:
    """Return whether a plan must complete in spite of this fault."""
    at = one.place
    match one.kind:
        case "worker" | "temporal":
            return not _before_the_write(one)
        case "kill_hang":
            return True
        case "redis":
            return one.how == "stall"
        case "line":
            return True
        case "fault":
            return at.activity == "undo_step" or _passes(one)
        case "proxy":
            # The plan finds at the venue what the venue applied, whatever the answer was.
            return at.activity == "undo_step" or (one.trick is not None and one.trick.applies)
        case "sign_out":
            # A rollback waits for the sign-in; a plan on its way forward does not.
            return at.activity == "undo_step"
    return False


def _passes(one: Disturbance) -> bool:
    fault = one.fault
    match fault["effect"]:
        case "hang" | "delay":
            return bool(fault["seconds"] < 1)
        case "status":
            return one.place.part != "write" and fault["status"] >= 500 and fault["times"] <= _RETRIED_READS
    return False


def _before_the_write(one: Disturbance) -> bool:
    """Return whether it strikes while `act` reads: another worker does not send again, on a guess, what this one had
    not sent."""
    return one.place.activity == "act" and (one.place.part == "read" or one.place.linger > 0)


def _left_unanswered(scenario: Scenario, shown: Shown) -> bool:
    """Return whether the operator gave up on a command that the plan needs."""
    return scenario.asks_at is not None and not shown.taken("answer")


def _allowed(scenario: Scenario, fired: Sequence[Disturbance], shown: Shown) -> set[str]:
    found = {"conflict"} if scenario.fails_at else set()
    for one in fired:
        found |= {"fault": _of_fault, "proxy": _of_trick}.get(one.kind, _of_kind)(one)
    if _left_unanswered(scenario, shown):
        found |= {"timeout"}
    return found


def _of_kind(one: Disturbance) -> set[str]:
    return _REASONS[one.kind]


def _of_trick(one: Disturbance) -> set[str]:
    assert one.trick is not None
    return set(_LOST) if one.trick.status is None else _of_status(one.trick.status)


def _of_status(status: int) -> set[str]:
    refused = 400 <= status < 500
    return {_BY_STATUS.get(status, "bad_request" if refused else "server_error"), "unknown_outcome"}


def _of_fault(one: Disturbance) -> set[str]:
    match one.fault["effect"]:
        case "status":
            return _of_status(one.fault["status"])
        case "rate_limit":
            return {"rate_limited", "unknown_outcome"}
    return set(_LOST)


def _reason(failure: dict[str, Any]) -> str:
    return f"{failure.get('error_type')}: {failure.get('message')}" if failure else "no failure is given"
