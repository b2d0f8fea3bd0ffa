"""Why a plan stops, in the operator's message. Guarantees:

- Where the venue refused a step, the message gives the venue's reason, whatever the model or the operator did after
  that; where only our own checks failed, it omits the model's reason, because the model may mistake the check for the
  venue's refusal.
- The venue's alternatives are the first advice.
- A plan that was cancelled before a step was sent names the step; after that it does not.
- A refusal that proves nothing is reported as such; one that the venue makes before it does anything is not.
- Only a call that no worker started in time was certainly not sent; an error that a call raised itself does not mean a
  lost worker.
"""

from typing import Any

import pytest
from temporalio.exceptions import ActivityError, ApplicationError, TimeoutError, TimeoutType

from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from contracts.step_activities import ActReply, DraftedStep, WriteOutcome
from language.messages.catalogue import translate
from tests.support.tables import table
from tests.unit.reasoning.actions import an_action
from workflows.plan import failures
from workflows.plan.step import StepState

REFUSAL = VenueFailure(error_type=ErrorType.BAD_REQUEST, message="The venue refused this.", detail="too many guests")
IN_FULL = "The venue refused this. (too many guests)"
STEP = DraftedStep(action=an_action(), parameters={})


def a_run(**known: Any) -> StepState:
    """Return the third step of a plan."""
    return StepState(3, STEP, **known)


@table(
    "why, known, shown",
    [
        (failures.gave_up, {}, translate("plan.gave_up", step=3, title=STEP.action.title)),
        (failures.gave_up, {"refusal": REFUSAL}, IN_FULL),
        (lambda run: failures.refused(run, "it is full."), {}, translate("plan.refused", why="it is full")),
        (lambda run: failures.refused(run, "it is full."), {"refusal": REFUSAL}, IN_FULL),
        (
            lambda run: failures.refused(run, "it is full."),
            {"unfit": True},
            translate("plan.gave_up", step=3, title=STEP.action.title),
        ),
        (failures.no_assistant, {}, translate("plan.no_assistant")),
        (failures.no_assistant, {"refusal": REFUSAL}, IN_FULL),
        (lambda run: failures.no_answer(run, "plan.not_answered"), {}, translate("plan.not_answered")),
        (lambda run: failures.no_answer(run, "plan.not_answered"), {"refusal": REFUSAL}, REFUSAL.message),
        (lambda run: failures.widened(run, "more."), {"refusal": REFUSAL}, translate("plan.widened", why="more")),
    ],
)
def test_the_venues_reason_comes_before_the_models(why: Any, known: dict[str, Any], shown: str) -> None:
    failure = why(a_run(**known))
    assert shown in failure.message and failure.step == 3
    assert ("refused this" in failure.message) is ("refused this" in shown)
    assert ("full" in failure.message) is ("full" in shown)


@pytest.mark.parametrize("free", [(), ("4pm", "5pm")])
def test_what_is_free_instead_is_the_first_advice(free: tuple[str, ...]) -> None:
    refusal = REFUSAL.model_copy(update={"alternatives": free, "suggestions": ("Ask the guest.",)})
    first = (translate("next.instead", options=list(free)),) if free else ()
    assert failures.of_venue(a_run(), refusal, "why").suggestions == (*first, "Ask the guest.")


def test_what_was_cancelled_before_a_step_names_it() -> None:
    before = failures.cancelled(a_run())
    assert before.step == 3 and before.message == translate("plan.cancelled_before", step=3, title=STEP.action.title)
    for run in (a_run(sent=True, refusal=REFUSAL), None):
        after = failures.cancelled(run)
        assert (after.step, after.message) == (None, translate("plan.cancelled"))


@table(
    "kind, message, detail, shown",
    [
        (ErrorType.BAD_REQUEST, "Refused.", "too many", "Refused. (too many)"),
        (ErrorType.BAD_REQUEST, "Refused: too many.", "too many", "Refused: too many."),
        (ErrorType.BAD_REQUEST, "Refused.", "", "Refused."),
        (ErrorType.CONFLICT, "Changed.", "too many", "Changed."),
    ],
)
def test_the_venues_own_words_are_reported_where_they_say_more(
    kind: ErrorType, message: str, detail: str, shown: str
) -> None:
    assert failures.in_full(VenueFailure(error_type=kind, message=message, detail=detail)) == shown


@pytest.mark.parametrize("unprocessed", [True, False])
def test_a_refusal_that_proves_nothing_says_so(unprocessed: bool) -> None:
    reply = ActReply(write_outcome=WriteOutcome.NOT_APPLIED, sent=True, failure=REFUSAL, unprocessed=unprocessed)
    shown = failures.not_repeated(REFUSAL, reply)
    assert (shown == REFUSAL) is unprocessed
    assert unprocessed or (IN_FULL in shown.message and translate("failure.not_repeated") in shown.message)


def _failed(cause: Exception | None) -> ActivityError:
    error = ActivityError(
        "failed", scheduled_event_id=1, started_event_id=2, identity="", activity_type="act", activity_id="1",
        retry_state=None,
    )  # fmt: skip
    error.__cause__ = cause
    return error


@table(
    "cause, never_started, raised",
    [
        (TimeoutError("late", type=TimeoutType.SCHEDULE_TO_START, last_heartbeat_details=[]), True, False),
        (TimeoutError("late", type=TimeoutType.HEARTBEAT, last_heartbeat_details=[]), False, False),
        (TimeoutError("late", type=TimeoutType.START_TO_CLOSE, last_heartbeat_details=[]), False, False),
        (ApplicationError("broken", type="KeyError"), False, True),
        (ApplicationError("lost"), False, False),
        (ApplicationError("gone", type="CancelledError"), False, False),
        (None, False, False),
    ],
)
def test_what_was_certainly_not_sent(cause: Exception | None, never_started: bool, raised: bool) -> None:
    error = _failed(cause)
    assert (failures.never_started(error), failures.raised(error)) == (never_started, raised)
