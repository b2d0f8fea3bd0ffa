"""What a watcher receives when notifications are lost, over server-sent events against the running stack. Guarantees:

- Without any notification a plan's stream still runs to its end, and so does a chat's, because the API also polls.
- A step that had begun when its plan was cancelled has a result, with the reason of the venue's rejection; a step that
  had not begun is skipped.
"""

import asyncio

import pytest

from cli.stack.dev import Stack
from tests.support.asking import asking
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller
from tests.support.scripted_model import obey
from tests.support.watching import SessionWatcher, Watcher, closing, kinds

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE, GUESTS = ("edit_note", {"note": "Cake at noon"}), ("change_guest_count", {"guest_count": 14})


@pytest.fixture
def deaf(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drop every notification."""
    assert stack.services is not None
    monkeypatch.setattr(stack.services.notifications, "notify", lambda _: None)


async def test_a_plan_is_reported_to_its_end_though_no_one_is_woken(
    deaf: None, operator: Operator, party: Party
) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(asking(guest, NOTE))
    watcher = Watcher(operator, plan)
    await watcher.until(lambda event: event["kind"] == "initiated")
    heard = asyncio.create_task(watcher.until(closing))
    await operator.confirm(plan)
    assert kinds(await heard)[-2:] == ["complete", "separate_message"]


async def test_a_chat_is_reported_though_no_one_is_woken(deaf: None, operator: Operator, party: Party) -> None:
    guest, _ = await party(NOTE)
    watcher = SessionWatcher(operator)
    heard = asyncio.create_task(watcher.until(lambda event: event.get("kind") == "plan"))
    await watcher.opened.wait()
    await operator.plan_for(asking(guest, NOTE))
    assert [event["kind"] for name, event in await heard if name == "chat" and event["kind"] != "progress"] == [
        "message", "plan",
    ]  # fmt: skip


async def test_a_step_that_is_given_up_has_a_result(operator: Operator, roller: Roller, party: Party) -> None:
    guest, _ = await party(NOTE, GUESTS, model=(obey, {"ask_operator": {"question": "Which cake?"}}, obey))
    await roller.fault("update-a-booking", "status", status=400, body={"errors": [{"name": "x", "message": "no"}]})
    plan = await operator.plan_for(asking(guest, NOTE, GUESTS))
    await operator.confirm(plan)
    await operator.asked(plan)
    response = await operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=operator.user)
    assert response.status_code == 202, response.text
    events = await Watcher(operator, plan).until(closing)
    assert [(e["kind"], e["step"], e.get("step_status")) for e in events if e["kind"].startswith("step_")] == [
        ("step_started", 1, None), ("step_result", 1, "failed"), ("step_skipped", 2, None),
    ]  # fmt: skip
    [result] = [e for e in events if e["kind"] == "step_result"]
    assert result["name"] == "Edit booking note"
    assert result["text"] == "The booking system refused this: no."
    assert kinds(events)[-2:] == ["complete", "separate_message"]
