"""Another user at the same booking, over HTTP against the running stack with the ROLLER pack. Guarantees:

- A change that staff made while a plan ran stays, however the plan ends: the rollback removes only the plan's own line
  of the note, its own items and its own contact fields, or leaves the step to staff.
- Two operators' plans at one booking: both changes are applied, or one plan reports a conflict; no change is lost.
- Two bookings of one guest, and one booking named by reference and by id, do not conflict with each other.
"""

import asyncio
from typing import Any

import pytest

from tests.support.asking import asking
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, executes, found, look_up, obey, then
from tests.support.waiting import soon

pytestmark = pytest.mark.asyncio

LAST = ("edit_note", {"note": "never written"})


def asks_before(action: str, note: str = "never written") -> Any:
    """Return a model that asks a question before this step, so that a plan waits in its middle."""

    def reply(body: dict[str, Any]) -> Any:
        message = obey(body)
        waits = isinstance(message, dict) and message.get(action, {}).get("note") == note
        return {"ask_operator": {"question": "Really?"}} if waits else message

    return reply


async def waiting(
    operator: Operator, scripted: ScriptedModel, guest: str, message: str, *steps: tuple[str, dict[str, Any]]
) -> dict[str, Any]:
    """Return a plan that has done these steps and waits with a question before one more."""
    scripted.script(guest, look_up(guest), then(*steps, LAST), asks_before("edit_note"))
    plan = await operator.plan_for(f"{message}, note never written, for {guest}")
    await operator.confirm(plan)
    return await operator.asked(plan)


async def cancelled(operator: Operator, plan: dict[str, Any]) -> dict[str, Any]:
    """Cancel the plan; return it once it has ended."""
    assert (await operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=operator.user)).status_code == 202
    return await operator.settled(plan)


async def test_a_line_that_staff_added_to_the_note_stays(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    plan = await waiting(operator, scripted, guest, "note Cake at noon", ("edit_note", {"note": "Cake at noon"}))
    note = (await roller.booking(booking["uniqueId"]))["comments"]
    await _put(roller, booking, comments=f"{note}\nSEVERE NUT ALLERGY")
    ended = await cancelled(operator, plan)
    assert (await roller.booking(booking["uniqueId"]))["comments"] == "SEVERE NUT ALLERGY"
    assert ended["rollback_report"]["outcome"] == "complete", ended
    assert "Whatever else has changed" in ended["rollback_report"]["steps"][0]["message"]


@pytest.mark.slow
async def test_a_note_that_staff_rewrote_is_left_and_both_are_named(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    plan = await waiting(operator, scripted, guest, "note Cake at noon", ("edit_note", {"note": "Cake at noon"}))
    await _put(roller, booking, comments="Cake at noon, no nuts")
    ended = await cancelled(operator, plan)
    assert (await roller.booking(booking["uniqueId"]))["comments"] == "Cake at noon, no nuts"
    assert ended["rollback_report"]["outcome"] == "partial"
    [manual] = ended["rollback_report"]["manual_steps"]
    assert booking["bookingReference"] in manual and "no nuts" in manual, manual


@pytest.mark.slow
@pytest.mark.parametrize(
    "step", [("change_guest_count", {"guest_count": 14}), ("reschedule_booking", {"new_start_time": "15:00"})]
)
async def test_an_item_that_staff_added_stays(
    operator: Operator, roller: Roller, scripted: ScriptedModel, step: tuple[str, dict[str, Any]]
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    [was] = booking["items"]
    plan = await waiting(operator, scripted, guest, asking(guest, step), step)
    socks = {"productId": 65001, "quantity": 3, "bookingDate": was["bookingDate"]}
    await _put(roller, booking, newItems=[socks])
    ended = await cancelled(operator, plan)
    items = (await roller.booking(booking["uniqueId"]))["items"]
    assert sorted((i["productId"], i["quantity"], i.get("sessionStartTime")) for i in items) == [
        (was["productId"], 10, "10:00"), (65001, 3, None),
    ]  # fmt: skip
    assert ended["rollback_report"]["outcome"] == "complete", ended


@pytest.mark.slow
async def test_a_session_that_staff_added_keeps_its_place(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    """The first session of a booking sets its guest count. Restored behind another session, it would not count any
    more.
    """
    guest = a_name()
    booking = await roller.book(guest)
    [was] = booking["items"]
    step = ("change_guest_count", {"guest_count": 14})
    plan = await waiting(operator, scripted, guest, asking(guest, step), step)
    second = {"productId": was["productId"], "quantity": 2, "bookingDate": was["bookingDate"], "startTime": "12:00"}
    await _put(roller, booking, newItems=[second])
    ended = await cancelled(operator, plan)
    items = (await roller.booking(booking["uniqueId"]))["items"]
    assert [(i["quantity"], i["sessionStartTime"]) for i in items] == [(14, "10:00"), (2, "12:00")]
    assert ended["rollback_report"]["outcome"] == "partial"
    assert booking["bookingReference"] in ended["rollback_report"]["manual_steps"][0], ended


@pytest.mark.slow
@pytest.mark.parametrize(
    "step", [("change_guest_count", {"guest_count": 14}), ("reschedule_booking", {"new_start_time": "15:00"})]
)
async def test_an_item_that_staff_added_while_the_answer_was_lost_stays(
    operator: Operator, roller: Roller, party: Party, step: tuple[str, dict[str, Any]]
) -> None:
    """What iQ finds later may be another user's, so it takes none of it for the plan's own."""
    guest, booking = await party(step)
    plan = await operator.plan_for(asking(guest, step))
    await roller.fault("update-a-booking", "delay", seconds=6)
    await operator.confirm(plan)
    await soon(lambda: roller.journal(booking))
    await _put(
        roller,
        booking,
        newItems=[{"productId": 65001, "quantity": 3, "bookingDate": booking["items"][0]["bookingDate"]}],
    )
    ended = await operator.settled(plan)
    items = (await roller.booking(booking["uniqueId"]))["items"]
    assert (65001, 3) in [(i["productId"], i["quantity"]) for i in items], ended
    assert ended["failure"]["error_type"] == "partly_applied", ended
    [row] = ended["rollback_report"]["steps"]
    assert row["outcome"] == "failed" and "not known who made it so" in row["message"], row
    assert booking["bookingReference"] in ended["rollback_report"]["manual_steps"][0]


@pytest.mark.slow
async def test_what_staff_changed_of_the_guest_stays(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    before = await roller.guest(booking)
    plan = await waiting(operator, scripted, guest, "phone 0412 345 678", ("update_contact", {"phone": "0412 345 678"}))
    now = await roller.guest(booking)
    changed = await roller.http.put(
        f"/guests/{booking['customerId']}", json={**now, "email": "new@example.com", "gender": "Other"}
    )
    assert changed.is_success, changed.text
    ended = await cancelled(operator, plan)
    after = await roller.guest(booking)
    assert (after["email"], after["gender"], after["phone"]) == ("new@example.com", "Other", before["phone"])
    assert ended["rollback_report"]["outcome"] == "complete", ended


async def test_two_operators_at_one_booking_lose_nothing(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)

    def note(body: dict[str, Any]) -> Any:
        message = next(w for w in ("red balloons", "blue candles") if w in str(body["messages"]))
        return {"edit_note": {"booking_id": found(body), "note": message}}

    def reply(body: dict[str, Any]) -> Any:
        if executes(body):
            return obey(body)
        return note(body) if body["messages"][-1]["role"] == "tool" else look_up(guest)

    scripted.script(guest, reply)
    token = operator.http.headers["Authorization"].removeprefix("Bearer ")
    async with Operator(operator.base_url, token=token) as other:
        message = ("red balloons", operator), ("blue candles", other)
        plans = [(await who.plan_for(f"note {text} for {guest}"), who, text) for text, who in message]
        await asyncio.gather(*(who.confirm(plan) for plan, who, _ in plans))
        ends = [(await who.settled(plan), text) for plan, who, text in plans]
    note_now = (await roller.booking(booking["uniqueId"]))["comments"]
    assert any(end["status"] == "completed" for end, _ in ends)
    for end, text in ends:
        assert (text in note_now) is (end["status"] == "completed"), (note_now, end)
        if end["status"] != "completed":
            assert end["failure"]["error_type"] == "conflict"


@pytest.mark.slow
async def test_two_bookings_of_one_guest_are_no_conflict_with_oneself(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    one, other = await roller.book(guest), await roller.book(guest)
    assert one["customerId"] == other["customerId"]

    def both(_: dict[str, Any]) -> Any:
        return [
            {"update_contact": {"booking_id": one["bookingReference"], "phone": "0412 345 678"}},
            {"update_contact": {"booking_id": other["uniqueId"], "email": "new@example.com"}},
        ]

    scripted.script(guest, look_up(guest), both, obey)
    message = f"{one['bookingReference']}: phone 0412 345 678, {other['bookingReference']}: new@example.com, {guest}"
    ended = await operator.do(message)
    assert ended["status"] == "completed", ended
    now = await roller.guest(one)
    assert (now["phone"], now["email"]) == ("+61412345678", "new@example.com")
    assert (await operator.post(f"/v1/plans/{ended['plan_id']}/undo", user_id=operator.user)).status_code == 202
    assert (await operator.settled(ended))["rollback_report"]["outcome"] == "complete"
    again = await roller.guest(one)
    assert (again["phone"], again["email"]) != (now["phone"], now["email"])


async def _put(roller: Roller, booking: dict[str, Any], **change: Any) -> None:
    response = await roller.http.put(f"/bookings/{booking['uniqueId']}", json=change)
    assert response.is_success, response.text
