"""A new meeting, or a move of an existing one? A calendar has both, and the text does not always tell. Guarantees:

- "Tuesday 3pm with Aviad" makes a meeting. iQ asks about "Aviad Tuesday 3pm", and about a text with several days.
- After a run that failed, another time applies to the meeting to be made, never to the one that took its place.
- Whatever the model proposes, nothing is moved unless the operator asked for a move.
- The card of a move names the meeting by more than the person it is with.
- Of two requested meetings both are checked before the plan is shown, and iQ asks about a named person that a plan
  leaves out.
- The plan shows a meeting's end, iQ names a past day as past, and opening hours are by the team's own clock.
"""

from datetime import timedelta
from typing import Any

import pytest

from tests.support.calendar import CONFLICT, ZONE, Calendar, today
from tests.support.operator import Operator
from tests.support.scripted_model import ScriptedModel
from tests.support.weekdays import weekday_ahead

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

SOON, LATER = weekday_ahead(3, ZONE), weekday_ahead(5, ZONE)


@pytest.fixture
async def calendar(calendar: Calendar) -> Calendar:
    """The team's calendar, with one meeting of Aviad's in it."""
    await calendar.reset(seed=False)
    await calendar.meet(SOON.day, "10:00")
    return calendar


def written(plan: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the changes of a plan."""
    return [(a["action_id"], a["parameters"]) for a in plan["actions"] if not a["read_only"]]


def shown(plan: dict[str, Any]) -> dict[str, str]:
    """Return the preview lines of a plan's last step."""
    return {line["field"]: line["after"] for line in plan["actions"][-1]["preview"]}


async def test_with_somebody_at_a_time_is_a_new_meeting(colleague: Operator, calendar: Calendar) -> None:
    [(action, values)] = written(await colleague.plan_for(f"{SOON.name} 3pm with Aviad"))
    assert (action, values["start_time"]) == ("schedule_meeting", "15:00")


@pytest.mark.parametrize("text", ["aviad {soon} 3pm", "aviad mon to wed next week 10am each"])
async def test_what_may_be_either_is_asked(colleague: Operator, calendar: Calendar, text: str) -> None:
    turn = await colleague.say(text.format(soon=SOON.name))
    assert turn["type"] == "clarification" and "something new, or should Aviad" in turn["question"], turn


async def test_a_model_moves_nothing_that_no_one_asked_to_be_moved(
    colleague: Operator, calendar: Calendar, scripted: ScriptedModel
) -> None:
    [there] = await calendar.of(SOON.day)
    text = f"Aviad on {SOON.name}, 3pm!"
    move = {"move_meeting": {"meeting_id": there["id"], "new_start_time": "15:00"}}
    scripted.script(text, {"find_meetings": {"keywords": "Aviad"}}, move)
    turn = await colleague.say(text)
    assert turn["type"] == "clarification" and "something new" in turn["question"], turn
    assert "The operator asked to move nothing" in scripted.seen[text][-1]["messages"][-1]["content"]


@pytest.mark.parametrize("answer", ["4pm", "4pm then", "at 4 please", "yes, 4pm"])
async def test_another_time_is_stated_of_what_was_to_be_made(
    colleague: Operator, calendar: Calendar, answer: str
) -> None:
    plan = await colleague.plan_for(f"meet Aviad on {LATER.name} at 3pm")
    await calendar.meet(LATER.day, "15:00")
    ended = await colleague.settled(await colleague.confirm(plan))
    assert ended["failure"]["message"].endswith(CONFLICT)
    [(action, values)] = written(await colleague.plan_for(answer))
    assert (action, values["start_time"], values["date"]) == ("schedule_meeting", "16:00", str(LATER.day))


async def test_a_no_to_another_time_ends_it(colleague: Operator, calendar: Calendar) -> None:
    await calendar.meet(LATER.day, "15:00")
    assert (await colleague.say(f"meet Aviad on {LATER.name} at 3pm"))["question"] == CONFLICT
    turn = await colleague.say("no")
    assert turn["type"] == "answer" and CONFLICT not in turn["message"], turn
    assert written(await colleague.plan_for(f"meet Aviad on {LATER.name} at 4pm"))[0][1]["start_time"] == "16:00"


async def test_a_model_does_not_move_what_was_quicker(
    colleague: Operator, calendar: Calendar, scripted: ScriptedModel
) -> None:
    plan = await colleague.plan_for(f"meet Aviad on {LATER.name} at 3pm")
    theirs = await calendar.meet(LATER.day, "15:00")
    await colleague.settled(await colleague.confirm(plan))
    text = "4pm, by all means"
    move = {"move_meeting": {"meeting_id": theirs["id"], "new_start_time": "16:00"}}
    scripted.script(text, {"find_meetings": {"keywords": "Aviad"}}, move)
    turn = await colleague.say(text)
    assert turn["type"] == "clarification", turn


async def test_what_is_moved_is_named(colleague: Operator, calendar: Calendar) -> None:
    plan = await colleague.plan_for(f"move Aviad's {SOON.name} meeting to 3pm")
    assert shown(plan)["Meeting"] == "Elsewhere, with Aviad" and "evt_" not in plan["intent"]


async def test_an_end_behind_the_last_hour_or_past_midnight_is_reported(
    colleague: Operator, calendar: Calendar
) -> None:
    evening = await colleague.plan_for(f"set up 2 hours with Aviad {SOON.name} 5pm")
    assert shown(evening)["Lasts"] == "120 minutes, until 7 PM"
    late = await colleague.plan_for(f"schedule 8 hours with Aviad on {SOON.name} at 5pm")
    assert shown(late)["Lasts"] == f"480 minutes, until 1 AM on {SOON.day + timedelta(days=1):%A}"


async def test_what_has_passed_is_called_so(colleague: Operator, calendar: Calendar) -> None:
    assert "is in the past" in (await colleague.say("meet Aviad yesterday at 3pm"))["question"]


async def test_hours_are_reported_by_the_teams_own_clock(colleague: Operator, calendar: Calendar) -> None:
    day = today() + timedelta(days=3)
    turn = await colleague.say(f"meet Aviad on {day:%B} {day.day} at 3pm Melbourne time")
    assert "(Asia/Jerusalem) is outside opening hours: a meeting can start from 9 AM" in str(turn), turn


async def test_when_everybody_is_free_is_not_known(colleague: Operator, calendar: Calendar) -> None:
    turn = await colleague.say(f"who is free on {SOON.name}?")
    assert turn["type"] == "clarification" and turn["question"] == "Whom should it be with?", turn


async def test_both_of_two_meetings_are_looked_at(colleague: Operator, calendar: Calendar) -> None:
    await calendar.meet(LATER.day, "16:00")
    turn = await colleague.say(f"meet Aviad on {SOON.name} and {LATER.name} at 4pm")
    assert turn["type"] == "clarification" and turn["question"] == CONFLICT, turn


async def test_no_one_who_was_named_is_left_out(colleague: Operator, calendar: Calendar) -> None:
    turn = await colleague.say(f"meet Aviad on {SOON.name} at 3pm and meet Marco on {SOON.name} at 3pm")
    assert turn["type"] == "clarification" and "“Marco”, which would be left out" in turn["question"], turn


async def test_what_was_done_instead_is_not_asked_for_again(colleague: Operator, calendar: Calendar) -> None:
    plan = await colleague.plan_for(f"meet Aviad on {LATER.name} at 3pm, if there is no room 4pm")
    await calendar.meet(LATER.day, "15:00")
    done = await colleague.settled(await colleague.confirm(plan))
    assert done["status"] == "completed" and "Would you like" not in done["summary"], done["summary"]
    great = f"did not work. Great! I've scheduled your meeting with Aviad for {LATER.name} at 4 PM."
    assert great in done["summary"]
