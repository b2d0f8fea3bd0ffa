"""The context that a model asks for in adaptive mode, over HTTP. Guarantees:

- A tool is called only after its schema was seen; further context is shown, within a bound of rounds.
- A booking that the operator names is looked up while the schemas are fetched, without a call of the protocol. A
  cancellation by name or number is three calls: schemas and look-up, the plan, the critique (guided reasoning: "2 LLM
  calls total, or 3 if context was fetched").
- A question is answered from such a look-up like from any other.
"""

import json

import pytest

from cli.stack.dev import Stack
from tests.integration.stack.test_guided_reasoning import CANCEL, kinds, reasoned
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, assessed, bare

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def test_a_tool_is_called_only_when_its_schema_was_seen(
    operator: Operator, roller: Roller, scripted: ScriptedModel, stack: Stack
) -> None:
    guest = a_name()
    await roller.book(guest)
    unseen = bare({"find_bookings": {"keywords": guest}}, '<assessment>{"confidence": 9, "tool_call": "find_bookings"}')
    scripted.script(guest, unseen, unseen, assessed("Here it is."))
    turn = await operator.say(f"when does {guest} come?")
    first, second = scripted.seen[guest][:2]
    assert not any(t["function"]["name"] == "find_bookings" for t in first["tools"])
    assert any(t["function"]["name"] == "find_bookings" for t in second["tools"])
    assert first["messages"][1:] == second["messages"][1:], "the call was not carried out"
    assert turn["type"] == "answer" and guest in turn["message"]
    assert "context" in kinds(await reasoned(stack, operator))


async def test_a_cancellation_by_name_is_three_calls(
    operator: Operator, roller: Roller, scripted: ScriptedModel, stack: Stack
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    block = {"confidence": 9, "tool_call": "find_bookings", "tool_params": {"keywords": guest},
             "needs_more_context": [f"tool_schema:{CANCEL}"]}  # fmt: skip
    announced = bare("", f"<assessment>{json.dumps(block)}</assessment>")
    scripted.script(guest, announced, assessed({CANCEL: {"booking_id": booking["uniqueId"]}}, is_destructive=True))
    turn = await operator.say(f"cancel {guest}")
    assert turn["type"] == "plan" and turn["plan"]["actions"][0]["parameters"]["booking_id"] == booking["uniqueId"]
    first, second = scripted.seen[guest]
    assert booking["uniqueId"] not in first["messages"][0]["content"]
    assert booking["uniqueId"] in second["messages"][0]["content"], "the result is in the brief"
    assert first["messages"][1:] == second["messages"][1:], "no call of the protocol was made up"
    assert len(scripted.critiqued[guest]) == 1, "two calls, or three with context: the specification's count"


async def test_a_question_about_an_announced_look_up_is_answered_from_it(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    block = {"confidence": 9, "tool_call": "find_bookings", "tool_params": {"keywords": guest}}
    scripted.script(guest, bare("", f"<assessment>{json.dumps(block)}</assessment>"), assessed("Here is what I found."))
    turn = await operator.say(f"what time is the {guest} party?")
    assert turn["type"] == "answer" and guest in turn["message"] and "I don't know" not in turn["message"]


async def test_further_context_is_shown_within_a_bound(operator: Operator, scripted: ScriptedModel) -> None:
    guest = a_name()
    wants = [bare("Let me see.", f'<assessment>{{"confidence": 8, "needs_more_context": ["{key}"]}}</assessment>')
             for key in ("policies.pets", "policies.returns", "faqs", "contact.full")]  # fmt: skip
    scripted.script(guest, *wants, assessed("never said"))
    turn = await operator.say(f"{guest} here")
    asked = [body["messages"][0]["content"] for body in scripted.seen[guest]]
    assert len(asked) == 4, "three rounds, and no more"
    assert "There is nothing under: policies.pets" in asked[1] and "48 hours" not in asked[1]
    assert "48 hours" in asked[2] and "birthday cake" not in asked[2]
    assert "birthday cake" in asked[3]
    assert "Let me see." in turn["message"]


async def test_the_offline_planner_asks_for_what_it_needs(operator: Operator, stack: Stack) -> None:
    turn = await operator.say("what is your refund policy?")
    assert "On returns the venue says" in turn["message"]
    [first, fetched, second, end] = await reasoned(stack, operator)
    assert fetched.kind == "context" and "policies.returns" in fetched.details["fetched"]
    assert (first.kind, second.kind, end.kind) == ("assessment", "assessment", "decision")
    assert "We are indoors" not in turn["message"]


@pytest.mark.parametrize("by", ["name", "bookingReference"])
async def test_the_offline_planner_cancels_in_three_calls(
    operator: Operator, roller: Roller, stack: Stack, by: str
) -> None:
    booking = await roller.book(a_name())
    turn = await operator.say(f"cancel {booking[by]}")
    assert turn["type"] == "plan" and turn["plan"]["actions"][0]["parameters"]["booking_id"] == booking["uniqueId"]
    [decision] = [entry for entry in await reasoned(stack, operator) if entry.kind == "decision"]
    assert decision.details["calls"] + decision.details["critiques"] == 3, decision
