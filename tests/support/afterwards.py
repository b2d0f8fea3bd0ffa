"""To see that something never happens: what certainly comes after it would have."""

from tests.support.roller import a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.separate import Separate
from tests.support.waiting import soon


async def at_rest(parts: Separate, plan_id: str) -> None:
    """Return once nothing is under way for a plan: no activity, and nothing that its workflow has not read yet."""
    plan = parts.client.get_workflow_handle(f"plan-{plan_id}")

    async def idle() -> bool:
        found = (await plan.describe()).raw_description
        return not found.pending_activities and not found.HasField("pending_workflow_task")

    await soon(idle)


async def another_plan_ends(parts: Separate) -> None:
    """Return once a plan of somebody else, which begins only now, was carried out by the same processes."""
    guest = a_name()
    async with parts.roller() as venue, parts.operator() as somebody:
        await venue.book(guest)
        parts.scripted.script(guest, look_up(guest), then(("edit_note", {"note": "Candles"})), obey)
        ended = await somebody.do(f"note: Candles, for {guest}")
    assert ended["status"] == "completed", ended
