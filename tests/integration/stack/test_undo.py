"""Undoing a completed plan, over HTTP against the running stack (HTTP contract, `/undo`; design, "Two workflows").
Guarantees:

- Within the venue's undo window everything is put back, in reverse, when every change is still as the plan left it.
- When another user has changed a booking since, nothing is undone: a 409 that carries the plan, which stays completed.
- Not twice, not at once from two phones, not after the window, not by another user, not without an accepted token.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from cli.stack.dev import Stack
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name, content
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.stacks import a_stack

pytestmark = pytest.mark.asyncio

THREE = [
    ("reschedule_booking", {"new_start_time": "15:00"}),
    ("change_guest_count", {"guest_count": 14}),
    ("edit_note", {"note": "Cake at noon"}),
]
WINDOW = 1.0


async def undo(operator: Operator, plan: dict[str, Any], **who: str) -> httpx.Response:
    """Send the undo command."""
    return await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=who.get("user_id", operator.user))


async def sign_in(operator: Operator, roller: Roller) -> None:
    """Use a fresh token: the venue counts calls by token, and a plan with its undoing makes many."""
    token = f"token-{uuid4().hex}"
    assert (await roller.http.post("/_sandbox/tokens", json={"token": token})).is_success
    operator.http.headers["Authorization"] = f"Bearer {token}"


async def three_done(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Carry out three steps; return (the booking before, the completed plan)."""
    guest = a_name()
    booking = await roller.book(guest)
    await sign_in(operator, roller)
    scripted.script(guest, look_up(guest), then(*THREE), obey)
    plan = await operator.do(f"3pm, 14 guests, note: Cake at noon, for {guest}")
    assert plan["status"] == "completed", plan.get("failure")
    return booking, plan


async def add_a_note(roller: Roller, booking: dict[str, Any], text: str) -> None:
    """Change the booking by hand, as the venue's staff."""
    response = await roller.http.put(f"/bookings/{booking['uniqueId']}", json={"comments": text})
    assert response.is_success, response.text


async def test_everything_is_put_back_when_every_change_still_stands(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    booking, plan = await three_done(operator, roller, scripted)
    assert content(await roller.booking(booking["uniqueId"])) != content(booking)
    response = await undo(operator, plan)
    assert response.status_code == 202, response.text
    undone = await operator.settled(plan)
    assert undone["status"] == "rolled_back"
    report = undone["rollback_report"]
    assert (report["trigger"], report["outcome"]) == ("undo", "complete")
    assert all("is not as before: Extras" in shown for shown in report["manual_steps"]), "as the preview had told"
    assert [(s["step"], s["outcome"]) for s in report["steps"]] == [(3, "reversed"), (2, "reversed"), (1, "reversed")]
    assert "failure" not in undone and "undo_until" not in undone
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)
    assert len(await roller.journal(booking)) == 6, "three changes and their undoing"


async def test_nothing_is_undone_when_the_booking_was_changed_since(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    booking, plan = await three_done(operator, roller, scripted)
    left = await roller.booking(booking["uniqueId"])
    await add_a_note(roller, booking, "Called: they bring their own cake")
    error = expect_error(await undo(operator, plan), 409, "conflict")
    assert error["plan"]["plan_id"] == plan["plan_id"]
    assert error["plan"]["status"] == "completed"
    now = await roller.booking(booking["uniqueId"])
    assert now["comments"] == "Called: they bring their own cake"
    assert content(now)["items"] == content(left)["items"]
    await add_a_note(roller, booking, left["comments"])
    assert (await undo(operator, plan)).status_code == 202, "it stands again, so it can be undone after all"
    assert (await operator.settled(plan))["status"] == "rolled_back"
    assert content(await roller.booking(booking["uniqueId"])) == content(booking)


async def test_one_changed_booking_of_two_keeps_both_as_they_are(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    one, other = await roller.book(guest), await roller.book(f"{guest} Second")

    def both(_: dict[str, Any]) -> Any:
        return [{"edit_note": {"booking_id": b["uniqueId"], "note": "bring socks"}} for b in (one, other)]

    scripted.script(guest, look_up(guest), both, obey)
    message = f"note bring socks on {one['bookingReference']} and {other['bookingReference']} for {guest}"
    plan = await operator.do(message)
    assert plan["status"] == "completed", plan.get("failure")
    await add_a_note(roller, other, "something else")
    expect_error(await undo(operator, plan), 409, "conflict")
    assert "bring socks" in (await roller.booking(one["uniqueId"]))["comments"]
    assert len(await roller.journal(one)) == 1


@pytest.mark.slow
async def test_a_booking_that_cannot_be_read_is_not_undone_blindly(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    booking, plan = await three_done(operator, roller, scripted)
    await roller.fault("get-booking-detail", "status", status=503, times=60)
    error = expect_error(await undo(operator, plan), 503, "service_unavailable")
    assert error["message"].startswith("The booking system is temporarily unavailable."), "as the venue was seen to be"
    await roller.clear_faults()
    assert len(await roller.journal(booking)) == 3
    assert (await operator.look(plan))["status"] == "completed"


async def test_it_is_undone_once(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    booking, plan = await three_done(operator, roller, scripted)
    responses = await asyncio.gather(undo(operator, plan), undo(operator, plan))
    assert sorted(r.status_code for r in responses) == [202, 409], "one of two phones"
    await operator.settled(plan)
    again = expect_error(await undo(operator, plan), 409, "conflict")
    assert again["plan"]["status"] == "rolled_back"
    assert len(await roller.journal(booking)) == 6


async def test_a_plan_that_changed_nothing_for_good_cannot_be_undone(operator: Operator, party: Party) -> None:
    guest, _ = await party(("cancel_booking", {}))
    plan = await operator.plan_for(f"cancel the booking of {guest}")
    expect_error(await undo(operator, plan), 409, "conflict")
    await operator.confirm(plan)
    assert "undo_until" not in await operator.settled(plan)
    error = expect_error(await undo(operator, plan), 409, "conflict")
    assert error["message"].endswith("because there is no way back for “Cancel booking”."), error
    assert error["message"] in (await operator.say("undo that"))["message"]


async def test_neither_by_another_user_nor_without_a_token_that_the_venue_accepts(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    booking, plan = await three_done(operator, roller, scripted)
    expect_error(await undo(operator, plan, user_id="stranger"), 403, "forbidden")
    operator.http.headers["Authorization"] = "Bearer nobody-s-token"
    expect_error(await undo(operator, plan), 401, "unauthorized")
    assert len(await roller.journal(booking)) == 3


async def test_with_a_token_that_has_just_expired_the_operator_is_to_sign_in_again(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    booking, plan = await three_done(operator, roller, scripted)
    await roller.fault("get-booking-detail", "expire_token", times=1)
    error = expect_error(await undo(operator, plan), 401, "unauthorized")
    assert error["message"] == "The venue does not accept your sign-in any more."
    assert len(await roller.journal(booking)) == 3
    await sign_in(operator, roller)
    assert (await undo(operator, plan)).status_code == 202, "and then it works"
    assert (await operator.settled(plan))["rollback_report"]["outcome"] == "complete"


async def test_an_undo_uses_the_token_it_came_with(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    booking, plan = await three_done(operator, roller, scripted)
    await sign_in(operator, roller)
    assert (await undo(operator, plan)).status_code == 202
    assert (await operator.settled(plan))["rollback_report"]["outcome"] == "complete"
    first, *_, last = await roller.journal(booking)
    assert first["token"] != last["token"]


@pytest.fixture(scope="module")
async def brief(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack whose venue has a very short undo window."""
    venue = {"undo_window_seconds: 900": f"undo_window_seconds: {WINDOW}"}
    async with a_stack(tmp_path_factory.mktemp("brief"), venue=venue, model_base_url=model_url) as running:
        yield running


@pytest.mark.slow
async def test_not_after_the_window(brief: Stack, scripted: ScriptedModel) -> None:
    async with (
        Operator(f"http://127.0.0.1:{brief.ports.facade}") as operator,
        Roller(f"http://127.0.0.1:{brief.ports.roller}") as roller,
    ):
        booking, plan = await three_done(operator, roller, scripted)
        assert plan["undo_until"] > plan["completed_at"]
        await asyncio.sleep(WINDOW)  # The window begins when the plan ends, which was before the test saw it.
        error = expect_error(await undo(operator, plan), 409, "conflict")
        assert error["plan"]["status"] == "completed"
        assert len(await roller.journal(booking)) == 3
