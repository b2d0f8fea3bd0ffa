"""AG-UI's own client drives a running stack: npm's `HttpAgent`, with its own checks of every event and of their order,
from the first message to the end. It would warn about anything unchecked: there is no warning. Guarantees:

- A plan is confirmed and carried out; the same resume twice is a success that writes nothing.
- A question of a running plan is answered; a failure is rolled back; a plan is dropped, amended, and stopped midway.
- A run whose connection was dropped is replayed, without a message or a step twice, and continues to its end.
"""

import asyncio
import json
import os
from typing import Any

import pytest

from tests.support import needs
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PHONE = ("update_contact", {"phone": "0412 345 678"})
NOTE, COUNT = ("edit_note", {"note": "Cake at noon"}), ("change_guest_count", {"guest_count": 14})
YES = {"status": "resolved", "payload": {"approved": True}}
Run = dict[str, Any]


async def driven(operator: Operator, *runs: Run) -> list[Run]:
    """Return what HttpAgent saw of these runs."""
    asked = {
        "url": f"{operator.base_url}/v1/ag-ui",
        "headers": {"Authorization": operator.http.headers["Authorization"]},
        "threadId": operator.session,
        "runs": [{**run, "props": {"user_id": operator.user, **run.get("props", {})}} for run in runs],
    }
    for run in asked["runs"]:
        if "meanwhile" in run:
            run["meanwhile"]["props"]["user_id"] = operator.user
    env = {**os.environ, "AG_UI_MODULES": str(needs.ag_ui_client())}
    script = os.path.join(os.path.dirname(__file__), "drive.cjs")
    pipe = asyncio.subprocess.PIPE
    node = await asyncio.create_subprocess_exec("node", script, stdin=pipe, stdout=pipe, stderr=pipe, env=env)
    async with asyncio.timeout(90):
        out, err = await node.communicate(json.dumps(asked).encode())
    seen = [json.loads(line) for line in out.splitlines()]
    assert len(seen) == len(runs), err.decode()
    for each in seen:
        assert each["warnings"] == [], each["warnings"]
    return seen


def types(seen: Run) -> list[str]:
    return [event["type"] for event in seen["events"]]


async def test_confirm_and_the_same_resume_twice(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(NOTE, COUNT)
    asked, done, again = await driven(
        operator, {"say": f"{guest}: note: Cake at noon, 14 guests"}, {"answer": YES}, {"resumeAs": 1}
    )
    assert asked["threw"] is None and asked["outcome"] == "interrupt", asked
    assert asked["interrupts"][0]["reason"] == "confirmation" and asked["interrupts"][0]["expiresAt"]
    assert asked["state"]["plan"]["status"] == "pending_confirmation"
    for seen in (done, again):
        assert seen["threw"] is None and seen["outcome"] == "success" and seen["pending"] == [], seen
        assert seen["state"]["plan"]["status"] == "completed"
        assert types(seen).count("STEP_STARTED") == types(seen).count("STEP_FINISHED") == 2
    assert types(done).count("TOOL_CALL_RESULT") == 2 and "STATE_DELTA" in types(done)
    assert again["messages"] == done["messages"]
    assert len(await roller.journal(booking)) == 2


async def test_a_question_is_answered(operator: Operator, party: Party) -> None:
    ask = {"ask_operator": {"question": "How was it refunded?", "choices": ["Cash", "CreditCard"]}}
    answer = {"cancel_booking": {"issue_refund": True, "refund_type": "Cash"}}
    guest, _ = await party(("cancel_booking", {"issue_refund": True}), model=(ask, answer))
    seen = await driven(
        operator,
        {"say": f"cancel and record the refund of {guest}"},
        {"answer": YES},
        {"answer": {"status": "resolved", "payload": {"answer": "Cash"}}},
    )
    _, waits, done = seen
    assert all(one["threw"] is None for one in seen), seen
    [question] = waits["interrupts"]
    assert waits["outcome"] == "interrupt" and question["reason"] == "input_required"
    assert question["responseSchema"]["properties"]["answer"]["enum"] == ["Cash", "CreditCard"]
    assert question["message"] == waits["state"]["plan"]["blocking_prompt"]["question"]
    assert done["outcome"] == "success" and done["state"]["plan"]["status"] == "completed", done


async def test_a_failure_is_rolled_back(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(PHONE, COUNT)
    await roller.fault("update-a-booking", "status", status=409, path=f"/bookings/{booking['uniqueId']}")
    _, done = await driven(operator, {"say": f"{guest}: phone 0412 345 678, 14 guests"}, {"answer": YES})
    assert done["threw"] is None and done["outcome"] == "success", done
    assert done["result"]["status"] == "rolled_back"
    assert done["state"]["plan"]["rollback_report"]["outcome"] == "complete"
    steps = [event["stepName"] for event in done["events"] if event["type"] == "STEP_STARTED"]
    assert steps == [
        "Step 1: Update contact details",
        "Step 2: Change guest count",
        "Undoing step 1: Update contact details",
    ]
    assert done["state"]["plan"]["failure"]["message"] in done["messages"][-1]["content"]


async def test_a_plan_is_dropped(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(NOTE)
    _, dropped = await driven(
        operator,
        {"say": f"{guest}: note: Cake at noon"},
        {"answer": {"status": "resolved", "payload": {"approved": False}}},
    )
    assert dropped["threw"] is None and dropped["outcome"] == "cancelled", dropped
    assert dropped["state"]["plan"]["status"] == "cancelled" and await roller.journal(booking) == []


async def test_a_message_amends_a_plan_together_with_its_cancelled_resume(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    asked, amended, done = await driven(
        operator,
        {"say": f"make it 13 guests for {guest}"},
        {"say": "make it 14 guests", "answer": {"status": "cancelled"}},
        {"answer": YES},
    )
    assert amended["threw"] is None and amended["outcome"] == "interrupt", amended
    assert amended["pending"] != asked["pending"] and len(amended["pending"]) == 1
    assert done["outcome"] == "success" and done["state"]["plan"]["status"] == "completed", done
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["quantity"] == 14


async def test_a_run_that_was_dropped_is_reported_again_and_goes_on(
    operator: Operator, roller: Roller, party: Party
) -> None:
    guest, booking = await party(PHONE, COUNT)
    slow = {"path": f"/bookings/{booking['uniqueId']}", "seconds": 1.5}
    await roller.fault("update-a-booking", "delay", **slow)
    _, dropped, again = await driven(
        operator,
        {"say": f"{guest}: phone 0412 345 678, 14 guests"},
        {"answer": YES, "abortAt": "TOOL_CALL_RESULT"},
        {"resumeAs": 1},
    )
    assert "RUN_FINISHED" not in types(dropped) and dropped["pending"], dropped
    assert again["threw"] is None and again["outcome"] == "success" and again["pending"] == [], again
    ids = [message["id"] for message in again["messages"]]
    assert len(set(ids)) == len(ids)
    calls = [call["id"] for message in again["messages"] for call in message.get("toolCalls", [])]
    assert len(set(calls)) == len(calls) == 2
    assert again["state"]["plan"]["status"] == "completed" and len(await roller.journal(booking)) == 2


async def test_a_plan_is_stopped_on_its_way(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(PHONE, COUNT, NOTE)
    slow = {"path": f"/bookings/{booking['uniqueId']}", "seconds": 1.5}
    await roller.fault("update-a-booking", "delay", **slow)
    stop = {"at": "TOOL_CALL_RESULT", "props": {"command": {"do": "cancel", "plan_id": "$plan"}}}
    _, stopped = await driven(
        operator,
        {"say": f"{guest}: phone 0412 345 678, 14 guests, note: Cake at noon"},
        {"answer": YES, "meanwhile": stop},
    )
    assert stopped["threw"] is None and stopped["outcome"] == "cancelled" and stopped["pending"] == [], stopped
    assert stopped["meanwhile"]["threw"] is None and stopped["meanwhile"]["outcome"] == "cancelled", stopped
    report = stopped["state"]["plan"]["rollback_report"]
    assert (report["outcome"], report["trigger"]) == ("complete", "cancelled")
    assert [e["stepName"] for e in stopped["events"] if e["type"] == "STEP_STARTED"][-1].startswith("Undoing step")
