"""Histories stay small: a plan's history is what a replay costs and what a person reads.

Counted by the server itself, with the codec on: a three-step ReAct plan stays under 90 events when all goes well, under
150 with a question and a rollback, and under 128 KiB either way.
"""

import pytest

from cli.stack.dev import Stack
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller
from tests.support.scripted_model import obey
from tests.support.waiting import answered

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

THREE = [
    ("update_contact", {"phone": "0412 345 678"}),
    ("change_guest_count", {"guest_count": 14}),
    ("edit_note", {"note": "Cake at noon"}),
]


async def size_of(stack: Stack, plan: dict[str, str]) -> tuple[int, int]:
    """Return (events, bytes) of a plan's history as the server counts them."""
    assert stack.services is not None
    plans = stack.services.plans
    description = await answered(lambda: plans.describe(plan["plan_id"]))
    info = description.raw_description.workflow_execution_info
    return info.history_length, info.history_size_bytes


async def test_a_plan_that_goes_well(operator: Operator, stack: Stack, party: Party) -> None:
    guest, _ = await party(*THREE)
    plan = await operator.do(f"{guest}: phone 0412 345 678, 14 guests, note: Cake at noon")
    assert plan["status"] == "completed", plan
    events, size = await size_of(stack, plan)
    assert events < 90, events
    assert size < 128 * 1024, size


async def test_a_plan_with_a_question_and_a_rollback(
    operator: Operator, stack: Stack, roller: Roller, party: Party
) -> None:
    guest, _ = await party(*THREE, model=(obey, {"ask_operator": {"question": "Sure?"}}, obey))
    await roller.fault("update-a-booking", "status", status=409, skip=1)
    plan = await operator.plan_for(f"{guest}: phone 0412 345 678, 14 guests, note: Cake at noon")
    await operator.confirm(plan)
    await operator.asked(plan)
    await operator.answer(plan, "yes")
    ended = await operator.settled(plan)
    assert ended["status"] == "rolled_back", ended
    events, size = await size_of(stack, plan)
    assert events < 150, events
    assert size < 128 * 1024, size
