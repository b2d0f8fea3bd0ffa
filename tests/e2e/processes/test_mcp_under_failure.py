"""The MCP server when a part behind it, or the API itself, is gone. Real processes.

- An API that is killed while the operator reads a form loses nothing: the answer, sent to the next one, counts.
- An API that is killed while a plan runs stops nothing: the same call, made again, asks no further question and returns
  the end. Nothing is written twice.
- An operator's yes that comes while Temporal hangs is refused, with a message, and never takes effect; a new one does.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.support import needs
from tests.support.mcp_client import MODERN, Assistant, Form, Person, assistant, yes
from tests.support.operator import Operator
from tests.support.process_stack import ProcessStack, own_redis
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PHONE, COUNT = ("update_contact", {"phone": "0412 345 678"}), ("change_guest_count", {"guest_count": 14})


@pytest.fixture(scope="module")
async def process_stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ProcessStack]:
    """A stack with each part in its own process."""
    needs.redis()
    async with own_redis() as url, ProcessStack(tmp_path_factory.mktemp("mcp"), url) as running:
        yield running


async def pending(
    process_stack: ProcessStack, model: Assistant, venue: Roller
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (plan, booking) of a plan of two steps whose writes are slow."""
    guest = a_name()
    booking = await venue.book(guest)
    process_stack.scripted.script(guest, look_up(guest), then(PHONE, COUNT), obey)
    proposed = await model.call("propose_change", message=f"{guest}: phone 0412 345 678, 14 guests")
    await venue.fault("update-a-booking", "delay", path=f"/bookings/{booking['uniqueId']}", seconds=2)
    return proposed["plan"], booking


async def test_the_facade_is_killed_while_a_person_reads(
    process_stack: ProcessStack, operator: Operator, venue: Roller
) -> None:
    async def meanwhile(form: Form) -> Any:
        await process_stack.kill_facade()
        await process_stack.start_facade()
        await process_stack.ready()
        return yes(form)

    async with assistant(operator, MODERN, Person(meanwhile)) as model:
        plan, booking = await pending(process_stack, model, venue)
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
    assert done["plan"]["status"] == "completed" and len(await venue.journal(booking)) == 2


async def test_the_facade_is_killed_while_a_plan_runs(
    process_stack: ProcessStack, operator: Operator, venue: Roller
) -> None:
    person = Person(yes)
    async with assistant(operator, MODERN, person) as model:
        plan, booking = await pending(process_stack, model, venue)
        running = asyncio.create_task(model.call("confirm_plan", plan_id=plan["plan_id"]))
        await soon(lambda: venue.journal(booking))
        await process_stack.kill_facade()
        [lost] = await asyncio.gather(running, return_exceptions=True)
        assert isinstance(lost, Exception), "its answer is lost"
        await process_stack.start_facade()
        await process_stack.ready()
    async with assistant(operator, MODERN, person) as model:
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
    assert done["plan"]["status"] == "completed" and len(person.forms) == 1
    assert len(await venue.journal(booking)) == 2


async def test_a_yes_while_temporal_hangs(process_stack: ProcessStack, operator: Operator, venue: Roller) -> None:
    async def meanwhile(form: Form) -> Any:
        if len(person.forms) == 1:
            process_stack.freeze_temporal()
        return yes(form)

    person = Person(meanwhile)
    async with assistant(operator, MODERN, person) as model:
        plan, booking = await pending(process_stack, model, venue)
        try:
            kind, words = await model.refused("confirm_plan", plan_id=plan["plan_id"])
        finally:
            process_stack.thaw_temporal()
        assert kind == "service_unavailable", words
        await process_stack.temporal_answers()
        assert (await operator.look(plan))["status"] == "pending_confirmation" and not await venue.journal(booking)
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
    assert done["plan"]["status"] == "completed" and len(person.forms) == 2
    assert len(await venue.journal(booking)) == 2
