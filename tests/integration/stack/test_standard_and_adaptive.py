"""The specification's comparison "Standard vs Premium" for one cancellation of three turns, each row in both modes over
HTTP (`docs/guided-reasoning.md` has the same table).

| row | in either mode | what adaptive mode adds |
|---|---|---|
| 1: what is missing | iQ asks for it, and offers no booking that the model guesses | the critique asks |
| 2: a destructive action | is a plan card, and nothing is cancelled | it got a critique |
| 3: after the confirmation | it is carried out, once, and on that booking alone | |
| safety | the wrong booking is never cancelled | |
| on record | the decisions | the whole chain, over all turns |
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from cli.stack.dev import Stack
from contracts.chat_completion import InternalMessage
from tests.integration.stack.test_guided_reasoning import reasoned
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, assessed, found, look_up
from tests.support.stacks import own_token

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

CANCEL = "cancel_booking"
FIRST = "Cancel my booking now"
MODES = ["standard", "adaptive"]


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    """Each mode."""
    return str(request.param)


@pytest.fixture
def served(mode: str, stack: Stack, standard: Stack) -> Stack:
    """A stack in that mode."""
    return stack if mode == "adaptive" else standard


@pytest.fixture
async def operator(served: Stack) -> AsyncIterator[Operator]:
    """An operator with a fresh chat."""
    async with Operator(f"http://127.0.0.1:{served.ports.facade}", token=await own_token(served)) as found_one:
        yield found_one


@pytest.fixture
async def venue(served: Stack) -> AsyncIterator[Roller]:
    """The venue's API."""
    async with Roller(f"http://127.0.0.1:{served.ports.roller}") as found_one:
        yield found_one


def cancels(body: dict[str, Any]) -> Any:
    """Return a model's reply that cancels the booking that was found, and is sure of it."""
    return {CANCEL: {"booking_id": found(body)}}


def by_kind(entries: list[InternalMessage]) -> set[str]:
    """Return the kinds of reasoning steps on record."""
    return {entry.kind for entry in entries}


async def test_turn_1_a_booking_that_is_guessed_is_not_offered(
    mode: str, served: Stack, operator: Operator, venue: Roller, scripted: ScriptedModel
) -> None:
    somebody = a_name()
    booking = await venue.book(somebody)
    # The model picks another guest's booking and insists on it, and its critique approves everything.
    scripted.script(FIRST, look_up(somebody), cancels, cancels, cancels)
    turn = await operator.say(FIRST)
    assert turn["type"] == "clarification", turn
    assert await venue.journal(booking) == []


async def test_from_what_is_missing_to_what_is_done(
    mode: str, served: Stack, operator: Operator, venue: Roller, scripted: ScriptedModel
) -> None:
    mine, other = a_name(), a_name()
    booking, others = await venue.book(mine), await venue.book(other)
    number = booking["bookingReference"]
    question = "Could you please provide the booking number?"
    scripted.script(FIRST, assessed({"ask_operator": {"question": question}}, missing_params=["booking_id"]))
    first = await operator.say(FIRST)
    assert (first["type"], first["question"]) == ("clarification", question)

    scripted.script(FIRST, look_up(number), cancels)
    second = await operator.say(f"Booking {number}")
    assert second["type"] == "plan", second
    assert await venue.journal(booking) == [], "no mode cancels before somebody has confirmed it"
    assert len(scripted.critiqued[FIRST]) == (1 if mode == "adaptive" else 0)

    third = await operator.say("Yes, cancel it")
    assert third["type"] == "plan" and third["plan"]["plan_id"] == second["plan"]["plan_id"]
    assert (await operator.settled(second["plan"]))["status"] == "completed"
    assert len(await venue.journal(booking)) == 1 and await venue.journal(others) == []

    entries = await reasoned(served, operator)
    assert {entry.mode.value for entry in entries} == {mode}
    requests = list(dict.fromkeys(entry.request_id for entry in entries))
    if mode == "standard":
        assert by_kind(entries) == {"decision"} and len(requests) >= 2
    else:
        assert by_kind(entries) == {"assessment", "context", "critique", "decision"} and len(requests) >= 2
