"""Which part is named when an errand of a chat failed: only what is known to have been away (findings E9)."""

import pytest
from temporalio.exceptions import ActivityError, ApplicationError, RetryState, TimeoutError, TimeoutType

from workflows.away import part_of


def failed(activity: str, cause: BaseException) -> ActivityError:
    """An errand that failed so."""
    error = ActivityError(
        "failed", scheduled_event_id=1, started_event_id=2, identity="", activity_type=activity, activity_id="1",
        retry_state=RetryState.MAXIMUM_ATTEMPTS_REACHED,
    )  # fmt: skip
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("activity", "kind", "part"),
    [
        ("reason", "model_unavailable", "model"), ("reason", "KeyError", "service"), ("reason", "not_found", "service"),
        ("look_up", "StoreAway", "store"), ("look_up", "ValueError", "service"), ("draft", "KeyError", "service"),
        ("confirm_pending", "away.temporal", "temporal"), ("claim_confirm", "ConnectionError", "store"),
    ],
)  # fmt: skip
def test_what_came_back_is_named_for_what_it_says(activity: str, kind: str, part: str) -> None:
    assert part_of(failed(activity, ApplicationError("x", type=kind))) == part


@pytest.mark.parametrize(
    ("activity", "part"),
    [("reason", "model"), ("look_up", "venue"), ("draft", "venue"), ("claim_confirm", "store"), ("plan_state", "slow")],
)
def test_what_never_came_back_is_named_for_whom_it_went_to(activity: str, part: str) -> None:
    late = TimeoutError("late", type=TimeoutType.START_TO_CLOSE, last_heartbeat_details=[])
    assert part_of(failed(activity, late)) == part
