"""What is known before a plan is shown is reported instead of a plan, over HTTP against the running stack. Guarantees:

- A step makes no plan if it would change nothing (a party package included, although it is added again), would start
  while the venue is closed, or is about a cancelled booking. The same holds for cancelling a booking that was not made
  through the API.
- A step that would change nothing beside one that changes something is left out, and the answer says so.
- iQ reports more guests than a session has room for; behind a step that moves the same booking, it does not check the
  session that the booking leaves.
- Of many bookings found, iQ reads those that it reports; the number of further ones is "at least" where the list was
  cut.
- iQ asks for a value that the operator did not give, and about a request that no step covers; it cancels a booking only
  if the operator's words ask for it.
- Nothing is written in any of these cases.
"""

from typing import Any

import pytest

from activities import look_up as lookups
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name, days_ahead
from tests.support.scripted_model import ScriptedModel, look_up, then

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

JUMP = 62001
NOTE, CANCEL = ("edit_note", {"note": "bring socks"}), ("cancel_booking", {})
GUESTS = ("change_guest_count", {"guest_count": 14})


@pytest.mark.parametrize(
    ("text", "step", "shown"),
    [
        ("10 guests for {0}", ("change_guest_count", {"guest_count": 10}), "would stay as it is"),
        ("move {0} to 10pm", ("reschedule_booking", {"new_start_time": "22:00"}), "10pm is outside opening hours"),
    ],
    ids=["unchanged", "closed"],
)
async def test_what_cannot_help_is_reported_instead_of_a_plan(
    operator: Operator, roller: Roller, party: Party, text: str, step: tuple[str, dict[str, Any]], shown: str
) -> None:
    guest, booking = await party(step, model=(), product=JUMP)
    turn = await operator.say(text.format(guest))
    assert turn["type"] == "clarification", turn
    assert shown in turn["question"], turn
    assert await roller.journal(booking) == []


async def test_a_party_package_that_stays_as_it_is_makes_no_plan(
    operator: Operator, roller: Roller, party: Party
) -> None:
    guest, booking = await party(("change_guest_count", {"guest_count": 10}), model=())
    turn = await operator.say(f"10 guests for {guest}")
    assert turn["type"] == "clarification", turn
    assert f"{guest} ({booking['bookingReference']}) would stay as it is: guests 10 already." in turn["question"]
    assert await roller.journal(booking) == []


async def test_more_guests_than_there_is_room_for_are_reported(
    operator: Operator, roller: Roller, party: Party
) -> None:
    guest, booking = await party(GUESTS, model=())
    await roller.fill(booking["items"][0]["bookingDate"], "10:00")
    turn = await operator.say(f"14 kids for {guest}")
    assert turn["type"] == "clarification", turn
    assert "There is not enough room for 14 guests on " in turn["question"], turn
    assert ", 10am. Available instead: " in turn["question"], turn
    assert await roller.journal(booking) == []


async def test_the_session_that_a_booking_leaves_is_not_asked_for_room(
    operator: Operator, roller: Roller, party: Party
) -> None:
    guest, booking = await party(("reschedule_booking", {"new_start_time": "15:30"}), GUESTS)
    await roller.fill(booking["items"][0]["bookingDate"], "10:00")
    plan = await operator.do(f"move {guest} to 3:30pm and make it 14 kids")
    assert plan["status"] == "completed", plan.get("failure")
    [line] = (await roller.booking(booking["uniqueId"]))["items"]
    assert (line["quantity"], line["sessionStartTime"]) == (14, "15:30")


async def test_a_step_of_another_booking_keeps_no_one_from_asking_for_room(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    one, other = a_name(), a_name()
    moved, grown = await roller.book(one), await roller.book(other)
    await roller.fill(grown["items"][0]["bookingDate"], "10:00")
    both = [
        {"reschedule_booking": {"booking_id": moved["uniqueId"], "new_start_time": "15:30"}},
        {"change_guest_count": {"booking_id": grown["uniqueId"], "guest_count": 14}},
    ]
    scripted.script(one, look_up(one), look_up(other), both)
    turn = await operator.say(f"move {one} to 3:30pm and change {other} to 14 guests")
    assert turn["type"] == "clarification", turn
    assert "There is not enough room for 14 guests on " in turn["question"], turn


async def test_of_many_bookings_those_that_are_reported_are_looked_at(
    operator: Operator, roller: Roller, scripted: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The venue answers newest first. iQ reports and reads the soonest bookings, wherever they are in the answer."""
    # A busy machine reports bookings that it cannot read in time as they were found.
    monkeypatch.setattr(lookups, "_DETAIL_WITHIN", 15.0)
    family = a_name().split()[0]
    many = [await roller.book(f"{a_name().split()[0]} {family}", day=days_ahead(400 + n), guests=2) for n in range(52)]
    for one in many[2:4]:
        gone = await roller.http.post(f"/bookings/{one['uniqueId']}/cancel", json={"issueRefund": False})
        assert gone.is_success, gone.text
    scripted.script(family, look_up(family), "Here they are.")
    shown = (await operator.say(f"who is booked as {family}?"))["message"]
    assert shown.index(many[0]["name"]) < shown.index(many[4]["name"]) < shown.index(many[13]["name"]), "soonest first"
    assert many[2]["name"] not in shown and many[3]["name"] not in shown, "cancelled, so they come last"
    assert "and at least 38 more" in shown
    scripted.script(family, look_up(family), {"edit_note": {"booking_id": many[5]["uniqueId"], "note": "bring socks"}})
    operator.session += "-2"
    asked = await operator.say(f"note for {family}: bring socks")
    assert asked["type"] == "clarification" and "There are at least 40 more" in asked["question"], asked


@pytest.mark.parametrize(
    ("text", "step", "shown"),
    [
        ("move {0} to 3pm", ("reschedule_booking", {"new_start_time": "15:00"}), "cancelled, so it cannot be moved"),
        ("cancel {0}", CANCEL, "cancelled already"),
    ],
    ids=["moved", "cancelled again"],
)
async def test_a_cancelled_booking_is_reported_instead_of_a_plan(
    operator: Operator, roller: Roller, party: Party, text: str, step: tuple[str, dict[str, Any]], shown: str
) -> None:
    guest, booking = await party(step, model=())
    gone = await roller.http.post(f"/bookings/{booking['uniqueId']}/cancel", json={"issueRefund": False})
    assert gone.is_success, gone.text
    written = len(await roller.journal(booking))
    turn = await operator.say(text.format(guest))
    assert turn["type"] == "clarification", turn
    assert shown in turn["question"], turn
    assert len(await roller.journal(booking)) == written


async def test_what_was_not_booked_through_the_api_is_not_offered_to_be_cancelled(
    operator: Operator, roller: Roller
) -> None:
    turn = await operator.say("cancel Olivia Chen's booking")
    assert turn["type"] == "clarification", turn
    assert "was not booked through the API" in turn["question"] and "Venue Manager" in turn["question"], turn


async def test_a_step_that_would_change_nothing_is_left_out_beside_one_that_does(
    operator: Operator, roller: Roller, party: Party
) -> None:
    guest, _ = await party(("change_guest_count", {"guest_count": 10}), NOTE, product=JUMP)
    turn = await operator.say(f"10 guests for {guest}, note: bring socks")
    assert turn["type"] == "plan", turn
    assert [a["action_id"] for a in turn["plan"]["actions"]] == ["edit_note"]
    assert "would stay as it is" in turn["message"], turn


async def test_a_value_that_no_one_stated_is_asked_for(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(NOTE, model=())
    turn = await operator.say(f"note for {guest}")
    assert (turn["type"], turn["question"]) == ("clarification", "What should “note” be?"), turn
    assert await roller.journal(booking) == []


@pytest.mark.parametrize(
    ("text", "steps", "shown"),
    [
        ("14 guests for {0}, note: bring socks", (NOTE,), "14 guests"),
        ("note for {0}: bring socks", (NOTE, CANCEL), "You did not ask for “Cancel booking”"),
    ],
    ids=["too little", "a cancellation too many"],
)
async def test_a_plan_that_is_not_what_was_asked_for_is_mended_by_the_model_or_asked_about(
    operator: Operator, roller: Roller, scripted: ScriptedModel, text: str, steps: Any, shown: str
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    again = {name: {"booking_id": booking["uniqueId"], **arguments} for name, arguments in steps}
    scripted.script(guest, look_up(guest), then(*steps), again)
    turn = await operator.say(text.format(guest))
    assert len(scripted.seen[guest]) == 3, "the model was told, and insisted"
    assert turn["type"] == "clarification", turn
    assert shown in turn["question"], turn
    assert await roller.journal(booking) == []
