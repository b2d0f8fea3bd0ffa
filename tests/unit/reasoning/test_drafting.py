"""From frozen steps to the plan that an operator sees.

Guarantees:
- every step shows: counted from 1, in order, with title, values, safety tier, reversibility and preview;
- a booking also has a name without the values that a plan changes, so that it can be named when the plan is over;
- the intent is one line with whom and what, before and after; a step has been read since its booking was found, so the
  line no longer mentions that the look-up could not read it;
- the plan waits for its confirmation exactly for the given time, and holds nothing that comes later;
- the reason why it cannot be undone follows from its progress: nothing was done yet, it has not ended yet, it was
  undone or is being undone already, or it is irreversible;
- nothing in it comes from a clock or a random source: the same input gives the same plan.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from contracts.enums import (
    ErrorType,
    PlanStatus,
    RollbackOutcome,
    RollbackState,
    RollbackTrigger,
    SafetyTier,
    StepRollbackOutcome,
    StepStatus,
)
from contracts.plan import ExecutionPlan, PlanFailure, PreviewLine, RollbackProgress, RollbackReport, StepRollback
from contracts.step_activities import DraftedStep
from language.messages.catalogue import activate_locale
from reasoning import error_messages
from reasoning.drafting.booking_list import with_status
from reasoning.drafting.plan import intent_of, plan_of, planned
from tests.unit.reasoning.actions import a_booking, an_action
from workflows.chat.short_replies import summarize

NOW = datetime(2026, 11, 27, 9, tzinfo=UTC)
JOHN = a_booking("b-1", "John Smith", reference="8231").model_copy(update={"label": ""})
MOVE = DraftedStep(
    action=an_action("reschedule_booking", title="Reschedule booking"),
    parameters={"booking_id": "b-1", "new_start_time": "15:00"},
    preview=(PreviewLine(field="When", before="Sat 2pm", after="Sat 3pm"),),
    booking=JOHN,
)
CANCEL = DraftedStep(
    action=an_action("cancel_booking", title="Cancel booking", safety=SafetyTier.HIGH_RISK, reversible=False),
    parameters={"booking_id": "{{step_1.booking_id}}"},
    preview=(PreviewLine(field="Note", before=None, after="Peanuts"),),
)


def a_plan(**changes: Any) -> ExecutionPlan:
    given = {
        "plan_id": "p-1",
        "session_id": "s-1",
        "user_id": "u-1",
        "venue_id": "v-1",
        "now": NOW,
        "confirm_timeout": 900.0,
    }
    return plan_of((MOVE, CANCEL), **{**given, **changes})


def test_every_step_shows_in_order() -> None:
    first, second = planned((MOVE, CANCEL))

    assert (first.step, first.action_id, first.title) == (1, "reschedule_booking", "Reschedule booking")
    assert first.parameters == {"booking_id": "b-1", "new_start_time": "15:00"}
    assert first.preview == (PreviewLine(field="When", before="Sat 2pm", after="Sat 3pm"),)
    assert (second.step, second.safety_tier, second.reversible) == (2, SafetyTier.HIGH_RISK, False)
    assert {first.status, second.status} == {StepStatus.PENDING}


def test_a_step_does_not_say_that_its_booking_could_not_be_looked_at() -> None:
    activate_locale("en-AU")
    found = JOHN.model_copy(update={"label": "John, Sat 2pm", "cancelled": None})
    [unread] = with_status([found], NOW)
    assert unread.label != found.label
    note = MOVE.model_copy(update={"parameters": {"booking_id": "b-1"}, "booking": unread})
    assert planned((note,))[0].whom == "John, Sat 2pm"


def test_the_intent_says_whom_and_what() -> None:
    assert intent_of((MOVE, CANCEL)) == (
        "Reschedule booking for John Smith (8231) (when Sat 2pm → Sat 3pm). Cancel booking (note: Peanuts)"
    )


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (None, "Peanuts", "note: Peanuts"),
        ("", "Peanuts", "note none → Peanuts"),
        ("Peanuts", "", "note Peanuts → none"),
    ],
)
def test_the_intent_says_none_only_of_what_was_read_and_empty(before: str | None, after: str, text: str) -> None:
    step = CANCEL.model_copy(update={"preview": (PreviewLine(field="Note", before=before, after=after),)})

    assert intent_of((step,)) == f"Cancel booking ({text})"
    activate_locale("it")
    assert ("niente" in intent_of((step,))) is (before == "" or after == "")


def test_the_intent_names_a_booking_by_its_label_and_one_that_is_moved_without_its_old_day() -> None:
    def intent(*steps: DraftedStep, **booking: str) -> str:
        whom = a_booking("b-1").model_copy(update=booking)
        return intent_of([s.model_copy(update={"booking": whom, "preview": ()}) for s in steps])

    john = {"label": "John, Sat 2pm", "guest_name": "John", "reference": "8231"}
    assert intent(CANCEL, **john) == "Cancel booking for John, Sat 2pm"
    assert intent(MOVE, **john) == "Reschedule booking for John (8231)"
    assert "Sat 2pm" not in intent(MOVE, CANCEL, **john), "no step names the day that it leaves"
    assert intent(CANCEL, label="", guest_name="John", reference="8231").endswith("for John (8231)")
    assert intent(CANCEL, label="", reference="8231").endswith("for 8231")
    assert intent(CANCEL, label="") == "Cancel booking"


def test_what_a_booking_is_called_afterwards_says_nothing_that_was_changed() -> None:
    def after(**booking: str) -> str | None:
        whom = a_booking("b-1").model_copy(update={"label": "John, Sat 2pm, 12 guests", **booking})
        return planned((MOVE.model_copy(update={"booking": whom}),))[0].whom_after

    assert after(guest_name="John", reference="8231") == "John (8231)"
    assert after(guest_name="", reference="8231") == "8231"
    assert after(guest_name="", reference="") == ""
    assert planned((CANCEL,))[0].whom_after is None


def test_a_drafted_plan_waits_for_its_confirmation() -> None:
    plan = a_plan()

    assert plan.status is PlanStatus.PENDING_CONFIRMATION
    assert (plan.plan_id, plan.session_id, plan.user_id, plan.venue_id) == ("p-1", "s-1", "u-1", "v-1")
    assert (plan.created_at, plan.expires_at) == (NOW, NOW + timedelta(seconds=900))
    assert (plan.confirmed_at, plan.completed_at, plan.failure, plan.results) == (None, None, None, ())


def test_the_same_steps_give_the_same_plan() -> None:
    assert a_plan() == a_plan()


@pytest.mark.parametrize(("status", "confirmed", "says"), [
    (PlanStatus.PENDING_CONFIRMATION, False, "Nothing of this plan was carried out"),
    (PlanStatus.CONFIRMED, True, "has not ended yet"), (PlanStatus.EXECUTING, True, "has not ended yet"),
    (PlanStatus.FAILED, True, "cannot be undone."),
])  # fmt: skip
def test_why_a_plan_is_not_undone_depends_on_how_far_it_is(status: PlanStatus, confirmed: bool, says: str) -> None:
    plan = a_plan().model_copy(update={"status": status, "confirmed_at": NOW if confirmed else None})

    assert says in error_messages.cannot_undo(plan)


@pytest.mark.parametrize(("trigger", "outcome", "says"), [
    (RollbackTrigger.UNDO, StepRollbackOutcome.REVERSED, "This plan is undone already."),
    (RollbackTrigger.FAILURE, StepRollbackOutcome.REVERSED, "This plan is already rolled back."),
    (RollbackTrigger.UNDO, StepRollbackOutcome.FAILED, "tried already, and not all of it could be undone"),
    (RollbackTrigger.UNDO, None, "is being undone already"), (RollbackTrigger.FAILURE, None, "is being undone already"),
])  # fmt: skip
def test_a_plan_that_went_back_says_so(
    trigger: RollbackTrigger, outcome: StepRollbackOutcome | None, says: str
) -> None:
    state, status, report = RollbackState.RUNNING, PlanStatus.FAILED, None
    if outcome is not None:
        row = StepRollback(step=1, action_id="reschedule_booking", outcome=outcome, message="")
        whole = outcome is StepRollbackOutcome.REVERSED
        of_all = RollbackOutcome.COMPLETE if whole else RollbackOutcome.PARTIAL
        report = RollbackReport(outcome=of_all, trigger=trigger, steps=(row,))
        state, status = RollbackState.DONE, PlanStatus.ROLLED_BACK
    changes = {"status": status, "rollback": RollbackProgress(state=state), "rollback_report": report}

    plan = a_plan().model_copy(update={"confirmed_at": NOW, **changes})

    assert says in error_messages.cannot_undo(plan)
    assert ("as far as possible" in summarize(plan)) is (outcome is not StepRollbackOutcome.REVERSED)


def test_what_was_changed_and_is_being_undone_says_so() -> None:
    done = {"status": PlanStatus.COMPLETED, "confirmed_at": NOW, "summary": "It is at 2pm."}
    plan = a_plan().model_copy(update=done)
    assert summarize(plan) == "When the last plan was carried out: It is at 2pm."
    going_back = plan.model_copy(update={"rollback": RollbackProgress(state=RollbackState.RUNNING)})
    assert "it is being undone" in summarize(going_back)


def test_a_plan_that_was_cut_off_is_reported_with_what_may_still_stand() -> None:
    notice = "More of it may have been done than is shown here."
    failure = PlanFailure(error_type=ErrorType.CONFLICT, message="Step 2 did not work.")
    rollback = RollbackProgress(state=RollbackState.RUNNING)
    changes = {"status": PlanStatus.FAILED, "confirmed_at": NOW, "failure": failure, "rollback": rollback}
    plan = a_plan().model_copy(update={**changes, "rollback": None, "notice": notice})
    assert summarize(plan).endswith(f"Step 2 did not work. {notice}")
    assert notice not in summarize(a_plan().model_copy(update=changes))
