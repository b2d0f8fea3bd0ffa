"""What a plan reports of its end, and on its way there, is true in every case that leads to it. Guarantees:

- A plan is stopping from the request to end it until it has ended: once in its events, and never at an end.
- A plan that was cancelled before a step names it, by number and name. A plan that never ran is not reported as
  stopping.
- A step whose outcome is unknown is not called failed. Once its undo has seen the booking, the doubt is past.
- `complete` reports whether all, some or nothing was undone.
- A later step that a model calls before its turn is mended; a step that the plan does not have widens it.
- A call that one of our checks refused is reported as that, whatever the model takes it for; a refusal of the venue is
  reported in the venue's text.
"""

from typing import Any

import pytest

from contracts.chat_completion import ModelReply, ToolCall
from contracts.enums import ErrorType, PlanStatus, StepRollbackOutcome, StepStatus
from contracts.errors import VenueFailure
from contracts.events import EventKind, EventsView, PlanEvent
from contracts.step_activities import ActReply, StepUndoResult, WriteOutcome
from language.messages.catalogue import activate_locale
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import Play, Stage, a_step
from tests.workflows.test_cancellation import LOST
from tests.workflows.test_outcomes import unclear
from tests.workflows.test_timers import broken
from workflows.plan import failures
from workflows.plan.step import StepState

pytestmark = pytest.mark.asyncio

STANDS = StepUndoResult(outcome=StepRollbackOutcome.FAILED, message="it stands", manual="by hand")


async def shown(play: Play) -> tuple[PlanEvent, ...]:
    """Return every event of it."""
    return (await play.handle.query("events", 0, result_type=EventsView)).events


async def kinds(play: Play) -> list[EventKind]:
    return [event.kind for event in await shown(play)]


async def test_it_is_stopping_until_it_has_stopped(stage: Stage, effects: Effects) -> None:
    held = effects.hold("act 1")
    play = await stage.confirmed(a_step(1), a_step(2))
    await play.reached(held)
    assert (await play.view()).plan.stopping is False
    assert (await play.cancel()).plan.stopping is True
    held.let_go()
    ended = await play.ended()
    assert (ended.status, ended.stopping) == (PlanStatus.ROLLED_BACK, False)
    heard = await kinds(play)
    assert heard.count(EventKind.STOPPING) == 1
    assert heard.index(EventKind.STOPPING) < heard.index(EventKind.STEP_RESULT) < heard.index(EventKind.ROLLING_BACK)
    assert ended.failure is not None
    assert ended.failure.message == "The plan was cancelled before step 2 (Change 2)."


async def test_a_plan_that_never_ran_is_not_stopping(stage: Stage, effects: Effects) -> None:
    play = await stage.plan(a_step(1))
    await play.cancel()
    assert (await play.ended()).stopping is False
    assert EventKind.STOPPING not in await kinds(play)


@pytest.mark.parametrize(("undone", "known"), [
    (StepUndoResult(outcome=StepRollbackOutcome.NOT_NEEDED, message="as before", seen=True), True),
    (StepUndoResult(outcome=StepRollbackOutcome.REVERSED, message="put back", seen=True), True),
    (STANDS, False),
])  # fmt: skip
async def test_a_doubt_is_reported_for_as_long_as_it_lasts(
    stage: Stage, effects: Effects, undone: StepUndoResult, known: bool
) -> None:
    effects.script("act 1", LOST)
    effects.script("read_back 1", unclear())
    effects.script("undo 1", undone)
    ended = await (await stage.confirmed(a_step(1))).ended()
    assert ended.failure is not None
    text = ended.failure.message
    assert "did not work" not in text
    was = "It was not certain whether step 1 (Change 1) had been carried out, so the plan was stopped."
    assert (text == was, ended.failure.suggestions == ()) == (known, known)


@pytest.mark.parametrize(("replies", "words"), [
    ({}, "rolled back"), ({"undo 1": STANDS}, "rolled back in part"),
    ({"undo 1": STANDS, "undo 2": STANDS}, "not rolled back"),
])  # fmt: skip
async def test_complete_says_how_much_was_put_back(
    stage: Stage, effects: Effects, replies: dict[str, Any], words: str
) -> None:
    effects.script("snapshot 3", broken(3))
    for label, reply in replies.items():
        effects.script(label, reply)
    play = await stage.confirmed(*map(a_step, (1, 2, 3)))
    await play.ended()
    assert [event.text for event in await shown(play) if event.kind is EventKind.COMPLETE] == [words]


async def test_a_step_that_the_venue_refuses_for_good_has_failed_in_its_words(stage: Stage, effects: Effects) -> None:
    text = VenueFailure(error_type=ErrorType.BAD_REQUEST, status=422, message="Not accepted.", detail="no such hour")
    refused = ActReply(write_outcome=WriteOutcome.NOT_APPLIED, failure=text)
    effects.script("act 1", *[refused] * 9)
    play = await stage.confirmed(a_step(1))
    ended = await play.ended()
    assert (ended.status, ended.actions[0].status) == (PlanStatus.FAILED, StepStatus.FAILED)
    [result] = [event for event in await shown(play) if event.kind is EventKind.STEP_RESULT]
    assert (result.step_status, "no such hour" in result.text) == (StepStatus.FAILED, True)


@pytest.mark.parametrize(("guests", "ends"), [(7, PlanStatus.COMPLETED), (8, PlanStatus.FAILED)])
async def test_a_later_step_is_no_other(stage: Stage, effects: Effects, guests: int, ends: PlanStatus) -> None:
    first = a_step(1)
    steps = [first.model_copy(update={"parameters": {"guests": n}, "subject": f"s{n}"}) for n in (6, 7)]
    called = ToolCall(id="c1", name=first.action.name, arguments={"guests": guests})
    effects.script("reason 1", ModelReply(tool_calls=(called,)))
    ended = await (await stage.confirmed(*steps)).ended()
    assert ended.status is ends, ended.failure
    later = [a.status for a in ended.actions]
    done = [StepStatus.COMPLETED] * 2
    assert later == (done if ends is PlanStatus.COMPLETED else [StepStatus.SKIPPED] * 2)


@pytest.mark.parametrize(
    ("locale", "shown", "claims"),
    [
        ("en", "was not sent to the booking system: the assistant did not write it as confirmed.", "accept"),
        ("it", "non è stato inviato al sistema di prenotazione: l'assistente non l'ha scritto", "accettato"),
    ],
)
async def test_a_check_of_ours_is_reported_as_ours_whatever_the_model_takes_it_for(
    locale: str, shown: str, claims: str
) -> None:
    activate_locale(locale)
    run = StepState(1, a_step(1), unfit=True)
    failure = failures.refused(run, "The venue did not accept this: guest_count must be a whole number")
    assert shown in failure.message and claims not in failure.message

    run.refusal = VenueFailure(error_type=ErrorType.BAD_REQUEST, status=400, message="The venue says no.")
    assert "The venue says no." in failures.refused(run, "no").message, (
        "what the venue did refuse is told as it said it"
    )
