"""The prompt slot never blocks a session, and never costs a plan its work. Guarantees:

- A plan that fails to release the slot goes on and completes.
- A plan that cannot request the slot fails cleanly, releases what it may have got, and rolls back.
- The chat detects a holder that ended without a release within about a minute while others queue, and when it is idle.
- A holder that has finished its steps counts as gone, though it stays open for an undo; one that still runs steps does
  not.
- Each question waits for the slot, the second one of a plan like the first.
- A plan that never got the slot reports that, and not that its question went unanswered.
- The chat skips a queued plan that has ended, and closes when all its plans are gone.
"""

from typing import Any

import pytest
from temporalio.client import WorkflowExecutionStatus, WorkflowHandle
from temporalio.exceptions import ApplicationError

from contracts.chat_messages import ChatMemory, SessionView
from contracts.enums import PlanStatus
from contracts.limits import ChatPolicy
from contracts.step_activities import PlanState, PromptSlotRequest
from tests.support.waiting import soon
from tests.workflows.fakes import Effects
from tests.workflows.rehearsal import POLICY, Play, Stage, a_step, asks, closed

pytestmark = pytest.mark.asyncio

BROKEN = ApplicationError("no service", non_retryable=True)
Chat = WorkflowHandle[Any, ChatMemory]


async def test_a_failing_release_fails_no_plan(stage: Stage, effects: Effects) -> None:
    effects.script("reason 2", asks())
    effects.script("release", BROKEN)
    play = await stage.confirmed(a_step(1), a_step(2))
    await play.until(lambda p: p.blocking_prompt is not None)
    await play.answer("the long one")
    assert (await play.ended()).status is PlanStatus.COMPLETED
    assert effects.made("release") == ["release"] and effects.made("undo") == []


async def test_a_plan_that_cannot_ask_fails_cleanly(stage: Stage, effects: Effects) -> None:
    effects.script("reason 2", asks())
    effects.script("slot", BROKEN)
    play = await stage.confirmed(a_step(1), a_step(2))
    ended = await play.ended()
    assert ended.status is PlanStatus.ROLLED_BACK and ended.failure is not None
    assert "could not be put to you" in ended.failure.message
    assert effects.made("release") == ["release"], "the request may have got through"
    assert effects.made("undo") == ["undo 1"]


async def asks_for_slot(chat: Chat, play: Play, *, release: bool = False) -> None:
    """Signal the chat that this plan wants to ask."""
    plan_id = play.handle.id.removeprefix("plan-")
    call = PromptSlotRequest(
        conversation_id=chat.id, venue_id="v-1", session_id="session-1", plan_id=plan_id, release=release
    )
    await chat.signal("request_prompt_slot", call)


async def gives_back(chat: Chat, play: Play) -> None:
    """Signal the chat that this plan is done; the chat closes."""
    await asks_for_slot(chat, play, release=True)
    assert (await closed(chat)).slot_holder is None


async def holder_is(chat: Chat, play: Play) -> None:
    """Wait until this plan holds the slot."""

    async def held() -> bool:
        return (await chat.query("session", result_type=SessionView)).prompt_plan_id == play.handle.id[5:]

    await soon(held)


async def dead(play: Play, effects: Effects, times: int = 5) -> None:
    """Make Temporal report this plan as ended, though it has not released the slot."""
    await play.cancel()

    async def over() -> bool:
        return (await play.handle.describe()).status is not WorkflowExecutionStatus.RUNNING

    await soon(over)
    effects.script(f"state {play.handle.id[5:]}", *[PlanState(open=False)] * times)


async def test_a_dead_holder_is_found_while_another_waits(stage: Stage, effects: Effects) -> None:
    chat, first, second = await stage.chat(), await stage.plan(), await stage.plan()
    await asks_for_slot(chat, first)
    await holder_is(chat, first)
    await asks_for_slot(chat, second)

    async def asked() -> bool:
        return bool(effects.made("state"))

    await soon(asked)
    await dead(first, effects)
    await stage.pass_time(70)
    await holder_is(chat, second)
    await gives_back(chat, second)


async def test_a_queued_plan_that_died_is_passed_over(stage: Stage, effects: Effects) -> None:
    chat = await stage.chat()
    first, second, third = await stage.plan(), await stage.plan(), await stage.plan()
    for play in (first, second, third):
        await asks_for_slot(chat, play)
    await holder_is(chat, first)
    await dead(second, effects)
    await dead(first, effects)
    await stage.pass_time(70)
    await holder_is(chat, third)
    await gives_back(chat, third)


async def test_a_chat_whose_plans_are_gone_closes(stage: Stage, effects: Effects) -> None:
    chat, first = await stage.chat(ChatPolicy(plan=POLICY, idle_after=120)), await stage.plan()
    await asks_for_slot(chat, first)
    await holder_is(chat, first)
    await dead(first, effects)
    assert (await closed(chat)).slot_holder is None


@pytest.mark.parametrize(
    ("status", "phase", "gone"),
    [
        (PlanStatus.COMPLETED, "completed", True),
        (PlanStatus.FAILED, "rollback running", True),
        (PlanStatus.EXECUTING, "executing", False),
        (PlanStatus.EXECUTING, "asking", False),
        (PlanStatus.COMPLETED, None, False),
    ],
)
async def test_a_plan_past_asking_holds_no_slot(
    stage: Stage, effects: Effects, status: PlanStatus, phase: str | None, gone: bool
) -> None:
    chat, first, second = await stage.chat(), await stage.plan(), await stage.plan()
    await asks_for_slot(chat, first)
    await holder_is(chat, first)
    first_id = first.handle.id.removeprefix("plan-")
    effects.script(f"state {first_id}", *[PlanState(open=True, status=status, phase=phase)] * 3)
    await asks_for_slot(chat, second)
    await soon(lambda: _asked(effects))
    if gone:
        await holder_is(chat, second)
        await gives_back(chat, second)
    else:
        assert (await chat.query("session", result_type=SessionView)).prompt_plan_id == first_id
        await asks_for_slot(chat, second, release=True)
        await gives_back(chat, first)


async def _asked(effects: Effects) -> bool:
    return bool(effects.made("state"))


async def test_the_second_question_waits_for_the_slot_as_the_first_did(stage: Stage, effects: Effects) -> None:
    effects.script("reason 1", asks("Which table?"), asks("And when?"))
    play = await stage.confirmed()
    await play.until(lambda p: p.blocking_prompt is not None)
    effects.grants = False
    await play.answer("the long one")

    async def wanted() -> bool:
        return len(effects.made("slot")) == 2

    await soon(wanted)
    await stage.pass_time(1)
    assert (await play.view()).plan.blocking_prompt is None, "another plan of the chat may be asking"
    await play.handle.signal("prompt_slot_granted")
    asked = (await play.until(lambda p: p.blocking_prompt is not None)).blocking_prompt
    assert asked is not None and asked.question == "And when?"


async def test_a_plan_that_never_got_the_slot_says_so(stage: Stage, effects: Effects) -> None:
    effects.grants = False
    effects.script("reason 1", asks())
    play = await stage.confirmed(policy=POLICY.model_copy(update={"answer_timeout": 2}))
    ended = await play.ended()
    assert ended.failure is not None and "did not get to a question" in ended.failure.message
