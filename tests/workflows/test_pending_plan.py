"""What a chat knows of the plan that waits for its operator. Guarantees:

- After a "yes" or "no" that failed, or whose outcome is unknown, the chat still knows the plan, and the same reply
  again means the same plan. The turn is not remembered, so a retry of the request is handled again, also for a plan
  that has moved on meanwhile.
- A chat replaces a pending plan only when that plan is certainly gone; otherwise the turn reports it and no second plan
  exists. A retry makes the same plan.
"""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from temporalio.client import WorkflowHandle
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError

from contracts.chat_completion import ModelReply, ToolCall
from contracts.chat_messages import ChatMemory, SessionView, TurnReply
from contracts.enums import PlanStatus, ServiceErrorType
from contracts.errors import ServiceError
from contracts.plan import ExecutionPlan
from contracts.step_activities import ChatCommandResult, PlanState
from contracts.turn import AnswerTurn, PlanTurn
from language.messages.catalogue import translate
from reasoning.drafting.plan import plan_of
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import USER, Stage, a_message, a_step

pytestmark = pytest.mark.asyncio

AWAY = ChatCommandResult(error=ServiceError(error_type=ServiceErrorType.SERVICE_UNAVAILABLE, message="Not now."))


def a_plan(**fields: Any) -> ExecutionPlan:
    """Return the pending plan."""
    plan = plan_of(
        (a_step(1),),
        plan_id="old",
        session_id="session-1",
        user_id=USER,
        venue_id="v-1",
        now=datetime.now(UTC),
        confirm_timeout=900,
    )
    return plan.model_copy(update=fields)


CONFIRMED = a_plan(status=PlanStatus.CONFIRMED, confirmed_at=datetime.now(UTC))


class Chat:
    """A chat and its turns."""

    def __init__(self, stage: Stage, handle: WorkflowHandle[Any, ChatMemory]) -> None:
        self._stage = stage
        self._handle = handle

    async def say(self, text: str, key: str) -> TurnReply:
        """Send a message."""
        request = a_message(await self._stage.now(), text, key)
        return await self._handle.execute_update("handle_request", request, result_type=TurnReply)

    async def pending(self) -> str | None:
        """Return the plan that the chat believes to be pending."""
        return (await self._handle.query("session", result_type=SessionView)).pending_plan_id


@pytest.fixture
async def chat(stage: Stage) -> Chat:
    """Return a chat with a pending plan."""
    memory = ChatMemory(owner=USER, pending_plan_id="old", pending_steps=(a_step(1),))
    return Chat(stage, await stage.chat(memory=memory))


@pytest.mark.parametrize(
    "failed",
    [
        AWAY,
        ApplicationError("died", non_retryable=True),
        ChatCommandResult(plan=a_plan(stale=True, notice="Who knows.")),
    ],
    ids=["refused", "lost", "unknown"],
)
async def test_after_a_yes_that_failed_the_chat_still_knows_its_plan(chat: Chat, effects: Effects, failed: Any) -> None:
    effects.script("confirm old", failed, ChatCommandResult(plan=CONFIRMED))
    first = await chat.say("yes", "k1")
    assert first.error is not None or (isinstance(first.turn, PlanTurn) and first.turn.plan.notice == "Who knows.")
    assert first.unsettled == isinstance(failed, ApplicationError)
    assert await chat.pending() == "old"
    again = await chat.say("yes", "k2")
    assert again.turn is not None and again.turn.type == "plan"
    assert effects.made("confirm") == ["confirm old"] * 2
    assert [c.command.commit_token for c in effects.requests["confirm old"]] == ["ticket-k1", "ticket-k2"]
    assert await chat.pending() is None


async def test_a_retried_yes_means_the_plan_it_was_stated_to(chat: Chat, effects: Effects) -> None:
    effects.script("confirm old", AWAY, ChatCommandResult(plan=CONFIRMED))
    await chat.say("yes", "k1")
    effects.script("state old", PlanState(open=True, status=PlanStatus.EXECUTING))
    again = await chat.say("yes", "k1")
    assert again.turn is not None and again.turn.type == "plan"
    assert effects.made("reason") == []
    assert (await chat.say("yes", "k1")).turn == again.turn
    assert effects.made("confirm") == ["confirm old"] * 2, "an answer that is known is remembered"


async def test_a_no_to_a_plan_that_has_gone_ahead_does_not_say_that_nothing_changed(
    chat: Chat, effects: Effects
) -> None:
    effects.script("drop old", ChatCommandResult(plan=CONFIRMED))
    wording = await chat.say("no", "k1")
    assert isinstance(wording.turn, AnswerTurn) and wording.turn.message == translate("plan.stopping")


def amends(effects: Effects) -> None:
    """Let the next message draft a plan."""
    effects.step = a_step(1)
    call = ToolCall(id="c", name="change_1", kind="write")
    effects.script("reason", ModelReply(tool_calls=(call,)), ModelReply(tool_calls=(call,)))


async def made(stage: Stage, plan_id: str) -> bool:
    """Return whether a plan was started."""
    try:
        await stage.env.client.get_workflow_handle(f"plan-{plan_id}").describe()
    except RPCError:
        return False
    return True


@pytest.mark.parametrize(
    "failed",
    [
        AWAY,
        ApplicationError("died", non_retryable=True),
        ChatCommandResult(plan=a_plan(stale=True, notice="Who knows.")),
    ],
    ids=["refused", "lost", "unknown"],
)
async def test_no_second_plan_while_the_first_may_wait(stage: Stage, chat: Chat, effects: Effects, failed: Any) -> None:
    effects.script("drop old", failed)
    amends(effects)
    key = uuid4().hex
    wording = await chat.say("make it two", key)
    assert wording.error is not None and wording.error.error_type is ServiceErrorType.SERVICE_UNAVAILABLE
    new = effects.requests["drop old"][0].command.superseded_by
    assert not await made(stage, new)
    assert await chat.pending() == "old"
    again = await chat.say("make it two", key)
    assert isinstance(again.turn, PlanTurn) and again.turn.plan.plan_id == new
    assert await made(stage, new) and await chat.pending() == new


async def test_no_second_plan_when_the_first_was_confirmed_meanwhile(
    stage: Stage, chat: Chat, effects: Effects
) -> None:
    effects.script("drop old", ChatCommandResult(plan=CONFIRMED))
    amends(effects)
    key = uuid4().hex
    wording = await chat.say("make it two", key)
    assert isinstance(wording.turn, AnswerTurn) and "confirmed meanwhile" in wording.turn.message
    assert not await made(stage, effects.requests["drop old"][0].command.superseded_by)
    assert await chat.pending() is None
