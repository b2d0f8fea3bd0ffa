"""What a chat has made itself it knows: "i want a meeting with Aviad", done, then "move it to 4pm", "cancel it".

- The new meeting is meant, by the id that the calendar gave it, whatever else is in the calendar.
- The plan's results tell that id (`made`).
- What was undone since is over; it is neither moved nor cancelled again.
- What was spoken of since goes before it. Where the calendar does not answer meanwhile, its id is known all the same.
- Further ahead than the calendar looks it is found all the same, as it is by then.
"""

from datetime import date, timedelta
from typing import Any

import pytest

from sandbox.calendar.seed import PRIYA
from tests.support.calendar import Calendar, instant, next_, today
from tests.support.operator import Operator

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def made(one: Operator, calendar: Calendar) -> dict[str, Any]:
    """A meeting with Aviad on Tuesday at 3pm that the chat has made; another of Aviad's is in the calendar already."""
    await calendar.meet(next_("tuesday"), "12:00")
    done = await one.do("i want a meeting with Aviad on Tuesday at 3pm")
    assert done["status"] == "completed", done
    [event] = [e for e in await calendar.of(next_("tuesday")) if e["title"] == "Meeting"]
    assert [r.get("made") for r in done["results"]] == [None, event["id"]]
    return event


def moved(turn: dict[str, Any]) -> dict[str, Any]:
    """What a plan moves."""
    assert turn["type"] == "plan", turn
    [step] = [a for a in turn["plan"]["actions"] if not a["read_only"]]
    assert step["action_id"] == "move_meeting"
    found: dict[str, Any] = step["parameters"]
    return found


@pytest.mark.parametrize("words", ["move it to 4pm", "can you move it to 4pm?", "push that meeting to 4pm"])
async def test_it_is_the_meeting_that_was_made(one: Operator, calendar: Calendar, words: str) -> None:
    event = await made(one, calendar)
    assert moved(await one.say(words)) == {"meeting_id": event["id"], "new_start_time": "16:00"}


async def test_it_is_cancelled_by_a_word_for_it(one: Operator, calendar: Calendar) -> None:
    event = await made(one, calendar)
    asked = await one.say("cancel it")
    assert asked["type"] == "clarification", "to undo it, or to cancel it"
    [_, way] = asked["quick_actions"]
    plan = await one.plan_for(way["say"])
    assert [a["parameters"] for a in plan["actions"]] == [{"meeting_id": event["id"]}]
    again = await one.plan_for("cancel the meeting")
    assert [a["parameters"] for a in again["actions"]] == [{"meeting_id": event["id"]}]


async def test_what_was_taken_back_is_over(one: Operator, calendar: Calendar) -> None:
    event = await made(one, calendar)
    undone = await one.say("undo that")
    assert (await one.settled(undone["plan"]))["status"] == "rolled_back"
    turn = await one.say("move it to 4pm")
    assert turn["type"] != "plan" and "is cancelled, so it cannot be moved" in str(turn), turn
    assert [e["status"] for e in await calendar.of(next_("tuesday")) if e["id"] == event["id"]] == ["cancelled"]


async def test_it_is_known_though_the_calendar_did_not_show_it(one: Operator, calendar: Calendar) -> None:
    event = await made(one, calendar)
    await calendar.fault("get-event", "status", status=503, times=3)
    assert (await one.say("thanks"))["type"] == "answer"
    assert moved(await one.say("move it to 4pm"))["meeting_id"] == event["id"]


async def test_what_was_spoken_of_since_is_it(one: Operator, calendar: Calendar) -> None:
    await made(one, calendar)
    other = await calendar.meet(next_("friday"), "13:00", title="Roadmap")
    plan = await one.plan_for("move the Roadmap meeting to 3:30pm")
    await one.settled(await one.confirm(plan))
    assert moved(await one.say("move it to 4pm"))["meeting_id"] == other["id"]


async def test_what_was_spoken_of_while_it_was_made_is_it(one: Operator, calendar: Calendar) -> None:
    other = await calendar.meet(next_("friday"), "13:00", title="Roadmap")
    plan = await one.plan_for("i want a meeting with Aviad on Tuesday at 3pm")
    await calendar.fault("create-event", "delay", seconds=2)
    await one.confirm(plan)
    await one.say("when is the Roadmap meeting?")
    assert (await one.settled(plan))["status"] == "completed"
    assert moved(await one.say("move it to 4pm"))["meeting_id"] == other["id"]


async def test_a_meeting_whose_answer_was_lost_is_known(one: Operator, calendar: Calendar) -> None:
    plan = await one.plan_for("i want a meeting with Aviad on Tuesday at 3pm")
    await calendar.fault("create-event", "drop_after")
    done = await one.settled(await one.confirm(plan))
    assert done["status"] == "completed", done
    [event] = [e for e in await calendar.of(next_("tuesday")) if e["title"] == "Meeting"]
    assert moved(await one.say("move it to 4pm"))["meeting_id"] == event["id"]


def a_workday(ahead: int) -> date:
    """One on which the team meets, so many days ahead or soon after."""
    days = (today() + timedelta(days=ahead + more) for more in range(4))
    return next(day for day in days if day.weekday() not in (4, 5, 6))


async def test_further_ahead_than_the_calendar_looks_it_is_one_of_those_that_are_asked_about(
    one: Operator, calendar: Calendar
) -> None:
    far = a_workday(90)
    await calendar.meet(next_("tuesday"), "12:00")
    assert (await one.do(f"i want a meeting with Aviad on {far:%B} {far.day} at 3pm"))["status"] == "completed"
    [event] = await calendar.of(far)
    await one.plan_for("i want a meeting with Aviad on Tuesday at 4pm")
    await one.say("no")
    await calendar.change(event["id"], startsAt=instant(far, "11:00"), endsAt=instant(far, "11:30"))
    asked = await one.say("move the meeting with Aviad to 4pm")
    assert asked["type"] == "clarification" and len(asked["candidates"]) > 1, asked
    assert {c["booking_id"]: c["start_time"] for c in asked["candidates"]}[event["id"]] == "11:00"


async def test_further_ahead_than_the_calendar_looks_it_is_reported_as_it_is_by_now(
    one: Operator, calendar: Calendar
) -> None:
    far = a_workday(90)
    assert (await one.do(f"i want a meeting with Priya on {far:%B} {far.day} at 3pm"))["status"] == "completed"
    [event] = await calendar.of(far, PRIYA)
    await one.say("thanks")
    await calendar.change(event["id"], startsAt=instant(far, "11:00"), endsAt=instant(far, "11:30"))
    turn = await one.say("when is the meeting with Priya?")
    assert "11 AM" in str(turn) and "3 PM" not in str(turn), turn
