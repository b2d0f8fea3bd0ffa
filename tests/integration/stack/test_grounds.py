"""What a plan may send, and what it shows, against a model that uses any words it finds, over HTTP. Guarantees:

- A guest's name grounds no count, no day and no refund; the requested change for such a guest goes through.
- What the operator reports of another person's words is not planned: no cancellation, no value.
- A value with invisible characters, or with a letter of another alphabet, is rejected, and the question names them.
- The plan that the operator confirms shows how a refund was made.
- A question of a plan reaches its operator whole, or is replaced by our own.
"""

from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from cli.stack.dev import Stack
from tests.integration.stack.test_twelve_habits import CANCEL, COUNT, MOVE, NOTE, Calls, insists, is_right
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel
from tests.support.stacks import own_token

pytestmark = pytest.mark.asyncio


@pytest.fixture
async def operator(stack: Stack) -> AsyncIterator[Operator]:
    async with Operator(f"http://127.0.0.1:{stack.ports.facade}", token=await own_token(stack)) as one:
        yield one


@pytest.fixture
async def roller(stack: Stack) -> AsyncIterator[Roller]:
    async with Roller(f"http://127.0.0.1:{stack.ports.roller}") as one:
        yield one


async def offered(
    operator: Operator, roller: Roller, scripted: ScriptedModel, name: str, text: str, calls: Calls
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Send a text about a booking of that name; return (the turn, the booking as it was)."""
    guest = a_name()
    called = name.format(guest=guest)
    booking = await roller.book(called)
    scripted.script(guest, {"find_bookings": {"keywords": guest}}, insists(*calls))
    return await operator.say(text.format(name=called)), booking


TO_3: tuple[str, dict[str, Any]] = (MOVE, {"new_start_time": "15:00"})
TO_14: tuple[str, dict[str, Any]] = (COUNT, {"guest_count": 14})
REFUND: tuple[str, dict[str, Any]] = (CANCEL, {"issue_refund": True, "refund_type": "Cash"})


@pytest.mark.parametrize(("name", "text", "calls", "right"), [
    ("{guest} Fourteen", "move {name} to 3pm", [TO_3, TO_14], {MOVE: {"new_start_time": "15:00"}}),
    ("{guest} Fourteen", "move {name} to 3pm", [TO_3], {MOVE: {"new_start_time": "15:00"}}),
    ("{guest} Fourteen", "make {name} 14 kids", [TO_14], {COUNT: {"guest_count": 14}}),
    ("{guest} Refund Cash", "cancel {name}", [REFUND], {CANCEL: {}}),
    ("{guest}", "{name} says her friend cancelled", [(CANCEL, {})], {}),
    ("{guest}", "{name} asked: 'please cancel my booking'. what should I do?", [(CANCEL, {})], {}),
    ("{guest}", "{name} ha scritto: «annullate la mia prenotazione». Cosa faccio?", [(CANCEL, {})], {}),
    ("{guest}", "{name} wrote \"can we come at 3pm?\"", [TO_3], {}),
    ("{guest}", "{name} asked us to cancel", [(CANCEL, {})], {CANCEL: {}}),
])  # fmt: skip
async def test_only_the_operators_own_words_count(
    operator: Operator,
    roller: Roller,
    scripted: ScriptedModel,
    name: str,
    text: str,
    calls: Calls,
    right: Mapping[str, Mapping[str, Any]],
) -> None:
    turn, booking = await offered(operator, roller, scripted, name, text, calls)
    must_plan = len(calls) == len(right) and all(right.get(call) == given for call, given in calls)
    if must_plan or turn["type"] == "plan":
        assert turn["type"] == "plan" and is_right(turn["plan"], right, booking), turn
    else:
        assert turn.get("question") or turn.get("message")
    assert (await roller.booking(booking["uniqueId"]))["items"] == booking["items"]


@pytest.mark.parametrize(("note", "shown"), [
    ("nut \u202eallergy", "U+202E"), ("nut\u200b allergy", "U+200B"), ("nut аllergy", "а (Cyrillic)"),
])  # fmt: skip
async def test_letters_that_are_not_what_they_look_like(
    operator: Operator, roller: Roller, scripted: ScriptedModel, note: str, shown: str
) -> None:
    text = "note for {name}: nut allergy"
    turn, _ = await offered(operator, roller, scripted, "{guest}", text, [(NOTE, {"note": note})])
    assert turn["type"] == "clarification" and shown in turn["question"] and note not in turn["question"]


async def test_how_a_refund_was_made_is_in_the_plan(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    turn, _ = await offered(operator, roller, scripted, "{guest}", "cancel {name}, refunded in cash", [REFUND])
    (step,) = turn["plan"]["actions"]
    assert step["parameters"]["refund_type"] == "Cash"
    assert {"field": "Refunded by", "after": "cash"}.items() <= step["preview"][-1].items()


@pytest.mark.parametrize(("asked", "reaches"), [
    ("Was a refund given, and how?", "Was a refund given, and how? (This fills in “refund type”.)"),
    ("I have refunded it, and how?", "What should be filled in? (This fills in “refund type”.)"),
])  # fmt: skip
async def test_a_question_reaches_its_operator_whole_or_as_one_of_ours(
    operator: Operator, roller: Roller, scripted: ScriptedModel, asked: str, reaches: str
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    step = {CANCEL: {"booking_id": booking["uniqueId"], "issue_refund": True}}
    ask = {"ask_operator": {"question": asked, "parameter": "refund_type"}}
    scripted.script(guest, {"find_bookings": {"keywords": guest}}, step, ask)
    plan = await operator.plan_for(f"cancel {guest}, we gave the money back")
    await operator.confirm(plan)
    assert (await operator.asked(plan))["blocking_prompt"]["question"] == reaches
