"""A "try again" that is not simply the next message after a plan that failed. Guarantees:

- A plan that expired is tried again though the operator asked a question in between, about its own bookings.
- Where the operator mentioned another change since, the answer says which plan that was.
- Sent from two tabs, the second learns that it is done already; no plan is made twice.
- A plan whose workflow was terminated while it ran counts as failed, and "try again" says that its outcome is
  uncertain.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cli.stack.dev import Stack
from infra.config.settings import ROOT
from tests.support.calendar import TOKEN, Calendar
from tests.support.operator import Operator
from tests.support.patience import chat_closed, patience
from tests.support.stacks import a_stack
from tests.support.waiting import LIMIT

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

VENUE = "team-calendar"


@pytest.fixture(scope="module")
async def hasty(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack whose chats close soon, so that each message may have other timeouts."""
    packs, folder = (ROOT / "overlays" / "calendar",), tmp_path_factory.mktemp("again")
    async with a_stack(folder, packs=packs, model_base_url=model_url, chat_idle=1.0, call_timeout=LIMIT) as running:
        yield running


@pytest.fixture
async def calendar(hasty: Stack) -> AsyncIterator[Calendar]:
    async with Calendar(f"http://127.0.0.1:{hasty.ports.calendar}") as found:
        await found.reset()
        yield found


@pytest.fixture
async def operator(hasty: Stack, calendar: Calendar) -> AsyncIterator[Operator]:
    async with Operator(f"http://127.0.0.1:{hasty.ports.facade}", token=TOKEN) as found:
        yield found


async def expired(hasty: Stack, operator: Operator, text: str) -> dict[str, Any]:
    """Return a plan that expired without a confirmation, in a chat that has closed since."""
    await chat_closed(hasty, operator, VENUE)
    with patience(hasty, confirm_timeout=1.0):
        plan = await operator.plan_for(text)
    ended = await operator.settled(plan)
    assert ended["status"] == "expired"
    await chat_closed(hasty, operator, VENUE)
    return ended


@pytest.mark.parametrize("between", ["who is coming on Saturday?", "when is the Supplier call?"])
async def test_a_question_in_between_does_not_make_it_forgotten(hasty: Stack, operator: Operator, between: str) -> None:
    await operator.do("schedule a meeting with Dana Levi on March 16 at 10am")
    plan = await expired(hasty, operator, "move it to 11am")
    assert (await operator.say(between))["type"] in ("answer", "clarification")
    again = await operator.plan_for("try again")
    assert [a["parameters"] for a in again["actions"]] == [a["parameters"] for a in plan["actions"]]


async def test_of_two_that_say_it_the_second_learns_that_it_is_done(hasty: Stack, operator: Operator) -> None:
    await operator.say("who is coming on Saturday?")
    await expired(hasty, operator, "schedule a meeting with Dana Levi on March 16 at 10am")
    turns = await asyncio.gather(operator.say("try again"), operator.say("try again"))
    [text] = [turn["message"] for turn in turns if turn["type"] != "plan"]
    assert text.startswith("This was tried again already: look at the plan that was made of it.")
    [made] = [turn["plan"] for turn in turns if turn["type"] == "plan"]
    await operator.settled(await operator.confirm(made))
    late = await operator.say("try again")
    assert late["message"].startswith("This was tried again already")


async def test_after_another_change_was_spoken_of_it_is_reported_which_plan_that_was(
    hasty: Stack, operator: Operator, calendar: Calendar
) -> None:
    await operator.do("schedule a meeting with Dana Levi on March 16 at 10am")
    await expired(hasty, operator, "move it to 11am")
    assert (await operator.say("move the Onboarding meeting with Dana Levi to 3am"))["type"] == "clarification"
    shown = (await operator.say("try again"))["message"]
    assert shown.startswith("The plan that ran out of time was “") and "11 AM" in shown, shown


async def test_a_plan_that_was_terminated_while_it_ran_is_tried_again(
    hasty: Stack, operator: Operator, calendar: Calendar
) -> None:
    plan = await operator.plan_for("schedule a meeting with Dana Levi on March 16 at 10am")
    await calendar.fault("create-event", "delay", seconds=LIMIT)
    await operator.confirm(plan)
    await operator.until(plan, lambda p: p["status"] == "executing")
    assert hasty.services is not None
    await hasty.services.plans.client.get_workflow_handle(f"plan-{plan['plan_id']}").terminate()
    shown = (await operator.say("what did you just change?"))["message"]
    assert shown.startswith("The last plan did not work"), shown
    await calendar.reset()
    again = await operator.say("try again")
    assert again["type"] == "plan" and again["message"].startswith("It is not certain whether this was done"), again
