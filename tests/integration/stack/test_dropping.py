"""What an operator drops is dropped, over HTTP, whatever the model does. Guarantees:

- "Forget that, move it to 4pm" plans the new request alone, for the booking that was mentioned before.
- The model sees nothing of what was dropped; one that plans it anyway gets no plan.
- Where the message leads to a question instead of a plan, the waiting plan is dropped as well, the answer says so, and
  a yes confirms nothing.
- "Scrap that, 5pm" corrects the time that was asked for; "never mind the kids" drops that part.
"""

import pytest

from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.tables import for_test_all

pytestmark = pytest.mark.asyncio

LATER = [("reschedule_booking", {"new_start_time": "16:00"})]


def _steps(plan: dict) -> list[tuple[str, dict]]:  # type: ignore[type-arg]
    return [
        (a["action_id"], {k: v for k, v in a["parameters"].items() if k != "booking_id" and v is not None})
        for a in plan["actions"]
    ]


@pytest.mark.parametrize(
    "words",
    [
        "forget that, just move it to 4pm",
        *for_test_all(
            "cancel that, move it to 4pm instead",
            "ok not that, only move it to 4pm",
            "never mind the kids, put it at 4pm",
            "don't worry about the numbers, move it to 4pm",
        ),
    ],
)
async def test_what_is_asked_for_instead_is_planned_alone(operator: Operator, roller: Roller, words: str) -> None:
    guest = a_name()
    booked = await roller.book(guest)
    first = await operator.plan_for(f"make {guest}'s party 12 kids")
    plan = await operator.plan_for(words)
    assert _steps(plan) == LATER
    assert plan["actions"][0]["parameters"]["booking_id"] == booked["uniqueId"]
    assert (await operator.look(first))["status"] == "cancelled"


async def test_an_addition_drops_nothing(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    await roller.book(guest)
    await operator.plan_for(f"make {guest}'s party 12 kids")
    plan = await operator.plan_for("and move it to 4pm")
    assert sorted(_steps(plan)) == sorted([("change_guest_count", {"guest_count": 12}), *LATER])


async def test_a_correction_drops_nothing_else(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    await roller.book(guest)
    await operator.plan_for(f"move {guest} to 4pm and make it 12 kids")
    plan = await operator.plan_for("scrap that, 5pm")
    later = ("reschedule_booking", {"new_start_time": "17:00"})
    assert sorted(_steps(plan)) == sorted([("change_guest_count", {"guest_count": 12}), later])


async def test_a_model_is_shown_nothing_of_what_was_dropped_and_cannot_plan_it(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking_id = (await roller.book(guest))["uniqueId"]
    scripted.script(guest, look_up(guest), then(("change_guest_count", {"guest_count": 12})))
    first = await operator.plan_for(f"make {guest}'s party 12 kids")
    move = {"booking_id": booking_id, "new_start_time": "16:00"}
    both = [
        {"change_guest_count": {"booking_id": booking_id, "guest_count": 12}},
        {"reschedule_booking": move},
    ]
    scripted.script(booking_id, both, {"reschedule_booking": move}, obey)
    turn = await operator.say("forget that, just move it to 4pm")
    assert turn["type"] != "plan" or _steps(turn["plan"]) == LATER, turn
    users = [m["content"] for m in scripted.seen[booking_id][0]["messages"] if m["role"] == "user"]
    assert users == ["move it to 4pm"]
    assert (await operator.look(first))["status"] == "cancelled"


async def test_a_plan_is_gone_although_the_message_comes_to_a_question(operator: Operator, roller: Roller) -> None:
    guest, family = a_name(), a_name().split()[1]
    await roller.book(guest)
    for _ in range(2):
        await roller.book(f"{a_name().split()[0]} {family}")
    first = await operator.plan_for(f"make {guest}'s party 12 kids")
    turn = await operator.say(f"forget that, move {family} to 4pm")
    assert turn["type"] == "clarification", turn
    assert turn["question"].startswith("All right, I dropped that plan.")
    assert (await operator.look(first))["status"] == "cancelled"
    assert (await operator.say("yes"))["type"] != "plan"
    assert (await operator.look(first)).get("confirmed_at") is None
    plan = await operator.plan_for("the second one")
    assert _steps(plan) == LATER
