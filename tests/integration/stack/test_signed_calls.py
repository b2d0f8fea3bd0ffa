"""A model whose calls are signed (Gemini 3), over the real protocol and the running stack. Guarantees:

- What came with a call, and beside it in its message, goes back with it unchanged: in a chat with a look-up, and from
  step to step of a confirmed plan.
- Where a plan begins with calls that were made without the model, the model still accepts the turn.
- None of it is in the service's log.
"""

from typing import Any

import pytest

from cli.stack.dev import Stack
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, executes, look_up, obey, then
from tests.support.signing_model import SigningModel

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

STEPS = (("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"}))


def planner(guest: str, *steps: Any) -> Any:
    """Return a model that looks the guest up, plans the steps, and carries them out."""

    def reply(body: dict[str, Any]) -> Any:
        if executes(body):
            return obey(body)
        looked = body["messages"][-1]["role"] == "tool"
        return then(*steps)(body) if looked else look_up(guest)  # type: ignore[operator]

    return reply


async def test_what_came_with_a_call_goes_back_with_it(
    operator: Operator, roller: Roller, scripted: ScriptedModel, caplog: pytest.LogCaptureFixture
) -> None:
    guest, signing = a_name(), SigningModel()
    booking = await roller.book(guest)
    scripted.script(guest, signing.says(planner(guest, *STEPS)))

    plan = await operator.do(f"{guest}: 14 guests and a note: Cake at noon")

    assert signing.refused == []
    assert plan["status"] == "completed", plan
    now = await roller.booking(booking["uniqueId"])
    assert (now["items"][0]["quantity"], "Cake at noon" in now["comments"]) == (14, True)
    in_chat, in_plan = signing.came_back[0], signing.came_back[-1]
    assert in_chat != in_plan, "the look-up's call came back in the chat, the first step's while the plan ran"
    assert "thought_signature" not in caplog.text and "sig-1" not in caplog.text


async def test_it_does_so_in_a_venue_that_is_served_in_standard_mode(
    plain_operator: Operator, standard: Stack, scripted: ScriptedModel
) -> None:
    guest, signing = a_name(), SigningModel()
    async with Roller(f"http://127.0.0.1:{standard.ports.roller}") as venue:
        await venue.book(guest)
        scripted.script(guest, signing.says(planner(guest, *STEPS)))
        plan = await plain_operator.do(f"{guest}: 14 guests and a note: Cake at noon")
    assert (signing.refused, plan["status"]) == ([], "completed")
