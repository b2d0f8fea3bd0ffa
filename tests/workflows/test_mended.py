"""The plan sends a create that the venue refused for a value again only after a refusal that proves that nothing was
processed; otherwise the step fails with a message that gives what is known. A step that was sent is never reported as
unsent, whatever keeps the plan from sending it again."""

import pytest
from temporalio.exceptions import ApplicationError

from contracts.action import MarkerTemplate
from contracts.enums import ErrorType, PlanStatus, StepStatus
from contracts.errors import VenueFailure
from contracts.step_activities import ActReply, DraftedStep, WriteOutcome
from reasoning import error_messages
from tests.workflows.fakes import Effects, Held
from tests.workflows.rehearsal import Play, Stage, a_step
from workflows.plan.event_log import closing_text

pytestmark = pytest.mark.asyncio

NO = VenueFailure(error_type=ErrorType.BAD_REQUEST, status=400, message="Not accepted.", detail="no such hour")


def making() -> DraftedStep:
    """Return a step that creates something with a separate key."""
    step = a_step(1)
    key = MarkerTemplate(body={"ref": "{{ marker }}"}, present="now.ref == marker")
    return step.model_copy(update={"action": step.action.model_copy(update={"parameters": (), "marker": key})})


@pytest.mark.parametrize(
    "refused",
    [
        ActReply(write_outcome=WriteOutcome.NOT_APPLIED, failure=NO, unprocessed=True),
        ActReply(write_outcome=WriteOutcome.NOT_APPLIED, failure=NO, sent=False),
    ],
    ids=["unprocessed", "never sent"],
)
async def test_a_create_that_was_certainly_not_processed_is_mended(
    stage: Stage, effects: Effects, refused: ActReply
) -> None:
    effects.script("act 1", refused)
    ended = await (await stage.confirmed(making(), undo_window=0)).ended()
    assert ended.status is PlanStatus.COMPLETED
    assert effects.made("act") == ["act 1", "act 1"]


async def test_a_create_that_may_have_been_processed_is_not_sent_again(stage: Stage, effects: Effects) -> None:
    effects.script("act 1", ActReply(write_outcome=WriteOutcome.UNKNOWN, can_land_for=1, failure=NO))
    ended = await (await stage.confirmed(making(), undo_window=0)).ended()
    assert (effects.made("act"), effects.made("read_back")) == (["act 1"], ["read_back 1"])
    assert (ended.status, ended.actions[0].status) == (PlanStatus.FAILED, StepStatus.FAILED)
    assert ended.failure is not None
    for words in ("no such hour", "does not prove that nothing was done", "not tried again"):
        assert words in ended.failure.message
    assert "before doing anything else" in str(ended.failure.suggestions)


async def test_a_change_that_puts_the_same_again_is_mended_once_a_look_shows_nothing(
    stage: Stage, effects: Effects
) -> None:
    effects.script("act 1", ActReply(write_outcome=WriteOutcome.UNKNOWN, can_land_for=1, failure=NO))
    ended = await (await stage.confirmed(a_step(1), undo_window=0)).ended()
    assert ended.status is PlanStatus.COMPLETED
    assert effects.made("act") == ["act 1", "act 1"] and effects.made("read_back") == ["read_back 1"]


REFUSED = ActReply(write_outcome=WriteOutcome.NOT_APPLIED, failure=NO, unprocessed=True)


async def sent(stage: Stage, effects: Effects) -> tuple[Play, Held]:
    """Return a plan whose step is under way, to be refused once it is released."""
    effects.script("act 1", REFUSED)
    acting = effects.hold("act 1")
    play = await stage.confirmed(a_step(1), undo_window=0)
    await play.reached(acting)
    return play, acting


async def test_a_step_that_was_refused_is_reported_as_that_where_the_model_stays_away(
    stage: Stage, effects: Effects
) -> None:
    play, acting = await sent(stage, effects)
    effects.script("reason 1", ApplicationError("no model", non_retryable=True))
    acting.let_go()
    ended = await play.ended()
    assert (ended.status, ended.actions[0].status) == (PlanStatus.FAILED, StepStatus.FAILED)
    assert ended.failure is not None and "no such hour" in ended.failure.message
    [result] = ended.results
    assert result.status is StepStatus.FAILED and "no such hour" in result.message


async def test_a_step_that_was_refused_is_no_step_that_was_never_begun_where_the_plan_is_cancelled(
    stage: Stage, effects: Effects
) -> None:
    play, acting = await sent(stage, effects)
    mending = effects.hold("reason 1")
    acting.let_go()
    await play.reached(mending)
    await play.cancel()
    mending.let_go()
    ended = await play.ended()
    assert (ended.status, ended.actions[0].status) == (PlanStatus.CANCELLED, StepStatus.FAILED)
    assert "no such hour" in closing_text(ended) and "None of it" not in closing_text(ended)


async def test_a_change_behind_a_refused_try_may_be_its_late_effect(stage: Stage, effects: Effects) -> None:
    moved = ActReply(write_outcome=WriteOutcome.NOT_APPLIED, sent=False, failure=error_messages.drift_error())
    effects.script("act 1", REFUSED, moved)
    ended = await (await stage.confirmed(a_step(1), undo_window=0)).ended()
    assert ended.status is PlanStatus.ROLLED_BACK and effects.made("undo") == ["undo 1"]
    assert ended.results[0].status is StepStatus.UNKNOWN and "not sent" not in ended.results[0].message
