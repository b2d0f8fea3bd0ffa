"""The API classifies an operator's message, because the word lists behind it change with deploys (state model).
Guarantees:

- The request carries which of "undo the change, or cancel the booking?" a message picks, and whether it asks for a
  change; the chat follows it whatever the text is.
- "Cancel that" asks whether to undo the last change only where there is one to undo.
- The chat reads a plan before it shows it as pending, because it may have been confirmed since, or is being confirmed.
  What comes too late to stop a plan is answered with what the plan did.
- A look-up that the venue refused is reported as refused, whatever the model makes of it; small talk that could be a
  claim is followed by our own note that nothing is changed.
- A bare yes confirms only the plan that its operator was shown last; any other plan is shown first.
- "Yes, cancel it" confirms a plan that cancels, and nothing else.
- The chat does not report an answer as passed on to a plan that carries a notice: the notice gives what is known.
"""

from datetime import UTC, datetime
from typing import Any

import pytest

from contracts.chat_completion import ChatMessage, ModelReply, ToolCall
from contracts.chat_messages import ChatMemory, PreviousPlan, TurnReply
from contracts.drafting import LookUpReply
from contracts.enums import ErrorType, OpenQuestion, PlanStatus, SafetyTier, ServiceErrorType, ShortReply
from contracts.errors import ServiceError, VenueFailure
from contracts.message_reading import MessageReading
from contracts.message_reading import MessageTrait as T
from contracts.plan import ExecutionPlan
from contracts.step_activities import ChatCommandResult, PlanState
from contracts.turn import AnswerTurn, ClarificationTurn, PlanTurn
from language.messages.catalogue import translate
from reasoning.drafting.plan import plan_of
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import USER, Stage, a_message, a_step
from workflows.chat.short_replies import summarize

pytestmark = pytest.mark.asyncio

NORMAL, HIGH = SafetyTier.NORMAL, SafetyTier.HIGH_RISK
DONE = PreviousPlan(plan_id="old", steps=(a_step(1),), status=PlanStatus.COMPLETED)
NOW = datetime.now(UTC)
RUNNING: dict[str, Any] = {"status": PlanStatus.EXECUTING}
ASKING = PlanState(open=True, status=PlanStatus.EXECUTING, phase="asking")


def a_plan(**fields: Any) -> ExecutionPlan:
    """Return the plan that the chat refers to."""
    now, steps = datetime.now(UTC), (a_step(1),)
    plan = plan_of(
        steps, plan_id="old", session_id="session-1", user_id=USER, venue_id="v-1", now=now, confirm_timeout=900
    )
    return plan.model_copy(update=fields)


async def wording(
    stage: Stage, text: str, memory: ChatMemory, reply: ShortReply | None = None, *traits: T, **fields: Any
) -> TurnReply:
    """Return the answer of a chat with this memory to a message with this reading, whatever its text."""
    reading = MessageReading(reply=reply, traits=traits)
    request = a_message(await stage.now(), text, "k", **{"reply_token": "", "reading": reading, **fields})
    chat = await stage.chat(memory=memory)
    return await chat.execute_update("handle_request", request, result_type=TurnReply)


@pytest.mark.parametrize(
    ("text", "verdict", "undoes"),
    [
        ("whichever", True, True),
        ("the first one", False, False),
    ],
)
async def test_whether_undo_was_chosen_is_the_facade_s_verdict(
    stage: Stage, effects: Effects, text: str, verdict: bool, undoes: bool
) -> None:
    question = ChatMessage(role="assistant", content=translate("ask.undo_or_cancel"))
    asked = OpenQuestion.UNDO_OR_CANCEL
    memory = ChatMemory(owner=USER, messages=(question,), clarifications=1, open_question=asked, done=DONE)
    effects.script("undo_last old", ChatCommandResult(plan=a_plan()))
    await wording(stage, text, memory, None, *[T.CHOSE_UNDO] * verdict)
    assert effects.made("undo_last") == ["undo_last old"] * undoes


@pytest.mark.parametrize(
    ("text", "verdict", "answers"),
    [
        ("cash", True, True),
        ("cash", False, False),
        ("move it to 3pm", True, True),
    ],
)
async def test_whether_a_message_may_be_an_answer_is_the_facade_s_verdict(
    stage: Stage, effects: Effects, text: str, verdict: bool, answers: bool
) -> None:
    effects.script("state old", ASKING)
    effects.script("answer old", ChatCommandResult(plan=a_plan()))
    memory = ChatMemory(owner=USER, running_plan_id="old", done=DONE)
    await wording(stage, text, memory, None, *[T.MAY_ANSWER] * verdict)
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
    reply = await wording(stage, "cancel that", ChatMemory(owner=USER, done=done), ShortReply.CANCEL)
    shown = reply.turn.question if isinstance(reply.turn, ClarificationTurn) else ""
    assert (shown == translate("ask.undo_or_cancel")) is asks


@pytest.mark.parametrize("confirmed", [False, True])
async def test_a_no_that_comes_behind_the_confirmation_says_that_the_plan_is_stopped(
    stage: Stage, effects: Effects, confirmed: bool
) -> None:
    at = datetime.now(UTC) if confirmed else None
    status = PlanStatus.EXECUTING if confirmed else PlanStatus.CANCELLED
    effects.script("drop old", ChatCommandResult(plan=a_plan(status=status, confirmed_at=at)))
    memory = ChatMemory(owner=USER, pending_plan_id="old", pending_steps=(a_step(1),))
    reply = await wording(stage, "no", memory, ShortReply.NO, shown_plan_id="old")
    assert isinstance(reply.turn, AnswerTurn)
    assert reply.turn.message == translate("plan.stopping" if confirmed else "plan.dropped")


WAITING = ChatMemory(owner=USER, pending_plan_id="old", pending_steps=(a_step(1),))


@pytest.mark.parametrize(("shown", "confirms"), [("old", True), (None, True), ("another", False), ("", False)])
async def test_a_yes_confirms_no_plan_that_its_operator_was_not_shown(
    stage: Stage, effects: Effects, shown: str | None, confirms: bool
) -> None:
    """The API sends the plan that it showed last, "" if another one may wait, None if it does not know."""
    effects.script("confirm old", ChatCommandResult(plan=a_plan()))
    memory = WAITING.model_copy(update={"pending_plan": a_plan()})
    got = (await wording(stage, "yes", memory, ShortReply.YES, shown_plan_id=shown)).turn
    assert effects.made("confirm") == ["confirm old"] * confirms
    assert isinstance(got, PlanTurn) and (got.message == translate("plan.look_first")) is not confirms


@pytest.mark.parametrize("reply", [ShortReply.WAIT, ShortReply.WHAT_CHANGED])
@pytest.mark.parametrize(("fields", "committing", "answer"), [
    ({}, False, None), ({}, True, "plan.being_confirmed"), ({"confirmed_at": NOW, **RUNNING}, False, "running"),
])  # fmt: skip
async def test_a_plan_that_waits_is_looked_at_before_it_is_stated_to_wait(
    stage: Stage, effects: Effects, reply: ShortReply, fields: dict[str, Any], committing: bool, answer: str | None
) -> None:
    """A confirmation may be on its way, or have arrived, since the chat last read the plan."""
    plan = a_plan(**fields)
    effects.script("get_plan old", ChatCommandResult(plan=plan, committing=committing))
    effects.script("drop old", ChatCommandResult(plan=plan))
    got = await wording(stage, "hold on", WAITING, reply, shown_plan_id="old")
    still = "plan.still_waits" if reply is ShortReply.WAIT else "plan.nothing_yet"
    runs = translate("plan.stopping") if reply is ShortReply.WAIT else summarize(plan)
    assert isinstance(got.turn, AnswerTurn)
    assert got.turn.message == (runs if answer == "running" else translate(answer or still))


@pytest.mark.parametrize(("text", "reply", "undoes"), [
    ("undo that", ShortReply.UNDO, True), ("no", ShortReply.NO, False), ("cancel that", ShortReply.CANCEL, False),
])  # fmt: skip
@pytest.mark.parametrize("running", [False, True])
async def test_a_reply_behind_the_end_of_a_plan_speaks_of_what_it_did(
    stage: Stage, effects: Effects, text: str, reply: ShortReply, undoes: bool, running: bool
) -> None:
    late = ServiceError(
        error_type=ServiceErrorType.CONFLICT, message="This plan is already completed.", suggestions=["Undo it"],
        plan=a_plan(status=PlanStatus.COMPLETED, confirmed_at=NOW, completed_at=NOW),
    )  # fmt: skip
    effects.script("state old", PlanState(open=True, **(RUNNING if running else {})))
    effects.script("drop old", ChatCommandResult(error=late))
    effects.script("undo_last old", ChatCommandResult(plan=a_plan()))
    memory = ChatMemory(owner=USER, running_plan_id="old", done=DONE) if running else WAITING
    got = (await wording(stage, text, memory, reply, shown_plan_id="old")).turn
    assert effects.made("undo_last") == ["undo_last old"] * undoes
    if reply is ShortReply.NO:
        assert isinstance(got, AnswerTurn) and got.message == "This plan is already completed. Undo it"
    if reply is ShortReply.CANCEL:
        assert isinstance(got, ClarificationTurn) and got.question == translate("ask.undo_or_cancel")


async def test_a_refused_look_up_is_not_none_found(stage: Stage, effects: Effects) -> None:
    call = ToolCall(id="1", name="find_bookings", arguments={"keywords": "Ann"}, kind="read")
    refusal = VenueFailure(error_type=ErrorType.BAD_REQUEST, message="The booking system refused this: too many words.")
    effects.script("reason", ModelReply(tool_calls=(call,)), ModelReply(text="There is no such booking."))
    effects.script("look_up", LookUpReply(failure=refusal))
    reply = await wording(stage, "find Ann", ChatMemory(owner=USER))
    assert reply.turn is None and reply.error is not None and reply.error.message == refusal.message


@pytest.mark.parametrize(("words", "plain"), [("You are welcome.", True), ("It is at 5pm from now on.", False)])
async def test_small_talk_that_may_be_a_claim(stage: Stage, effects: Effects, words: str, plain: bool) -> None:
    effects.script("reason", ModelReply(text=words))
    reply = await wording(stage, "thanks", ChatMemory(owner=USER), None, T.SMALL_TALK)
    assert isinstance(reply.turn, AnswerTurn) and (reply.turn.message == words) is plain
    assert plain or "Nothing is changed" in reply.turn.message


@pytest.mark.parametrize(("notice", "message"), [
    (None, "Your answer was passed on to your plan."), ("Nobody knows yet.", ""),
])  # fmt: skip
async def test_what_became_of_an_answer_is_stated_by_the_notice_alone(
    stage: Stage, effects: Effects, notice: str | None, message: str
) -> None:
    effects.script("state old", ASKING)
    effects.script("answer old", ChatCommandResult(plan=a_plan(notice=notice)))
    memory = ChatMemory(owner=USER, running_plan_id="old", done=DONE)
    reply = await wording(stage, "cash", memory, None, T.MAY_ANSWER)
    assert isinstance(reply.turn, PlanTurn)
    assert (reply.turn.message, reply.turn.plan.notice) == (message, notice)


@pytest.mark.parametrize(("risky", "confirmed"), [((True, True), True), ((True, False), False), ((False,), False)])
async def test_yes_cancel_it_confirms_a_plan_that_only_cancels(
    stage: Stage, effects: Effects, risky: tuple[bool, ...], confirmed: bool
) -> None:
    """A plan that moves one booking and cancels another makes the reply ambiguous, so the chat drops the plan."""
    steps = tuple(a_step(n, safety=HIGH if high else NORMAL) for n, high in enumerate(risky, 1))
    memory = ChatMemory(owner=USER, pending_plan_id="p", pending_steps=steps)
    effects.script("confirm p", ChatCommandResult(plan=a_plan()))
    effects.script("drop p", ChatCommandResult(plan=a_plan()))
    await wording(stage, "yes, cancel it", memory, ShortReply.YES_CANCEL, shown_plan_id="p")
    assert (effects.made("confirm"), effects.made("drop")) == (["confirm p"] * confirmed, ["drop p"] * (not confirmed))
