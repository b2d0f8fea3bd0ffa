"""A plan in mid-write while parts of the system are suspended for a while.

- Redis for 3 s, Temporal for 5 s, the venue for 10 s, in pairs: the plan ends as it would without, and each write is
  made once.
- A worker that is paused for 2 s in mid-write loses nothing: the plan does not even need a read-back.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest
from temporalio.api.enums.v1 import EventType

from tests.support import needs
from tests.support.process_stack import ProcessStack
from tests.support.redis_server import RedisServer
from tests.support.roller import a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.stacks import free_base
from tests.support.venue_proxy import Call, Hook

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

STEPS = (("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"}))


@pytest.fixture(scope="module")
async def store() -> AsyncIterator[RedisServer]:
    """A Redis that can be suspended."""
    needs.redis_server()
    async with RedisServer(free_base(1)) as running:
        yield running


@pytest.fixture(scope="module")
async def process_stack(store: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ProcessStack]:
    """A stack with each part in its own process, with calls patient enough for a venue that is suspended for 10 s."""
    async with ProcessStack(tmp_path_factory.mktemp("stalls"), store.url, IQ_CALL_TIMEOUT="40") as running:
        yield running


async def effects_of(process_stack: ProcessStack, plan_id: str) -> list[str]:
    """Return the activities of a plan, in order."""
    handle = process_stack.client.get_workflow_handle(f"plan-{plan_id}")
    return [
        event.activity_task_scheduled_event_attributes.activity_type.name
        async for event in handle.fetch_history_events()
        if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED
    ]


async def test_a_worker_that_is_paused_loses_no_write(process_stack: ProcessStack) -> None:
    async def pause(call: Call) -> None:
        if call.method == "PUT" and call.body.get("comments"):
            await process_stack.pause_worker(2)

    plan_id = await _ends_well(process_stack, pause)
    assert "read_back" not in await effects_of(process_stack, plan_id)


@pytest.mark.parametrize("still", ["redis temporal", "redis venue", "temporal venue"])
async def test_what_stands_still_for_a_while_changes_nothing(
    process_stack: ProcessStack, store: RedisServer, still: str
) -> None:
    async def go_on(after: float, what: str) -> None:
        await asyncio.sleep(after)
        store.go_on() if what == "redis" else process_stack.temporal_goes_on()

    errands = []

    async def stall(call: Call) -> None:
        if call.method != "PUT" or not call.body.get("comments"):
            return
        if "redis" in still:
            store.stall()
            errands.append(asyncio.create_task(go_on(3, "redis")))
        if "temporal" in still:
            process_stack.stall_temporal()
            errands.append(asyncio.create_task(go_on(5, "temporal")))
        if "venue" in still:
            await asyncio.sleep(10)

    await _ends_well(process_stack, stall)
    await asyncio.gather(*errands)


async def _ends_well(process_stack: ProcessStack, disturb: Hook) -> str:
    """Run a plan of two steps whose second write is disturbed, and check that it does not show. Return its id."""
    guest = a_name()
    async with process_stack.roller() as roller, process_stack.operator() as operator:
        booking = await roller.book(guest)
        process_stack.scripted.script(guest, look_up(guest), then(*STEPS), obey)
        plan = await operator.plan_for(f"14 guests and note Cake at noon for {guest}")
        process_stack.proxy.before = disturb
        await operator.confirm(plan)
        try:
            ended = await operator.settled(plan)
        finally:
            process_stack.proxy.let_go()
        assert ended["status"] == "completed", ended
        assert len(await roller.journal(booking)) == 2
        now = await roller.booking(booking["uniqueId"])
        assert (now["items"][0]["quantity"], now["comments"]) == (14, "Cake at noon")
    return str(plan["plan_id"])
