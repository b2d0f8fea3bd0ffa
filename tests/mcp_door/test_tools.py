"""MCP: what the tools do, end to end, with fastmcp's client, on connections of both protocols.

- A message becomes a plan that waits. Nothing is changed until a person says yes to a form that shows all of it; then
  the plan is carried out, its events are progress, and its end is told.
- Declined, dismissed, answered oddly or not at all, or without forms: the plan waits on, and the answer says where it
  is confirmed.
- A running plan's question is a form with its choices. A failure is told with its undoing. Undo asks; cancel and skip
  do not.
- A model that says "yes", answers or undoes in a message decides nothing.
"""

import pytest

from tests.support.mcp_client import LEGACY, MODERN, Person, assistant, yes
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller

pytestmark = pytest.mark.asyncio

PHONE, COUNT = ("update_contact", {"phone": "0412 345 678"}), ("change_guest_count", {"guest_count": 14})
ASK = {"ask_operator": {"question": "How was it refunded?", "choices": ["Cash", "CreditCard"]}}
REFUND = {"cancel_booking": {"issue_refund": True, "refund_type": "Cash"}}


@pytest.fixture(params=[MODERN, LEGACY])
def protocol(request: pytest.FixtureRequest) -> str:
    """Both of them."""
    return str(request.param)


async def test_a_plan_is_proposed_confirmed_by_a_person_and_carried_out(
    protocol: str, operator: Operator, roller: Roller, party: Party
) -> None:
    guest, booking = await party(PHONE, COUNT)
    person = Person(yes)
    async with assistant(operator, protocol, person) as model:
        proposed = await model.call("propose_change", message=f"{guest}: phone 0412 345 678, 14 guests")
        plan = proposed["plan"]
        assert proposed["waits_for"] == "confirmation" and plan["status"] == "pending_confirmation"
        assert proposed["where"] == f"POST {operator.base_url}/v1/plans/{plan['plan_id']}/confirm"
        assert not person.forms and not await roller.journal(booking)
        assert plan == await operator.look(plan)
        model.heard.clear()
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
    [form] = person.forms
    assert form.schema["properties"]["confirm"]["type"] == "boolean" and "default" not in str(form.schema)
    assert plan["intent"] in form.message and "10 → 14" in form.message and guest in form.message
    assert done["plan"]["status"] == "completed" and "waits_for" not in done
    assert done["message"] == done["plan"]["summary"]
    assert len(await roller.journal(booking)) == 2
    numbers, texts = zip(*model.heard, strict=True)
    assert list(numbers) == sorted(set(numbers)) and len(texts) >= 5
    assert done["plan"] == await operator.look(plan)
