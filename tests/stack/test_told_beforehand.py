"""What is known before a plan is shown is told instead of a plan, over HTTP against the running stack.

- A step that would change nothing, would start while the venue is closed, or is about a cancelled
  booking makes no plan; so does the cancelling of what was not booked through the API.
- A step that would change nothing beside one that changes something is left out, and that is said.
- A value that the operator did not say is asked for; what was asked for and is in no step is asked about; a booking
  is cancelled only by words that ask for it.
- Nothing is written in any of these cases.
"""

from typing import Any

import pytest

from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, then

pytestmark = pytest.mark.asyncio

JUMP = 62001
NOTE, CANCEL = ("edit_note", {"note": "bring socks"}), ("cancel_booking", {})


@pytest.mark.parametrize(
    ("said", "step", "told"),
    [
        ("10 guests for {0}", ("change_guest_count", {"guest_count": 10}), "would stay as it is"),
        ("move {0} to 10pm", ("reschedule_booking", {"new_start_time": "22:00"}), "The venue is closed at 10pm"),
    ],
    ids=["unchanged", "closed"],
)
async def test_what_cannot_help_is_told_instead_of_a_plan(
    operator: Operator, roller: Roller, party: Party, said: str, step: tuple[str, dict[str, Any]], told: str
) -> None:
    guest, booking = await party(step, model=(), product=JUMP)
    turn = await operator.say(said.format(guest))
    assert turn["type"] == "clarification", turn
    assert told in turn["question"], turn
    assert await roller.journal(booking) == []


@pytest.mark.parametrize(
    ("said", "step", "told"),
    [
        ("move {0} to 3pm", ("reschedule_booking", {"new_start_time": "15:00"}), "cancelled, so it cannot be moved"),
        ("cancel {0}", CANCEL, "cancelled already"),
    ],
    ids=["moved", "cancelled again"],
)
async def test_a_cancelled_booking_is_told_instead_of_a_plan(
    operator: Operator, roller: Roller, party: Party, said: str, step: tuple[str, dict[str, Any]], told: str
) -> None:
    guest, booking = await party(step, model=())
    gone = await roller.http.post(f"/bookings/{booking['uniqueId']}/cancel", json={"issueRefund": False})
    assert gone.is_success, gone.text
    written = len(await roller.journal(booking))
    turn = await operator.say(said.format(guest))
    assert turn["type"] == "clarification", turn
    assert told in turn["question"], turn
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


async def test_a_value_that_nobody_said_is_asked_for(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(NOTE, model=())
    turn = await operator.say(f"note for {guest}")
    assert (turn["type"], turn["question"]) == ("clarification", "What should “note” be?"), turn
    assert await roller.journal(booking) == []


@pytest.mark.parametrize(
    ("said", "steps", "told"),
    [
        ("14 guests for {0}, note: bring socks", (NOTE,), "14 guests"),
        ("note for {0}: bring socks", (NOTE, CANCEL), "You did not ask for “Cancel booking”"),
    ],
    ids=["too little", "a cancellation too many"],
)
async def test_a_plan_that_is_not_what_was_asked_for_is_mended_by_the_model_or_asked_about(
    operator: Operator, roller: Roller, scripted: ScriptedModel, said: str, steps: Any, told: str
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    again = {name: {"booking_id": booking["uniqueId"], **arguments} for name, arguments in steps}
    scripted.script(guest, look_up(guest), then(*steps), again)
    turn = await operator.say(said.format(guest))
    assert len(scripted.seen[guest]) == 3, "the model was told, and insisted"
    assert turn["type"] == "clarification", turn
    assert told in turn["question"], turn
    assert await roller.journal(booking) == []
