"""Plans and their confirmation, over HTTP against the running stack. Guarantees:

- A plan shows every action it will carry out, before and after, and marks the risky ones.
- One confirmation is enough; repeating it is harmless, and nothing happens without it.
- A plan has an expiry time (`test_chat.py` tests the expiry). A pending plan can be cancelled, but not confirmed after
  that (409).
"""

import asyncio

import pytest

from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, held, look_up, obey, then

pytestmark = pytest.mark.asyncio


async def test_generated_plan_displays_all_actions_that_will_be_executed(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    calls = [("reschedule_booking", {"new_start_time": "15:00"}), ("change_guest_count", {"guest_count": 14})]
    scripted.script(guest, look_up(guest), then(*calls), obey)
    plan = await operator.plan_for(f"move {guest} to 3pm with 14")
    assert plan["status"] == "pending_confirmation"
    assert [(a["step"], a["action_id"]) for a in plan["actions"]] == [
        (1, "reschedule_booking"),
        (2, "change_guest_count"),
    ]
    when, guests = (a["preview"][0] for a in plan["actions"])
    assert "10am" in when["before"] and "3pm" in when["after"]
    assert "10" in guests["before"] and "14" in guests["after"]
    assert guest in plan["intent"]
    assert plan["expires_at"] > plan["created_at"]
    assert await roller.journal(booking) == [], "nothing happens before the confirmation"


async def test_high_risk_actions_are_visually_distinguished_in_the_plan(operator: Operator, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "bring socks"}), ("cancel_booking", {}))
    plan = await operator.plan_for(f"note: bring socks, then cancel {guest}")
    assert [(a["safety_tier"], a["reversible"]) for a in plan["actions"]] == [("normal", True), ("high_risk", False)]


async def test_user_can_confirm_plan_with_single_action(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(("edit_note", {"note": "one"}), ("cancel_booking", {}))
    plan = await operator.plan_for(f"note: one, then cancel {guest}")
    confirmed = await operator.confirm(plan)
    assert confirmed["status"] in ("confirmed", "executing")
    assert confirmed["confirmed_at"]
    assert (await operator.settled(plan))["status"] == "completed"
    assert len(await roller.journal(booking)) == 2


async def test_confirmed_plan_enters_execution_queue(operator: Operator, party: Party) -> None:
    confirmed = asyncio.Event()
    guest, _ = await party(("edit_note", {"note": "bring socks"}), model=(held(confirmed, obey),))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    assert (await operator.confirm(plan))["status"] == "confirmed"
    assert (await operator.confirm(plan))["status"] == "confirmed", "confirming again returns the current status"
    confirmed.set()
    await operator.until(plan, lambda p: p["status"] != "confirmed")
    assert (await operator.settled(plan))["status"] == "completed"


async def test_a_retry_of_the_confirmation_gets_the_same_answer_a_new_one_is_a_conflict(
    operator: Operator, roller: Roller, party: Party
) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    await operator.confirm(plan, request_id="c-1")
    await operator.settled(plan)
    assert (await operator.confirm(plan, request_id="c-1"))["status"] == "completed"
    response = await operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=operator.user, request_id="c-2")
    assert response.status_code == 409
    assert response.json()["error"]["plan"]["status"] == "completed"
    assert len(await roller.journal(booking)) == 1


async def test_many_confirmations_at_once_execute_once(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    path = f"/v1/plans/{plan['plan_id']}/confirm"
    responses = await asyncio.gather(*(operator.post(path, user_id=operator.user) for _ in range(6)))
    assert 200 in {r.status_code for r in responses} <= {200, 409}
    assert (await operator.settled(plan))["status"] == "completed"
    assert len(await roller.journal(booking)) == 1


async def test_a_pending_plan_can_be_cancelled(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    response = await operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=operator.user)
    assert response.status_code == 202
    assert (await operator.settled(plan))["status"] == "cancelled"
    again = await operator.post(f"/v1/plans/{plan['plan_id']}/confirm", user_id=operator.user)
    assert again.status_code == 409
    assert await roller.journal(booking) == []
