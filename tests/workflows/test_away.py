"""Which part a failed activity of a chat names: only one that is known to have been unavailable."""

import pytest
from temporalio.exceptions import ActivityError, ApplicationError, RetryState, TimeoutError, TimeoutType

from workflows.chat.activities import unavailable_part


def failed(activity: str, cause: BaseException) -> ActivityError:
    """Return the error of an activity that failed with this cause."""
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
        ("look_up", "StoreAwayError", "store"), ("look_up", "ValueError", "service"), ("draft", "KeyError", "service"),
        ("execute_command", "unavailable.temporal", "temporal"), ("commit_command", "ConnectionError", "store"),
    ],
)  # fmt: skip
def test_what_came_back_is_named_for_what_it_says(activity: str, kind: str, part: str) -> None:
    assert unavailable_part(failed(activity, ApplicationError("x", type=kind))) == part


@pytest.mark.parametrize(
    ("activity", "part"),
    [
        ("reason", "model"),
        ("look_up", "venue"),
        ("draft", "venue"),
        ("commit_command", "store"),
        ("plan_state", "slow"),
    ],
)
def test_what_never_came_back_is_named_for_whom_it_went_to(activity: str, part: str) -> None:
    late = TimeoutError("late", type=TimeoutType.START_TO_CLOSE, last_heartbeat_details=[])
    assert unavailable_part(failed(activity, late)) == part
