"""Requests to a calendar, over HTTP: the spec's "Planned Features" and the details that people give of a meeting.
Guarantees:

- An alternative time or person, relative days, a week without a day: iQ plans them, or asks and offers what is free.
  "2:30" is in the afternoon where the team is closed at night.
- Duration, title, client and time zone are as the operator said, else the venue's defaults. The plan shows both clocks
  where they differ.
- iQ asks by name about an unknown person, a recurring meeting and one over several days. Two days are two steps.
- Whatever the model: a value that the operator did not say is left out or asked about, and what the operator said is in
  the plan.
- iQ repeats a look-up at which the calendar fails.

Steps that run together, templates of steps and steps that are left out: `test_steps.py`, `test_templates.py`,
`test_steps_left_out.py`, over packs that have them.
"""

from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.support.bookeo import lines
from tests.support.calendar import CONFLICT, ZONE, Calendar, instant, today
from tests.support.operator import Operator
from tests.support.scripted_model import ScriptedModel, obey
from tests.support.weekdays import weekday_ahead

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

SOON, LATER = weekday_ahead(3, ZONE), weekday_ahead(5, ZONE)


@pytest.fixture
async def calendar(calendar: Calendar) -> Calendar:
    """The team's calendar, with nothing in it."""
    await calendar.reset(seed=False)
    return calendar


def written(steps: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parameters of the plan's changes."""
    return [a["parameters"] for a in steps["actions"] if not a["read_only"]]


def of_these_days(text: str) -> str:
    """Return the text with these days filled in, because a test's name has no day in it."""
    return text.format(soon=SOON.name, later=LATER.name)


def by_the_teams_clock(day: date, at: time, zone: str) -> datetime:
    """Return a moment in the team's zone. Clocks do not change on the same day everywhere."""
    return datetime.combine(day, at, tzinfo=ZoneInfo(zone)).astimezone(ZONE)


# ── days and times ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "message",
    [
        "{0:%B} {0.day}, {0.year} at 10am",
        "{0:%b} {0.day} {0.year} at 10am",
        "{0:%a}, {0:%b} {0.day}, {0.year}, 10 AM",
        "{0.day} {0:%B} {0.year} at 10am",
    ],
)
async def test_a_day_is_read_with_its_year_as_the_plan_writes_it(
    colleague: Operator, calendar: Calendar, message: str
) -> None:
    day = today() + timedelta(days=200)
    [step] = written(await colleague.plan_for(f"schedule a meeting with Dana Levi on {message.format(day)}"))
    assert step == {"person": "Dana Levi", "date": str(day), "start_time": "10:00"}


@pytest.mark.parametrize(
    ("message", "ahead", "start"),
    [
        ("a meeting with Aviad in 2 days at 2:30", 2, "14:30"),
        ("schedule a call with Aviad in 3 days at 10am", 3, "10:00"),
        ("can I get a meeting with Aviad the day after tomorrow at noon?", 2, "12:00"),
        ("meet Aviad in a week at 4", 7, "16:00"),
    ],
)
async def test_relative_days(colleague: Operator, calendar: Calendar, message: str, ahead: int, start: str) -> None:
    [step] = written(await colleague.plan_for(message))
    assert step == {"person": "Aviad", "date": str(today() + timedelta(days=ahead)), "start_time": start}


async def test_a_week_without_a_day_offers_the_free_ones(colleague: Operator, calendar: Calendar) -> None:
    monday = today() - timedelta(days=today().weekday()) + timedelta(days=7)
    await calendar.meet(monday, "14:00")
    turn = await colleague.say("i want a meeting with Aviad next week at 2pm")
    assert turn["type"] == "clarification", turn
    assert f"Tue, {monday + timedelta(days=1):%b} " in turn["question"] and "Mon, " not in turn["question"]
    [step] = written(await colleague.plan_for("Friday"))
    assert step == {"person": "Aviad", "date": str(monday + timedelta(days=4)), "start_time": "14:00"}


async def test_another_time_if_that_is_taken(colleague: Operator, calendar: Calendar) -> None:
    day = SOON.day
    plan = await colleague.plan_for(f"a meeting with Aviad on {SOON.name} at 2pm, if not 3pm")
    first, second = (a for a in plan["actions"] if not a["read_only"])
    assert (first["parameters"]["start_time"], second["parameters"]["start_time"]) == ("14:00", "15:00")
    assert (second["when"]["step"], second["when"]["ended"]) == (first["step"], "failed")
    await calendar.meet(day, "14:00")
    done = await colleague.settled(await colleague.confirm(plan))
    assert done["status"] == "completed", done
    assert sorted(e["startsAt"] for e in await calendar.of(day)) == [instant(day, "14:00"), instant(day, "15:00")]


async def test_what_is_taken_already_gives_way_at_once(colleague: Operator, calendar: Calendar) -> None:
    await calendar.meet(SOON.day, "14:00")
    [step] = written(await colleague.plan_for(f"a meeting with Aviad on {SOON.name} at 2pm, if not 3pm"))
    assert step["start_time"] == "15:00"


async def test_after_a_conflict_another_time_for_that_day(colleague: Operator, calendar: Calendar) -> None:
    await calendar.meet(today() + timedelta(days=1), "14:00")
    assert (await colleague.say("i want a meeting with Aviad tomorrow at 2pm"))["question"] == CONFLICT
    [step] = written(await colleague.plan_for("4pm"))
    assert step == {"person": "Aviad", "date": str(today() + timedelta(days=1)), "start_time": "16:00"}


async def test_two_days_are_two_steps(colleague: Operator, calendar: Calendar) -> None:
    plan = await colleague.plan_for(f"a meeting with Aviad on {SOON.name} at 10am and {LATER.name} at 3pm")
    assert [(s["date"], s["start_time"]) for s in written(plan)] == [
        (str(SOON.day), "10:00"),
        (str(LATER.day), "15:00"),
    ]
    assert (await colleague.settled(await colleague.confirm(plan)))["status"] == "completed"
    assert [len(await calendar.of(each.day)) for each in (SOON, LATER)] == [1, 1]


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("a meeting with Aviad every {soon} at 10am", "“every {soon}”"),
        ("a weekly meeting with Aviad on {soon} at 10am", "“weekly”"),
        ("a meeting with Aviad {soon} to {later} at 10am", "“{soon} to {later}"),
    ],
)
async def test_what_recurs_or_goes_over_days_is_named(
    colleague: Operator, calendar: Calendar, message: str, named: str
) -> None:
    turn = await colleague.say(of_these_days(message))
    assert turn["type"] == "clarification" and of_these_days(named) in turn["question"], turn
    assert not [w for w in await calendar.journal() if w["operation"] == "create-event"]


# ── other details of a meeting ───────────────────────────────────────────────────────────────────────────────────────


async def test_how_long_about_what_and_for_whom(colleague: Operator, calendar: Calendar) -> None:
    day = SOON.day
    message = f"book an hour and a half with Dana Levi on {SOON.name} at 10am about the budget for Noa Katz"
    plan = await colleague.plan_for(message)
    assert lines(plan, 1) == {
        "With": (None, "Dana Levi"),
        "When": (None, f"{day:%a, %b} {day.day}, {day.year}, 10 AM"),
        "Lasts": (None, "90 minutes, until 11:30 AM"),
        "Title": (None, "budget"),
        "Asked for by": (None, "Noa Katz"),
    }
    await colleague.settled(await colleague.confirm(plan))
    journal = [w["body"] for w in await calendar.journal() if w["operation"] == "create-event"]
    assert (journal[-1]["title"], journal[-1]["externalUserName"]) == ("budget", "Noa Katz")
    assert (journal[-1]["startsAt"], journal[-1]["endsAt"]) == (instant(day, "10:00"), instant(day, "11:30"))


async def test_by_the_clock_of_who_asks(colleague: Operator, calendar: Calendar) -> None:
    day = SOON.day
    plan = await colleague.plan_for(f"a meeting with Aviad on {SOON.name} at 1pm London time")
    when, here = lines(plan, 1)["When"][1], by_the_teams_clock(day, time(13), "Europe/London")
    assert "1 PM (Europe/London), which is " in when and f"{here:%-I %p} (Asia/Jerusalem)" in when
    done = await colleague.settled(await colleague.confirm(plan))
    assert done["results"][-1]["message"].endswith(f"for {SOON.name} at 1 PM (Europe/London).")
    [made] = await calendar.of(day)
    assert (made["startsAt"], made["timeZone"]) == (instant(day, f"{here:%H:%M}"), "Europe/London")


async def test_hours_are_the_teams_whatever_the_clock(colleague: Operator, calendar: Calendar) -> None:
    turn = await colleague.say(f"a meeting with Aviad on {SOON.name} at 5pm New York time")
    here = by_the_teams_clock(SOON.day, time(17), "America/New_York")
    assert turn["type"] != "plan" and f"{here:%-I %p} (Asia/Jerusalem) is outside opening hours" in str(turn), turn


async def test_who_is_not_known_is_asked_about(colleague: Operator, calendar: Calendar) -> None:
    turn = await colleague.say(f"i want a meeting with Zorro on {SOON.name} at 14:00")
    assert turn["type"] == "clarification", turn
    assert turn["question"].startswith("Who is Zorro: Aviad, ")
    [step] = written(await colleague.plan_for("Aviad"))
    assert step == {"person": "Aviad", "date": str(SOON.day), "start_time": "14:00"}


async def test_which_of_two_is_asked(colleague: Operator, calendar: Calendar) -> None:
    turn = await colleague.say(f"i want a meeting with Dana on {SOON.name} at 14:00")
    assert turn["question"] == "Which Dana: Dana Levi or Dana Cohen?"
    [step] = written(await colleague.plan_for("Dana Cohen"))
    assert step["person"] == "Dana Cohen"


@pytest.mark.parametrize(
    ("message", "asked", "answer"),
    [
        ("set up a meeting on {soon} at 4pm", "Whom should it be with?", "Aviad"),
        ("i want a meeting with Aviad", "On which day, and at what time?", "{soon} at 4pm"),
        ("i want a meeting with Aviad on {soon}", "At what time?", "4pm"),
        ("i want a meeting with Aviad at 4pm", "On which day?", "{soon}"),
    ],
)
async def test_what_is_missing_is_asked(
    colleague: Operator, calendar: Calendar, message: str, asked: str, answer: str
) -> None:
    turn = await colleague.say(of_these_days(message))
    assert (turn["type"], turn["question"]) == ("clarification", asked), turn
    [step] = written(await colleague.plan_for(of_these_days(answer)))
    assert step == {"person": "Aviad", "date": str(SOON.day), "start_time": "16:00"}


async def test_when_somebody_is_free_is_answered(colleague: Operator, calendar: Calendar) -> None:
    day = SOON.day
    await calendar.meet(day, "14:00")
    # The look-up is repeated where the calendar fails.
    await calendar.fault("list-openings", "status", status=500, times=2)
    turn = await colleague.say(f"is Aviad free on {SOON.name} at 2pm?")
    assert turn["type"] == "answer", turn
    assert f"Aviad is not free on {day:%a, %b} {day.day}, {day.year} at 2 PM. Free that day: 1:30 PM" in turn["message"]


# ── whatever the model ───────────────────────────────────────────────────────────────────────────────────────────────


def call(**more: Any) -> dict[str, Any]:
    """Return a model's proposal."""
    return {"schedule_meeting": {"person": "Aviad", "date": str(SOON.day), "start_time": "11:00", **more}}


async def test_a_models_creation_is_accepted(colleague: Operator, calendar: Calendar, scripted: ScriptedModel) -> None:
    message = f"please sort me out forty-five minutes with Aviad, {SOON.name} 11am would be ideal"
    scripted.script(message, call(duration_minutes=45), obey)
    plan = await colleague.plan_for(message)
    assert (await colleague.settled(await colleague.confirm(plan)))["status"] == "completed"
    assert [e["endsAt"] for e in await calendar.of(SOON.day)] == [instant(SOON.day, "11:45")]


@pytest.mark.parametrize(
    ("message", "proposed", "asked"),
    [
        ("get me Aviad on {soon}, 11am", {"title": "Quarterly sync"}, "“title”"),
        ("get me Aviad on {soon}, 11am", {"person": "Marco Bianchi"}, "“person”"),
        ("get me Aviad on {soon}, 11am", {"external_user_name": "Noa Katz"}, "“external user name”"),
        ("get me Aviad every {soon}, 11am", {}, ""),
        ("get me Aviad weekly, on {soon} 11am", {}, "“weekly”"),
        ("get me Aviad from {soon} to {later}, 11am", {"date": str(LATER.day)}, "“{soon}”"),
        ("get me Aviad on {soon} at 11am for two hours", {}, "“two hours”"),
        ("get me Aviad on {soon} at 11am, london time", {}, "“london time”"),
        ("get me Aviad on {soon} at 11am EST", {}, "“EST”"),
    ],
)
async def test_what_differs_from_the_words_is_asked_about(
    colleague: Operator, calendar: Calendar, scripted: ScriptedModel, message: str, proposed: dict[str, Any], asked: str
) -> None:
    message = of_these_days(message)
    scripted.script(message, call(**proposed))
    turn = await colleague.say(message)
    assert turn["type"] == "clarification" and of_these_days(asked) in turn["question"], turn


async def test_an_hour_is_put_right(colleague: Operator, calendar: Calendar, scripted: ScriptedModel) -> None:
    message = f"get me Aviad on {SOON.name}, 11am sharp"
    scripted.script(message, call(start_time="15:00"))
    [step] = written(await colleague.plan_for(message))
    assert step["start_time"] == "11:00"


@pytest.mark.parametrize("invented", [{"duration_minutes": 120}, {"timezone": "America/New_York"}])
async def test_what_no_one_stated_is_left_out(
    colleague: Operator, calendar: Calendar, scripted: ScriptedModel, invented: dict[str, Any]
) -> None:
    message = f"get me Aviad on {SOON.name} at 11am, will you? {len(str(invented))}"[:-3]
    scripted.script(message, call(**invented))
    [step] = written(await colleague.plan_for(message))
    assert not set(invented) & set(step)
