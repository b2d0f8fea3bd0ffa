"""Conditional and optional steps in an operator's words, with the offline planner, in English and Italian: an
alternative is planned after the first step, and a step requested "if possible" is not required.
"""

import pytest

from tests.support.operator import Operator
from tests.support.roller import Roller, a_name

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("move {} to 4pm, if there's no room 5pm instead", ["16:00", "17:00"]),
        ("can you move {} to 4pm or 5pm if that's full", ["16:00", "17:00"]),
        ("{} to half past 3 please. if that's not possible then 4:30pm", ["15:30", "16:30"]),
    ],
)
async def test_what_is_wanted_instead(operator: Operator, roller: Roller, text: str, times: list[str]) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    plan = await operator.plan_for(text.format(guest))
    assert [a["parameters"].get("new_start_time") for a in plan["actions"]] == times, plan["actions"]
    assert plan["actions"][1]["when"]["step"] == 1 and not plan["actions"][0]["required"]
    await roller.fill(booking["items"][0]["bookingDate"], times[0])
    done = await operator.settled(await operator.confirm(plan))
    assert [a["status"] for a in done["actions"]] == ["failed", "completed"], done


async def test_what_can_be_done_without(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    await roller.book(guest)
    plan = await operator.plan_for(f"make {guest} 14 guests, and if possible move it to 4pm")
    assert {a["action_id"]: a["required"] for a in plan["actions"]} == {
        "change_guest_count": True, "reschedule_booking": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "move {} to 4pm, otherwise cancel it",
        "make {} 9 guests, if that does not work cancel it",
        "sposta {} alle 16, altrimenti annullala",
    ],
)
async def test_what_is_wanted_otherwise_is_never_dropped(operator: Operator, roller: Roller, text: str) -> None:
    guest = a_name()
    await roller.book(guest)
    turn = await operator.say(text.format(guest))
    if turn["type"] == "plan":
        assert turn["plan"]["actions"][-1]["when"]["ended"] == "failed", turn["plan"]["actions"]
    else:
        assert turn["type"] == "clarification", turn


async def test_what_a_note_says_is_not_cut_short(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    await roller.book(guest)
    turn = await operator.say(f"add a note to {guest}: window table, otherwise by the door")
    if turn["type"] == "plan":
        assert "by the door" in turn["plan"]["actions"][0]["parameters"]["note"]
    else:
        assert "by the door" in turn["question"]
