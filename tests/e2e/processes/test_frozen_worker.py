"""One of two workers is suspended (SIGSTOP), as on a machine that swaps or in a paused container.

- Plans that are under way complete while it is still suspended, whichever of the two had them, and their chats answer.
- Each write is made once, also after that worker resumes.
"""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import uuid4

import pytest

from tests.support import needs
from tests.support.multi_process_stack import MultiProcessStack
from tests.support.operator import SETTLED, Operator
from tests.support.process_stack import own_redis
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.venue_proxy import Call

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WORKERS = ("worker 1", "worker 2")
PLANS = 4
STEPS = (("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"}))


@pytest.fixture(scope="module")
async def process_stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MultiProcessStack]:
    """Two workers and an API."""
    needs.redis()
    async with (
        own_redis() as url,
        MultiProcessStack(tmp_path_factory.mktemp("frozen"), url, ("worker", "facade")) as running,
    ):
        await asyncio.gather(*(running.start(name, "worker") for name in WORKERS), running.start_api("facade 1"))
        yield running


async def drafted(
    process_stack: MultiProcessStack, operator: Operator, roller: Roller
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a booking, and a pending plan for it."""
    guest = a_name()
    booking = await roller.book(guest)
    process_stack.scripted.script(guest, look_up(guest), then(*STEPS), obey)
    return booking, await operator.plan_for(f"14 guests and note Cake at noon for {guest}")


async def until_answered(operator: Operator, method: str, path: str, **given: Any) -> dict[str, Any]:
    """Repeat the same request until it is answered."""
    while True:
        answer = await operator.http.request(method, path, **given)
        if answer.status_code in (200, 202):
            found: dict[str, Any] = answer.json()
            return found
        assert answer.status_code == 503, answer.text
        await asyncio.sleep(0.3)


async def carried_out(operator: Operator, plan: dict[str, Any]) -> str:
    """Confirm a plan, wait for its end and return its status."""
    path = f"/v1/plans/{plan['plan_id']}"
    word = {"user_id": operator.user, "request_id": plan["plan_id"]}
    await until_answered(operator, "POST", f"{path}/confirm", json=word)
    while True:
        found = await until_answered(operator, "GET", path, params={"user_id": operator.user})
        if found["status"] in SETTLED:
            return str(found["status"])
        await asyncio.sleep(0.3)


async def chatted(operator: Operator) -> str:
    """Return the chat's answer to what its plan has changed, which takes no model."""
    text = {"user_message": "What did you just change?", "session_id": operator.session, "user_id": operator.user}
    turn = await until_answered(operator, "POST", "/v1/requests", json={**text, "request_id": uuid4().hex})
    return str(turn["type"])


@pytest.mark.parametrize("name", WORKERS)
async def test_plans_and_chats_go_on_beside_a_worker_that_stands_still(
    process_stack: MultiProcessStack, name: str
) -> None:
    worker, stands_still = process_stack.processes[name], asyncio.Event()

    async def freeze(call: Call) -> None:
        if call.method == "PUT" and not stands_still.is_set():
            worker.send_signal(signal.SIGSTOP)
            stands_still.set()

    async with AsyncExitStack() as open_, process_stack.roller() as roller:
        operators = [
            await open_.enter_async_context(process_stack.at("facade 1", "demo-operator")) for _ in range(PLANS)
        ]
        waiting = [await drafted(process_stack, one, roller) for one in operators]
        process_stack.proxy.before = freeze
        ends = [asyncio.create_task(carried_out(one, plan)) for one, (_, plan) in zip(operators, waiting, strict=True)]
        try:
            await asyncio.wait([asyncio.create_task(stands_still.wait()), *ends], return_when=asyncio.FIRST_COMPLETED)
            assert stands_still.is_set(), await asyncio.gather(*ends)
            assert await asyncio.gather(*(chatted(one) for one in operators)) == ["answer"] * PLANS
            assert await asyncio.gather(*ends) == ["completed"] * PLANS
        finally:
            worker.send_signal(signal.SIGCONT)
            process_stack.proxy.let_go()
        another = await open_.enter_async_context(process_stack.at("facade 1", "demo-operator"))
        later = await drafted(process_stack, another, roller)
        assert await carried_out(another, later[1]) == "completed", "with the worker that goes on beside it"
        for booking, _ in [*waiting, later]:
            assert len(await roller.journal(booking)) == len(STEPS)
