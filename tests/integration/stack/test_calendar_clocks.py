"""The nights on which clocks change, end to end: times that occur twice, or not at all. Guarantees:

- For a time that occurs twice the plan shows which of the two is meant, for the end as for the start, and the meeting
  is created at that one.
- For a time that the clocks skip, iQ asks and drafts no plan.
- At an Italian venue these texts are Italian.
"""

from collections.abc import AsyncIterator
from datetime import date, timedelta

import pytest

from tests.support.calendar import TOKEN, Calendar, today
from tests.support.operator import Operator
from tests.support.stacks import a_stack, copied_pack

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

LOS_ANGELES = "Los Angeles time"


def sunday(month: int, place: int) -> date:
    """Return the next such Sunday of a month, by its position in the month (the last is -1)."""
    years = (today().year, today().year + 1)
    days = [[d for n in range(31) if (d := date(year, month, 1) + timedelta(n)).month == month] for year in years]
    found = [[day for day in of_month if day.weekday() == 6][place] for of_month in days]
    return next(day for day in found if day > today() + timedelta(days=1))


def words(day: date) -> str:
    return f"{day:%B} {day.day}"


async def test_of_a_time_that_comes_twice_the_plan_says_which(colleague: Operator, calendar: Calendar) -> None:
    back = sunday(11, 0)
    plan = await colleague.plan_for(f"i want a meeting with Aviad on {words(back)} at 1:30am {LOS_ANGELES}")
    [step] = [a for a in plan["actions"] if not a["read_only"]]
    lines = {line["field"]: line["after"] for line in step["preview"]}
    twice = "comes twice that day, as the clocks go back: the"
    assert lines["Clocks"] == f"1:30 AM {twice} first is meant (UTC-07:00); 1 AM {twice} second is meant (UTC-08:00)"
    assert (await colleague.settled(await colleague.confirm(plan)))["status"] == "completed"
    starts = [event["startsAt"] for event in await calendar.of(back)]
    assert f"{back}T08:30:00Z" in starts


async def test_a_time_that_comes_once_has_no_such_line(colleague: Operator, calendar: Calendar) -> None:
    plan = await colleague.plan_for(f"i want a meeting with Aviad on {words(sunday(11, 0))} at 2:30am {LOS_ANGELES}")
    assert "Clocks" not in str(plan)


async def test_a_time_that_there_is_not_is_asked_about(colleague: Operator, calendar: Calendar) -> None:
    forward = sunday(3, 1)
    turn = await colleague.say(f"i want a meeting with Aviad on {words(forward)} at 2:30am {LOS_ANGELES}")
    assert turn["type"] == "clarification", turn
    assert "2:30 AM (America/Los Angeles): the clocks go forward over it. Which time should it be?" in turn["question"]
    [step] = [a for a in (await colleague.plan_for("1:30am"))["actions"] if not a["read_only"]]
    assert (step["parameters"]["date"], step["parameters"]["start_time"]) == (str(forward), "01:30")


@pytest.fixture(scope="module")
async def by_night(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Operator]:
    """An operator of an Italian team that works at night."""
    folder = tmp_path_factory.mktemp("by_night")
    night = {"locale: en-US": "locale: it-IT", '"09:00"': '"00:00"', '"18:00"': '"23:59"'}
    pack = copied_pack(folder, night, "calendar")
    async with (
        a_stack(folder, packs=(pack,), model_base_url=model_url) as running,
        Operator(f"http://127.0.0.1:{running.ports.facade}", token=TOKEN) as found,
    ):
        yield found


async def test_in_italian(by_night: Operator) -> None:
    back = sunday(10, -1)
    plan = await by_night.plan_for(f"vorrei una riunione con Aviad il {back.day} ottobre alle 01:30")
    assert "vengono due volte quel giorno" in str(plan) and "si intende la prima (UTC+03:00)" in str(plan), plan
    assert "'Titolo', 'after': 'Riunione'" in str(plan), "what it is called where nothing was said"
