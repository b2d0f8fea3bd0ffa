"""What an operator says in a chat beside requests, handled by code for any model (over HTTP against the running stack).
Guarantees:

- "Cancel that" after a change asks: undo the change, or cancel the booking. The buttons spell out both.
- "Undo that" undoes the change just made, and reports when there is none. While a plan waits, it drops that plan. It
  does not overwrite what another user has changed since, and reports both values.
- iQ answers "What did you just change?" from the plan itself, before and after an undo.
- An answer about a waiting plan mentions no earlier plan.
- A question about a step that was not requested, was rejected or was forgotten gets an answer with what to type: a yes
  adds no step that the operator did not request, and a no drops the waiting plan.
- The words beside a yes or a no must match the plan: if they name another booking or another action, it is no reply.
- A yes to a question of the chat does not confirm the waiting plan; a yes after an answered question does.
- "Wait" leaves a waiting plan waiting. A running plan stops, and its changes are undone.
- A message may answer a running plan's question; a new request does not, nor does a value for another booking.
- "Try again" repeats the plan that has just failed. iQ offers what would have worked, complete with its day.
"""

import asyncio
from typing import Any

import pytest

from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, found, held, look_up, obey, then

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

GUESTS = ("change_guest_count", {"guest_count": 14})


async def a_change(operator: Operator, party: Party) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return (the guest, the booking before, the plan) of a change that was carried out."""
    guest, booking = await party(GUESTS)
    plan = await operator.do(f"14 kids for {guest}")
    assert plan["status"] == "completed", plan.get("failure")
    return guest, booking, plan


@pytest.mark.parametrize("text", ["actually cancel that", "cancel", "no aspetta, annulla", "cancel it please"])
async def test_cancel_that_after_a_change_asks_which_of_two_is_meant(
    operator: Operator, roller: Roller, party: Party, text: str
) -> None:
    guest, booking, _ = await a_change(operator, party)
    turn = await operator.say(text)
    assert turn["type"] == "clarification", turn
    assert "undo" in turn["question"] and "cancel" in turn["question"]
    ways = {w["say"] for w in turn["quick_actions"]}
    assert ways == {"undo the change", f"cancel booking {booking['bookingReference']}"}
    assert any(guest in w["label"] for w in turn["quick_actions"])
    assert (await roller.booking(booking["uniqueId"]))["status"] != "Cancelled"


@pytest.mark.parametrize("text", [None, "the first one"], ids=["tapped", "said"])
async def test_the_button_for_undoing_is_understood_when_tapped(
    operator: Operator, roller: Roller, party: Party, text: str | None
) -> None:
    _, booking, plan = await a_change(operator, party)
    ways = (await operator.say("cancel that"))["quick_actions"]
    turn = await operator.say(text or ways[0]["say"])
    assert (turn["type"], turn["plan"]["plan_id"]) == ("plan", plan["plan_id"])
    after = await operator.settled(plan)
    assert (after["status"], after["rollback_report"]["trigger"]) == ("rolled_back", "undo")
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 10


@pytest.mark.parametrize("text", ["undo that", "ah no, put that back how it was", "annulla la modifica"])
async def test_undo_can_be_stated(operator: Operator, roller: Roller, party: Party, text: str) -> None:
    _, booking, plan = await a_change(operator, party)
    assert (await operator.say(text))["plan"]["plan_id"] == plan["plan_id"]
    assert (await operator.settled(plan))["status"] == "rolled_back"
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 10
    shown = (await operator.say("what did you just change?"))["message"]
    assert shown.startswith("The last plan was undone: ")
    again = await operator.say("undo")
    assert again["type"] == "answer" and "is undone already" in again["message"], "once only"


async def test_with_nothing_done_there_is_nothing_to_undo(operator: Operator) -> None:
    assert "I know of no change of this chat" in (await operator.say("undo that"))["message"]
    assert "I know of nothing that was changed" in (await operator.say("what did you change?"))["message"]
    assert "I know of no plan that has just failed" in (await operator.say("try again"))["message"]


async def test_undo_does_not_overwrite_what_somebody_else_has_changed_since(
    operator: Operator, roller: Roller, party: Party
) -> None:
    guest, booking = await party(("edit_note", {"note": "Cake at noon"}), GUESTS)
    plan = await operator.do(f"14 kids for {guest}, note: Cake at noon")
    assert plan["status"] == "completed", plan.get("failure")
    theirs = {"comments": "Cake at one, SEVERE NUT ALLERGY"}
    assert (await roller.http.put(f"/bookings/{booking['uniqueId']}", json=theirs)).is_success
    left = await roller.booking(booking["uniqueId"])
    turn = await operator.say("undo that")
    assert turn["type"] == "answer", turn
    assert "cannot be undone as a whole" in turn["message"]
    assert "with it Cake at noon, now Cake at one, SEVERE NUT ALLERGY" in turn["message"]
    now = await roller.booking(booking["uniqueId"])
    assert (now["comments"], now["items"]) == (left["comments"], left["items"])
    assert (await operator.look(plan))["status"] == "completed"


async def test_undo_takes_back_its_own_part_beside_what_somebody_else_has_added(
    operator: Operator, roller: Roller, party: Party
) -> None:
    _, booking, plan = await a_change(operator, party)
    [was] = booking["items"]
    socks = {"productId": 65001, "quantity": 3, "bookingDate": was["bookingDate"]}
    assert (await roller.http.put(f"/bookings/{booking['uniqueId']}", json={"newItems": [socks]})).is_success
    assert (await operator.say("undo that"))["plan"]["plan_id"] == plan["plan_id"]
    report = (await operator.settled(plan))["rollback_report"]
    assert "Whatever else has changed meanwhile" in report["steps"][0]["message"]
    items = (await roller.booking(booking["uniqueId"]))["items"]
    assert sorted((i["productId"], i["quantity"]) for i in items) == [(was["productId"], 10), (65001, 3)]


async def test_what_was_changed_is_reported_from_the_plan(operator: Operator, party: Party) -> None:
    guest, _, _ = await a_change(operator, party)
    shown = (await operator.say("sorry, what did you just change?"))["message"]
    assert shown.startswith("When the last plan was carried out: ") and guest in shown and "14 guests" in shown


async def test_what_is_stated_of_a_plan_that_waits_says_nothing_of_the_one_before(
    operator: Operator, scripted: ScriptedModel, party: Party
) -> None:
    guest, booking, _ = await a_change(operator, party)
    fifteen = {"change_guest_count": {"booking_id": booking["uniqueId"], "guest_count": 15}}
    scripted.script(guest, fifteen)
    await operator.plan_for(f"15 kids for {guest}")
    waits = (await operator.say("wait"))["message"]
    assert waits == "All right. Your plan still waits for your confirmation; none of it was carried out."
    shown = (await operator.say("what did you change?"))["message"]
    assert shown.startswith("The plan that waits for your confirmation was not carried out. When the last plan was")
    assert "14 guests" in shown


@pytest.mark.parametrize("text", ["undo that", "cancel that", "nvm she's gonna think about it", "lascia stare"])
async def test_undo_and_cancel_drop_a_plan_that_waits(
    operator: Operator, roller: Roller, party: Party, text: str
) -> None:
    guest, booking = await party(GUESTS)
    plan = await operator.plan_for(f"14 kids for {guest}")
    assert "dropped" in (await operator.say(text))["message"]
    assert (await operator.settled(plan))["status"] == "cancelled"
    assert await roller.journal(booking) == []


async def test_wait_leaves_a_plan_waiting(operator: Operator, party: Party) -> None:
    guest, _ = await party(GUESTS)
    plan = await operator.plan_for(f"14 kids for {guest}")
    assert "still waits" in (await operator.say("hang on"))["message"]
    assert (await operator.look(plan))["status"] == "pending_confirmation"
    assert (await operator.say("ok go ahead"))["plan"]["plan_id"] == plan["plan_id"]


@pytest.mark.parametrize("text", ["yep beauty go for it", "s\u00ec gioia, vai pure"])
async def test_a_yes_with_a_cheer_confirms(operator: Operator, party: Party, text: str) -> None:
    guest, _ = await party(GUESTS)
    plan = await operator.plan_for(f"14 kids for {guest}")
    assert (await operator.say(text))["plan"]["plan_id"] == plan["plan_id"]
    assert (await operator.settled(plan))["status"] == "completed"


@pytest.mark.parametrize("text", ["yes, move it", "do not cancel it", "Yes, Zephyrine"])
async def test_words_that_are_not_of_the_plan_do_nothing_to_it(
    operator: Operator, roller: Roller, scripted: ScriptedModel, text: str
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    question = {"ask_operator": {"question": "What do you mean?"}}
    scripted.script(guest, look_up(guest), then(GUESTS), question)
    plan = await operator.plan_for(f"14 kids for {guest}")
    assert (await operator.say(text))["type"] == "clarification"
    assert (await operator.look(plan))["status"] == "pending_confirmation"
    assert await roller.journal(booking) == []


async def test_a_yes_by_the_name_of_its_booking_confirms(operator: Operator, party: Party) -> None:
    guest, _ = await party(GUESTS)
    plan = await operator.plan_for(f"14 kids for {guest}")
    assert (await operator.say(f"yes do {guest.split()[0]}"))["plan"]["plan_id"] == plan["plan_id"]
    assert (await operator.settled(plan))["status"] == "completed"


async def test_a_yes_to_another_question_confirms_nothing(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    question = {"ask_operator": {"question": "How many guests should it be in all?"}}
    scripted.script(guest, look_up(guest), then(GUESTS), question)
    plan = await operator.plan_for(f"14 kids for {guest}")
    assert (await operator.say("and a few more"))["type"] == "clarification"
    await operator.say("yes")
    assert (await operator.look(plan))["status"] == "pending_confirmation"
    assert await roller.journal(booking) == []


async def test_a_yes_adds_no_step_that_no_one_asked_for(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    own = {"booking_id": booking["uniqueId"]}
    insists = [{"reschedule_booking": {**own, "new_start_time": "15:30"}}, {"cancel_booking": own}]
    scripted.script(guest, look_up(guest), insists)
    way = f"Cancel booking {booking['bookingReference']}"
    for text in (f"move {guest} to 3:30pm", "yes", "no"):
        turn = await operator.say(text)
        assert turn["type"] == "clarification" and turn["question"].endswith(f"To have it, say “{way}”."), turn
    plan = await operator.plan_for(way)
    assert [a["action_id"] for a in plan["actions"]] == ["reschedule_booking", "cancel_booking"]


@pytest.mark.parametrize(("text", "proposed"), [
    ("no, move it to 3:30pm instead", ["change_guest_count", "reschedule_booking"]),
    ("move it to 3:30pm", ["reschedule_booking"]),
], ids=["turned down", "forgotten"])  # fmt: skip
@pytest.mark.parametrize(("answer", "steps"), [
    ("with it", ["change_guest_count", "reschedule_booking"]), ("without it", ["reschedule_booking"]), ("no", []),
])  # fmt: skip
async def test_a_step_that_waits_stays_or_goes_as_is_stated(
    operator: Operator,
    roller: Roller,
    scripted: ScriptedModel,
    text: str,
    proposed: list[str],
    answer: str,
    steps: list[str],
) -> None:
    guest = a_name()
    own = {"booking_id": (await roller.book(guest))["uniqueId"]}
    calls = {
        "change_guest_count": {**own, "guest_count": 14},
        "reschedule_booking": {**own, "new_start_time": "15:30"},
    }
    scripted.script(guest, look_up(guest), then(GUESTS))
    waits = await operator.plan_for(f"14 kids for {guest}")
    scripted.script(guest, [{name: calls[name]} for name in proposed])
    turn = await operator.say(text)
    assert turn["type"] == "clarification" and "hould the plan be with “Change guest count”" in turn["question"], turn
    scripted.script(guest, [{name: calls[name]} for name in steps] or "All right.")
    turn = await operator.say(answer)
    if not steps:
        assert turn["message"] == "All right, I dropped that plan. None of it was carried out."
        assert (await operator.settled(waits))["status"] == "cancelled"
    else:
        assert [a["action_id"] for a in turn["plan"]["actions"]] == steps


async def test_wait_stops_a_plan_that_runs(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    guest = a_name()
    booking = await roller.book(guest)

    stopped = asyncio.Event()
    second = held(stopped, obey)
    scripted.script(guest, look_up(guest), then(GUESTS, ("edit_note", {"note": "nut allergy"})), obey, second)
    plan = await operator.plan_for(f"14 kids for {guest} and add a note: nut allergy")
    await operator.confirm(plan)
    await operator.until(plan, lambda p: p["actions"][0]["status"] == "completed")
    shown = await operator.say("wait")
    stopped.set()
    assert "stopped before its next step" in shown["message"]
    after = await operator.settled(plan)
    assert after["rollback_report"]["trigger"] == "cancelled"
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 10


async def test_an_answer_may_come_as_a_message(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    guest = a_name()
    await roller.book(guest)
    asks = {"ask_operator": {"question": "Was it refunded in cash or by card?", "parameter": "refund_type"}}
    scripted.script(guest, look_up(guest), then(("cancel_booking", {"issue_refund": True})), asks, obey)
    plan = await operator.plan_for(f"cancel {guest}, we refunded them")
    await operator.confirm(plan)
    await operator.asked(plan)
    turn = await operator.say("in cash")
    assert (turn["type"], turn["plan"]["plan_id"]) == ("plan", plan["plan_id"])
    assert turn["message"] == "Your answer was passed on to your plan."
    assert (await operator.until(plan, lambda p: p.get("blocking_prompt") is None))["plan_id"] == plan["plan_id"]


async def test_what_is_stated_of_another_booking_is_no_answer(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest, other = a_name(), a_name()
    await roller.book(guest)
    scripted.script(other, "Which day is that?")
    ask = {"ask_operator": {"question": "Anything else?"}}
    scripted.script(guest, look_up(guest), then(("edit_note", {"note": "candles"})), ask, obey)
    plan = await operator.plan_for(f"note candles for {guest}")
    await operator.confirm(plan)
    asked = await operator.asked(plan)
    turn = await operator.say(f"15 guests for {other}")
    assert turn.get("message") != "Your answer was passed on to your plan.", turn
    assert (await operator.look(plan))["blocking_prompt"] == asked["blocking_prompt"]
    turn = await operator.say(f"15 guests for {guest}")
    assert turn["message"] == "Your answer was passed on to your plan."
    await operator.settled(plan)


async def test_a_failed_plan_can_be_tried_again(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    guest = a_name()
    await roller.book(guest)
    scripted.script(guest, look_up(guest), then(GUESTS), obey)
    plan = await operator.plan_for(f"14 kids for {guest}")
    await roller.fault("update-a-booking", "status", status=403, times=1)
    await operator.confirm(plan)
    assert (await operator.settled(plan))["status"] in ("failed", "rolled_back")
    await roller.clear_faults()
    again = await operator.plan_for("try again")
    assert again["actions"][0]["parameters"] == plan["actions"][0]["parameters"]
    await operator.confirm(again)
    assert (await operator.settled(again))["status"] == "completed"


async def test_what_is_free_instead_is_offered_with_its_day(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    stage = (await roller.http.get("/_sandbox/stage")).json()["full_session"]
    guest = a_name()
    booking = await roller.book(guest)
    moves = {"new_date": stage["date"], "new_start_time": stage["start_time"]}
    scripted.script(guest, look_up(guest), lambda body: {"reschedule_booking": {"booking_id": found(body), **moves}})
    turn = await operator.say(f"move {guest} to {stage['date']} at {stage['start_time']}")
    assert turn["type"] == "clarification", turn
    assert "not enough room" in turn["question"]
    assert turn["quick_actions"], "something else is free"
    for way in turn["quick_actions"]:
        assert booking["bookingReference"] in way["say"]
        assert str(int(stage["date"][-2:])) in way["say"], "the day travels along"


@pytest.mark.parametrize("text", ["cancel the whole thing then", "oh just cancel everything", "annulla proprio tutto"])
async def test_a_model_that_takes_it_for_the_booking_is_not_followed(
    operator: Operator, roller: Roller, scripted: ScriptedModel, text: str
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    cancel = {"cancel_booking": {"booking_id": booking["uniqueId"]}}
    scripted.script(guest, look_up(guest), then(GUESTS), obey, cancel)
    await operator.do(f"14 kids for {guest}")
    turn = await operator.say(text)
    assert turn["type"] == "clarification", turn
    assert "undo" in turn["question"]
    plan = await operator.plan_for(f"cancel the booking of {guest}")
    assert [a["action_id"] for a in plan["actions"]] == ["cancel_booking"]
