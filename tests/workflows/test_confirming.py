"""A confirm takes effect only once it is committed: the plan commits the attempt before it changes its status, and an
attempt that the caller has aborted never takes effect. Guarantees:

- Committed: the plan runs. Aborted: the plan stays pending, the caller gets "unavailable", and the operator may confirm
  again.
- The status only moves forward: an aborted attempt was never `confirmed`.
- While a commit is under way the plan neither expires nor closes. If it is granted the confirm counts; if not, the plan
  then ends as it would have. Another confirm after the plan's expiry time is rejected as too late, not as already
  pending.
- Two attempts at once run the plan once.
"""

import asyncio

import pytest
from temporalio.client import WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from contracts.enums import PlanStatus
from contracts.limits import PlanPolicy
from contracts.step_activities import CommitResult
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import POLICY, Stage

pytestmark = pytest.mark.asyncio

NO = CommitResult(granted=False)
SHORT: PlanPolicy = POLICY.model_copy(update={"confirm_timeout": 1})


async def test_granted(stage: Stage, effects: Effects) -> None:
    play = await stage.plan()
    view = await play.confirm(attempt="a")
    assert (view.plan.status, view.confirm_request_id, view.token_ref) == (PlanStatus.CONFIRMED, "r-1", "tok-1")
    assert (await play.ended()).status is PlanStatus.COMPLETED
    assert effects.calls[0] == "claim a"
    assert await play.statuses() == ["confirmed", "executing", "completed"]


async def test_refused_and_confirmed_again(stage: Stage, effects: Effects) -> None:
    effects.script("claim a", NO)
    play = await stage.plan()
    with pytest.raises(WorkflowUpdateFailedError) as refused:
        await play.confirm(attempt="a")
    assert isinstance(refused.value.cause, ApplicationError) and refused.value.cause.type == "service_unavailable"
    view = await play.view()
    assert (view.plan.status, view.confirm_request_id) == (PlanStatus.PENDING_CONFIRMATION, None)
    assert effects.calls == ["claim a", "wipe tok-1"], "the token that it came with"
    await play.confirm(attempt="b")
    assert (await play.ended()).status is PlanStatus.COMPLETED
    assert await play.statuses() == ["confirmed", "executing", "completed"]
    assert effects.made("act") == ["act 1"]


@pytest.mark.parametrize("granted", [True, False])
async def test_while_it_is_settled_the_plan_does_not_expire(stage: Stage, effects: Effects, granted: bool) -> None:
    effects.script("claim a", CommitResult(granted=granted))
    held = effects.hold("claim a")
    play = await stage.plan(policy=SHORT)
    confirming = asyncio.create_task(play.confirm(attempt="a"))
    await play.reached(held)
    await stage.pass_time(1.5)
    assert (await play.view()).plan.status is PlanStatus.PENDING_CONFIRMATION
    with pytest.raises(WorkflowUpdateFailedError) as late:
        await play.confirm(attempt="b")
    assert isinstance(late.value.cause, ApplicationError) and "too late" in late.value.cause.message
    held.let_go()
    if granted:
        assert (await confirming).plan.status is PlanStatus.CONFIRMED
        assert (await play.ended()).status is PlanStatus.COMPLETED
    else:
        with pytest.raises(WorkflowUpdateFailedError):
            await confirming
        assert (await play.ended()).status is PlanStatus.EXPIRED
        assert effects.made("act") == []


@pytest.mark.parametrize("granted", [True, False])
async def test_a_cancel_while_it_is_settled(stage: Stage, effects: Effects, granted: bool) -> None:
    effects.script("claim a", CommitResult(granted=granted))
    held = effects.hold("claim a")
    play = await stage.plan()
    confirming = asyncio.create_task(play.confirm(attempt="a"))
    await play.reached(held)
    cancelling = asyncio.create_task(play.cancel())
    await play.has_heard(2)
    held.let_go()
    await asyncio.gather(confirming, cancelling, return_exceptions=True)
    assert (await play.ended()).status is PlanStatus.CANCELLED
    assert effects.made("act") == []


async def test_two_attempts_at_once(stage: Stage, effects: Effects) -> None:
    held = effects.hold("claim a")
    play = await stage.plan()
    first = asyncio.create_task(play.confirm("tok-1", attempt="a"))
    await play.reached(held)
    second = asyncio.create_task(play.confirm("tok-2", attempt="b"))
    held.let_go()
    assert ((await first).plan.status, (await first).token_ref) == (PlanStatus.CONFIRMED, "tok-1")
    assert (await second).token_ref == "tok-1", "so the facade wipes the token of the one that came second"
    assert (await play.ended()).status is PlanStatus.COMPLETED
    assert effects.made("act") == ["act 1"]
