"""A cancel may arrive at any await, as our update or as Temporal's own, and twice: every compensation still runs,
exactly once, and the plan ends as the table of `docs/state-model.md` requires. Guarantees:

- While pending: the plan is cancelled, and calls nothing.
- While executing, at every kind of await: the plan first settles what the running step did, then undoes all of it in
  reverse. A step that was never sent is neither undone nor reported. If nothing was applied, the plan is cancelled.
- During a rollback or while it waits for a sign-in: the rollback goes on unchanged.
- In the undo window: the plan closes as completed; an undo that is already being checked is still carried out.
- A plan accepts only its own operator's sign-in.
"""

import asyncio

import pytest
from temporalio.client import WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from contracts.chat_messages import TokenRenewed
from contracts.enums import PlanStatus, RollbackTrigger, StepStatus
from contracts.plan import ExecutionPlan
from contracts.step_activities import ActReply, WriteOutcome
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Play, Stage, a_step, asks
from tests.workflows.test_timers import SIGNED_OUT, broken, waiting

pytestmark = pytest.mark.asyncio

HOWS = ["update", "workflow"]
LOST = ApplicationError("the worker is gone", non_retryable=True)
LANDED = ActReply(write_outcome=WriteOutcome.APPLIED, output={}, summary="It did land.")


async def cancel(play: Play, how: str) -> None:
    """Cancel by our update, as Temporal does, or as Temporal does twice."""
    if how == "update":
        await play.cancel()
    else:
        await play.cancel_workflow()


def rows(plan: ExecutionPlan) -> list[tuple[int, str]]:
    """Return the report, row by row."""
    assert plan.rollback_report is not None, plan
    return [(r.step, r.outcome.value) for r in plan.rollback_report.steps]


@pytest.mark.parametrize("how", HOWS)
async def test_while_pending(stage: Stage, effects: Effects, how: str) -> None:
    play = await stage.plan(a_step(1))
    await cancel(play, how)
    ended = await play.ended()
    assert (ended.status, ended.completed_at) == (PlanStatus.CANCELLED, None)
    assert effects.calls == (["claim no"] if how == "update" else [])
    assert await play.statuses() == ["cancelled"]


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize(
    ("where", "undone"),
    [
        ("reason 2", ["undo 1"]),
        ("snapshot 2", ["undo 1"]),
        ("act 2", ["undo 2", "undo 1"]),
        ("read_back 2", ["undo 2", "undo 1"]),
        ("reason 3", ["undo 2", "undo 1"]),
        ("act 3", ["undo 3", "undo 2", "undo 1"]),
    ],
)
async def test_while_an_activity_runs(stage: Stage, effects: Effects, how: str, where: str, undone: list[str]) -> None:
    if where == "read_back 2":
        effects.script("act 2", LOST)
        effects.script("read_back 2", LANDED)
    held = effects.hold(where)
    play = await stage.confirmed(*map(a_step, (1, 2, 3)))
    await play.reached(held)
    await cancel(play, how)
    held.let_go()
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK, ended
    assert ended.rollback_report is not None
    assert (ended.rollback_report.trigger, ended.rollback_report.outcome) == (RollbackTrigger.CANCELLED, "complete")
    assert effects.made("undo") == undone
    assert rows(ended) == [(int(u[-1]), "reversed") for u in undone]
    assert [a.status for a in ended.actions] == [
        StepStatus.REVERSED if f"undo {a.step}" in undone else StepStatus.SKIPPED for a in ended.actions
    ]
    assert effects.made("wipe") == ["wipe tok-1"]
    assert await play.statuses() == ["confirmed", "executing", "failed", "rolled_back"]


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("where", ["reason 1", "snapshot 1"])
@pytest.mark.parametrize("reversible", [True, False])
async def test_before_anything_was_sent_the_plan_is_simply_cancelled(
    stage: Stage, effects: Effects, how: str, where: str, reversible: bool
) -> None:
    held = effects.hold(where)
    play = await stage.confirmed(a_step(1, reversible=reversible), a_step(2))
    await play.reached(held)
    await cancel(play, how)
    held.let_go()
    ended = await play.ended()
    assert ended.status is PlanStatus.CANCELLED, ended
    assert ended.rollback_report is None
    assert {a.status for a in ended.actions} == {StepStatus.SKIPPED}
    assert effects.made("act") == effects.made("undo") == []
    assert effects.made("wipe") == ["wipe tok-1"]


@pytest.mark.parametrize("how", HOWS)
async def test_while_the_only_step_acts_the_promise_to_the_operator_is_kept(
    stage: Stage, effects: Effects, how: str
) -> None:
    held = effects.hold("act 1")
    play = await stage.confirmed(a_step(1))
    await play.reached(held)
    await cancel(play, how)
    held.let_go()
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK, ended
    assert effects.made("undo") == ["undo 1"]


@pytest.mark.parametrize("how", HOWS)
async def test_while_asking(stage: Stage, effects: Effects, how: str) -> None:
    effects.script("reason 2", asks())
    play = await stage.confirmed(a_step(1), a_step(2))
    await play.until(lambda p: p.blocking_prompt is not None)
    await cancel(play, how)
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK
    assert ended.rollback_report is not None and ended.rollback_report.trigger is RollbackTrigger.CANCELLED
    assert effects.made("undo") == ["undo 1"]
    assert effects.calls.count("release") == 1
    assert ended.blocking_prompt is None


@pytest.mark.parametrize("how", HOWS)
async def test_while_it_waits_for_the_session_s_question_slot(stage: Stage, effects: Effects, how: str) -> None:
    effects.grants = False
    effects.script("reason 1", asks())
    held = effects.hold("slot")
    play = await stage.confirmed(a_step(1))
    await play.reached(held)
    held.let_go()
    await cancel(play, how)
    assert (await play.ended()).status is PlanStatus.CANCELLED
    assert effects.calls.count("release") == 1


@pytest.mark.parametrize("where", ["undo 2", "undo 1"])
async def test_during_a_rollback_nothing_is_lost(stage: Stage, effects: Effects, where: str) -> None:
    effects.script("snapshot 3", broken(3))
    held = effects.hold(where)
    play = await stage.confirmed(*map(a_step, (1, 2, 3)))
    await play.reached(held)
    await play.cancel_workflow()
    with pytest.raises(WorkflowUpdateFailedError):
        await play.cancel()
    held.let_go()
    ended = await play.ended()
    assert rows(ended) == [(2, "reversed"), (1, "reversed")]
    assert ended.rollback_report is not None and ended.rollback_report.trigger is RollbackTrigger.FAILURE
    assert ended.failure is not None and ended.failure.step == 3
    assert effects.made("undo") == ["undo 2", "undo 1"]


@pytest.mark.parametrize("first", HOWS)
async def test_a_second_cancel_during_the_rollback_that_the_first_one_started(
    stage: Stage, effects: Effects, first: str
) -> None:
    acting, undoing = effects.hold("act 2"), effects.hold("undo 1")
    play = await stage.confirmed(a_step(1), a_step(2))
    await play.reached(acting)
    await cancel(play, first)
    acting.let_go()
    await play.reached(undoing)
    await play.cancel_workflow()
    await play.cancel_workflow()
    undoing.let_go()
    ended = await play.ended()
    assert rows(ended) == [(2, "reversed"), (1, "reversed")]
    assert effects.made("undo") == ["undo 2", "undo 1"]


async def test_while_the_rollback_waits_for_a_sign_in(stage: Stage, effects: Effects) -> None:
    effects.script("snapshot 2", broken(2))
    effects.script("undo 1", SIGNED_OUT)
    play = await stage.confirmed(a_step(1), a_step(2))
    await play.until(waiting)
    await play.cancel_workflow()
    assert waiting((await play.view()).plan)
    await play.sign_in()
    ended = await play.ended()
    assert rows(ended) == [(1, "reversed")]
    assert effects.made("undo") == ["undo 1"] * 2, "once refused, once done"


async def test_in_the_undo_window_the_plan_closes_as_completed(stage: Stage, effects: Effects) -> None:
    play = await stage.confirmed(a_step(1))
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    await play.handle.cancel()
    ended = await play.ended()
    assert ended.status is PlanStatus.COMPLETED
    assert ended.undo_until is None, "an undo that is no longer to be had is not offered"
    assert effects.made("undo") == []


async def test_an_undo_that_is_being_looked_into_is_still_carried_out(stage: Stage, effects: Effects) -> None:
    play = await stage.confirmed(a_step(1))
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    held = effects.hold("look 1")
    undoing = asyncio.create_task(play.undo())
    await play.reached(held)
    await play.cancel_workflow()
    held.let_go()
    await undoing
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK
    assert effects.made("undo") == ["undo 1"]


async def test_during_an_undo(stage: Stage, effects: Effects) -> None:
    play = await stage.confirmed(a_step(1), a_step(2))
    await play.until(lambda p: p.status is PlanStatus.COMPLETED)
    held = effects.hold("undo 2")
    await play.undo()
    await play.reached(held)
    await play.cancel_workflow()
    held.let_go()
    ended = await play.ended()
    assert rows(ended) == [(2, "reversed"), (1, "reversed")]
    assert ended.rollback_report is not None and ended.rollback_report.trigger is RollbackTrigger.UNDO
    assert effects.made("undo") == ["undo 2", "undo 1"]


async def test_an_undo_that_comes_while_the_plans_tokens_are_wiped_keeps_its_own(
    stage: Stage, effects: Effects
) -> None:
    held = effects.hold("wipe tok-1")
    play = await stage.confirmed()
    await play.reached(held)
    undoing = asyncio.create_task(play.undo("tok-undo"))
    await play.has_heard(2)
    held.let_go()
    await undoing
    assert (await play.ended()).status is PlanStatus.ROLLED_BACK
    assert [c for c in effects.calls if c.split()[0] in ("undo", "wipe")] == ["wipe tok-1", "undo 1", "wipe tok-undo"]


async def test_a_token_that_comes_when_nothing_will_use_it_is_wiped_like_the_others(
    stage: Stage, effects: Effects
) -> None:
    held = effects.hold("wipe tok-1")
    play = await stage.confirmed()
    await play.reached(held)
    await play.sign_in("tok-late")
    await play.view()
    held.let_go()
    await play.ended()
    assert sorted(effects.made("wipe")) == ["wipe tok-1", "wipe tok-late"]


async def test_a_sign_in_of_another_user_is_not_taken(stage: Stage, effects: Effects) -> None:
    held = effects.hold("act 1")
    play = await stage.confirmed()
    await play.reached(held)
    await play.handle.signal("token_renewed", TokenRenewed(user_id="operator-2", token_ref="tok-of-another"))
    assert (await play.view()).token_ref == "tok-1"
    held.let_go()
    await play.ended()
    assert effects.made("wipe") == ["wipe tok-1"]
