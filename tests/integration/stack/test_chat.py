"""What a chat remembers, over HTTP against the running stack. Guarantees:

- When several bookings match, iQ asks and lists candidates; the operator's words pick one, not the model.
- A turn has one question. After a bounded number of questions iQ gives advice to rephrase, with quick actions.
- A message that amends the pending plan replaces it. Code, not the model, confirms it on a bare "yes" and drops it on a
  bare "no".
- A bare "no" or "stop" after a plan that failed changes nothing, and needs no model.
- A retried request gets the same turn: within a run, after continue-as-new, after an idle close, after a newer run.
- At most one plan of a session waits for an answer. "Try again" repeats a plan that expired without a confirmation.
"""

from typing import Any

import pytest
from temporalio.client import WorkflowExecutionStatus

from cli.stack.dev import Stack
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.patience import LONG, chat_closed, patience
from tests.support.roller import Roller, a_day, a_name
from tests.support.scripted_model import ScriptedModel, executes, look_up, obey, says, then
from tests.support.tables import for_test_all
from tests.support.waiting import soon
from workflows.workflow_ids import chat_workflow, plan_workflow

pytestmark = pytest.mark.asyncio


async def test_an_ambiguous_booking_is_asked_for_even_when_the_model_picks_one(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    family = a_name().split()[1]
    one, other = await roller.book(f"Anna {family}"), await roller.book(f"Bruno {family}")
    scripted.script(family, look_up(family), then(("edit_note", {"note": "bring socks"})))
    turn = await operator.say(f"note for {family}: bring socks")
    assert turn["type"] == "clarification", turn
    assert {c["booking_id"] for c in turn["candidates"]} == {one["uniqueId"], other["uniqueId"]}
    assert all(c["label"] and c["date"] and c["start_time"] and c["guest_count"] for c in turn["candidates"])
    assert len(turn["quick_actions"]) == 2


@pytest.mark.parametrize("word", ["the second one", *for_test_all("Bruno", "reference")])
async def test_the_operator_s_words_pick_among_the_candidates(
    operator: Operator, roller: Roller, scripted: ScriptedModel, word: str
) -> None:
    family = a_name().split()[1]
    await roller.book(f"Anna {family}")
    bruno = await roller.book(f"Bruno {family}")
    scripted.script(family, look_up(family), then(("edit_note", {"note": "bring socks"})))
    turn = await operator.say(f"note for {family}: bring socks")
    assert turn["type"] == "clarification", turn
    place = next(i for i, c in enumerate(turn["candidates"]) if c["booking_id"] == bruno["uniqueId"])
    text = {"reference": bruno["bookingReference"], "the second one": f"the {('first', 'second')[place]} one"}
    scripted.script(family, {"edit_note": {"booking_id": bruno["uniqueId"], "note": "bring socks"}}, obey)
    plan = await operator.plan_for(text.get(word, word))
    assert plan["actions"][0]["parameters"]["booking_id"] == bruno["uniqueId"]


async def test_a_pick_that_the_operator_did_not_make_is_never_planned(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    family = a_name().split()[1]
    anna = await roller.book(f"Anna {family}")
    await roller.book(f"Bruno {family}")
    scripted.script(family, look_up(family), {"ask_operator": {"question": "Which?"}})
    await operator.say(f"note for {family}: bring socks")
    scripted.script(family, {"edit_note": {"booking_id": anna["uniqueId"], "note": "bring socks"}})
    turn = await operator.say("Bruno please")
    assert turn["type"] != "plan", turn


async def test_candidates_that_are_offered_again_are_reported_as_they_are_by_now(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    family = a_name().split()[1]
    anna = await roller.book(f"Anna {family}", time="10:00")
    await roller.book(f"Bruno {family}", time="10:00")
    pick = {"edit_note": {"booking_id": anna["uniqueId"], "note": "bring socks"}}
    scripted.script(family, look_up(family), then(("edit_note", {"note": "bring socks"})))
    first = await operator.say(f"note for {family}: bring socks")
    assert [c["start_time"] for c in first["candidates"]] == ["10:00", "10:00"]
    async with Operator(operator.base_url, user="somebody-else") as other:
        number = anna["bookingReference"]
        words = f"please move booking {number} to 3pm"
        move = {"reschedule_booking": {"booking_id": anna["uniqueId"], "new_start_time": "15:00"}}
        scripted.script(words, look_up(number), move, obey)
        moved = await other.do(words)
        assert moved["status"] == "completed", moved
    scripted.script(family, pick)
    again = await operator.say("the one I told you of")
    assert again["type"] == "clarification", again
    assert {c["booking_id"]: c["start_time"] for c in again["candidates"]}[anna["uniqueId"]] == "15:00"
    assert any("3pm" in way["label"] for way in again["quick_actions"]), again["quick_actions"]


async def test_the_booking_spoken_of_is_remembered(operator: Operator, scripted: ScriptedModel, party: Party) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    await operator.do(f"note for {guest}: bring socks")
    scripted.script(guest, {"change_guest_count": {"booking_id": booking["uniqueId"], "guest_count": 5}}, obey)
    plan = await operator.plan_for("and make it 5")
    assert booking["uniqueId"] in scripted.seen[guest][0]["messages"][0]["content"], "the prompt names it"
    assert plan["actions"][0]["parameters"]["booking_id"] == booking["uniqueId"]


async def test_no_match_is_reported_by_the_look_up_and_never_planned(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    ghost = a_name()
    scripted.script(ghost, look_up(ghost), {"ask_operator": {"question": "No booking matches. Check the spelling?"}})
    turn = await operator.say(f"move {ghost}")
    assert turn["type"] == "clarification"
    assert turn.get("candidates", []) == []
    assert scripted.seen[ghost][1]["messages"][-1]["role"] == "tool"


async def test_questions_are_bounded_then_advice_with_quick_actions_is_given(
    operator: Operator, scripted: ScriptedModel
) -> None:
    key = a_name()
    scripted.script(key, {"ask_operator": {"question": "What do you mean?"}})
    turns = [await operator.say(f"{key} {n}") for n in range(7)]
    assert [t["type"] for t in turns] == ["clarification"] * 5 + ["answer", "clarification"]
    assert "another way" in turns[5]["message"]
    assert {q["say"] for q in turns[5]["quick_actions"]} >= {"Move a booking"}


async def test_an_amended_plan_replaces_the_pending_one(
    operator: Operator, roller: Roller, scripted: ScriptedModel, party: Party
) -> None:
    guest, booking = await party(("reschedule_booking", {"new_start_time": "15:00"}), model=())
    first = await operator.plan_for(f"move {guest} to 3pm")
    amended = {"reschedule_booking": {"booking_id": booking["uniqueId"], "new_start_time": "16:00"}}
    scripted.script(guest, amended, obey)
    second = await operator.plan_for("make it 4pm")
    assert "15:00" in scripted.seen[guest][0]["messages"][0]["content"], "the model is shown the pending plan"
    old = await operator.settled(first)
    assert (old["status"], old["superseded_by"]) == ("cancelled", second["plan_id"])
    await operator.confirm(second)
    assert (await operator.settled(second))["status"] == "completed"
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["sessionStartTime"] == "16:00"


@pytest.mark.parametrize("word", ["yes", *for_test_all("Yes, do it!", "go ahead", "OK", "sì, procedi")])
async def test_plain_typed_assent_confirms_the_pending_plan_without_the_model(
    operator: Operator, scripted: ScriptedModel, party: Party, word: str
) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    asked = len(scripted.seen[guest])
    turn = await operator.say(word)
    assert turn["type"] == "plan"
    assert turn["plan"]["plan_id"] == plan["plan_id"]
    assert turn["plan"]["status"] in ("confirmed", "executing", "completed")
    assert (await operator.settled(plan))["status"] == "completed"
    assert all(executes(b) for b in scripted.seen[guest][asked:])


async def test_a_bare_no_drops_the_pending_plan(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    turn = await operator.say("no, forget it")
    assert turn["type"] == "answer"
    assert (await operator.settled(plan))["status"] == "cancelled"
    assert await roller.journal(booking) == []


@pytest.mark.parametrize("word", ["no", *for_test_all("stop")])
async def test_a_bare_no_after_a_failed_plan_needs_no_model(
    operator: Operator, roller: Roller, scripted: ScriptedModel, party: Party, word: str
) -> None:
    day = a_day()
    guest, _ = await party(("reschedule_booking", {"new_date": day, "new_start_time": "17:00"}))
    plan = await operator.plan_for(f"move {guest} to {day} at 5pm")
    await roller.fill(day, "17:00")
    await operator.confirm(plan)
    assert (await operator.settled(plan))["status"] in ("failed", "rolled_back")
    asked = len(scripted.seen[guest])
    turn = await operator.say(word)
    assert (turn["type"], turn["message"]) == ("answer", "Nothing is changed by this message.")
    assert len(scripted.seen[guest]) == asked


async def test_assent_with_nothing_pending_goes_to_the_planner(operator: Operator, scripted: ScriptedModel) -> None:
    key = a_name()
    scripted.script(key, {"ask_operator": {"question": "What would you like to change?"}})
    await operator.say(key)
    assert (await operator.say("yes"))["type"] == "clarification"


async def test_a_session_view_shows_what_a_page_needs_after_a_reload(operator: Operator, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}))
    text = f"note for {guest}: bring socks"
    plan = await operator.plan_for(text)
    response = await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})
    session = response.json()
    assert session["pending_plan_id"] == plan["plan_id"] and session["active_prompt"] is None
    shown = [(m["role"], m["kind"], m["text"], m["plan_id"]) for m in session["messages"]]
    assert shown == [("user", "message", text, None), ("assistant", "plan", plan["intent"], plan["plan_id"])]
    assert [p["plan_id"] for p in session["plans"]] == [plan["plan_id"]]


async def has_asked_for_its_turn(stack: Stack, plan: dict[str, Any]) -> bool:
    """Return whether the chat knows that a plan wants to ask something."""
    assert stack.services is not None
    history = await stack.services.plans.client.get_workflow_handle(plan_workflow(plan["plan_id"])).fetch_history()
    asked = {
        event.event_id
        for event in history.events
        if event.activity_task_scheduled_event_attributes.activity_type.name == "request_prompt_slot"
    }
    return any(event.activity_task_completed_event_attributes.scheduled_event_id in asked for event in history.events)


async def test_at_most_one_plan_of_a_session_waits_for_an_answer(
    operator: Operator, roller: Roller, scripted: ScriptedModel, stack: Stack
) -> None:
    guest = a_name()
    one, other = await roller.book(guest), await roller.book(f"{guest} Second")
    plans = []
    for booking in (one, other):
        reference = booking["bookingReference"]
        plan_it = {"edit_note": {"booking_id": booking["uniqueId"], "note": "bring socks"}}
        scripted.script(guest, look_up(guest), plan_it, {"ask_operator": {"question": f"About {reference}?"}}, obey)
        plans.append(await operator.plan_for(f"note on {reference} for {guest}: bring socks"))
        await operator.confirm(plans[-1])
        if booking is one:
            await operator.asked(plans[0])
        else:
            await operator.until(plans[1], lambda p: p["status"] == "executing")
    await soon(lambda: has_asked_for_its_turn(stack, plans[1]))
    assert "blocking_prompt" in await operator.look(plans[0])
    assert "blocking_prompt" not in await operator.look(plans[1]), "it waits for its turn"
    assert (await operator.answer(plans[0], "yes")).status_code == 200
    await operator.asked(plans[1])
    assert (await operator.answer(plans[1], "yes")).status_code == 200
    assert [(await operator.settled(p))["status"] for p in plans] == ["completed"] * 2


async def _runs(stack: Stack, operator: Operator) -> list[WorkflowExecutionStatus | None]:
    assert stack.services is not None
    chat = chat_workflow("roller-demo", operator.session)
    found_runs = [r async for r in stack.services.plans.client.list_workflows(f'WorkflowId = "{chat}"')]
    return [r.status for r in sorted(found_runs, key=lambda r: r.start_time)]


@pytest.mark.slow
async def test_a_retried_request_returns_the_same_turn_after_continue_as_new(
    hasty: Operator, impatient: Stack, scripted: ScriptedModel
) -> None:
    key = a_name()
    scripted.script(key, "Hello there.")
    first = await hasty.say(key, request_id="r-0")
    for n in range(1, 12):
        await hasty.say(f"{key} {n}")

    async def begun_again() -> bool:
        return WorkflowExecutionStatus.CONTINUED_AS_NEW in await _runs(impatient, hasty)

    await soon(begun_again)
    scripted.script(key, says(500, {}))
    assert await hasty.say(key, request_id="r-0") == first


@pytest.mark.slow
async def test_a_retried_request_returns_the_same_turn_after_an_idle_close_and_a_newer_run(
    hasty: Operator, impatient: Stack, scripted: ScriptedModel
) -> None:
    key = a_name()
    scripted.script(key, "Hello there.")
    first = await hasty.say(key, request_id="r-0")
    await chat_closed(impatient, hasty)
    assert await hasty.say(key, request_id="r-0") == first, "after an idle close"
    await chat_closed(impatient, hasty)
    scripted.script(key, "Something else.")
    assert (await hasty.say(key, request_id="r-1"))["message"].startswith("Something else.")
    await chat_closed(impatient, hasty)
    assert await hasty.say(key, request_id="r-0") == first, "after a newer run"


async def test_a_closed_chat_still_belongs_to_its_owner(
    hasty: Operator, impatient: Stack, scripted: ScriptedModel
) -> None:
    key = a_name()
    scripted.script(key, "Hello there.")
    await hasty.say(key)
    await chat_closed(impatient, hasty)
    body = {"user_message": key, "session_id": hasty.session, "user_id": "stranger"}
    assert (await hasty.post("/v1/requests", **body)).status_code == 403


@pytest.mark.slow
async def test_a_plan_outlives_its_chat_and_wakes_it_to_ask(
    hasty: Operator, hasty_roller: Roller, impatient: Stack, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await hasty_roller.book(guest)
    slow = {"edit_note": {"note": "bring socks"}}
    scripted.script(
        guest, look_up(guest), then(("edit_note", {"note": "bring socks"})), {"ask_operator": {"question": "?"}}, slow
    )
    with patience(impatient, confirm_timeout=LONG, answer_timeout=LONG):
        plan = await hasty.plan_for(f"note for {guest}: bring socks")
    await chat_closed(impatient, hasty)
    assert (await hasty.look(plan))["status"] == "pending_confirmation"
    await hasty.confirm(plan)
    await hasty.asked(plan)
    assert (await hasty.answer(plan, "go")).status_code == 200
    assert (await hasty.settled(plan))["status"] == "completed"


async def test_a_plan_not_confirmed_in_time_expires_and_stays_so(
    hasty: Operator, hasty_roller: Roller, impatient: Stack, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await hasty_roller.book(guest)
    scripted.script(guest, look_up(guest), then(("edit_note", {"note": "bring socks"})), obey)
    with patience(impatient, confirm_timeout=1.0):
        plan = await hasty.plan_for(f"note for {guest}: bring socks")
    assert (await hasty.settled(plan))["status"] == "expired"
    late = await hasty.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=hasty.user)
    assert late.status_code == 409
    assert late.json()["error"]["plan"]["status"] == "expired"
    reported = await hasty.say("yes")
    assert reported["type"] == "answer" and reported["message"].startswith("This plan was not confirmed in time."), (
        reported
    )
    assert await hasty_roller.journal(booking) == []


@pytest.mark.slow
async def test_an_expired_plan_is_tried_again_as_it_was(
    hasty: Operator, hasty_roller: Roller, impatient: Stack, scripted: ScriptedModel
) -> None:
    guest, other = a_name(), a_name()
    bookings = [await hasty_roller.book(one) for one in (guest, other)]
    note = then(("edit_note", {"note": "bring socks"}))
    # The second time the model is not asked, because the expired plan has the intent.
    scripted.script(guest, look_up(guest), note, look_up(other), note, obey)
    with patience(impatient, confirm_timeout=1.0):
        plan = await hasty.plan_for(f"note for {guest}: bring socks")
    assert (await hasty.settled(plan))["status"] == "expired"
    await chat_closed(impatient, hasty)
    with patience(impatient, confirm_timeout=LONG):
        again = await hasty.plan_for("try again")
    assert again["plan_id"] != plan["plan_id"]
    assert again["actions"][0]["parameters"] == plan["actions"][0]["parameters"]
    # A dropped plan is not an expired one.
    assert (await hasty.say("no"))["type"] == "answer"
    assert "no plan that has just failed" in (await hasty.say("try again"))["message"]
    await chat_closed(impatient, hasty)
    with patience(impatient, confirm_timeout=LONG):
        plan = await hasty.plan_for(f"note for {other}: bring socks")
    await hasty.confirm(plan)
    assert (await hasty.settled(plan))["status"] == "completed"
    assert [len(await hasty_roller.journal(one)) for one in bookings] == [0, 1]


async def test_a_question_that_no_one_answers_ends_the_plan_and_undoes_it(
    hasty: Operator, hasty_roller: Roller, impatient: Stack, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await hasty_roller.book(guest)
    calls = [("edit_note", {"note": "bring socks"}), ("change_guest_count", {"guest_count": 3})]
    scripted.script(guest, look_up(guest), then(*calls), obey, {"ask_operator": {"question": "Really?"}})
    with patience(impatient, confirm_timeout=LONG, answer_timeout=1.0):
        plan = await hasty.do(f"3 guests for {guest}, and a note: bring socks")
    assert plan["status"] == "rolled_back", plan
    assert "not answered in time" in plan["failure"]["message"]
    assert (await hasty_roller.booking(booking["uniqueId"])).get("comments") == booking.get("comments")
