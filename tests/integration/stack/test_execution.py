"""Execution, over HTTP against the running stack. Guarantees:

- A ReAct loop with tool calling carries the plan out: the worker asks the model before each step and gives it the
  result.
- The model corrects minor mistakes itself, a bounded number of times; a mistake that remains fails the plan.
- A value that cannot be resolved is asked of the operator; the plan waits, and continues with the answer.
- A model that would widen the plan is stopped: nothing beyond the confirmed plan is ever sent.
- The end reports what changed, and every completed step is on record.
"""

import pytest

from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name, content, days_ahead
from tests.support.scripted_model import ScriptedModel, executes, look_up, obey, then
from tests.support.tables import for_test_all

pytestmark = pytest.mark.asyncio


async def test_executor_uses_react_loop_with_tool_calling_to_execute_plan(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    calls = [("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"})]
    scripted.script(guest, look_up(guest), then(*calls), obey)
    plan = await operator.do(f"{guest}: 14 guests and a note: Cake at noon")
    assert plan["status"] == "completed", plan
    now = await roller.booking(booking["uniqueId"])
    assert now["items"][0]["quantity"] == 14
    assert "Cake at noon" in now["comments"]
    executing = [b for b in scripted.seen[guest] if executes(b)]
    assert len(executing) == 2, "the model is asked once before each step"
    assert '"status": "done"' in executing[1]["messages"][-1]["content"], "and told what came of the last one"
    assert {t["function"]["name"] for t in executing[0]["tools"]} == {
        "change_guest_count", "edit_note", "ask_operator", "cannot_help",
    }  # fmt: skip


async def test_executor_can_self_correct_on_minor_issues(
    operator: Operator, roller: Roller, scripted: ScriptedModel, party: Party
) -> None:
    guest, booking = await party(
        ("reschedule_booking", {"new_start_time": "15:00"}),
        model=({"reschedule_booking": {"start": "15:00"}}, {"reschedule_booking": {"new_start_time": "15:00"}}),
    )
    plan = await operator.do(f"move {guest} to 3pm")
    assert plan["status"] == "completed", plan
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["sessionStartTime"] == "15:00"
    last = scripted.seen[guest][-1]["messages"]
    assert "no parameter start" in last[-1]["content"], "the model was told what was wrong"


async def test_confirmed_values_in_another_form_are_sent_as_confirmed_and_no_one_is_reported_of_a_mistake(
    operator: Operator, roller: Roller, scripted: ScriptedModel, party: Party
) -> None:
    day, moved = days_ahead(20), {"new_start_time": "15:00"}
    other_day = "/".join(reversed(day.split("-")))
    guest, booking = await party(
        ("change_guest_count", {"guest_count": 12}),
        ("reschedule_booking", {"new_date": day, **moved}),
        model=(
            {"change_guest_count": {"guest_count": "twelve"}},
            {"reschedule_booking": {"new_date": other_day, "new_start_time": "3pm"}},
        ),
    )
    plan = await operator.do(f"make {guest} 12 people and move it to {day} at 3pm")
    assert plan["status"] == "completed", plan
    [item] = (await roller.booking(booking["uniqueId"]))["items"]
    assert (item["quantity"], item["bookingDate"], item["sessionStartTime"]) == (12, day, "15:00")
    assert len(scripted.seen[guest]) == 2 + 2, "no call was sent back to the model"


async def test_what_a_check_of_ours_refuses_is_never_reported_as_the_venues_refusal(
    operator: Operator, roller: Roller, scripted: ScriptedModel, party: Party
) -> None:
    guest, booking = await party(
        ("edit_note", {"note": "bring socks"}),
        model=(
            {"edit_note": {"text": "bring socks"}},
            {"cannot_help": {"message": "The venue did not accept this: there is no such parameter."}},
        ),
    )
    plan = await operator.do(f"note for {guest}: bring socks")
    assert plan["status"] == "failed"
    assert "was not sent to the booking system" in plan["failure"]["message"]
    assert "accept" not in str(plan["failure"]) and await roller.journal(booking) == []


async def test_a_400_from_the_venue_is_given_to_the_model_to_mend(
    operator: Operator, roller: Roller, scripted: ScriptedModel, party: Party
) -> None:
    guest, booking = await party(("update_contact", {"phone": "0412 345 678"}))
    refusal = {"errors": [{"name": "phone", "message": "phone must have no spaces"}]}
    await roller.fault("update-guest-detail", "status", status=400, body=refusal)
    plan = await operator.do(f"new phone for {guest}: 0412 345 678")
    assert plan["status"] == "completed", plan
    assert (await roller.guest(booking))["phone"] == "+61412345678"
    assert "phone must have no spaces" in scripted.seen[guest][-1]["messages"][-1]["content"]


async def test_self_correction_is_bounded(
    operator: Operator, roller: Roller, scripted: ScriptedModel, party: Party
) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    refusal = {"errors": [{"name": "comments", "message": "comments are not accepted today"}]}
    await roller.fault("update-a-booking", "status", status=400, body=refusal, times=50)
    plan = await operator.do(f"note for {guest}: bring socks")
    assert plan["status"] == "failed"
    assert plan["failure"]["error_type"] == "bad_request"
    assert "comments are not accepted today" in plan["failure"]["message"], "the parameter's issue is reported"
    assert len(scripted.seen[guest]) == 2 + 3
    assert await roller.journal(booking) == []


async def test_executor_prompts_user_if_critical_information_cannot_be_resolved_from_context(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    question = {"question": "How was the refund made?", "choices": ["Cash", "Other"]}
    scripted.script(
        guest,
        look_up(guest),
        then(("cancel_booking", {"issue_refund": True})),
        {"cancel_booking": {"issue_refund": True}},
        {"ask_operator": question},
        {"cancel_booking": {"issue_refund": True, "refund_type": "Cash"}},
    )
    plan = await operator.plan_for(f"cancel {guest} and record the refund")
    await operator.confirm(plan)
    waiting = await operator.asked(plan)
    assert waiting["status"] == "executing"
    assert waiting["blocking_prompt"]["question"] == "How was the refund made?"
    assert waiting["blocking_prompt"]["choices"] == ["Cash", "Other"]
    session = (await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})).json()
    assert session["active_prompt"]["plan_id"] == plan["plan_id"]
    response = await operator.answer(plan, "in cash")
    assert response.status_code == 200, response.text
    assert "blocking_prompt" not in response.json(), "the prompt is cleared when the answer is taken"
    done = await operator.settled(plan)
    assert done["status"] == "completed", done
    assert (await roller.booking(booking["uniqueId"]))["status"] == "Cancelled"
    [write] = await roller.journal(booking)
    assert write["body"]["refundType"] == "Cash"
    again = await operator.answer(plan, "in cash")
    assert again.status_code == 409


async def test_a_gap_is_never_filled_without_the_operator(
    operator: Operator, roller: Roller, scripted: ScriptedModel, party: Party
) -> None:
    guest, booking = await party(
        ("cancel_booking", {"issue_refund": True}),
        model=({"cancel_booking": {"issue_refund": True, "refund_type": "Cash"}},),
    )
    plan = await operator.do(f"cancel {guest}, we refunded them")
    assert plan["status"] == "failed"
    assert "ask_operator" in scripted.seen[guest][-1]["messages"][-1]["content"]
    assert await roller.journal(booking) == []


@pytest.mark.parametrize(
    "call",
    [
        {"reschedule_booking": {"new_start_time": "16:00"}},
        {"cancel_booking": {}},
        *for_test_all(
            {"reschedule_booking": {"new_start_time": "15:00", "new_date": days_ahead(20)}},
            {"change_guest_count": {"guest_count": 2}},
            {"get_booking": {"booking_id": "8231"}},
            {"no_such_tool": {}},
        ),
    ],
    ids=["other value", "other action", "more values", "other action with values", "a read", "unknown tool"],
)
async def test_a_model_that_would_widen_the_plan_fails_it_and_is_reported_to_make_a_new_request(
    operator: Operator, roller: Roller, scripted: ScriptedModel, call: dict[str, dict[str, object]]
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    calls = [("edit_note", {"note": "bring socks"}), ("reschedule_booking", {"new_start_time": "15:00"})]
    scripted.script(guest, look_up(guest), then(*calls), obey, call)
    plan = await operator.do(f"note: bring socks, and move {guest} to 3pm")
    assert plan["status"] == "rolled_back", plan
    assert plan["failure"]["step"] == 2
    assert "more than the plan you confirmed" in plan["failure"]["message"]
    assert any("new request" in s for s in plan["failure"]["suggestions"])
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)
    assert len(await roller.journal(booking)) == 2, "the note, and its undoing; nothing else"


async def test_successful_execution_returns_clear_summary_of_what_changed(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    calls = [("reschedule_booking", {"new_start_time": "15:30"}), ("change_guest_count", {"guest_count": 9})]
    scripted.script(guest, look_up(guest), then(*calls), obey)
    plan = await operator.do(f"move {guest} to 3:30pm for 9")
    assert plan["status"] == "completed"
    assert guest in plan["summary"] and booking["bookingReference"] in plan["summary"]
    assert "3:30pm" in plan["summary"] and "9" in plan["summary"]


async def test_each_completed_action_is_recorded_for_potential_rollback(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    calls = [("change_guest_count", {"guest_count": 11}), ("edit_note", {"note": "hello"})]
    scripted.script(guest, look_up(guest), then(*calls), obey)
    plan = await operator.do(f"11 guests for {guest} and a note: hello")
    assert [(r["step"], r["action_id"], r["status"]) for r in plan["results"]] == [
        (1, "change_guest_count", "completed"),
        (2, "edit_note", "completed"),
    ]
    assert all(r["started_at"] <= r["finished_at"] and r["message"] for r in plan["results"])
    assert plan["undo_until"] > plan["completed_at"]
    response = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert response.status_code == 202, response.text
    undone = await operator.settled(response.json())
    assert undone["status"] == "rolled_back"
    assert undone["rollback_report"]["trigger"] == "undo"
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)


async def test_a_placeholder_for_something_settled_is_resolved_while_drafting(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)

    def plan_both(body: dict[str, object]) -> object:
        first = then(("edit_note", {"note": "first"}))(body)  # type: ignore[operator]
        return [*first, {"change_guest_count": {"booking_id": "{{step_1.booking_id}}", "guest_count": 7}}]

    scripted.script(guest, look_up(guest), plan_both, obey)
    plan = await operator.plan_for(f"7 guests for {guest}, and a note: first")
    assert plan["actions"][1]["parameters"]["booking_id"] == booking["uniqueId"]
    assert {"field": "Guests", "before": "10", "after": "7"} in plan["actions"][1]["preview"]
    await operator.confirm(plan)
    plan = await operator.settled(plan)
    assert plan["status"] == "completed", plan
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 7
