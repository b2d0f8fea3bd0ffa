"""Venues take turns where tasks wait (`clients/temporal/chats.py`, `fairness_priority`), as far as a small run can
show; `iq bench fairness` measures the whole. Guarantees:

- A plan has its venue as its fairness key, which it inherits from its chat.
- Behind many waiting calls of one venue, the call of another is among the next; without keys it is among the last.
- A venue's id that is too long for a key becomes a key of its own.
"""

from datetime import timedelta
from uuid import uuid4

import pytest
from temporalio import activity, workflow
from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.common import Priority
from temporalio.worker import Worker

from cli.stack.dev import Stack
from clients.temporal.chats import fairness_priority
from infra.temporal.client import connect
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.waiting import LIMIT, soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

_MANY = 30
_done: list[str] = []


@activity.defn
async def call(venue: str) -> None:
    _done.append(venue)


@workflow.defn(sandboxed=False)
class OneCall:
    @workflow.run
    async def run(self, venue: str) -> None:
        queue = f"{workflow.info().task_queue}-venue"
        await workflow.execute_activity(call, venue, task_queue=queue, start_to_close_timeout=timedelta(seconds=LIMIT))


async def place_of_the_quiet(client: Client, noisy: Priority, quiet: Priority) -> int:
    """Return how many calls run before the quiet venue's one, which starts waiting behind all of the noisy venue's."""
    queue = f"fair-{uuid4().hex}"
    _done.clear()
    async with Worker(client, task_queue=queue, workflows=[OneCall]):
        for venue, priority in [*[("noisy", noisy)] * _MANY, ("quiet", quiet)]:
            started = await client.start_workflow(
                OneCall.run, venue, id=uuid4().hex, task_queue=queue, priority=priority
            )

        async def all_wait() -> bool:
            queue_type = TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY
            asked = DescribeTaskQueueRequest(
                namespace=client.namespace,
                task_queue=TaskQueue(name=f"{queue}-venue"),
                task_queue_type=queue_type,
                report_stats=True,
            )
            found = await client.workflow_service.describe_task_queue(asked)
            return found.stats.approximate_backlog_count > _MANY

        await soon(all_wait)
        async with Worker(client, task_queue=f"{queue}-venue", activities=[call], max_concurrent_activities=1):
            await started.result()
    return _done.index("quiet")


async def test_the_call_of_another_venue_is_among_the_next(stack: Stack) -> None:
    client = await connect(stack.settings)
    assert await place_of_the_quiet(client, fairness_priority("noisy"), fairness_priority("quiet")) < _MANY / 2
    assert await place_of_the_quiet(client, Priority(), Priority()) > _MANY / 2


async def test_a_plan_has_its_venue_as_its_key(stack: Stack, operator: Operator, party: Party) -> None:
    guest, _ = await party(("edit_note", {"note": "Cake at noon"}))
    plan = await operator.plan_for(f"note for {guest}: Cake at noon")
    client = await connect(stack.settings)
    found = await client.get_workflow_handle(f"plan-{plan['plan_id']}").describe()
    assert found.raw_description.workflow_execution_info.priority.fairness_key == plan["venue_id"]


async def test_a_long_id_is_still_one_key() -> None:
    one, other = fairness_priority("v" * 100).fairness_key, fairness_priority("v" * 101).fairness_key
    assert one != other
    assert one is not None and len(one.encode()) <= 64
    assert fairness_priority("caffè").fairness_key == "caffè"
