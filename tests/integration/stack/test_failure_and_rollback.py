"""Failure and rollback, over HTTP against the running stack. Guarantees:

- On a failure in mid-chain every reversible completed step is undone, last first, and the booking is as it was.
- A change that cannot be undone is reported with what staff must do.
- A session that is already full is reported instead of a plan; one that fills up meanwhile fails the plan, with what is
  available instead.
- Messages are for an operator: they say what happened and what to do next, with numbers where there are some.
- Each kind of rejection by the venue is reported as its own kind.
"""

import pytest

from cli.stack.dev import Stack
from contracts.enums import RollbackState
from tests.support.asking import asking
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_day, a_name, content
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.tables import for_test_all
from tests.support.waiting import answered, soon

pytestmark = pytest.mark.asyncio

LATE = "17:00"
"""A session that no other test's booking is in, so that one test alone fills it."""
THREE_STEPS = [
    ("update_contact", {"phone": "0412 345 678"}),
    ("change_guest_count", {"guest_count": 14}),
    ("edit_note", {"note": "Cake at noon"}),
]


async def test_on_mid_chain_failure_reversible_completed_actions_are_rolled_back(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest, day = a_name(), a_day()
    booking = await roller.book(guest)
    before = await roller.guest(booking)
    calls = [
        ("update_contact", {"phone": "0412 345 678"}),
        ("reschedule_booking", {"new_date": day, "new_start_time": LATE}),
        ("edit_note", {"note": "Cake at noon"}),
    ]
    scripted.script(guest, look_up(guest), then(*calls), obey)
    pending = await operator.plan_for(asking(guest, *calls))
    await roller.fill(day, LATE)
    await operator.confirm(pending)
    plan = await operator.settled(pending)
    assert plan["status"] == "rolled_back", plan
    assert plan["failure"]["step"] == 2
    assert plan["failure"]["error_type"] == "conflict"
    assert [a["status"] for a in plan["actions"]] == ["reversed", "failed", "skipped"]
    report = plan["rollback_report"]
    assert (report["outcome"], report["trigger"]) == ("complete", "failure")
    assert [(s["step"], s["outcome"]) for s in report["steps"]] == [(1, "reversed")]
    assert report["manual_steps"] == []
    assert await roller.guest(booking) == before, "flags included"
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)


async def test_a_full_session_is_answered_with_real_alternatives(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest, day = a_name(), a_day()
    await roller.book(guest)
    move = ("reschedule_booking", {"new_date": day, "new_start_time": LATE})
    scripted.script(guest, look_up(guest), then(move), obey)
    pending = await operator.plan_for(f"move {guest} to {day} at {LATE}")
    await roller.fill(day, LATE)
    await operator.confirm(pending)
    plan = await operator.settled(pending)
    assert plan["status"] == "failed", "nothing was applied, so there was nothing to roll back"
    assert "rollback_report" not in plan
    [available] = [s for s in plan["failure"]["suggestions"] if s.startswith("Available instead")]
    assert "am" in available or "pm" in available


async def test_a_session_that_is_full_already_is_reported_instead_of_a_plan(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest, full = a_name(), await roller.full_session()
    booking = await roller.book(guest)
    move = ("reschedule_booking", {"new_date": full["date"], "new_start_time": full["start_time"]})
    scripted.script(guest, look_up(guest), then(move), obey)
    turn = await operator.say(f"move {guest} to {full['date']} at {full['start_time']}")
    assert turn["type"] == "clarification", turn
    assert "not enough room for 10 guests" in turn["question"] and "Available instead" in turn["question"]
    reference = booking["bookingReference"]
    assert turn["quick_actions"] and all(f"move booking {reference}" in q["say"] for q in turn["quick_actions"])
    assert await roller.journal(booking) == []


async def test_irreversible_actions_are_reported_with_manual_recovery_guidance(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    one, other = await roller.book(guest), await roller.book(guest + " Second")

    def plan_both(body: dict[str, object]) -> object:
        return [
            {"cancel_booking": {"booking_id": one["uniqueId"]}},
            {"edit_note": {"booking_id": other["uniqueId"], "note": "moved"}},
        ]

    scripted.script(guest, look_up(guest), plan_both, obey)
    await roller.fault("update-a-booking", "status", status=409, body={"errors": [{"name": "X", "message": "no"}]})
    text = f"cancel {one['bookingReference']}, and on {other['bookingReference']} for {guest} the note: moved"
    plan = await operator.do(text)
    assert plan["status"] == "rolled_back", plan
    report = plan["rollback_report"]
    assert report["outcome"] == "partial"
    assert [(s["step"], s["outcome"]) for s in report["steps"]] == [(1, "irreversible")]
    [manual] = report["manual_steps"]
    assert one["bookingReference"] in manual, manual


@pytest.mark.parametrize(
    ("fault", "error_type", "words"),
    [
        ({"effect": "rate_limit", "seconds": 5}, "rate_limited", "Retry in 5 seconds"),
        ({"effect": "status", "status": 409}, "conflict", "changed"),
        ({"effect": "expire_token"}, "unauthorized", "was not certain"),
        *for_test_all(
            ({"effect": "status", "status": 500}, "server_error", "temporarily unavailable"),
            ({"effect": "status", "status": 404}, "not_found", "though it shows it"),
            ({"effect": "status", "status": 403}, "forbidden", "not allowed"),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "_" in value else None,
)
async def test_error_messages_are_user_friendly_and_actionable(
    operator: Operator,
    roller: Roller,
    scripted: ScriptedModel,
    stack: Stack,
    fault: dict[str, object],
    error_type: str,
    words: str,
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    token = f"token-{guest.replace(' ', '-')}"
    await roller.http.post("/_sandbox/tokens", json={"token": token})
    operator.http.headers["Authorization"] = f"Bearer {token}"
    scripted.script(guest, look_up(guest), then(("edit_note", {"note": "bring socks"})), obey)
    plan = await operator.plan_for(f"note for {guest}: bring socks")
    await roller.fault("update-a-booking", **fault)  # type: ignore[arg-type]
    await operator.confirm(plan)
    if error_type == "unauthorized":
        assert stack.services is not None
        plans = stack.services.plans

        async def it_waits() -> bool:
            rollback = (await answered(lambda: plans.plan(plan["plan_id"]))).plan.rollback
            return rollback is not None and rollback.state is RollbackState.WAITING_FOR_SIGN_IN

        await soon(it_waits)
        operator.http.headers["Authorization"] = "Bearer demo-operator"
    ended = await operator.settled(plan)
    # With an expired token iQ cannot read the outcome of the write until the operator has signed in again.
    assert ended["status"] == ("rolled_back" if error_type == "unauthorized" else "failed"), ended
    assert ended["failure"]["error_type"] == error_type
    assert words in ended["failure"]["message"]
    assert ended["failure"]["suggestions"] or error_type == "unauthorized"
    if error_type == "rate_limited":
        assert ended["failure"]["retry_after_seconds"] == 5
    assert await roller.journal(booking) == []
    assert ended["results"][0]["error_type"] == error_type


async def test_conflict_errors_suggest_user_refresh_and_retry(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(("change_guest_count", {"guest_count": 4}))
    plan = await operator.plan_for(f"4 for {guest}")
    items = {"itemsToUpdate": [], "idsToRemove": [booking["items"][0]["bookingItemId"]]}
    item = {"productId": 61001, "quantity": 12, "bookingDate": booking["items"][0]["bookingDate"], "startTime": "10:00"}
    changed = await roller.http.put(f"/bookings/{booking['uniqueId']}", json={**items, "newItems": [item]})
    assert changed.is_success
    await operator.confirm(plan)
    ended = await operator.settled(plan)
    assert ended["status"] == "failed"
    assert ended["failure"]["error_type"] == "conflict"
    assert "not as this plan expects it" in ended["failure"]["message"]
    assert any("efresh" in s for s in ended["failure"]["suggestions"])
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 12


async def test_a_plan_s_own_earlier_steps_are_no_conflict(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    calls = [
        ("reschedule_booking", {"new_start_time": "15:00"}),
        ("change_guest_count", {"guest_count": 6}),
        ("edit_note", {"note": "one"}),
        ("reschedule_booking", {"new_start_time": "16:00"}),
    ]
    scripted.script(guest, look_up(guest), then(*calls), obey)
    plan = await operator.do(f"{guest}: 3pm, 6 guests, note: one, then 4pm")
    assert plan["status"] == "completed", plan
    item = (await roller.booking(booking["uniqueId"]))["items"][0]
    assert (item["quantity"], item["sessionStartTime"]) == (6, "16:00")


async def test_rollback_goes_on_when_one_compensation_fails_and_says_what_to_do_by_hand(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    before = await roller.guest(booking)
    scripted.script(guest, look_up(guest), then(*THREE_STEPS), obey)
    # Calls of update-a-booking: guest count (passes), note (409), undo of the guest count (403).
    await roller.fault("update-a-booking", "status", status=409, skip=1)
    await roller.fault("update-a-booking", "status", status=403, skip=1)
    plan = await operator.do(f"{guest}: phone 0412 345 678, 14 guests, note: Cake at noon")
    assert plan["status"] == "rolled_back", plan
    report = plan["rollback_report"]
    assert report["outcome"] == "partial"
    assert [(s["step"], s["outcome"]) for s in report["steps"]] == [(2, "failed"), (1, "reversed")]
    [manual] = report["manual_steps"]
    assert booking["bookingReference"] in manual and "10" in manual
    assert await roller.guest(booking) == before


@pytest.mark.slow
async def test_a_rollback_waits_out_what_passes(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(*THREE_STEPS[1:])
    await roller.fault("update-a-booking", "status", status=409, skip=1)
    await roller.fault("update-a-booking", "rate_limit", seconds=1, skip=1)
    await roller.fault("update-a-booking", "status", status=503, skip=1)
    plan = await operator.do(f"{guest}: 14 guests note: Cake at noon")
    assert plan["rollback_report"]["outcome"] == "complete", plan
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)


@pytest.mark.parametrize("effect", ["drop_after", "drop_before", *for_test_all("delay", "status")])
async def test_an_unknown_outcome_is_settled_by_reading_back_and_never_repeated(
    operator: Operator, roller: Roller, party: Party, effect: str
) -> None:
    guest, booking = await party(("change_guest_count", {"guest_count": 13}))
    plan = await operator.plan_for(f"13 for {guest}")
    more = {"seconds": 4} if effect == "delay" else {"status": 502} if effect == "status" else {}
    await roller.fault("update-a-booking", effect, **more)
    await operator.confirm(plan)
    ended = await operator.settled(plan)
    landed = effect in ("drop_after", "delay")
    assert ended["status"] == ("completed" if landed else "failed"), ended
    assert len(await roller.journal(booking)) == (1 if landed else 0)
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == (13 if landed else 10)


async def test_a_cancelled_plan_stops_before_its_next_step_and_is_rolled_back(
    operator: Operator, roller: Roller, party: Party
) -> None:
    guest, booking = await party(*THREE_STEPS[1:])
    plan = await operator.plan_for(f"{guest}: 14 guests note: Cake at noon")
    await roller.fault("update-a-booking", "delay", seconds=1)
    await operator.confirm(plan)
    await operator.until(plan, lambda p: p["actions"][0]["status"] == "running")
    response = await operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=operator.user)
    assert response.status_code == 202, response.text
    ended = await operator.settled(plan)
    assert ended["status"] == "rolled_back", ended
    assert ended["rollback_report"]["trigger"] == "cancelled"
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)
