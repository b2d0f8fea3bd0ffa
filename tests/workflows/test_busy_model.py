"""A confirmed plan whose model asks its callers to wait. Guarantees:

- The plan waits as long as asked, as often as asked, for hours if need be; then it goes on and completes. Nothing is
  rolled back, and nothing is sent twice.
- Meanwhile it says so: `assistant_busy_until`, the phase `waiting_for_model`, one progress event for each wait.
- Where parallel steps wait, it says the last of their waits.
- Its operator can stop it while it waits: what it has done is then undone. A skipped step ends the wait.
- Any other failure of the model still stops the plan, and is no wait.
"""

from datetime import timedelta
from typing import Any

import pytest
from temporalio.exceptions import ApplicationError

from contracts.enums import PlanStatus
from contracts.errors import MODEL_BUSY
from infra.temporal.search_attributes import PHASE
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Play, Stage, a_step

pytestmark = pytest.mark.asyncio

HALF = timedelta(minutes=30)


def busy(seconds: float) -> ApplicationError:
    """Return the error of a model call whose endpoint asks for patience."""
    return ApplicationError("the model asks its callers to wait", seconds, type=MODEL_BUSY, non_retryable=True)


async def waits(play: Play) -> Any:
    """Return the plan once it waits for its model."""
    return await play.until(lambda plan: plan.assistant_busy_until is not None)


async def test_it_waits_as_often_as_asked_and_completes(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(a_step(1), a_step(2))
    effects.script("reason 2", busy(7200), busy(20), busy(0))
    asked = await stage.now()
    await play.confirm()
    ended = await play.ended()
    assert ended.status is PlanStatus.COMPLETED and ended.assistant_busy_until is None
    assert (ended.completed_at - asked).total_seconds() >= 7220
    assert len(effects.made("reason")) == 5
    assert effects.made("act") == ["act 1", "act 2"] and effects.made("undo") == []


async def test_it_says_meanwhile_what_it_waits_for(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(a_step(1), a_step(2))
    effects.script("reason 2", busy(3600))
    await play.confirm()
    plan = await waits(play)
    assert plan.status is PlanStatus.EXECUTING
    assert 3500 < (plan.assistant_busy_until - await stage.now()).total_seconds() <= 3600
    description = await play.handle.describe()
    assert description.typed_search_attributes.get(PHASE) == "waiting_for_model"
    ended = await play.ended()
    assert ended.status is PlanStatus.COMPLETED
    assert (await play.handle.describe()).typed_search_attributes.get(PHASE) != "waiting_for_model"


async def test_parallel_steps_wait_until_the_last_of_their_waits(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(a_step(1, key="a"), a_step(2, key="b"), parallel=True)
    effects.script("reason 1", busy(600))
    effects.script("reason 2", busy(3600))
    asked = await stage.now()
    await play.confirm()
    await play.until(lambda plan: bool(plan.assistant_busy_until and plan.assistant_busy_until - asked > HALF))
    await stage.pass_time(1200)
    plan = (await play.view()).plan
    assert plan.assistant_busy_until is not None and plan.assistant_busy_until - asked > HALF
    assert (await play.ended()).status is PlanStatus.COMPLETED


async def test_it_can_be_stopped_while_it_waits(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(a_step(1), a_step(2))
    effects.script("reason 2", busy(86_400))
    asked = await stage.now()
    await play.confirm()
    await waits(play)
    await play.cancel()
    ended = await play.ended()
    assert (ended.completed_at - asked).total_seconds() < 3600, "the wait ends with the cancel"
    assert ended.status is PlanStatus.ROLLED_BACK and ended.assistant_busy_until is None
    assert (effects.made("act"), effects.made("undo")) == (["act 1"], ["undo 1"])


async def test_a_model_that_is_away_is_not_waited_for(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(a_step(1), a_step(2))
    effects.script("reason 2", *(ApplicationError("away", type="model_unavailable") for _ in range(3)))
    await play.confirm()
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK
    assert ended.failure is not None and len(effects.made("reason")) == 4
