"""Core functionality, typed in plain English, over HTTP against the running stack with the offline planner (booking
specification, acceptance criteria "Core Functionality").

Each test carries the name of its criterion, and reads the resulting booking from the venue's own API.
"""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.support.operator import Operator
from tests.support.roller import Roller, a_name, content

pytestmark = pytest.mark.asyncio


def next_weekday(weekday: int) -> date:
    """Return the next such day after today at the venue; Monday is 0."""
    today = datetime.now(ZoneInfo("Australia/Melbourne")).date()
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


async def test_user_can_request_a_booking_reschedule_via_natural_language(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    plan = await operator.plan_for(f"move {guest}'s party to Saturday at 3pm")
    assert [a["action_id"] for a in plan["actions"]] == ["reschedule_booking"]
    assert plan["actions"][0]["parameters"]["booking_id"] == booking["uniqueId"]
    await operator.confirm(plan)
    assert (await operator.settled(plan))["status"] == "completed"
    item = (await roller.booking(booking["uniqueId"]))["items"][0]
    assert (item["bookingDate"], item["sessionStartTime"]) == (next_weekday(5).isoformat(), "15:00")
    assert item["quantity"] == 10


async def test_user_can_request_a_guest_count_change_via_natural_language(operator: Operator, roller: Roller) -> None:
    booking = await roller.book()
    plan = await operator.do(f"Change booking {booking['bookingReference']} to 14 guests")
    assert plan["status"] == "completed", plan
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 14


async def test_user_can_request_a_contact_detail_update_via_natural_language(
    operator: Operator, roller: Roller
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    before = await roller.guest(booking)
    plan = await operator.do(f"Update {guest}'s email to new.address@example.com")
    assert plan["status"] == "completed", plan
    assert await roller.guest(booking) == {**before, "email": "new.address@example.com"}, "nothing else is wiped"


async def test_booking_reference_is_extracted_from_chat_history_when_available(
    operator: Operator, roller: Roller
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    await operator.do(f"Change the party of {guest} to 12 guests")
    plan = await operator.plan_for("now move it to 4pm")
    assert [(a["action_id"], a["parameters"]) for a in plan["actions"]] == [
        ("reschedule_booking", {"booking_id": booking["uniqueId"], "new_start_time": "16:00"})
    ]


async def test_fuzzy_search_is_performed_when_booking_reference_not_in_context(
    operator: Operator, roller: Roller
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    first, last = guest.split()
    misspelt = f"{first} {last[:3]}{last[4:]}"
    plan = await operator.plan_for(f"move {misspelt} to 4pm")
    assert plan["actions"][0]["parameters"]["booking_id"] == booking["uniqueId"]


async def test_clarifying_question_is_asked_when_booking_reference_is_ambiguous(
    operator: Operator, roller: Roller
) -> None:
    family = a_name().split()[1]
    one, other = await roller.book(f"Anna {family}"), await roller.book(f"Bruno {family}")
    turn = await operator.say(f"move the {family} party to 4pm")
    assert turn["type"] == "clarification"
    assert {c["booking_id"] for c in turn["candidates"]} == {one["uniqueId"], other["uniqueId"]}
    plan = await operator.plan_for("Bruno")
    assert plan["actions"][0]["parameters"] == {"booking_id": other["uniqueId"], "new_start_time": "16:00"}


@pytest.mark.parametrize(
    "message",
    [
        "change the guest count",
        "make it 12",
        "move {guest}'s booking",
        "Update {guest}'s email",
        "add more guests to {guest}",
    ],
)
async def test_clarifying_question_is_asked_when_critical_data_is_missing(
    operator: Operator, roller: Roller, message: str
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    turn = await operator.say(message.format(guest=guest))
    assert turn["type"] == "clarification", turn
    assert turn["question"].count("?") <= 1, "one question a turn"
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)


@pytest.mark.parametrize(("text", "weekday"), [("Saturday", 5), ("Friday", 4), ("Tuesday", 1)])
async def test_smart_defaults_are_applied_for_non_critical_data(
    operator: Operator, roller: Roller, text: str, weekday: int
) -> None:
    booking = await roller.book(time="11:00")
    plan = await operator.plan_for(f"move booking {booking['bookingReference']} to {text}")
    assert plan["actions"][0]["parameters"]["new_date"] == next_weekday(weekday).isoformat()
    assert "11am" in plan["actions"][0]["preview"][0]["after"], "the time stays as it was"


async def test_no_match_reports_that_no_booking_was_found(operator: Operator) -> None:
    # A search forgives a typo or two, and another test's guest may have a name that is almost `a_name()`.
    turn = await operator.say("move Wyxtrud Hjelqvrn's party to 3pm")
    assert turn["type"] in ("clarification", "answer")
    assert "no matching booking" in (turn.get("question") or turn["message"]).lower()


@pytest.mark.parametrize("message", ["what's the weather", "Refund Emma's deposit of £50", "Order 20 pizzas", "hello"])
async def test_what_cannot_be_done_is_answered_with_what_can(operator: Operator, message: str) -> None:
    turn = await operator.say(message)
    assert turn["type"] == "answer"
    assert turn["quick_actions"]


async def test_two_bookings_in_one_message(operator: Operator, roller: Roller) -> None:
    one, other = await roller.book(), await roller.book()
    plan = await operator.do(
        f"Cancel booking {one['bookingReference']} and move booking {other['bookingReference']} to 2pm"
    )
    assert plan["status"] == "completed", plan
    assert (await roller.booking(one["uniqueId"]))["status"] == "Cancelled"
    assert (await roller.booking(other["uniqueId"]))["items"][0]["sessionStartTime"] == "14:00"
