"""What was taken back is "it", whichever of the chat's plans that was, and though the chat did not hear the word.

- An older plan of the chat, undone by its own address: "move it to 2pm" is what that plan was about.
- Of several that were undone the last one counts; where nobody knows which that was, it is asked about.
- What was spoken of since goes before it.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from contracts.chat_messages import PreviousPlan
from contracts.enums import PlanStatus
from contracts.step_activities import PlanState
from tests.support.calendar import Calendar
from tests.support.operator import Operator
from workflows.chat.earlier_plans import latest_undone

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def scheduled(one: Operator, whom: str, at: str = "10am") -> tuple[dict[str, Any], str]:
    """A plan that made a meeting, and the meeting's id."""
    done = await one.do(f"schedule a meeting with {whom} on March 16 at {at}")
    assert done["status"] == "completed", done
    return done, next(r["made"] for r in done["results"] if r.get("made"))


async def undo(one: Operator, plan: dict[str, Any]) -> None:
    answer = await one.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=one.user)
    assert answer.status_code == 202, answer.text
    assert (await one.settled(plan))["status"] == "rolled_back"


async def moves(one: Operator, words: str) -> Any:
    [step] = [a for a in (await one.plan_for(words))["actions"] if not a["read_only"]]
    assert step["action_id"] == "move_meeting"
    return step["parameters"]["meeting_id"]


async def test_an_older_plan_that_was_taken_back_is_it(one: Operator, calendar: Calendar) -> None:
    _, dana = await scheduled(one, "Dana Levi")
    moved = await one.do("move it to 11am")
    await scheduled(one, "Marco Bianchi")
    await undo(one, moved)
    assert (await one.say("thanks"))["type"] == "answer"
    assert await moves(one, "move it to 2pm") == dana


async def test_of_two_that_were_taken_back_it_is_the_later(one: Operator, calendar: Calendar) -> None:
    _, dana = await scheduled(one, "Dana Levi")
    moved = await one.do("move it to 11am")
    _, marco = await scheduled(one, "Marco Bianchi")
    moved_too = await one.do("move it to 1pm")
    await scheduled(one, "Priya Raman")
    await undo(one, moved_too)
    await undo(one, moved)
    assert await moves(one, "move it to 2pm") == dana
    assert marco != dana


async def test_what_was_planned_since_goes_before_it(one: Operator, calendar: Calendar) -> None:
    await scheduled(one, "Dana Levi")
    moved = await one.do("move it to 11am")
    await scheduled(one, "Marco Bianchi")
    await undo(one, moved)
    _, priya = await scheduled(one, "Priya Raman")
    assert await moves(one, "move it to 2pm") == priya


async def test_two_that_are_being_taken_back_may_each_be_it() -> None:
    one, other = (PreviousPlan(plan_id=n, steps=()) for n in ("a", "b"))
    going = PlanState(open=True, status=PlanStatus.COMPLETED, phase="rollback running")
    now = datetime.now(UTC)
    over, later = (PlanState(open=False, undone=True, ended=now + timedelta(seconds=s)) for s in (0, 5))
    assert latest_undone([(one, going), (other, going)]) == [one, other]
    assert latest_undone([(one, going), (other, over)]) == [one]
    assert latest_undone([(one, later), (other, over)]) == [one]
