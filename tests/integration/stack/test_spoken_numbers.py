"""Numbers in words after a weekday, as speech recognition writes them, in a chat (issue 35, point 5). Guarantees:

- "Lunedì quattordici alle 21" books and moves to the 14th, as "lunedì 14" does; English works likewise.
- iQ asks about a number that does not match the weekday, in a new booking as in a move, and drafts no plan.
- When a new booking has two hours, iQ asks for one, as in a move; an hour that is taken back does not count.
"""

from datetime import date, timedelta
from typing import Any

import pytest

from tests.support.calendar import today
from tests.support.operator import Operator
from tests.support.restaurant import Trattoria, a_phone, undone
from tests.support.roller import a_name

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WEEKDAYS = ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica")
ITALIAN = (
    "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette "
    "diciotto diciannove venti ventuno ventidue ventitré ventiquattro venticinque ventisei ventisette ventotto "
    "ventinove trenta trentuno"
).split()
ENGLISH = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five twenty-six twenty-seven twenty-eight "
    "twenty-nine thirty thirty-one"
).split()


def in_words(day: date, weekday: int | None = None) -> str:
    """Return "Lunedì quattordici"; `weekday` replaces the day's own."""
    return f"{WEEKDAYS[day.weekday() if weekday is None else weekday]} {ITALIAN[day.day - 2]}"


async def an_evening(trattoria: Trattoria) -> date:
    """Return an evening without bookings whose day of the month is no other word, as the first is."""
    while (day := await trattoria.quiet_evening()).day == 1:
        pass
    return day


def made(plan: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of the one step that changes something."""
    [step] = [a for a in plan["actions"] if not a["read_only"]]
    values: dict[str, Any] = step["parameters"]
    return values


async def test_a_table_is_booked_on_that_day(waiter: Operator, trattoria: Trattoria) -> None:
    day = await an_evening(trattoria)
    name, number = a_name(), a_phone()
    plan = await waiter.plan_for(f"prenota un tavolo per 2 {in_words(day)} alle 21 a nome {name}, telefono {number}")
    assert (made(plan)["date"], made(plan)["start_time"], made(plan)["guest_count"]) == (str(day), "21:00", 2)
    done = await waiter.settled(await waiter.confirm(plan))
    assert [(one["day"], one["time"]) for one in await trattoria.of(day)] == [(str(day), "21:00")], done
    await undone(waiter, done)


async def test_without_an_hour_the_hour_is_asked_for(waiter: Operator, trattoria: Trattoria) -> None:
    day = await an_evening(trattoria)
    turn = await waiter.say(f"prenota un tavolo per 4 {in_words(day)} a nome {a_name()}, telefono {a_phone()}")
    assert turn["type"] == "clarification" and "orario" in turn["question"], turn
    plan = await waiter.plan_for("alle 21")
    assert (made(plan)["date"], made(plan)["start_time"]) == (str(day), "21:00")


async def test_a_table_is_moved_to_that_day(waiter: Operator, trattoria: Trattoria) -> None:
    name = a_name()
    await trattoria.book(name, day=await trattoria.quiet_evening())
    day = await an_evening(trattoria)
    plan = await waiter.plan_for(f"sposta il tavolo di {name} a {in_words(day)} alle 21")
    assert (made(plan)["new_date"], made(plan)["new_start_time"]) == (str(day), "21:00")


async def test_a_number_of_another_weekday_is_asked_about(waiter: Operator, trattoria: Trattoria) -> None:
    name = a_name()
    await trattoria.book(name, day=await trattoria.quiet_evening())
    day = await an_evening(trattoria)
    text = in_words(day, (day.weekday() + 1) % 7)
    for words in (
        f"prenota un tavolo per 2 {text} alle 21 a nome {a_name()}, telefono {a_phone()}",
        f"prenota un tavolo per 2 {text} a nome {a_name()}, telefono {a_phone()}",
        f"sposta il tavolo di {name} a {text} alle 21",
    ):
        turn = await waiter.say(words)
        assert turn["type"] == "clarification" and text in turn["question"], (words, turn)


async def test_of_two_hours_of_a_new_booking_one_is_asked_for(waiter: Operator, trattoria: Trattoria) -> None:
    day = await an_evening(trattoria)
    name, number = a_name(), a_phone()
    turn = await waiter.say(f"prenota un tavolo per 2 {in_words(day)} alle 21 a nome {name} alle 22, telefono {number}")
    assert turn["type"] == "clarification" and "più di un orario" in turn["question"], turn
    plan = await waiter.plan_for("alle 21")
    assert (made(plan)["date"], made(plan)["start_time"]) == (str(day), "21:00")


async def test_an_hour_that_is_taken_back_is_no_second(waiter: Operator, trattoria: Trattoria) -> None:
    day = await an_evening(trattoria)
    plan = await waiter.plan_for(
        f"prenota un tavolo per 2 {in_words(day)} alle 21, anzi alle 22, a nome {a_name()}, telefono {a_phone()}"
    )
    assert (made(plan)["date"], made(plan)["start_time"]) == (str(day), "22:00")


async def test_in_english(colleague: Operator) -> None:
    ahead = (today() + timedelta(days=n) for n in range(2, 28))
    day = next(d for d in ahead if d.weekday() < 5 and d.day > 12)
    plan = await colleague.plan_for(f"i want a meeting with Aviad on {day:%A} {ENGLISH[day.day - 2]} at 3pm".lower())
    assert (made(plan)["date"], made(plan)["start_time"]) == (str(day), "15:00")
    wrong = f"{day + timedelta(days=1):%A} {ENGLISH[day.day - 2]}".lower()
    turn = await colleague.say(f"i want a meeting with Aviad on {wrong} at 3pm")
    assert turn["type"] == "clarification", turn
