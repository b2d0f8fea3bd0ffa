"""After an undo, "it" is the booking of the undone plan, even if the command did not come through the chat. Guarantees:

- After an older plan of the chat was undone by its own address, "move it to 2pm" means the booking of that plan.
- Of several undone plans the last one counts. While two are being undone, iQ cannot tell, and each is a candidate.
- A booking that the operator mentioned since takes precedence.
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


async def scheduled(colleague: Operator, whom: str, at: str = "10am") -> tuple[dict[str, Any], str]:
    """Schedule a meeting; return the plan and the meeting's id."""
    done = await colleague.do(f"schedule a meeting with {whom} on March 16 at {at}")
    assert done["status"] == "completed", done
    return done, next(r["made"] for r in done["results"] if r.get("made"))


async def undo(colleague: Operator, plan: dict[str, Any]) -> None:
    answer = await colleague.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=colleague.user)
    assert answer.status_code == 202, answer.text
    assert (await colleague.settled(plan))["status"] == "rolled_back"


async def moves(colleague: Operator, words: str) -> Any:
    [step] = [a for a in (await colleague.plan_for(words))["actions"] if not a["read_only"]]
    assert step["action_id"] == "move_meeting"
    return step["parameters"]["meeting_id"]


async def test_an_older_plan_that_was_taken_back_is_it(colleague: Operator, calendar: Calendar) -> None:
    _, dana = await scheduled(colleague, "Dana Levi")
    moved = await colleague.do("move it to 11am")
    await scheduled(colleague, "Marco Bianchi")
    await undo(colleague, moved)
    assert (await colleague.say("thanks"))["type"] == "answer"
    assert await moves(colleague, "move it to 2pm") == dana


async def test_of_two_that_were_taken_back_it_is_the_later(colleague: Operator, calendar: Calendar) -> None:
    _, dana = await scheduled(colleague, "Dana Levi")
    moved = await colleague.do("move it to 11am")
    _, marco = await scheduled(colleague, "Marco Bianchi")
    moved_too = await colleague.do("move it to 1pm")
    await scheduled(colleague, "Priya Raman")
    await undo(colleague, moved_too)
    await undo(colleague, moved)
    assert await moves(colleague, "move it to 2pm") == dana
    assert marco != dana


async def test_what_was_planned_since_goes_before_it(colleague: Operator, calendar: Calendar) -> None:
    await scheduled(colleague, "Dana Levi")
    moved = await colleague.do("move it to 11am")
    await scheduled(colleague, "Marco Bianchi")
    await undo(colleague, moved)
    _, priya = await scheduled(colleague, "Priya Raman")
    assert await moves(colleague, "move it to 2pm") == priya


async def test_two_that_are_being_taken_back_may_each_be_it() -> None:
    one, other = (PreviousPlan(plan_id=n, steps=()) for n in ("a", "b"))
    going = PlanState(open=True, status=PlanStatus.COMPLETED, phase="rollback running")
    now = datetime.now(UTC)
    over, later = (PlanState(open=False, undone=True, ended=now + timedelta(seconds=s)) for s in (0, 5))
    assert latest_undone([(one, going), (other, going)]) == [one, other]
    assert latest_undone([(one, going), (other, over)]) == [one]
    assert latest_undone([(one, later), (other, over)]) == [one]
