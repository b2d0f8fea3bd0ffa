"""AG-UI: what runs tell, end to end over HTTP.

- A message becomes a plan: the run ends with a `confirmation` interrupt that has its deadline, the plan in its metadata
  and in the state.
- Approved, the run tells the execution: each step and its tool call with its result, the state by deltas, separate
  messages; it ends as a success.
"""

import pytest

from tests.support.ag_ui_client import Client
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name

pytestmark = pytest.mark.asyncio


async def test_a_plan_is_confirmed_and_carried_out(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    await roller.book(guest)
    client = Client(operator)
    told = await client.say(f"add a note to {guest}'s booking: window seat")
    [one] = told.interrupts
    assert one["reason"] == "confirmation"
    done = await client.answer({"approved": True})
    for event in done.events:
        print(event)
    assert done.outcome == {"type": "success"}
    assert done.state["plan"]["status"] == "completed"
