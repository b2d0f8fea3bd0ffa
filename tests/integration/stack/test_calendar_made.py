"""A chat knows what it made itself: "i want a meeting with Aviad", done, then "move it to 4pm", "cancel it".
Guarantees:

- The chat means the new meeting, by the id that the calendar gave it, whatever else is in the calendar.
- The plan's results carry that id (`made`).
- A meeting that was undone since is neither moved nor cancelled again.
- A meeting that the operator mentioned since takes precedence. The id is known even if the calendar is unavailable.
- A meeting beyond the range of the calendar's search is found as well, with its present time.
"""

from datetime import date, timedelta
from typing import Any

import pytest

from sandbox.calendar.seed import PRIYA
from tests.support.calendar import Calendar, instant, next_, today
from tests.support.operator import Operator

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def made(colleague: Operator, calendar: Calendar) -> dict[str, Any]:
    """Schedule Aviad on Tuesday at 3pm beside another meeting of his; return the new event."""
    await calendar.meet(next_("tuesday"), "12:00")
    done = await colleague.do("i want a meeting with Aviad on Tuesday at 3pm")
    assert done["status"] == "completed", done
    [event] = [e for e in await calendar.of(next_("tuesday")) if e["title"] == "Meeting"]
    assert [r.get("made") for r in done["results"]] == [None, event["id"]]
    return event


def moved(turn: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of the move that a turn plans."""
    assert turn["type"] == "plan", turn
    [step] = [a for a in turn["plan"]["actions"] if not a["read_only"]]
    assert step["action_id"] == "move_meeting"
    found: dict[str, Any] = step["parameters"]
    return found


@pytest.mark.parametrize("words", ["move it to 4pm", "can you move it to 4pm?", "push that meeting to 4pm"])
async def test_it_is_the_meeting_that_was_made(colleague: Operator, calendar: Calendar, words: str) -> None:
    event = await made(colleague, calendar)
    assert moved(await colleague.say(words)) == {"meeting_id": event["id"], "new_start_time": "16:00"}


async def test_it_is_cancelled_by_a_word_for_it(colleague: Operator, calendar: Calendar) -> None:
    event = await made(colleague, calendar)
    asked = await colleague.say("cancel it")
    assert asked["type"] == "clarification", "to undo it, or to cancel it"
    [_, way] = asked["quick_actions"]
    plan = await colleague.plan_for(way["say"])
    assert [a["parameters"] for a in plan["actions"]] == [{"meeting_id": event["id"]}]
    again = await colleague.plan_for("cancel the meeting")
    assert [a["parameters"] for a in again["actions"]] == [{"meeting_id": event["id"]}]


async def test_what_was_taken_back_is_over(colleague: Operator, calendar: Calendar) -> None:
    event = await made(colleague, calendar)
    undone = await colleague.say("undo that")
    assert (await colleague.settled(undone["plan"]))["status"] == "rolled_back"
    turn = await colleague.say("move it to 4pm")
    assert turn["type"] != "plan" and "is cancelled, so it cannot be moved" in str(turn), turn
    assert [e["status"] for e in await calendar.of(next_("tuesday")) if e["id"] == event["id"]] == ["cancelled"]


async def test_it_is_known_though_the_calendar_did_not_show_it(colleague: Operator, calendar: Calendar) -> None:
    event = await made(colleague, calendar)
    await calendar.fault("get-event", "status", status=503, times=3)
    assert (await colleague.say("thanks"))["type"] == "answer"
    assert moved(await colleague.say("move it to 4pm"))["meeting_id"] == event["id"]


async def test_what_was_spoken_of_since_is_it(colleague: Operator, calendar: Calendar) -> None:
    await made(colleague, calendar)
    other = await calendar.meet(next_("friday"), "13:00", title="Roadmap")
    plan = await colleague.plan_for("move the Roadmap meeting to 3:30pm")
    await colleague.settled(await colleague.confirm(plan))
    assert moved(await colleague.say("move it to 4pm"))["meeting_id"] == other["id"]


async def test_what_was_spoken_of_while_it_was_made_is_it(colleague: Operator, calendar: Calendar) -> None:
    other = await calendar.meet(next_("friday"), "13:00", title="Roadmap")
    plan = await colleague.plan_for("i want a meeting with Aviad on Tuesday at 3pm")
    await calendar.fault("create-event", "delay", seconds=2)
    await colleague.confirm(plan)
    await colleague.say("when is the Roadmap meeting?")
    assert (await colleague.settled(plan))["status"] == "completed"
    assert moved(await colleague.say("move it to 4pm"))["meeting_id"] == other["id"]


async def test_a_meeting_whose_answer_was_lost_is_known(colleague: Operator, calendar: Calendar) -> None:
    plan = await colleague.plan_for("i want a meeting with Aviad on Tuesday at 3pm")
    await calendar.fault("create-event", "drop_after")
    done = await colleague.settled(await colleague.confirm(plan))
    assert done["status"] == "completed", done
    [event] = [e for e in await calendar.of(next_("tuesday")) if e["title"] == "Meeting"]
    assert moved(await colleague.say("move it to 4pm"))["meeting_id"] == event["id"]


def a_workday(ahead: int) -> date:
    """Return a day on which the team works, this many days ahead or soon after."""
    days = (today() + timedelta(days=ahead + more) for more in range(4))
    return next(day for day in days if day.weekday() not in (4, 5, 6))


async def test_further_ahead_than_the_calendar_looks_it_is_one_of_those_that_are_asked_about(
    colleague: Operator, calendar: Calendar
) -> None:
    far = a_workday(90)
    await calendar.meet(next_("tuesday"), "12:00")
    assert (await colleague.do(f"i want a meeting with Aviad on {far:%B} {far.day} at 3pm"))["status"] == "completed"
    [event] = await calendar.of(far)
    await colleague.plan_for("i want a meeting with Aviad on Tuesday at 4pm")
    await colleague.say("no")
    await calendar.change(event["id"], startsAt=instant(far, "11:00"), endsAt=instant(far, "11:30"))
    asked = await colleague.say("move the meeting with Aviad to 4pm")
    assert asked["type"] == "clarification" and len(asked["candidates"]) > 1, asked
    assert {c["booking_id"]: c["start_time"] for c in asked["candidates"]}[event["id"]] == "11:00"


async def test_further_ahead_than_the_calendar_looks_it_is_reported_as_it_is_by_now(
    colleague: Operator, calendar: Calendar
) -> None:
    far = a_workday(90)
    assert (await colleague.do(f"i want a meeting with Priya on {far:%B} {far.day} at 3pm"))["status"] == "completed"
    [event] = await calendar.of(far, PRIYA)
    await colleague.say("thanks")
    await calendar.change(event["id"], startsAt=instant(far, "11:00"), endsAt=instant(far, "11:30"))
    turn = await colleague.say("when is the meeting with Priya?")
    assert "11 AM" in str(turn) and "3 PM" not in str(turn), turn
