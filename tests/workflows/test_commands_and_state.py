"""A committed command has taken effect, and a late one is rejected before it is committed: every order of (command,
commit, change of the plan's state) on the real workflow, with commits that a test holds. Guarantees:

- No step starts, no question is given up and no plan ends while a command is being committed.
- Skip, cancel, drop, answer and confirm: one that is committed first counts; a late one is rejected and never asks to
  commit.
- A command that its caller has aborted changes nothing, and the plan goes on.
- The second answer to one question does not answer the next question.
- The plan takes two simultaneous commands one after the other, and checks the second against the state that the first
  left.
"""

import asyncio

import pytest
from temporalio.client import WorkflowUpdateFailedError, WorkflowUpdateStage

from contracts.chat_messages import CancelRequest, ConfirmRequest, PlanView, SkipRequest
from contracts.enums import PlanStatus, StepStatus
from contracts.step_activities import CommitResult, DraftedStep
from tests.support.waiting import pauses
from tests.workflows.fakes import Effects, Held
from tests.workflows.rehearsal import USER, Play, Stage, a_step, asks

pytestmark = pytest.mark.asyncio


async def skip(play: Play, step: int, attempt: str) -> PlanView:
    request = SkipRequest(user_id=USER, step=step, commit_token=attempt)
    return await play.handle.execute_update("skip_step", request, result_type=PlanView)


async def behind(
    play: Play, update: str, request: SkipRequest | CancelRequest | ConfirmRequest
) -> asyncio.Task[PlanView]:
    """Return a command that the plan has accepted and that waits behind another one."""
    stage = WorkflowUpdateStage.ACCEPTED
    let_in = await play.handle.start_update(update, request, wait_for_stage=stage, result_type=PlanView)
    return asyncio.create_task(let_in.result())


def optional(number: int) -> DraftedStep:
    return a_step(number).model_copy(update={"required": False})


async def called(effects: Effects, label: str) -> None:
    """Wait until a call was made."""
    for pause in pauses(0.01, 0.1):
        if label in effects.calls:
            return
        await asyncio.sleep(pause)


async def refused(command: asyncio.Task[PlanView]) -> str:
    with pytest.raises(WorkflowUpdateFailedError) as found:
        await command
    return str(getattr(found.value.cause, "type", ""))


async def while_step_one_acts(stage: Stage, effects: Effects, *steps: DraftedStep) -> tuple[Play, Held]:
    acts = effects.hold("act 1")
    play = await stage.confirmed(*steps)
    await play.reached(acts)
    return play, acts


@pytest.mark.parametrize("granted", [True, False])
async def test_a_step_waits_for_a_skip_that_is_being_committed(stage: Stage, effects: Effects, granted: bool) -> None:
    play, acts = await while_step_one_acts(stage, effects, a_step(1), optional(2))
    commit = effects.hold("claim skip-2")
    effects.script("claim skip-2", CommitResult(granted=granted))
    skipping = asyncio.create_task(skip(play, 2, "skip-2"))
    await play.reached(commit)
    acts.let_go()
    await play.until(lambda plan: plan.actions[0].status is StepStatus.COMPLETED)
    await called(effects, "reason 2")
    assert "snapshot 2" not in effects.calls
    commit.let_go()
    if granted:
        assert (await skipping).plan.actions[1].status is StepStatus.SKIPPED
    else:
        assert await refused(skipping) == "service_unavailable"
    plan = await play.until(lambda plan: plan.status is PlanStatus.COMPLETED)
    assert ("act 2" in effects.calls) is not granted
    assert plan.actions[1].status is (StepStatus.SKIPPED if granted else StepStatus.COMPLETED)


async def test_a_skip_that_comes_too_late_never_asks_to_commit(stage: Stage, effects: Effects) -> None:
    play, acts = await while_step_one_acts(stage, effects, optional(1), a_step(2))
    assert await refused(asyncio.create_task(skip(play, 1, "skip-1"))) == "conflict"
    acts.let_go()
    plan = await play.until(lambda plan: plan.status is PlanStatus.COMPLETED)
    assert plan.actions[0].status is StepStatus.COMPLETED
    assert "claim skip-1" not in effects.calls


async def test_of_two_skips_at_once_the_second_is_judged_by_what_the_first_has_left(
    stage: Stage, effects: Effects
) -> None:
    play, acts = await while_step_one_acts(stage, effects, a_step(1), optional(2))
    commit = effects.hold("claim one")
    first = asyncio.create_task(skip(play, 2, "one"))
    await play.reached(commit)
    second = await behind(play, "skip_step", SkipRequest(user_id=USER, step=2, commit_token="two"))
    commit.let_go()
    assert (await first).plan.actions[1].status is StepStatus.SKIPPED
    assert await refused(second) == "conflict"
    assert "claim two" not in effects.calls
    acts.let_go()
    await play.until(lambda plan: plan.status is PlanStatus.COMPLETED)


@pytest.mark.parametrize("granted", [True, False])
async def test_no_step_starts_while_a_cancel_is_being_committed(stage: Stage, effects: Effects, granted: bool) -> None:
    play, acts = await while_step_one_acts(stage, effects, a_step(1), a_step(2))
    commit = effects.hold("claim stop")
    effects.script("claim stop", CommitResult(granted=granted))
    cancelling = asyncio.create_task(play.cancel(attempt="stop"))
    await play.reached(commit)
    acts.let_go()
    await called(effects, "reason 2")
    assert "snapshot 2" not in effects.calls
    commit.let_go()
    if granted:
        await cancelling
        await play.until(lambda plan: plan.status is PlanStatus.ROLLED_BACK)
    else:
        assert await refused(cancelling) == "service_unavailable"
        await play.until(lambda plan: plan.status is PlanStatus.COMPLETED)
    assert ("act 2" in effects.calls) is not granted


async def test_an_answer_and_a_cancel_at_once_are_taken_one_after_the_other(stage: Stage, effects: Effects) -> None:
    effects.script("reason 1", asks())
    play = await stage.confirmed(a_step(1))
    await play.until(lambda plan: plan.blocking_prompt is not None)
    commit = effects.hold("claim stop")
    cancelling = asyncio.create_task(play.cancel(attempt="stop"))
    await play.reached(commit)
    await play.answer("the round one", attempt="answer")
    commit.let_go()
    await cancelling
    plan = await play.until(lambda plan: plan.status is PlanStatus.CANCELLED)
    assert plan.blocking_prompt is None
    assert "claim answer" not in effects.calls, "it was never committed, so its sender hears that it came too late"


async def test_a_confirm_and_a_drop_at_once_are_taken_one_after_the_other(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(a_step(1))
    commit = effects.hold("claim yes")
    confirming = asyncio.create_task(play.confirm(attempt="yes"))
    await play.reached(commit)
    drop = CancelRequest(user_id=USER, commit_token="drop", superseded_by="another-plan")
    dropping = await behind(play, "cancel", drop)
    commit.let_go()
    assert (await confirming).plan.confirmed_at is not None
    assert await refused(dropping) == "conflict"
    assert "claim drop" not in effects.calls
    await play.until(lambda plan: plan.status is PlanStatus.COMPLETED)


async def test_a_drop_that_is_committed_comes_before_a_confirm(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(a_step(1))
    commit = effects.hold("claim drop")
    dropping = asyncio.create_task(play.cancel(attempt="drop", superseded_by="another-plan"))
    await play.reached(commit)
    yes = ConfirmRequest(user_id=USER, request_id="r-1", token_ref="tok-1", commit_token="yes")
    confirming = await behind(play, "confirm", yes)
    commit.let_go()
    assert (await dropping).plan.status is PlanStatus.CANCELLED
    assert await refused(confirming) == "conflict"
    assert "claim yes" not in effects.calls


async def test_a_cancel_behind_a_drop_comes_too_late(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(a_step(1))
    commit = effects.hold("claim drop")
    dropping = asyncio.create_task(play.cancel(attempt="drop", superseded_by="another-plan"))
    await play.reached(commit)
    cancelling = await behind(play, "cancel", CancelRequest(user_id=USER, commit_token="stop"))
    commit.let_go()
    assert (await dropping).plan.superseded_by == "another-plan"
    assert await refused(cancelling) == "conflict"
    plan = await play.ended()
    assert (plan.status, plan.superseded_by) == (PlanStatus.CANCELLED, "another-plan")
    assert "claim stop" not in effects.calls


async def test_a_second_answer_to_a_question_is_none_to_the_next(stage: Stage, effects: Effects) -> None:
    effects.script("reason 1", asks("Which table?"), asks("Which day?"))
    commits = effects.hold("claim a-1")
    play = await stage.confirmed(a_step(1), undo_window=0)
    first = (await play.until(lambda plan: plan.blocking_prompt is not None)).blocking_prompt
    assert first is not None
    await play.answer("four", attempt="a-1", prompt_id=first.prompt_id)
    await play.reached(commits)
    await play.answer("five", attempt="a-2", prompt_id=first.prompt_id)
    commits.let_go()
    second = await play.until(lambda plan: plan.blocking_prompt not in (None, first))
    assert second.blocking_prompt is not None and second.blocking_prompt.question == "Which day?"
    await play.answer("Monday", attempt="a-3", prompt_id=second.blocking_prompt.prompt_id)
    assert (await play.ended()).status is PlanStatus.COMPLETED
    assert [label for label in effects.calls if label.startswith("claim a-")] == ["claim a-1", "claim a-3"]
