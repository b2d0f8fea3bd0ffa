"""Waits that prove that something never happens: a later event has happened."""

from tests.support.process_stack import ProcessStack
from tests.support.roller import a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.waiting import soon


async def at_rest(process_stack: ProcessStack, plan_id: str) -> None:
    """Wait until nothing is under way for a plan: no activity, and nothing that its workflow has not read yet."""
    plan = process_stack.client.get_workflow_handle(f"plan-{plan_id}")

    async def idle() -> bool:
        found = (await plan.describe()).raw_description
        return not found.pending_activities and not found.HasField("pending_workflow_task")

    await soon(idle)


async def another_plan_ends(process_stack: ProcessStack) -> None:
    """Wait until the same processes have executed another user's plan that begins only now."""
    guest = a_name()
    async with process_stack.roller() as venue, process_stack.operator() as other:
        await venue.book(guest)
        process_stack.scripted.script(guest, look_up(guest), then(("edit_note", {"note": "Candles"})), obey)
        ended = await other.do(f"note: Candles, for {guest}")
    assert ended["status"] == "completed", ended
