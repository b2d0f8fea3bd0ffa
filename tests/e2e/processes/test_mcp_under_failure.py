"""MCP's door when what stands behind it, or it itself, is gone. Real processes.

- A facade that is killed while a person reads a form takes nothing with it: the answer, sent to the next one, counts.
- One that is killed while a plan runs stops nothing: the same call, made again, asks nobody and tells the end. Nothing
  is written twice.
- A person's yes that comes while Temporal hangs is refused, in words, and never takes effect; a new one does.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.support import needs
from tests.support.mcp_client import MODERN, Assistant, Form, Person, assistant, yes
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.separate import Separate, own_redis
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PHONE, COUNT = ("update_contact", {"phone": "0412 345 678"}), ("change_guest_count", {"guest_count": 14})


@pytest.fixture(scope="module")
async def parts(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Separate]:
    """Each part a process of its own."""
    needs.redis()
    async with own_redis() as url, Separate(tmp_path_factory.mktemp("mcp"), url) as running:
        yield running


@pytest.fixture
async def one(parts: Separate) -> AsyncIterator[Operator]:
    """An operator."""
    async with parts.operator() as found:
        yield found


@pytest.fixture
async def roller(parts: Separate) -> AsyncIterator[Roller]:
    """The venue."""
    async with parts.roller() as found:
        yield found
        await found.clear_faults()


async def pending(parts: Separate, model: Assistant, roller: Roller) -> tuple[dict[str, Any], dict[str, Any]]:
    """(plan, booking) of a plan of two steps whose writes are slow."""
    guest = a_name()
    booking = await roller.book(guest)
    parts.scripted.script(guest, look_up(guest), then(PHONE, COUNT), obey)
    proposed = await model.call("propose_change", message=f"{guest}: phone 0412 345 678, 14 guests")
    await roller.fault("update-a-booking", "delay", path=f"/bookings/{booking['uniqueId']}", seconds=2)
    return proposed["plan"], booking


async def test_the_facade_is_killed_while_a_person_reads(parts: Separate, one: Operator, roller: Roller) -> None:
    async def meanwhile(form: Form) -> Any:
        await parts.kill_facade()
        await parts.start_facade()
        await parts.ready()
        return yes(form)

    async with assistant(one, MODERN, Person(meanwhile)) as model:
        plan, booking = await pending(parts, model, roller)
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
    assert done["plan"]["status"] == "completed" and len(await roller.journal(booking)) == 2


async def test_the_facade_is_killed_while_a_plan_runs(parts: Separate, one: Operator, roller: Roller) -> None:
    person = Person(yes)
    async with assistant(one, MODERN, person) as model:
        plan, booking = await pending(parts, model, roller)
        running = asyncio.create_task(model.call("confirm_plan", plan_id=plan["plan_id"]))
        await soon(lambda: roller.journal(booking))
        await parts.kill_facade()
        [lost] = await asyncio.gather(running, return_exceptions=True)
        assert isinstance(lost, Exception), "its answer is lost"
        await parts.start_facade()
        await parts.ready()
    async with assistant(one, MODERN, person) as model:
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
    assert done["plan"]["status"] == "completed" and len(person.forms) == 1
    assert len(await roller.journal(booking)) == 2


async def test_a_yes_while_temporal_hangs(parts: Separate, one: Operator, roller: Roller) -> None:
    async def meanwhile(form: Form) -> Any:
        if len(person.forms) == 1:
            parts.freeze_temporal()
        return yes(form)

    person = Person(meanwhile)
    async with assistant(one, MODERN, person) as model:
        plan, booking = await pending(parts, model, roller)
        try:
            kind, words = await model.refused("confirm_plan", plan_id=plan["plan_id"])
        finally:
            parts.thaw_temporal()
        assert kind == "service_unavailable", words
        await parts.temporal_answers()
        assert (await one.look(plan))["status"] == "pending_confirmation" and not await roller.journal(booking)
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
    assert done["plan"]["status"] == "completed" and len(person.forms) == 2
    assert len(await roller.journal(booking)) == 2
