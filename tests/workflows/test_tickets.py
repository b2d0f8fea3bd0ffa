"""A message in a chat has the effect that its caller was answered with (an API that opens a command for every message).
Guarantees:

- A bare yes confirms only the plan that its operator was shown last; if another one is pending, the chat shows that
  instead.
- A plan is made, or replaced, only by a message that its caller has not aborted. An aborted message leaves the pending
  plan as it is; an aborted bare yes or no without a plan leaves no trace at all.
- A turn that fails earlier reports itself that it had no effect.
- A bare no goes to the plan that was confirmed last while it runs, unless a question of ours is open. While the plan
  itself waits for an answer, only an explicit stop stops it, because a plain no may be the answer.
- Meanwhile no reply claims that nothing is being changed.
"""

from typing import Any

import pytest
from temporalio.client import WorkflowHandle
from temporalio.exceptions import ApplicationError

from contracts.chat_completion import ModelReply, ModelStatement
from contracts.chat_messages import ChatMemory, SessionView, TranscriptView, TurnReply
from contracts.enums import PlanStatus, ServiceErrorType
from contracts.errors import ServiceError
from contracts.step_activities import ChatCommandResult, CommitResult, PlanState
from contracts.turn import AnswerTurn, PlanTurn
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import USER, Stage, a_message, a_step
from tests.workflows.test_pending_plan import CONFIRMED, a_plan, amends, made

pytestmark = pytest.mark.asyncio

NO = CommitResult(granted=False)
EXECUTING = PlanState(open=True, status=PlanStatus.EXECUTING, phase="executing")
ASKING = PlanState(open=True, status=PlanStatus.EXECUTING, phase="asking")
COMPLETED = PlanState(open=True, status=PlanStatus.COMPLETED, phase="completed")
STOPPED = CONFIRMED.model_copy(update={"status": PlanStatus.EXECUTING})


class Chat:
    """A chat and its turns."""

    def __init__(self, stage: Stage, handle: WorkflowHandle[Any, ChatMemory]) -> None:
        self._stage = stage
        self._handle = handle

    async def say(self, text: str, key: str, shown: str | None = None) -> TurnReply:
        """Send a message, its commit token named after its key."""
        request = a_message(await self._stage.now(), text, key, shown_plan_id=shown)
        return await self._handle.execute_update("handle_request", request, result_type=TurnReply)

    async def session(self) -> SessionView:
        """Return what the chat knows of the session."""
        return await self._handle.query("session", result_type=SessionView)

    async def shown(self) -> list[str]:
        """Return the kinds of the entries that the chat has shown."""
        view: TranscriptView = await self._handle.query("transcript", 0, result_type=TranscriptView)
        return [entry.kind for entry in view.entries]


async def a_chat(stage: Stage, **memory: Any) -> Chat:
    """Return a chat with this memory."""
    return Chat(stage, await stage.chat(memory=ChatMemory(owner=USER, **memory)))


async def waiting(stage: Stage) -> Chat:
    """Return a chat with a pending plan."""
    return await a_chat(stage, pending_plan_id="old", pending_steps=(a_step(1),), pending_plan=a_plan())


async def test_a_yes_never_confirms_a_plan_that_was_not_shown(stage: Stage, effects: Effects) -> None:
    chat = await waiting(stage)
    wording = (await chat.say("yes", "k1", shown="another")).turn
    assert isinstance(wording, PlanTurn) and wording.plan.plan_id == "old" and "Look at it" in wording.message
    assert effects.made("confirm") == [] and (await chat.session()).pending_plan_id == "old"
    effects.script("confirm old", ChatCommandResult(plan=CONFIRMED))
    assert isinstance((await chat.say("yes", "k2", shown="old")).turn, PlanTurn)
    assert effects.made("confirm") == ["confirm old"]


async def test_a_yes_of_a_facade_that_has_shown_nothing_confirms(stage: Stage, effects: Effects) -> None:
    chat = await waiting(stage)
    effects.script("confirm old", ChatCommandResult(plan=CONFIRMED))
    await chat.say("yes", "k1")
    assert effects.made("confirm") == ["confirm old"]


async def test_no_plan_is_made_or_replaced_of_a_message_that_was_given_up(stage: Stage, effects: Effects) -> None:
    chat = await waiting(stage)
    amends(effects)
    effects.script("claim ticket-k1", NO)
    wording = await chat.say("make it two", "k1")
    assert wording.error is not None and wording.error.error_type is ServiceErrorType.SERVICE_UNAVAILABLE
    assert effects.made("drop") == [] and (await chat.session()).pending_plan_id == "old"
    again = (await chat.say("make it two", "k1")).turn
    assert isinstance(again, PlanTurn) and await made(stage, again.plan.plan_id)
    assert effects.made("claim") == ["claim ticket-k1"] * 2
    assert effects.calls.index("drop old") > effects.calls.index("claim ticket-k1")


async def test_a_bare_word_without_a_plan_that_was_given_up_comes_to_nothing(stage: Stage, effects: Effects) -> None:
    chat = await a_chat(stage)
    effects.script("claim ticket-k1", NO)
    wording = await chat.say("yes", "k1")
    assert wording.error is not None and not wording.unsettled
    assert effects.made("reason") == [] and await chat.shown() == ["message", "error"]


@pytest.mark.parametrize("text", ["yes", "make it two"])
async def test_a_turn_that_fails_before_its_plan_says_that_nothing_came_of_it(
    stage: Stage, effects: Effects, text: str
) -> None:
    chat = await a_chat(stage)
    effects.script("reason", ApplicationError("away", non_retryable=True))
    wording = await chat.say(text, "k1")
    assert wording.error is not None and "No booking was changed" in wording.error.message and not wording.unsettled


@pytest.mark.parametrize(
    ("kind", "part"), [("unavailable.store", "Redis"), ("unavailable.temporal", "Temporal) cannot")]
)
async def test_the_part_that_is_away_is_named(stage: Stage, effects: Effects, kind: str, part: str) -> None:
    chat = await waiting(stage)
    effects.script("confirm old", ApplicationError("away", type=kind, non_retryable=True))
    wording = await chat.say("yes", "k1")
    assert wording.error is not None and part in wording.error.message and wording.unsettled


async def test_a_stop_goes_to_the_plan_that_runs(stage: Stage, effects: Effects) -> None:
    chat = await waiting(stage)
    effects.script("confirm old", ChatCommandResult(plan=CONFIRMED))
    effects.script("state old", PlanState(open=True), EXECUTING, EXECUTING)
    effects.script("drop old", ChatCommandResult(plan=STOPPED))
    await chat.say("yes", "k1", shown="old")
    wording = (await chat.say("stop", "k2")).turn
    assert isinstance(wording, AnswerTurn) and "is stopped before its next step" in wording.message
    call = effects.requests["drop old"][0].command
    assert (call.commit_token, call.superseded_by) == ("ticket-k2", None)
    assert (await chat.say("stop", "k2")).turn == wording


async def test_a_stop_goes_to_the_plan_that_runs_beside_one_that_was_dropped_elsewhere(
    stage: Stage, effects: Effects
) -> None:
    chat = await a_chat(stage, running_plan_id="old", pending_plan_id="new", pending_steps=(a_step(1),))
    effects.script("state new", PlanState(open=False, status=PlanStatus.CANCELLED))
    effects.script("state old", EXECUTING)
    effects.script("drop old", ChatCommandResult(plan=STOPPED))
    wording = (await chat.say("stop", "k1")).turn
    assert isinstance(wording, AnswerTurn) and "is stopped before its next step" in wording.message
    assert effects.made("drop") == ["drop old"]


async def test_a_stop_that_came_too_late_says_how_the_plan_stands(stage: Stage, effects: Effects) -> None:
    chat = await a_chat(stage, running_plan_id="old")
    effects.script("state old", EXECUTING)
    late = ServiceError(error_type=ServiceErrorType.CONFLICT, message="This plan is already completed.")
    effects.script("drop old", ChatCommandResult(error=late))
    wording = (await chat.say("stop", "k1")).turn
    assert isinstance(wording, AnswerTurn) and wording.message == late.message


@pytest.mark.parametrize(("text", "stops"), [("no", False), ("no thanks", False), ("stop", True), ("no, stop", True)])
async def test_a_no_beside_a_plans_question_stops_nothing(
    stage: Stage, effects: Effects, text: str, stops: bool
) -> None:
    chat = await a_chat(stage, running_plan_id="old")
    effects.script("state old", ASKING)
    effects.script("drop old", ChatCommandResult(plan=STOPPED))
    wording = (await chat.say(text, "k1")).turn
    assert isinstance(wording, AnswerTurn)
    assert effects.made("drop") == (["drop old"] if stops else [])
    assert ("is stopped before its next step" if stops else "Answer the question") in wording.message


async def test_a_no_to_a_question_of_ours_stops_nothing(stage: Stage, effects: Effects) -> None:
    chat = await a_chat(stage, running_plan_id="old", clarifications=1)
    effects.script("state old", EXECUTING)
    wording = (await chat.say("no", "k1")).turn
    assert effects.made("drop") == [] and isinstance(wording, AnswerTurn)
    assert "still being carried out" in wording.message and "Nothing is changed by this message" not in wording.message


@pytest.mark.parametrize(
    ("state", "reported"),
    [
        (EXECUTING, "still being carried out"),
        (PlanState(open=True, status=PlanStatus.FAILED, phase="rollback running"), "still being undone"),
        (COMPLETED, "Nothing is changed by this message"),
        (PlanState(open=False, status=PlanStatus.COMPLETED), "Nothing is changed by this message"),
    ],
)
async def test_no_one_is_reported_that_nothing_changes_while_a_plan_runs(
    stage: Stage, effects: Effects, state: PlanState, reported: str
) -> None:
    chat = await a_chat(stage, running_plan_id="old")
    effects.script("state old", state)
    effects.script("reason", ModelReply(text="I moved it."))
    wording = (await chat.say("what else?", "k1")).turn
    assert isinstance(wording, AnswerTurn) and reported in wording.message


async def test_what_a_model_claims_is_judged_once_where_it_is_heard(stage: Stage, effects: Effects) -> None:
    """The grammar changes with deploys, and a replay must reach the same result."""
    chat = await a_chat(stage)
    words = ModelStatement(plain="What the activity kept.", only_asks=False)
    effects.script("reason", ModelReply(text="I moved it.", statement=words))
    wording = (await chat.say("hello", "k1")).turn
    assert isinstance(wording, AnswerTurn) and wording.message.startswith("What the activity kept.")


async def test_a_plan_confirmed_elsewhere_is_known_to_run(stage: Stage, effects: Effects) -> None:
    chat = await waiting(stage)
    effects.script("state old", EXECUTING)
    effects.script("drop old", ChatCommandResult(plan=STOPPED))
    wording = (await chat.say("stop", "k1")).turn
    assert isinstance(wording, AnswerTurn) and "is stopped" in wording.message
