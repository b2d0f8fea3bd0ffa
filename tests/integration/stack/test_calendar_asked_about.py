"""A message that is a request by itself takes nothing from the question that is open. Guarantees:

- After "cancel it" iQ asks which of two things is meant. "Move it to 4pm" then is a move of the meeting.
- After a rejected move, "cancel it" means the meeting: "Los Angeles" in "Los Angeles time" is no name of a person.
- A message that completes the open request still does.
"""

from typing import Any

import pytest

from tests.support.calendar import Calendar
from tests.support.operator import Operator

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


def changes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [a for a in plan["actions"] if not a["read_only"]]


async def test_another_request_takes_nothing_of_the_open_one(colleague: Operator, calendar: Calendar) -> None:
    await colleague.do("schedule a meeting with Dana Levi on March 16 at 10am")
    await colleague.do("move it to 11am")
    asked = await colleague.say("cancel it")
    assert asked["question"] == "Shall I undo the change that was just made, or cancel the meeting itself?"
    [step] = changes(await colleague.plan_for("move it to 4pm"))
    assert (step["action_id"], step["parameters"]["new_start_time"]) == ("move_meeting", "16:00")


async def test_the_words_for_a_clock_are_no_one(colleague: Operator, calendar: Calendar) -> None:
    await calendar.reset(seed=False)
    done = await colleague.do("schedule a meeting with Dana Levi on March 16 at 4pm")
    made = next(r["made"] for r in done["results"] if r.get("made"))
    assert "outside opening hours" in (await colleague.say("move it to 1:30am Los Angeles time"))["question"]
    asked = await colleague.say("cancel it")
    assert asked["type"] == "plan" or "Shall I undo" in asked["question"], asked
    if asked["type"] != "plan":
        asked = await colleague.say(asked["quick_actions"][1]["say"])
    [step] = changes(asked["plan"])
    assert (step["action_id"], step["parameters"]) == ("cancel_meeting", {"meeting_id": made})


async def test_an_answer_still_completes_what_was_asked_about(colleague: Operator, calendar: Calendar) -> None:
    await colleague.do("schedule a meeting with Dana Levi on March 16 at 10am")
    assert (await colleague.say("move it"))["type"] == "clarification"
    [step] = changes(await colleague.plan_for("4pm"))
    assert step["parameters"]["new_start_time"] == "16:00"
