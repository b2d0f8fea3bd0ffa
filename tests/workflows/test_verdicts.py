"""Verdicts on an operator's words come from the facade, since the lists behind them change with deploys (state model).

- Which of "undo the change, or cancel the booking?" a message picks, and whether it asks for a change, is what the
  request says, whatever the words are; requests from before say nothing, and are judged by the chat.
- "Cancel that" asks whether to take the last change back only where there is one to take back.
- A look-up that the venue refused is told as that, whatever the model makes of it; small talk that could be a claim
  is followed by the core's own word that nothing is changed.
- "Yes, cancel it" confirms a plan that cancels, and nothing else.
- That an answer was passed on is not said of a plan that carries a notice: the notice says what is known.
"""

from datetime import UTC, datetime
from typing import Any

import pytest

from contracts.drafting import LookUpReply
from contracts.effects import AssentReply, PlanState
from contracts.enums import ErrorType, PlanStatus, SafetyTier, ShortReply
from contracts.errors import VenueFailure
from contracts.messages import ChatMemory, DonePlan, TurnReply, TurnRequest
from contracts.model import ChatMessage, ModelReply, ToolCall
from contracts.plan import ExecutionPlan
from contracts.turn import AnswerTurn, ClarificationTurn, PlanTurn
from language.catalogue import say
from reasoning.drafting import plan_of
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import PATIENT, USER, Stage, a_step

pytestmark = pytest.mark.asyncio

NORMAL, HIGH = SafetyTier.NORMAL, SafetyTier.HIGH_RISK
DONE = DonePlan(plan_id="old", steps=(a_step(1),), status=PlanStatus.COMPLETED)
ASKING = PlanState(open=True, status=PlanStatus.EXECUTING, phase="asking")


def a_plan(**fields: Any) -> ExecutionPlan:
    """The plan that the chat speaks of."""
    now, steps = datetime.now(UTC), (a_step(1),)
    plan = plan_of(
        steps, plan_id="old", session_id="session-1", user_id=USER, venue_id="v-1", now=now, confirm_within=900
    )
    return plan.model_copy(update=fields)


async def said(stage: Stage, text: str, memory: ChatMemory, **verdicts: Any) -> TurnReply:
    """What a chat that remembers this answers to a message of today's facade."""
    later = await stage.now() + PATIENT
    request = TurnRequest(
        request_key="k", request_id="k", user_id=USER, user_message=text, token_ref="tok", accept_by=later,
        deadline=later, settled_words=True, ticket="ticket-k", judged=True, **verdicts,
    )  # fmt: skip
    chat = await stage.chat(memory=memory)
    return await chat.execute_update("handle_request", request, result_type=TurnReply)


@pytest.mark.parametrize(("text", "verdict", "undoes"), [
    ("whichever", True, True), ("the first one", False, False), ("the first one", None, True),
    ("whichever", None, False),
])  # fmt: skip
async def test_whether_undo_was_chosen_is_the_facade_s_verdict(
    stage: Stage, effects: Effects, text: str, verdict: bool | None, undoes: bool
) -> None:
    question = ChatMessage(role="assistant", content=say("ask.undo_or_cancel"))
    memory = ChatMemory(owner=USER, messages=(question,), clarifications=1, done=DONE)
    effects.script("undo_done old", AssentReply(plan=a_plan()))
    await said(stage, text, memory, chose_undo=verdict)
    assert effects.made("undo_done") == ["undo_done old"] * undoes


@pytest.mark.parametrize(("text", "verdict", "answers"), [
    ("cash", False, True), ("cash", True, False), ("move it to 3pm", False, True), ("move it to 3pm", None, False),
    ("cash", None, True),
])  # fmt: skip
async def test_whether_a_message_asks_for_a_change_is_the_facade_s_verdict(
    stage: Stage, effects: Effects, text: str, verdict: bool | None, answers: bool
) -> None:
    effects.script("state old", ASKING)
    effects.script("answer old", AssentReply(plan=a_plan()))
    await said(stage, text, ChatMemory(owner=USER, running_plan_id="old", done=DONE), wants_change=verdict)
    assert effects.made("answer") == ["answer old"] * answers


@pytest.mark.parametrize(("status", "undone", "reversible", "asks"), [
    (PlanStatus.COMPLETED, False, True, True), (PlanStatus.COMPLETED, True, True, False),
    (PlanStatus.COMPLETED, False, False, False), (PlanStatus.FAILED, False, True, False),
    (PlanStatus.ROLLED_BACK, True, True, False), (PlanStatus.CANCELLED, False, True, False),
])  # fmt: skip
async def test_cancel_that_asks_of_the_last_change_where_there_is_one(
    stage: Stage, status: PlanStatus, undone: bool, reversible: bool, asks: bool
) -> None:
    steps = (a_step(1, reversible=reversible),)
    done = DONE.model_copy(update={"status": status, "undone": undone, "steps": steps})
    reply = await said(stage, "cancel that", ChatMemory(owner=USER, done=done), reply=ShortReply.CANCEL)
    told = reply.turn.question if isinstance(reply.turn, ClarificationTurn) else ""
    assert (told == say("ask.undo_or_cancel")) is asks


@pytest.mark.parametrize("confirmed", [False, True])
async def test_a_no_that_comes_behind_the_confirmation_says_that_the_plan_is_stopped(
    stage: Stage, effects: Effects, confirmed: bool
) -> None:
    at = datetime.now(UTC) if confirmed else None
    status = PlanStatus.EXECUTING if confirmed else PlanStatus.CANCELLED
    effects.script("drop old", AssentReply(plan=a_plan(status=status, confirmed_at=at)))
    memory = ChatMemory(owner=USER, pending_plan_id="old", pending_steps=(a_step(1),))
    reply = await said(stage, "no", memory, reply=ShortReply.NO, shown_plan_id="old")
    assert isinstance(reply.turn, AnswerTurn)
    assert reply.turn.message == say("plan.stopping" if confirmed else "plan.dropped")


async def test_a_refused_look_up_is_not_none_found(stage: Stage, effects: Effects) -> None:
    call = ToolCall(id="1", name="find_bookings", arguments={"keywords": "Ann"}, kind="read")
    refusal = VenueFailure(error_type=ErrorType.BAD_REQUEST, message="The booking system refused this: too many words.")
    effects.script("reason", ModelReply(tool_calls=(call,)), ModelReply(text="There is no such booking."))
    effects.script("look_up", LookUpReply(failure=refusal))
    reply = await said(stage, "find Ann", ChatMemory(owner=USER))
    assert reply.turn is None and reply.error is not None and reply.error.message == refusal.message


@pytest.mark.parametrize(("words", "plain"), [("You are welcome.", True), ("It is at 5pm from now on.", False)])
async def test_small_talk_that_may_be_a_claim(stage: Stage, effects: Effects, words: str, plain: bool) -> None:
    effects.script("reason", ModelReply(text=words))
    reply = await said(stage, "thanks", ChatMemory(owner=USER))
    assert isinstance(reply.turn, AnswerTurn) and (reply.turn.message == words) is plain
    assert plain or "Nothing is changed" in reply.turn.message


@pytest.mark.parametrize(("notice", "message"), [
    (None, "Your answer was passed on to your plan."), ("Nobody knows yet.", ""),
])  # fmt: skip
async def test_what_became_of_an_answer_is_said_by_the_notice_alone(
    stage: Stage, effects: Effects, notice: str | None, message: str
) -> None:
    effects.script("state old", ASKING)
    effects.script("answer old", AssentReply(plan=a_plan(notice=notice)))
    reply = await said(stage, "cash", ChatMemory(owner=USER, running_plan_id="old", done=DONE), wants_change=False)
    assert isinstance(reply.turn, PlanTurn)
    assert (reply.turn.message, reply.turn.plan.notice) == (message, notice)


@pytest.mark.parametrize(("risky", "confirmed"), [((True, True), True), ((True, False), False), ((False,), False)])
async def test_yes_cancel_it_confirms_a_plan_that_only_cancels(
    stage: Stage, effects: Effects, risky: tuple[bool, ...], confirmed: bool
) -> None:
    """Of a plan that moves one booking and cancels another it may mean either, so it drops it."""
    steps = tuple(a_step(n, safety=HIGH if high else NORMAL) for n, high in enumerate(risky, 1))
    memory = ChatMemory(owner=USER, pending_plan_id="p", pending_steps=steps)
    effects.script("confirm p", AssentReply(plan=a_plan()))
    effects.script("drop p", AssentReply(plan=a_plan()))
    await said(stage, "yes, cancel it", memory, reply=ShortReply.YES_CANCEL, shown_plan_id="p")
    assert (effects.made("confirm"), effects.made("drop")) == (["confirm p"] * confirmed, ["drop p"] * (not confirmed))
