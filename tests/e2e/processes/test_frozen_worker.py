"""One of two workers stands still (SIGSTOP), as on a machine that swaps or in a container that is paused.

- Plans that are under way are carried out to their end while it still stands still, whichever of the two had them, and
  their chats answer.
- Each write is made once, also after that worker goes on.
"""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import uuid4

import pytest

from tests.support import needs
from tests.support.operator import SETTLED, Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.separate import own_redis
from tests.support.several import Several
from tests.support.venue_proxy import Call

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WORKERS = ("worker 1", "worker 2")
PLANS = 4
STEPS = (("change_guest_count", {"guest_count": 14}), ("edit_note", {"note": "Cake at noon"}))


@pytest.fixture(scope="module")
async def parts(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Several]:
    """Two workers and a facade."""
    needs.redis()
    async with (
        own_redis() as url,
        Several(tmp_path_factory.mktemp("frozen"), url, ("worker", "facade")) as running,
    ):
        await asyncio.gather(*(running.start(name, "worker") for name in WORKERS), running.start_api("facade 1"))
        yield running


async def drafted(parts: Several, operator: Operator, roller: Roller) -> tuple[dict[str, Any], dict[str, Any]]:
    """A booking, and a plan for it that waits."""
    guest = a_name()
    booking = await roller.book(guest)
    parts.scripted.script(guest, look_up(guest), then(*STEPS), obey)
    return booking, await operator.plan_for(f"14 guests and note Cake at noon for {guest}")


async def until_answered(operator: Operator, method: str, path: str, **given: Any) -> dict[str, Any]:
    """Ask until it is answered, saying the same again."""
    while True:
        answer = await operator.http.request(method, path, **given)
        if answer.status_code in (200, 202):
            found: dict[str, Any] = answer.json()
            return found
        assert answer.status_code == 503, answer.text
        await asyncio.sleep(0.3)


async def carried_out(operator: Operator, plan: dict[str, Any]) -> str:
    """Confirm a plan and wait for its end."""
    path = f"/v1/plans/{plan['plan_id']}"
    word = {"user_id": operator.user, "request_id": plan["plan_id"]}
    await until_answered(operator, "POST", f"{path}/confirm", json=word)
    while True:
        found = await until_answered(operator, "GET", path, params={"user_id": operator.user})
        if found["status"] in SETTLED:
            return str(found["status"])
        await asyncio.sleep(0.3)


async def chatted(operator: Operator) -> str:
    """What the chat says when it is asked for what its plan has changed, which takes no model."""
    text = {"user_message": "What did you just change?", "session_id": operator.session, "user_id": operator.user}
    turn = await until_answered(operator, "POST", "/v1/requests", json={**text, "request_id": uuid4().hex})
    return str(turn["type"])


@pytest.mark.parametrize("name", WORKERS)
async def test_plans_and_chats_go_on_beside_a_worker_that_stands_still(parts: Several, name: str) -> None:
    worker, stands_still = parts.processes[name], asyncio.Event()

    async def freeze(call: Call) -> None:
        if call.method == "PUT" and not stands_still.is_set():
            worker.send_signal(signal.SIGSTOP)
            stands_still.set()

    async with AsyncExitStack() as open_, parts.roller() as roller:
        operators = [await open_.enter_async_context(parts.at("facade 1", "demo-operator")) for _ in range(PLANS)]
        waiting = [await drafted(parts, one, roller) for one in operators]
        parts.proxy.before = freeze
        ends = [asyncio.create_task(carried_out(one, plan)) for one, (_, plan) in zip(operators, waiting, strict=True)]
        try:
            await asyncio.wait([asyncio.create_task(stands_still.wait()), *ends], return_when=asyncio.FIRST_COMPLETED)
            assert stands_still.is_set(), await asyncio.gather(*ends)
            assert await asyncio.gather(*(chatted(one) for one in operators)) == ["answer"] * PLANS
            assert await asyncio.gather(*ends) == ["completed"] * PLANS
        finally:
            worker.send_signal(signal.SIGCONT)
            parts.proxy.let_go()
        another = await open_.enter_async_context(parts.at("facade 1", "demo-operator"))
        later = await drafted(parts, another, roller)
        assert await carried_out(another, later[1]) == "completed", "with the worker that goes on beside it"
        for booking, _ in [*waiting, later]:
            assert len(await roller.journal(booking)) == len(STEPS)
