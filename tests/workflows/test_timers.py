"""Every timer, with hours passed in milliseconds by a server that skips time. Guarantees:

- A plan that is not confirmed expires after its time and not before; a confirm after that is refused.
- A question that gets no answer, or never gets the session's slot, ends the plan and undoes what was done.
- A rollback that meets an expired token waits for the operator to sign in again; when the grace period is over, it
  reports what is left to do by hand. The grace period is counted once over all waits.
- The undo window closes after its time and not before; an undo that came in time is finished, and its answer shows that
  it has begun. A plan with nothing to undo does not wait.
- A quiet chat closes with its memory as its result, which its next run takes up; it stays open while a plan holds or
  awaits the prompt slot.
- A compensation that keeps failing is given up when its time is over, and the rest still run.
"""

import asyncio
from datetime import timedelta

import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.client import WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from contracts.chat_messages import TurnReply, TurnRequest
from contracts.enums import ErrorType, PlanStatus, RollbackState, StepRollbackOutcome
from contracts.errors import VenueFailure
from contracts.limits import PlanPolicy
from contracts.plan import ExecutionPlan
from contracts.step_activities import PromptSlotRequest, StepUndoResult
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import POLICY, USER, Stage, a_message, a_step, asks, closed, has_worked
from workflows.plan import activities, rollback

pytestmark = pytest.mark.asyncio

SIGNED_OUT = StepUndoResult(
    outcome=StepRollbackOutcome.FAILED,
    message="not undone",
    manual="put it back by hand",
    failure=VenueFailure(error_type=ErrorType.UNAUTHORIZED, status=401, message="Sign in again."),
)


def broken(step: int) -> ApplicationError:
    """Return the error of a snapshot that never works."""
    return ApplicationError(f"step {step} is broken", non_retryable=True)


def waiting(plan: ExecutionPlan) -> bool:
    """Return whether the plan's rollback waits for the operator to sign in."""
    return plan.rollback is not None and plan.rollback.state is RollbackState.WAITING_FOR_SIGN_IN


async def test_a_plan_that_no_one_confirms_expires_after_its_time(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(policy=POLICY.model_copy(update={"confirm_timeout": 7200}))
    await stage.pass_time(7100)
    assert (await play.view()).plan.status is PlanStatus.PENDING_CONFIRMATION
    await stage.pass_time(200)
    ended = await play.ended()
    assert ended.status is PlanStatus.EXPIRED
    assert ended.completed_at is None
    assert effects.calls == []
    assert await play.statuses() == ["expired"]


async def test_a_confirmation_in_the_last_minute_counts(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(policy=POLICY.model_copy(update={"confirm_timeout": 7200}))
    await stage.pass_time(7190)
    await play.confirm()
    assert (await play.ended()).status is PlanStatus.COMPLETED


async def test_a_question_that_no_one_answers_ends_the_plan_and_undoes_it(stage: Stage, effects: Effects) -> None:
    effects.script("reason 2", asks())
    play = await stage.confirmed(a_step(1), a_step(2), policy=POLICY.model_copy(update={"answer_timeout": 3600}))
    asked = await play.until(lambda p: p.blocking_prompt is not None)
    assert asked.blocking_prompt is not None
    began = await stage.now()
    assert asked.blocking_prompt.expires_at - began < timedelta(seconds=3601)
    await stage.pass_time(3500)
    assert (await play.view()).plan.blocking_prompt is not None
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK
    assert ended.failure is not None and "not answered in time" in ended.failure.message
    assert ended.completed_at is not None
    assert timedelta(seconds=3500) < ended.completed_at - began < timedelta(seconds=3700)
    assert effects.made("undo") == ["undo 1"]
    assert effects.calls.count("release") == 1, "the session's slot is given back"
    assert ended.blocking_prompt is None


async def test_a_question_that_never_gets_the_session_s_slot_ends_the_plan_too(stage: Stage, effects: Effects) -> None:
    effects.grants = False
    effects.script("reason 1", asks())
    play = await stage.confirmed(a_step(1))
    ended = await play.ended()
    assert ended.status is PlanStatus.FAILED
    assert ended.failure is not None and ended.failure.error_type is ErrorType.TIMEOUT
    assert effects.made("act") == []
    assert effects.calls.count("release") == 1


async def test_an_answer_in_time_lets_the_plan_go_on(stage: Stage, effects: Effects) -> None:
    effects.script("reason 1", asks())
    play = await stage.confirmed(a_step(1))
    await play.until(lambda p: p.blocking_prompt is not None)
    await stage.pass_time(POLICY.answer_timeout - 60)
    await play.answer("table four")
    ended = await play.ended()
    assert ended.status is PlanStatus.COMPLETED
    assert "table four" in effects.requests["reason 1"][1].messages[-1].content


async def test_a_rollback_without_a_valid_token_waits_and_then_reports(stage: Stage, effects: Effects) -> None:
    effects.script("undo 2", SIGNED_OUT)
    effects.script("undo 1", SIGNED_OUT)
    effects.script("snapshot 3", broken(3))
    play = await stage.confirmed(*map(a_step, (1, 2, 3)), policy=POLICY.model_copy(update={"sign_in_timeout": 5400}))
    failed = await play.until(waiting)
    assert failed.status is PlanStatus.FAILED
    began = await stage.now()
    await stage.pass_time(5300)
    assert waiting((await play.view()).plan), "it still waits just before the grace is over"
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK
    assert ended.rollback_report is not None and ended.completed_at is not None
    assert [(r.step, r.outcome) for r in ended.rollback_report.steps] == [(2, "failed"), (1, "failed")]
    assert ended.rollback_report.manual_steps == ("put it back by hand",) * 2
    assert timedelta(seconds=5300) < ended.completed_at - began < timedelta(seconds=5500), "one grace for all waits"
    assert effects.made("undo") == ["undo 2", "undo 1"]
    assert effects.made("wipe") == ["wipe tok-1"]


async def test_signing_in_within_the_grace_resumes_the_rollback(stage: Stage, effects: Effects) -> None:
    effects.script("undo 1", SIGNED_OUT)
    effects.script("snapshot 2", broken(2))
    play = await stage.confirmed(a_step(1), a_step(2))
    await play.until(waiting)
    await stage.pass_time(POLICY.sign_in_timeout - 60)
    await play.sign_in("tok-2")
    ended = await play.ended()
    assert ended.rollback_report is not None and ended.rollback_report.outcome == "complete"
    assert [r.scope.token_ref for r in effects.requests["undo 1"]] == ["tok-1", "tok-2"]
    assert effects.made("wipe") == ["wipe tok-1", "wipe tok-2"], "both tokens are forgotten in the end"


async def test_a_second_sign_in_may_take_only_what_is_left_of_the_grace(stage: Stage, effects: Effects) -> None:
    effects.script("undo 1", SIGNED_OUT, SIGNED_OUT)
    effects.script("snapshot 2", broken(2))
    play = await stage.confirmed(a_step(1), a_step(2), policy=POLICY.model_copy(update={"sign_in_timeout": 1000}))
    await play.until(waiting)
    began = await stage.now()
    await stage.pass_time(700)
    await play.sign_in("tok-2")
    ended = await play.ended()
    assert ended.rollback_report is not None and ended.rollback_report.outcome == "partial"
    assert ended.completed_at is not None and ended.completed_at - began < timedelta(seconds=1100)


async def test_the_undo_window_closes_after_its_time(stage: Stage, effects: Effects) -> None:
    play = await stage.confirmed(a_step(1), undo_window=86_400)
    completed = await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    assert completed.undo_until is not None and completed.completed_at is not None
    assert completed.undo_until - completed.completed_at == timedelta(days=1)
    await stage.pass_time(86_000)
    assert (await play.view()).plan.status is PlanStatus.COMPLETED
    description = await play.handle.describe()
    assert description.close_time is None, "it still stands ready"
    assert (await play.ended()).status is PlanStatus.COMPLETED
    assert effects.made("undo") == []


async def test_an_undo_in_the_last_minute_is_carried_out(stage: Stage, effects: Effects) -> None:
    play = await stage.confirmed(a_step(1), a_step(2), undo_window=86_400)
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    await stage.pass_time(86_340)
    begun = (await play.undo()).plan
    assert begun.rollback is not None and begun.rollback.state is RollbackState.RUNNING
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK
    assert ended.rollback_report is not None and ended.rollback_report.trigger == "undo"
    assert effects.made("undo") == ["undo 2", "undo 1"]
    assert "wipe tok-undo" in effects.calls


@pytest.mark.parametrize("window", [0, 900])
async def test_a_plan_with_nothing_to_undo_closes_at_once(stage: Stage, effects: Effects, window: float) -> None:
    step = a_step(1, reversible=window == 0)
    began = await stage.now()
    play = await stage.confirmed(step, undo_window=window)
    ended = await play.ended()
    assert ended.status is PlanStatus.COMPLETED
    assert ended.undo_until is None
    assert ended.completed_at is not None and ended.completed_at - began < timedelta(seconds=600)


async def test_an_undo_after_the_window_is_refused(stage: Stage, effects: Effects) -> None:
    held = effects.hold("wipe tok-1")
    play = await stage.confirmed(a_step(1), undo_window=0.3)
    await play.reached(held)
    await stage.later(0.3)
    assert (await play.view()).plan.status is PlanStatus.COMPLETED
    with pytest.raises(WorkflowUpdateFailedError) as refused:
        await play.undo()
    held.let_go()
    assert isinstance(refused.value.cause, ApplicationError)
    assert refused.value.cause.type == "conflict" and "no longer" in refused.value.cause.message
    assert (await play.ended()).status is PlanStatus.COMPLETED
    assert effects.made("undo") == []


async def test_an_undo_that_came_in_time_is_finished_after_the_window(
    stage: Stage, effects: Effects, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollback, "_LOOK", 600.0)
    monkeypatch.setattr(activities, "_LOOK", timedelta(seconds=600))
    play = await stage.confirmed(a_step(1), undo_window=86_400)
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    await stage.pass_time(86_395)
    held = effects.hold("look 1")
    command = asyncio.create_task(play.undo())
    await play.reached(held)
    await stage.later(6)
    held.let_go()
    await command
    assert (await play.ended()).status is PlanStatus.ROLLED_BACK
    assert effects.made("undo") == ["undo 1"]


async def test_a_reversal_that_keeps_failing_is_given_up_and_the_rest_still_run(stage: Stage, effects: Effects) -> None:
    effects.script("undo 2", *(ApplicationError("503", type="server_error") for _ in range(200)))
    effects.script("snapshot 3", broken(3))
    began = await stage.now()
    play = await stage.confirmed(*map(a_step, (1, 2, 3)), policy=PlanPolicy(heartbeat=20, rollback_timeout=600))
    ended = await play.ended()
    assert ended.rollback_report is not None and ended.completed_at is not None
    assert [(r.step, r.outcome) for r in ended.rollback_report.steps] == [(2, "failed"), (1, "reversed")]
    [manual] = ended.rollback_report.manual_steps
    assert manual.startswith("Look first whether it is undone") and "put step 2 back by hand" in manual
    assert timedelta(seconds=500) < ended.completed_at - began < timedelta(seconds=700)
    assert 15 < effects.calls.count("undo 2") < 40, "backed off, not hammered"


async def a_turn(stage: Stage, key: str) -> TurnRequest:
    """Return one operator message."""
    now = await stage.now()
    return a_message(now, "hello", key, deadline=now + timedelta(seconds=120))


async def test_a_quiet_chat_closes_with_its_memory_as_its_result(stage: Stage, effects: Effects) -> None:
    chat = await stage.chat()
    reply = await chat.execute_update("handle_request", await a_turn(stage, "k-1"), result_type=TurnReply)
    assert reply.turn is not None
    began = await stage.now()
    await stage.pass_time(3000)
    assert (await chat.describe()).close_time is None
    await chat.execute_update("handle_request", await a_turn(stage, "k-2"), result_type=TurnReply)
    await stage.pass_time(3000)
    assert (await chat.describe()).close_time is None, "each message starts the hour again"
    memory = await closed(chat)
    description = await chat.describe()
    assert description.close_time is not None
    assert timedelta(seconds=6500) < description.close_time - began < timedelta(seconds=7000)
    assert [t.request_key for t in memory.turns] == ["k-1", "k-2"]
    assert memory.owner == USER

    effects.memory = memory
    later = await stage.chat()
    again = await later.execute_update("handle_request", await a_turn(stage, "k-1"), result_type=TurnReply)
    assert again.turn == reply.turn, "the next run takes the memory up"
    assert len(effects.made("reason")) == 2
    await closed(later)


async def test_a_chat_stays_for_the_plan_that_holds_the_question_slot(stage: Stage, effects: Effects) -> None:
    held = effects.hold("snapshot 1")
    play = await stage.confirmed(a_step(1), undo_window=0)
    await play.reached(held)
    plan_id = play.handle.id.removeprefix("plan-")
    chat = await stage.chat()
    slot = PromptSlotRequest(conversation_id=chat.id, venue_id="v-1", session_id="session-1", plan_id=plan_id)
    await chat.signal("request_prompt_slot", slot)
    await has_worked(chat, EventType.EVENT_TYPE_EXTERNAL_WORKFLOW_EXECUTION_SIGNALED)
    held.let_go()
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    await play.ended()
    for _ in range(4):
        await stage.pass_time(3601)
        await has_worked(chat)
    assert (await chat.describe()).close_time is None, "four quiet hours, but the slot is held"
    await chat.signal("request_prompt_slot", slot.model_copy(update={"release": True}))
    memory = await closed(chat)
    assert memory.slot_holder is None
