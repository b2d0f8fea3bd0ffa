"""A model endpoint that asks its callers to wait, through the whole stack. Guarantees:

- A message is answered 503 at once, with the wait in seconds and in words; nothing was changed, and the same message
  gets its plan later.
- A confirmed plan goes on by itself: `iq plan` says meanwhile what it waits for, and each step is written once.
"""

import asyncio
from typing import Any

import pytest
from fastapi import Response

from cli.stack.dev import Stack
from tests.integration.stack.test_commands import beside, output_of
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel, busy, look_up, obey, then

pytestmark = pytest.mark.asyncio

NOTE = ("edit_note", {"note": "bring cake"})


async def test_a_message_is_answered_with_the_wait(
    operator: Operator, party: Party, scripted: ScriptedModel, roller: Roller
) -> None:
    guest, booking = await party(NOTE)
    scripted.script(guest, busy(retry_after="90"), look_up(guest), then(NOTE), obey)
    body = {"user_message": f"note for {guest}: bring cake", "session_id": operator.session, "user_id": operator.user}
    refused = await operator.post("/v1/requests", **body, request_id="r-1")
    error = refused.json()["error"]
    assert (refused.status_code, error["retry_after_seconds"], refused.headers["Retry-After"]) == (503, 90, "90")
    assert error["message"] == "The assistant's model is busy right now. No booking was changed by this message."
    assert error["suggestions"] == ["Retry in 90 seconds"]
    assert await roller.journal(booking) == []
    again = await operator.post("/v1/requests", **body, request_id="r-1")
    assert again.json()["type"] == "plan", again.text


async def test_a_confirmed_plan_goes_on_by_itself(
    operator: Operator, party: Party, stack: Stack, roller: Roller
) -> None:
    free = asyncio.Event()

    def step(body: dict[str, Any]) -> Any:
        return obey(body) if free.is_set() else Response("{}", 429, headers={"Retry-After": "3"})

    guest, booking = await party(NOTE, ("change_guest_count", {"guest_count": 14}), model=(obey, step))
    plan = await operator.plan_for(f"{guest}: note bring cake, 14 guests")
    await operator.confirm(plan)
    waiting = await operator.until(plan, lambda p: p.get("assistant_busy_until"))
    assert waiting["status"] == "executing"
    code, shown = await output_of("plan", plan["plan_id"], **beside(stack))
    free.set()
    assert code == 0 and "the model asks its callers to" in shown, shown
    ended = await operator.settled(plan)
    assert ended["status"] == "completed", ended
    assert len(await roller.journal(booking)) == 2
