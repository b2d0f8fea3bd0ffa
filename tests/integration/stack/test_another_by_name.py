"""An answer selects the booking that it names. Guarantees:

- When iQ asks "which booking?", the name of another booking does not select the one that shares a word with it
  ("birthday", a first name).
- A number from an earlier request does not apply to a booking that a later message names. This holds after the earlier
  request was carried out and undone, too.
- A model that picks by the shared word gets no plan.
"""

import pytest

from tests.support.operator import Operator
from tests.support.roller import Roller, a_name, days_ahead
from tests.support.scripted_model import ScriptedModel, look_up

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


def changed(plan: dict[str, object]) -> set[str]:
    """Return the ids of the bookings that a plan would change."""
    actions = plan["actions"]
    assert isinstance(actions, list)
    return {str(a["parameters"]["booking_id"]) for a in actions}


async def test_another_booking_s_name_is_no_pick(operator: Operator, roller: Roller) -> None:
    family, other = a_name().split()[1], a_name().split()[1]
    await roller.book(f"Ada {family}", title=f"{family} birthday")
    await roller.book(f"Berta {family}")
    meant = await roller.book(f"Clara {other}", title=f"{other} birthday")
    turn = await operator.say(f"make {family} 13 guests")
    assert turn["type"] == "clarification" and len(turn["candidates"]) == 2, turn
    plan = await operator.plan_for(f"{other} birthday")
    assert changed(plan) == {meant["uniqueId"]}


async def test_a_first_name_alone_is_no_pick_where_the_family_is_another(operator: Operator, roller: Roller) -> None:
    family, other = a_name().split()[1], a_name().split()[1]
    for first in ("Ada", "Berta"):
        await roller.book(f"{first} {family}")
    assert (await operator.say(f"make {family} 13 guests"))["type"] == "clarification"
    turn = await operator.say(f"Ada {other}")
    assert turn["type"] != "plan", turn


async def test_a_model_that_picks_by_the_shared_word_is_not_followed(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    family, other = a_name().split()[1], a_name().split()[1]
    theirs = await roller.book(f"Ada {family}", title=f"{family} birthday")
    await roller.book(f"Berta {family}")
    assert (await operator.say(f"make {family} 13 guests"))["type"] == "clarification"
    text = f"{other} birthday"
    count = {"change_guest_count": {"booking_id": theirs["uniqueId"], "guest_count": 13}}
    scripted.script(text, look_up(family), count)
    turn = await operator.say(text)
    assert turn["type"] != "plan", turn


async def test_what_was_taken_back_is_over(operator: Operator, roller: Roller) -> None:
    first = await roller.book(a_name())
    name = a_name()
    second = await roller.book(name)
    plan = await operator.plan_for(f"change booking {first['bookingReference']} to 11 guests")
    await operator.settled(await operator.confirm(plan))
    assert (await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)).status_code in (200, 202)
    await operator.settled(plan)
    moved = await operator.plan_for(f"move {name} to {days_ahead(9)} at 3pm")
    assert changed(moved) == {second["uniqueId"]}
