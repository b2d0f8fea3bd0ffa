"""What is known of the last attempt of a compensation that was given up (`workflows/plan/rollback.py`).

- A failed attempt: its failure, and whether a compensation may have been sent.
- An attempt that timed out: the same, by its last heartbeat; the failure is that of the attempt before, if known.
- Where nothing is known, a compensation may have been sent.
"""

import pytest
from temporalio.exceptions import ActivityError, ApplicationError, RetryState, TimeoutError, TimeoutType

from contracts.enums import ErrorType, StepRollbackOutcome
from contracts.errors import VenueFailure
from contracts.persisted_names import NOTHING_SENT, NOTHING_UNDER_WAY
from contracts.step_activities import StepUndoResult
from workflows.plan.saga import LastTry, last_attempt

FAILURE = VenueFailure(error_type=ErrorType.NETWORK, message="The connection broke off.")


def failed(*, sent: bool) -> ApplicationError:
    """Return a failed attempt, as a history has it."""
    reply = StepUndoResult(
        outcome=StepRollbackOutcome.FAILED, message="", manual="By hand.", sent=sent, failure=FAILURE
    ).model_dump(mode="json")
    return ApplicationError("network", reply, type="network")


def out_of_time(*last_word: str, before: ApplicationError | None = None) -> TimeoutError:
    """Return an attempt that timed out, with its last heartbeat."""
    error = TimeoutError("late", type=TimeoutType.SCHEDULE_TO_CLOSE, last_heartbeat_details=list(last_word))
    error.__cause__ = before
    return error


@pytest.mark.parametrize(("cause", "known"), [
    (failed(sent=False), LastTry(False, FAILURE, "By hand.")),
    (failed(sent=True), LastTry(True, FAILURE, "By hand.")),
    (ApplicationError("busy", type="busy"), LastTry(True)),
    (out_of_time(), LastTry(True)),
    (out_of_time(NOTHING_UNDER_WAY), LastTry(True)),
    (out_of_time(NOTHING_SENT), LastTry(False)),
    (out_of_time(NOTHING_SENT, before=failed(sent=False)), LastTry(False, FAILURE, "By hand.")),
    (out_of_time(before=failed(sent=False)), LastTry(True, FAILURE, "By hand.")),
    (None, LastTry(True)),
])  # fmt: skip
def test_what_is_known(cause: BaseException | None, known: LastTry) -> None:
    error = ActivityError(
        "failed", scheduled_event_id=1, started_event_id=2, identity="w", activity_type="undo_step", activity_id="1",
        retry_state=RetryState.TIMEOUT,
    )  # fmt: skip
    error.__cause__ = cause
    assert last_attempt(error) == known
