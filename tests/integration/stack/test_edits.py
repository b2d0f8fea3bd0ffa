"""Values typed into a waiting plan, over HTTP (issue "Live": each value editable in place). Guarantees:

- The operator's input replaces the plan by one with these values, shown with what they change; the venue gets what the
  operator confirms. No model is called.
- The rest of the plan stays as it was, including values given in words and the other steps.
- A value that does not fit, that has no room or that is for another plan changes nothing: the plan waits as it was.
"""

from typing import Any

import pytest

from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, days_ahead
from tests.support.scripted_model import ScriptedModel, obey

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE = ("edit_note", {"note": "Cake at noon"})
COUNT = ("change_guest_count", {"guest_count": 14})


async def edited(operator: Operator, plan: dict[str, Any], text: str, *values: tuple[int, str, Any]) -> dict[str, Any]:
    """Return the turn that answers these typed values."""
    rows = [{"step": step, "parameter": parameter, "value": value} for step, parameter, value in values]
    return await operator.say(text, edit={"plan_id": plan["plan_id"], "values": rows})


async def test_the_plan_is_replaced_by_one_with_what_was_typed(
    operator: Operator, roller: Roller, party: Party, scripted: ScriptedModel
) -> None:
    guest, booked = await party(NOTE)
    plan = await operator.plan_for(f"note for {guest}: Cake at noon")
    asked = len(scripted.seen[guest])
    turn = await edited(
        operator, plan, "Note: Cake at one, [no] nuts: 100%", (1, "note", "Cake at one, [no] nuts: 100%")
    )
    assert turn["type"] == "plan", turn
    new = turn["plan"]
    assert new["actions"][0]["parameters"]["note"] == "Cake at one, [no] nuts: 100%"
    assert new["actions"][0]["preview"][0]["after"].endswith("Cake at one, [no] nuts: 100%")
    assert len(scripted.seen[guest]) == asked, "no model is asked about what was typed"
    old = await operator.look(plan)
    assert (old["status"], old["superseded_by"]) == ("cancelled", new["plan_id"])
    done = await operator.settled(await operator.confirm(new))
    assert done["status"] == "completed", done
    assert "Cake at one" in str(await roller.booking(booked["uniqueId"]))


async def test_the_other_steps_and_values_stay(operator: Operator, party: Party) -> None:
    guest, _ = await party(COUNT, NOTE)
    plan = await operator.plan_for(f"make {guest} 14 guests and add the note Cake at noon")
    new = (await edited(operator, plan, "Guest count: 12", (1, "guest_count", "12")))["plan"]
    before, after = plan["actions"], new["actions"]
    assert after[0]["parameters"] == {**before[0]["parameters"], "guest_count": 12}, "typed text, sent as a number"
    assert after[1] == before[1]
    again = (await edited(operator, new, "Note: none", (2, "note", "none")))["plan"]
    assert again["actions"][0] == after[0] and again["actions"][1]["parameters"]["note"] == "none"


@pytest.mark.parametrize(
    ("value", "step", "parameter"),
    [
        ("many", 1, "guest_count"),
        ("0", 1, "guest_count"),
        (-5, 1, "guest_count"),
        (True, 1, "guest_count"),
        ("", 1, "guest_count"),
        (12, 1, "no_such_value"),
        (12, 7, "guest_count"),
        ("another-booking", 1, "booking_id"),
        ("--5", 1, "guest_count"),
        (10**11, 1, "guest_count"),
    ],
)
async def test_what_does_not_fit_leaves_the_plan_as_it_was(
    operator: Operator, party: Party, value: Any, step: int, parameter: str
) -> None:
    guest, _ = await party(COUNT)
    plan = await operator.plan_for(f"make {guest} 14 guests")
    turn = await edited(operator, plan, f"{parameter}: {value}", (step, parameter, value))
    assert turn["type"] == "answer" and "was not taken: the values of the plan are as they were" in turn["message"], (
        turn
    )
    if parameter == "guest_count" and step == 1:
        why = "the least is 1" if value in ("0", -5) and value is not True else "this must be a number"
        assert value == 10**11 or why in turn["message"], "and why is said"
    assert await operator.look(plan) == plan


async def test_a_day_that_is_past_is_not_taken_and_that_is_stated(operator: Operator, party: Party) -> None:
    guest, _ = await party(("reschedule_booking", {"new_date": days_ahead(9)}))
    plan = await operator.plan_for(f"move {guest} to {days_ahead(9)}")
    turn = await edited(operator, plan, "New date: 1 Jan 2020", (1, "new_date", "2020-01-01"))
    assert turn["type"] == "answer" and "New date: this day is past. So this value was not taken" in turn["message"]
    assert await operator.look(plan) == plan


async def test_a_time_without_room_is_reported_and_the_plan_waits(
    operator: Operator, roller: Roller, party: Party
) -> None:
    guest, _ = await party(("reschedule_booking", {"new_start_time": "15:00"}))
    plan = await operator.plan_for(f"move {guest} to 3pm")
    turn = await edited(operator, plan, "New start time: 03:33", (1, "new_start_time", "03:33"))
    assert turn["type"] == "clarification", turn
    assert (await operator.look(plan))["status"] == "pending_confirmation"


async def test_a_plan_that_no_longer_waits_is_not_edited(operator: Operator, party: Party) -> None:
    guest, _ = await party(COUNT)
    plan = await operator.plan_for(f"make {guest} 14 guests")
    stranger = {"plan_id": "not-mine", "values": [{"step": 1, "parameter": "guest_count", "value": 12}]}
    assert "does not wait for your confirmation" in (await operator.say("Guest count: 12", edit=stranger))["message"]
    assert await operator.look(plan) == plan, "the one that does wait is another"
    done = await operator.settled(await operator.confirm(plan))
    turn = await edited(operator, done, "Guest count: 12", (1, "guest_count", 12))
    assert turn["type"] == "answer" and "does not wait for your confirmation" in turn["message"]


@pytest.mark.parametrize("edit", [{}, {"plan_id": "p", "values": []}, {"plan_id": "p", "values": [{"step": 0}]}, "x"])
async def test_an_edit_that_is_none_is_refused(operator: Operator, edit: Any) -> None:
    body = {"user_message": "x", "session_id": operator.session, "user_id": operator.user, "edit": edit}
    expect_error(await operator.http.post("/v1/requests", json=body), 422, "invalid_request")


async def test_a_phone_that_is_none_is_not_taken(operator: Operator, party: Party) -> None:
    guest, _ = await party(("update_contact", {"phone": "0491 570 158"}))
    plan = await operator.plan_for(f"new phone for {guest}: 0491 570 158")
    assert (await edited(operator, plan, "Phone: abc", (1, "phone", "abc")))["type"] == "answer"
    new = await edited(operator, plan, "Phone: 0491 570 159", (1, "phone", "0491 570 159"))
    assert new["plan"]["actions"][0]["parameters"]["phone"] == "+61491570159", "sent as every phone is"


async def test_an_edit_answers_no_question_and_undoes_nothing(
    operator: Operator, roller: Roller, party: Party, scripted: ScriptedModel
) -> None:
    """Sent as a message, the text would answer or undo. Typed into a field, it does neither."""
    guest, _ = await party(NOTE, model=({"ask_operator": {"question": "Which colour?"}}, obey))
    plan = await operator.plan_for(f"note for {guest}: Cake at noon")
    asked = await operator.asked(await operator.confirm(plan))
    turn = await edited(operator, plan, "red", (1, "note", "red"))
    assert turn["type"] == "answer" and "does not wait for your confirmation" in turn["message"], turn
    assert (await operator.look(plan))["blocking_prompt"] == asked["blocking_prompt"]
    await operator.answer(plan, "blue")
    done = await operator.settled(plan)
    assert done["status"] == "completed", done
    turn = await edited(operator, plan, "undo that", (1, "note", "undo that"))
    assert turn["type"] == "answer" and (await operator.look(plan))["status"] == "completed", turn
