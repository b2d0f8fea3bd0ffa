"""A new booking at Bookeo, end to end, whose number is not known before. Guarantees:

- Its undo, and the rollback after a later step's failure, cancel only that booking, by its number.
- Where the answer with the number is lost, iQ finds the booking by its key, once, or knows that it does not exist.
- When no lesson or several match, iQ reports the lessons that there are instead of a plan.
"""

import pytest

from tests.support.bookeo import School, a_day, asked_for, booking_of, content, instant, lines, undone
from tests.support.operator import Operator
from tests.support.roller import a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

KEPT = "Bookeo keeps a record of the customer, and of the booking as cancelled, also when this is undone"


async def test_a_new_booking_is_made_and_undone_by_its_number(
    clerk: Operator, school: School, scripted: ScriptedModel
) -> None:
    name, day = a_name(), a_day()
    action, arguments = booking_of(name, day, phone="347 765 4321")
    scripted.script(name, {action: arguments}, obey)
    plan = await clerk.plan_for(f"{asked_for(name, day)}, phone 347 765 4321")
    assert lines(plan) == {
        "Lesson": (None, "Beginners’ lesson"),
        "When": (None, f"{day:%a} {day.day} {day:%b} {day.year}, 3pm"),
        "Riders": (None, "2 adults"),
        "Customer": (None, f"{name}, +393477654321"),
        "Record": (None, KEPT),
    }
    await clerk.confirm(plan)
    ended = await clerk.settled(plan)
    assert ended["status"] == "completed", ended
    [made] = await school.of(name)
    assert made["bookingNumber"] in ended["results"][0]["message"]
    assert (made["startTime"], made["participants"]["numbers"][0]["number"]) == (instant(day, "15:00"), 2)
    shown = await undone(clerk, ended)
    assert shown["rollback_report"]["outcome"] == "complete", shown
    assert [KEPT in step for step in shown["rollback_report"]["manual_steps"]] == [True], shown
    assert [b["canceled"] for b in await school.of(name)] == [True]
    assert [w["operation"] for w in await school.journal(made["bookingNumber"])] == [
        "PostBookings", "DeleteBookingsBookingnumber",
    ]  # fmt: skip


@pytest.mark.parametrize("lesson", ["unicorn dressage", "lesson"])
async def test_a_lesson_that_is_none_or_several_is_reported(
    clerk: Operator, school: School, scripted: ScriptedModel, lesson: str
) -> None:
    name, day = a_name(), a_day()
    action, arguments = booking_of(name, day, lesson=lesson)
    scripted.script(name, {action: arguments}, "I cannot.")
    turn = await clerk.say(asked_for(name, day).replace("beginners lesson", lesson))
    assert turn["type"] != "plan" and "Jumping lesson" in str(turn), turn
    assert await school.of(name) == []


@pytest.mark.parametrize("lost", [False, True], ids=["answered", "answer lost"])
async def test_a_later_steps_failure_cancels_the_new_booking(
    clerk: Operator, school: School, scripted: ScriptedModel, lost: bool
) -> None:
    new, old, day = a_name(), a_name(), a_day()
    booking = await school.book(old)
    steps = booking_of(new, day), ("change_rider_count", {"booking_id": booking["bookingNumber"], "rider_count": 3})
    scripted.script(new, look_up(old), [{name: arguments} for name, arguments in steps], obey)
    plan = await clerk.plan_for(f"{asked_for(new, day)}, and make {old}'s lesson 3 riders")
    if lost:
        await school.fault("PostBookings", "drop_after")
    full = {"httpStatus": 409, "message": "Not enough seats", "errorId": "X"}
    await school.fault("PutBookingsBookingnumber", "status", status=409, body=full)
    await clerk.confirm(plan)
    ended = await clerk.settled(plan)
    assert ended["status"] == "rolled_back", ended
    assert ended["failure"]["step"] == 2 and "full or has changed" in ended["failure"]["message"]
    report = ended["rollback_report"]
    assert (report["outcome"], [s["outcome"] for s in report["steps"]]) == ("complete", ["reversed"]), report
    assert [b["canceled"] for b in await school.of(new)] == [True]
    assert content(await school.booking(booking["bookingNumber"])) == content(booking)


@pytest.mark.parametrize(("effect", "landed"), [("drop_after", True), ("drop_before", False)])
async def test_a_lost_answer_is_decided_by_looking(
    clerk: Operator, school: School, scripted: ScriptedModel, effect: str, landed: bool
) -> None:
    name, day = a_name(), a_day()
    action, arguments = booking_of(name, day)
    scripted.script(name, {action: arguments}, obey)
    plan = await clerk.plan_for(asked_for(name, day))
    await school.fault("PostBookings", effect)
    await clerk.confirm(plan)
    ended = await clerk.settled(plan)
    made = await school.of(name)
    assert (ended["status"], len(made)) == (("completed", 1) if landed else ("failed", 0)), ended
    if landed:
        assert (await undone(clerk, ended))["rollback_report"]["outcome"] == "complete"
        assert [b["canceled"] for b in await school.of(name)] == [True]
