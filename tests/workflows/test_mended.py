"""A step that the venue refuses for a value, and that makes something new, is sent again only behind a refusal that
proves that nothing was processed; else it fails, in words that say what is known."""

import pytest

from contracts.action import MarkerTemplate
from contracts.effects import ActReply, DraftedStep, Landing
from contracts.enums import ErrorType, PlanStatus, StepStatus
from contracts.errors import VenueFailure
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Stage, a_step

pytestmark = pytest.mark.asyncio

NO = VenueFailure(error_type=ErrorType.BAD_REQUEST, status=400, message="Not accepted.", detail="no such hour")


def making() -> DraftedStep:
    """A step that makes something with a key of its own."""
    step = a_step(1)
    key = MarkerTemplate(body={"ref": "{{ marker }}"}, present="now.ref == marker")
    return step.model_copy(update={"action": step.action.model_copy(update={"parameters": (), "marker": key})})


@pytest.mark.parametrize(
    "refused",
    [
        ActReply(landing=Landing.NOT_APPLIED, failure=NO, unprocessed=True),
        ActReply(landing=Landing.NOT_APPLIED, failure=NO, sent=False),
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
    effects.script("act 1", ActReply(landing=Landing.UNKNOWN, can_land_for=1, failure=NO))
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
    effects.script("act 1", ActReply(landing=Landing.UNKNOWN, can_land_for=1, failure=NO))
    ended = await (await stage.confirmed(a_step(1), undo_window=0)).ended()
    assert ended.status is PlanStatus.COMPLETED
    assert effects.made("act") == ["act 1", "act 1"] and effects.made("read_back") == ["read_back 1"]
