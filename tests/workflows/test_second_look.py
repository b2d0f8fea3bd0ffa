"""The critique in a chat, on a server that skips time: only its own yes counts as a yes. Guarantees:

- A critique that fails, that hangs, whose worker dies, or for which no time is left escalates the message to staff.
- It is attempted twice, within the rest of the turn; a model that was too slow is reported as lack of time, and the
  ledger records for engineers why it failed.
- A venue in standard mode has no critique; a doubted look-up is criticised once; below a confidence of six nothing goes
  on.
- A turn stays in the mode that it began in, and asks the model again only with what the model asked to see.
"""

import asyncio
import contextlib
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from temporalio.client import WorkflowHandle, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from contracts.chat_completion import (
    Assessment,
    Critique,
    CritiqueRequest,
    ModelReply,
    ParsedAssessment,
    ReasonRequest,
    ToolCall,
)
from contracts.chat_messages import ChatMemory, DebugView, TurnReply
from contracts.drafting import LookUpReply
from contracts.enums import AiMode, CritiqueDecision, CritiqueTrigger
from contracts.message_reading import MessageReading
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import USER, Stage, a_message, a_step

pytestmark = pytest.mark.asyncio

YES = Critique(decision=CritiqueDecision.PROCEED)
CHANGE = ToolCall(id="c-1", name="change_1", kind="write")
LOOK = ToolCall(id="c-2", name="find", kind="read")


def reply(
    *calls: ToolCall, confidence: int = 9, triggers: tuple[CritiqueTrigger, ...] = (), **fields: Any
) -> ModelReply:
    """Return a model's reply in adaptive mode."""
    judged = ParsedAssessment(assessment=Assessment(confidence=confidence, tool_call=calls[0].name if calls else None))
    given = {"tool_calls": calls, "mode": AiMode.ADAPTIVE, "assessed": judged, "triggers": triggers}
    return ModelReply(**{**given, **fields})


RISKY = reply(CHANGE, triggers=(CritiqueTrigger.DESTRUCTIVE,))


class Chat:
    """A chat and its turns."""

    def __init__(self, stage: Stage, handle: WorkflowHandle[Any, ChatMemory]) -> None:
        self._stage, self._handle = stage, handle

    async def say(self, within: float = 120) -> TurnReply:
        """Send a message that must be handled in so many seconds."""
        now = await self._stage.now()
        until = now + timedelta(seconds=within)
        request = a_message(now, "cancel it", uuid4().hex, deadline=until, reading=MessageReading(), reply_token="")
        return await self._handle.execute_update("handle_request", request, result_type=TurnReply)

    async def trail(self) -> list[str]:
        """Return the trail that engineers read."""
        view = await self._handle.query("debug", result_type=DebugView)
        return [f"{entry.kind}: {entry.text}" for entry in view.entries]


@pytest.fixture
async def chat(stage: Stage, effects: Effects) -> Chat:
    """Return a chat for which any draft is a plan of one step."""
    effects.step = a_step(1, reversible=False)
    return Chat(stage, await stage.chat(memory=ChatMemory(owner=USER)))


def escalated(reply: TurnReply) -> str:
    assert reply.turn is not None and reply.turn.type == "escalation", reply
    assert "a person has to look at it" in reply.turn.message
    return reply.turn.reason


async def test_its_yes_is_a_yes(chat: Chat, effects: Effects) -> None:
    effects.script("reason", RISKY)
    effects.script("critique", YES)
    assert (await chat.say()).turn.type == "plan"  # type: ignore[union-attr]
    [request] = effects.requests["critique"]
    assert isinstance(request, CritiqueRequest) and request.operator_messages == ("cancel it",)
    assert [step.action_id for step in request.steps] == ["change_1"] and len(request.open) == 1
    assert any("A confirmation follows" in point for point in request.settled)


@pytest.mark.parametrize("died", [
    ApplicationError("the model did not answer"), ApplicationError("died", non_retryable=True), RuntimeError("oops"),
], ids=["erring", "dead", "broken"])  # fmt: skip
async def test_a_critique_that_dies_is_never_a_yes(chat: Chat, effects: Effects, died: Exception) -> None:
    effects.script("reason", RISKY)
    effects.script("critique", died, died, YES)
    assert escalated(await chat.say()) == "critique_failed"
    assert len(effects.made("critique")) == (1 if getattr(died, "non_retryable", False) else 2)


@pytest.mark.parametrize(("kind", "reason"), [("model_too_slow", "no_time"), ("model_unavailable", "critique_failed")])
async def test_a_model_that_is_too_slow_leaves_no_time(chat: Chat, effects: Effects, kind: str, reason: str) -> None:
    effects.script("reason", RISKY)
    died = ApplicationError("the model did not answer: TimeoutError", type=kind)
    effects.script("critique", died, died, YES)
    assert escalated(await chat.say()) == reason
    assert len(effects.made("critique")) == 2


async def test_what_came_of_a_critique_that_failed_is_on_record(chat: Chat, effects: Effects) -> None:
    effects.script("reason", RISKY)
    refused = ApplicationError("the critique names no decision", type="model_unavailable")
    effects.script("critique", refused, refused)
    assert escalated(await chat.say()) == "critique_failed"
    failed, handed, _ = (await chat.trail())[-3:]
    assert "critique: failed: " in failed and "the critique names no decision" in failed
    assert handed == "decision: handed to a person: critique_failed"


async def test_one_failure_is_tried_again(chat: Chat, effects: Effects) -> None:
    effects.script("reason", RISKY)
    effects.script("critique", ApplicationError("once"), YES)
    assert (await chat.say()).turn.type == "plan"  # type: ignore[union-attr]


async def test_a_critique_that_hangs_hands_over_in_time(chat: Chat, effects: Effects) -> None:
    effects.script("reason", RISKY)

    async def hangs(_: CritiqueRequest) -> Critique:
        await asyncio.Event().wait()
        return YES

    effects.script("critique", hangs, hangs)
    assert escalated(await chat.say(within=6)) == "no_time"


async def test_no_time_left_is_an_escalation(chat: Chat, effects: Effects, stage: Stage) -> None:
    # A busy machine may not leave the time to reason either: then the test sends the message again.
    while True:
        effects.script("reason", RISKY)
        with contextlib.suppress(WorkflowUpdateFailedError):
            message = await chat.say(within=1.1)
            if message.turn is not None and message.turn.type == "escalation":
                break
    assert escalated(message) == "no_time"
    assert effects.made("critique") == []
    assert (await chat.trail())[-2] == "decision: handed to a person: no_time"


async def test_standard_mode_is_not_looked_at(chat: Chat, effects: Effects) -> None:
    effects.script("reason", ModelReply(tool_calls=(CHANGE,), triggers=(CritiqueTrigger.DESTRUCTIVE,)))
    assert (await chat.say()).turn.type == "plan"  # type: ignore[union-attr]
    assert effects.made("critique") == []


@pytest.mark.parametrize(("confidence", "kind"), [(5, "escalation"), (6, "plan"), (7, "plan")])
async def test_nothing_below_six_goes_on(chat: Chat, effects: Effects, confidence: int, kind: str) -> None:
    low = (CritiqueTrigger.LOW_CONFIDENCE,) if confidence < 7 else ()
    effects.script("reason", reply(CHANGE, confidence=confidence, triggers=low))
    effects.script("critique", YES)
    assert (await chat.say()).turn.type == kind  # type: ignore[union-attr]
    assert len(effects.made("critique")) == len(low)


async def test_a_second_doubted_look_up_below_six_is_not_made(chat: Chat, effects: Effects) -> None:
    low = (CritiqueTrigger.LOW_CONFIDENCE,)
    effects.script("reason", reply(LOOK, confidence=6, triggers=low), reply(LOOK, confidence=5, triggers=low))
    effects.script("critique", YES)
    effects.script("look_up", LookUpReply(observation={"found": 0}))
    assert escalated(await chat.say()) == "low_confidence"
    assert (len(effects.made("critique")), len(effects.made("look_up"))) == (1, 1)


async def test_a_turn_stays_in_its_mode_and_asks_again_with_what_it_wants_to_see(chat: Chat, effects: Effects) -> None:
    wants = reply(wants=("faqs", "tool_schema:change_1"), unknown=("policies.pets",))
    effects.script("reason", wants, reply(CHANGE))
    assert (await chat.say()).turn.type == "plan"  # type: ignore[union-attr]
    first, second = effects.requests["reason"]
    assert isinstance(first, ReasonRequest) and (first.mode, first.fetched) == (None, ())
    assert second.mode is AiMode.ADAPTIVE
    assert second.fetched == ("faqs", "tool_schema:change_1", "policies.pets")
    assert second.messages == first.messages, "what it said meanwhile was not said"


async def test_after_three_rounds_an_unseen_tool_is_not_called(chat: Chat, effects: Effects) -> None:
    wants = reply(CHANGE, wants=("tool_schema:change_1",))
    effects.script("reason", wants, wants, wants, wants, reply(text="Then not."))
    assert (await chat.say()).turn.type == "answer"  # type: ignore[union-attr]
    shown = effects.requests["reason"][-1].messages[-1]
    assert "You have not seen the schema of change_1" in shown.content
    assert effects.made("draft") == []
