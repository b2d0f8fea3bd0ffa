"""The trace of a plan whose worker dies, over real processes: the worker is killed while a step's write is under way
and Langfuse is unavailable, and another one completes the plan.

- It is one whole trace, under the specification's names: what the dead worker may have recorded and not sent is sent
  again.
- A span that both sent is one span. No attribute holds the guest's name, the phone or the operator's token.
"""

import hashlib
import json
from collections.abc import AsyncIterator

import pytest

from infra.observability.observer import trace_of
from tests.support import needs
from tests.support.langfuse import Langfuse, a_langfuse
from tests.support.process_stack import ProcessStack, own_redis
from tests.support.roller import a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.waiting import soon
from workflows.workflow_ids import request_trace

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PHONE = "0412 345 678"


@pytest.fixture(scope="module")
async def langfuse() -> AsyncIterator[Langfuse]:
    """The server that receives the traces."""
    async with a_langfuse() as one:
        yield one


@pytest.fixture(scope="module")
async def process_stack(langfuse: Langfuse, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ProcessStack]:
    """A stack with each part in its own process, with tracing."""
    needs.redis()
    traced = {"LANGFUSE_PUBLIC_KEY": "pk-death", "LANGFUSE_SECRET_KEY": "sk-death", "LANGFUSE_HOST": langfuse.url}
    async with own_redis() as url, ProcessStack(tmp_path_factory.mktemp("death"), url, **traced) as running:
        yield running


async def planned(langfuse: Langfuse) -> bool:
    """Return whether Langfuse has received how the plan was made."""
    return any(node.name == "plan_generation" for node in langfuse.sent())


async def test_a_plan_that_lives_through_a_workers_death_is_one_trace(
    process_stack: ProcessStack, langfuse: Langfuse
) -> None:
    guest = a_name()
    steps = then(("update_contact", {"phone": PHONE}), ("change_guest_count", {"guest_count": 14}))
    process_stack.scripted.script(guest, look_up(guest), steps, obey)
    async with process_stack.operator() as operator, process_stack.roller() as roller:
        booking = await roller.book(guest)
        plan = await operator.plan_for(f"{guest}: phone {PHONE}, 14 guests", request_id="r-1")
        await roller.fault("update-a-booking", "delay", path=f"/bookings/{booking['uniqueId']}", seconds=1.5)
        await soon(lambda: planned(langfuse))
        langfuse.away = True
        await operator.confirm(plan)
        await operator.until(plan, lambda p: p["actions"][1]["status"] == "running")
        await process_stack.kill_worker()
        langfuse.away = False
        await process_stack.start_worker()
        ended = await operator.settled(plan)
    key = hashlib.sha256(f"{operator.user}\nr-1".encode()).hexdigest()
    root = await langfuse.trace(trace_of(request_trace("roller-demo", operator.session, operator.user, key)))

    assert ended["status"] == "completed", ended
    names = [node.name for node in root.below]
    assert names == ["intent_understanding", "plan_generation", "user_confirmation", "execution"]
    execution = root.below[-1]
    shown = [node.name for node in execution.below if node.kind == "tool"]
    assert shown == ["update_contact", "change_guest_count"] and execution.output["outcome"] == "success"
    text = json.dumps([node.attributes for node in langfuse.sent()], ensure_ascii=False)
    assert [s for s in (*guest.split(), PHONE, "0412345678", "demo-operator") if s in text] == []
