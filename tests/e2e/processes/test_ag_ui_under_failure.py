"""The AG-UI endpoint when a part behind it, or the API itself, is gone. Real processes.

- An API that is killed in the middle of a run loses nothing: the plan goes on, and the same resume, sent to the next
  API, replays the run to its end. Nothing is written twice.
- While Temporal hangs, an approval is refused with 503 or as a RUN_ERROR, never takes effect, and works when it is sent
  again. A run under way waits for Temporal, and goes on.
- After the worker is killed, a run under way goes on with the next worker.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.support import needs
from tests.support.ag_ui_client import Client, Event, resolved
from tests.support.process_stack import ProcessStack, own_redis
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PHONE, COUNT = ("update_contact", {"phone": "0412 345 678"}), ("change_guest_count", {"guest_count": 14})
YES = {"approved": True}


@pytest.fixture(scope="module")
async def process_stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ProcessStack]:
    """A stack with each part in its own process."""
    needs.redis()
    async with own_redis() as url, ProcessStack(tmp_path_factory.mktemp("ag-ui"), url) as running:
        yield running


@pytest.fixture
async def client(process_stack: ProcessStack) -> AsyncIterator[Client]:
    """A client with a fresh thread."""
    async with process_stack.operator() as one:
        yield Client(one)


@pytest.fixture
async def roller(process_stack: ProcessStack) -> AsyncIterator[Roller]:
    """The venue."""
    async with process_stack.roller() as one:
        yield one
        await one.clear_faults()


async def waiting(process_stack: ProcessStack, client: Client, roller: Roller) -> tuple[dict[str, Any], Event]:
    """Return (booking, input of the run that confirms) of a plan of two steps whose second is slow."""
    guest = a_name()
    booking = await roller.book(guest)
    process_stack.scripted.script(guest, look_up(guest), then(PHONE, COUNT), obey)
    shown = await client.say(f"{guest}: phone 0412 345 678, 14 guests")
    await roller.fault("update-a-booking", "delay", path=f"/bookings/{booking['uniqueId']}", seconds=2)
    return booking, client.body(resume=[resolved(shown.interrupts[0], YES)])


async def until_a_step_is_done(client: Client, body: Event) -> None:
    async with contextlib.aclosing(client.stream(body)) as stream:  # type: ignore[type-var]
        async for event in stream:
            if event["type"] == "TOOL_CALL_RESULT":
                return


async def test_the_facade_is_killed_in_the_middle_of_a_run(
    process_stack: ProcessStack, client: Client, roller: Roller
) -> None:
    booking, body = await waiting(process_stack, client, roller)
    await until_a_step_is_done(client, body)
    await process_stack.kill_facade()
    with pytest.raises(httpx.TransportError):
        await client.send(body)
    await process_stack.start_facade()
    await process_stack.ready()
    shown = await client.send(body)
    assert shown.outcome == {"type": "success"} and shown.state["plan"]["status"] == "completed"
    assert len(shown.of("TOOL_CALL_RESULT")) == 2 and len(await roller.journal(booking)) == 2


async def test_an_approval_while_temporal_hangs(process_stack: ProcessStack, client: Client, roller: Roller) -> None:
    booking, body = await waiting(process_stack, client, roller)
    process_stack.freeze_temporal()
    try:
        answer = await client.one.http.post("/v1/ag-ui", json=body)
    finally:
        process_stack.thaw_temporal()
    assert answer.status_code == 503 or '"code":"service_unavailable"' in answer.text, answer.text
    await process_stack.temporal_answers()
    plan = (await client.command("watch")).state["plan"]
    assert plan["status"] == "pending_confirmation" and await roller.journal(booking) == []
    shown = await client.send(body)
    assert shown.state["plan"]["status"] == "completed" and len(await roller.journal(booking)) == 2


async def test_temporal_hangs_for_a_while_in_the_middle_of_a_run(
    process_stack: ProcessStack, client: Client, roller: Roller
) -> None:
    booking, body = await waiting(process_stack, client, roller)
    running = asyncio.create_task(client.send(body))
    await soon(lambda: roller.journal(booking))
    process_stack.freeze_temporal()
    await asyncio.sleep(4)  # longer than a read of a plan may take
    process_stack.thaw_temporal()
    shown = await running
    if shown.end["type"] == "RUN_ERROR":
        shown.refused("service_unavailable")
        shown = await client.send(body)
    assert shown.outcome == {"type": "success"} and shown.state["plan"]["status"] == "completed"
    assert len(await roller.journal(booking)) == 2


async def test_the_worker_is_killed_in_the_middle_of_a_run(
    process_stack: ProcessStack, client: Client, roller: Roller
) -> None:
    booking, body = await waiting(process_stack, client, roller)
    running = asyncio.create_task(client.send(body))
    await soon(lambda: roller.journal(booking))
    await process_stack.kill_worker()
    await process_stack.start_worker()
    shown = await running
    assert shown.end["type"] == "RUN_FINISHED", shown.end
    assert shown.steps[:2] == [
        "Step 1: Update contact details",
        "Step 2: Change guest count",
    ]
    plan = await client.one.settled(shown.state["plan"])
    assert shown.state["plan"] == plan, "the run ended by how it stands"
