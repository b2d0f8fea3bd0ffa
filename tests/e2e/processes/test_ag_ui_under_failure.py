"""AG-UI's door when what stands behind it, or it itself, is gone. Real processes.

- A facade that is killed in the middle of a run takes nothing with it: the plan goes on, and the same resume, sent to
  the next facade, tells the run again to its end. Nothing is written twice.
- With Temporal hanging, an approval is refused with 503 or as a RUN_ERROR, never takes effect, and works when it is
  sent again. A run under way waits for Temporal, and goes on.
- With the worker killed, a run under way goes on with the next worker.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.support import needs
from tests.support.ag_ui_client import Client, Event, resolved
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.separate import Separate, own_redis
from tests.support.waiting import soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PHONE, COUNT = ("update_contact", {"phone": "0412 345 678"}), ("change_guest_count", {"guest_count": 14})
YES = {"approved": True}


@pytest.fixture(scope="module")
async def parts(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Separate]:
    """Each part a process of its own."""
    needs.redis()
    async with own_redis() as url, Separate(tmp_path_factory.mktemp("ag-ui"), url) as running:
        yield running


@pytest.fixture
async def client(parts: Separate) -> AsyncIterator[Client]:
    """A client with a fresh thread."""
    async with parts.operator() as one:
        yield Client(one)


@pytest.fixture
async def roller(parts: Separate) -> AsyncIterator[Roller]:
    """The venue."""
    async with parts.roller() as one:
        yield one
        await one.clear_faults()


async def waiting(parts: Separate, client: Client, roller: Roller) -> tuple[dict[str, Any], Event]:
    """(booking, input of the run that confirms) of a plan of two steps whose second is slow."""
    guest = a_name()
    booking = await roller.book(guest)
    parts.scripted.script(guest, look_up(guest), then(PHONE, COUNT), obey)
    shown = await client.say(f"{guest}: phone 0412 345 678, 14 guests")
    await roller.fault("update-a-booking", "delay", path=f"/bookings/{booking['uniqueId']}", seconds=2)
    return booking, client.body(resume=[resolved(shown.interrupts[0], YES)])


async def until_a_step_is_done(client: Client, body: Event) -> None:
    async with contextlib.aclosing(client.stream(body)) as stream:  # type: ignore[type-var]
        async for event in stream:
            if event["type"] == "TOOL_CALL_RESULT":
                return


async def test_the_facade_is_killed_in_the_middle_of_a_run(parts: Separate, client: Client, roller: Roller) -> None:
    booking, body = await waiting(parts, client, roller)
    await until_a_step_is_done(client, body)
    await parts.kill_facade()
    with pytest.raises(httpx.TransportError):
        await client.send(body)
    await parts.start_facade()
    await parts.ready()
    shown = await client.send(body)
    assert shown.outcome == {"type": "success"} and shown.state["plan"]["status"] == "completed"
    assert len(shown.of("TOOL_CALL_RESULT")) == 2 and len(await roller.journal(booking)) == 2


async def test_an_approval_while_temporal_hangs(parts: Separate, client: Client, roller: Roller) -> None:
    booking, body = await waiting(parts, client, roller)
    parts.freeze_temporal()
    try:
        answer = await client.one.http.post("/v1/ag-ui", json=body)
    finally:
        parts.thaw_temporal()
    assert answer.status_code == 503 or '"code":"service_unavailable"' in answer.text, answer.text
    await parts.temporal_answers()
    plan = (await client.command("watch")).state["plan"]
    assert plan["status"] == "pending_confirmation" and await roller.journal(booking) == []
    shown = await client.send(body)
    assert shown.state["plan"]["status"] == "completed" and len(await roller.journal(booking)) == 2


async def test_temporal_hangs_for_a_while_in_the_middle_of_a_run(
    parts: Separate, client: Client, roller: Roller
) -> None:
    booking, body = await waiting(parts, client, roller)
    running = asyncio.create_task(client.send(body))
    await soon(lambda: roller.journal(booking))
    parts.freeze_temporal()
    await asyncio.sleep(4)  # longer than a look at a plan may take
    parts.thaw_temporal()
    shown = await running
    if shown.end["type"] == "RUN_ERROR":
        shown.refused("service_unavailable")
        shown = await client.send(body)
    assert shown.outcome == {"type": "success"} and shown.state["plan"]["status"] == "completed"
    assert len(await roller.journal(booking)) == 2


async def test_the_worker_is_killed_in_the_middle_of_a_run(parts: Separate, client: Client, roller: Roller) -> None:
    booking, body = await waiting(parts, client, roller)
    running = asyncio.create_task(client.send(body))
    await soon(lambda: roller.journal(booking))
    await parts.kill_worker()
    await parts.start_worker()
    shown = await running
    assert shown.end["type"] == "RUN_FINISHED", shown.end
    assert shown.steps[:2] == [
        "Step 1: Update contact details",
        "Step 2: Change guest count",
    ]
    plan = await client.one.settled(shown.state["plan"])
    assert shown.state["plan"] == plan, "the run ended by how it stands"
