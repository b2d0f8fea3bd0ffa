"""The token store is unavailable for a while, which a plan distinguishes from an unavailable venue (real processes, a
Redis of our own).

- Unavailable for 1.5 s or 3 s just before a write: the plan waits and completes.
- Unavailable for good: the plan fails with its own message, nothing was sent, and the booking system is not blamed.
"""

import asyncio
import contextlib
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import redis.asyncio

from contracts.chat_messages import PlanView
from tests.support.process_stack import ProcessStack
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, then
from tests.support.scripted_model import obey as obeying
from tests.support.stacks import free_base
from tests.support.venue_proxy import Call
from tests.support.waiting import STARTING, soon
from workflows.plan.workflow import PlanWorkflow
from workflows.workflow_ids import plan_workflow

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.slow,
    pytest.mark.skipif(which("redis-server") is None, reason="no redis-server"),
]

STEPS = [("reschedule_booking", {"new_start_time": "15:00"}), ("edit_note", {"note": "Cake"})]


@pytest.fixture(scope="module")
async def store(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Process, str]]:
    """A Redis that may be stopped without effect on other tests."""
    port, folder = free_base(1), tmp_path_factory.mktemp("redis")
    options = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder))
    process = await asyncio.create_subprocess_exec("redis-server", *options, stdout=DEVNULL, stderr=DEVNULL)
    url = f"redis://127.0.0.1:{port}/0"
    async with redis.asyncio.from_url(url) as one:

        async def answers() -> bool:
            with contextlib.suppress(redis.exceptions.RedisError):
                return bool(await one.ping())
            return False

        await soon(answers)
    yield process, url
    process.send_signal(signal.SIGCONT)
    process.kill()
    await process.wait()


@pytest.fixture(scope="module")
async def process_stack(
    store: tuple[Process, str], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ProcessStack]:
    """The product's processes, with calls patient enough for the store's time-out to matter."""
    data: Path = tmp_path_factory.mktemp("e12")
    async with ProcessStack(data, store[1], IQ_CALL_TIMEOUT="20") as running:
        yield running


@pytest.mark.parametrize("away", [1.5, 3.0, None])
async def test_a_store_that_is_away_before_a_write(
    process_stack: ProcessStack, store: tuple[Process, str], away: float | None
) -> None:
    guest = a_name()
    async with process_stack.roller() as roller, process_stack.operator() as operator:
        before = await roller.book(guest)
        process_stack.scripted.script(guest, look_up(guest), then(*STEPS), obeying)
        plan = await operator.plan_for(f"{guest} to 3pm, and the note Cake")
        process, resumed = store[0], list[asyncio.Task[None]]()

        async def resume(after: float) -> None:
            await asyncio.sleep(after)
            process.send_signal(signal.SIGCONT)

        async def stop(call: Call) -> None:
            """Suspend the store once the first step's change is applied: the next write needs its token."""
            if call.method == "PUT" and not resumed:
                process.send_signal(signal.SIGSTOP)
                resumed.append(asyncio.create_task(resume(STARTING if away is None else away)))

        process_stack.proxy.after = stop
        await operator.confirm(plan)
        try:
            if away is None:
                await soon(lambda: has_failed(process_stack, plan))
                process.send_signal(signal.SIGCONT)
            found = await operator.settled(plan)
        finally:
            process_stack.proxy.let_go()
            process.send_signal(signal.SIGCONT)
            for task in resumed:
                task.cancel()
        writes = [row["body"] for row in await roller.journal(before)]
        if away is not None:
            assert found["status"] == "completed", found
            assert len(writes) == 2
            return
        await away_for_good(roller, before["uniqueId"], found)


async def has_failed(process_stack: ProcessStack, plan: dict[str, Any]) -> bool:
    """Return whether the plan's workflow has given its step up, which the API cannot report without its store."""
    view: PlanView = await process_stack.client.get_workflow_handle_for(
        PlanWorkflow.run, plan_workflow(plan["plan_id"])
    ).query(PlanWorkflow.plan)
    return view.plan.failure is not None


async def away_for_good(roller: Roller, booking: str, found: dict[str, object]) -> None:
    """Check the failure of a plan whose second step could not be sent."""
    text = str(found["failure"])
    assert "Redis" in text and "nothing was sent" in text, text
    assert "did not answer in time" not in text, "the booking system is not to blame"
    assert not (await roller.booking(booking))["comments"], "the note was never sent"
    assert found["status"] == "rolled_back", found
