"""Workers by role and by version, each its own process.

- Each role does its part: calls of the venue on one task queue, of the model on another, the rest on the plans' own.
- A plan from before the queues were split is executed by the plan role alone.
- `/readyz` reports the queue without a worker once that worker has died, and the search attribute that Temporal lacks,
  with the command; the log has the same at start.
- A process whose keys do not read the newest plans reports it at start.
- SIGTERM lets a write that was sent finish and logs what it waits for; a second one ends at once.
- A plan that waits on a question during a deploy ends on the code that it began on, and a later one on the new code;
  `iq deploy list` shows which workers are still needed. The first version takes over what began without one.
- `iq deploy current` refuses a version without a worker for a task queue that others poll, and names the one to start.
"""

import asyncio
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from temporalio.api.enums.v1 import EventType, IndexedValueType
from temporalio.api.history.v1 import HistoryEvent
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest, RemoveSearchAttributesRequest

from clients.temporal.deployments import pollers
from clients.temporal.search_attributes import undecryptable_plan
from infra.crypto.keyring import new_key_line, parse_ring
from infra.temporal.task_queues import Role, task_queue_for
from tests.support import http, needs
from tests.support.multi_process_stack import MultiProcessStack
from tests.support.operator import Operator
from tests.support.process_stack import own_redis
from tests.support.processes import IQ, ROOT, answers
from tests.support.roller import a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.venue_proxy import Call
from tests.support.waiting import LIMIT, soon

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE = ("edit_note", {"note": "Cake at noon"})
ASKS = {"ask_operator": {"question": "Which colour?"}}
ROLES = ("plan", "venue", "model")


@pytest.fixture(scope="module")
async def process_stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MultiProcessStack]:
    """Temporal, venue, model, an API, and a worker for each role."""
    needs.redis()
    settings = {"IQ_SPLIT_QUEUES": "true", "IQ_CALL_TIMEOUT": "60"}
    async with (
        own_redis() as url,
        MultiProcessStack(tmp_path_factory.mktemp("roles"), url, ("worker",), **settings) as running,
    ):
        await asyncio.gather(*(running.start(role, "worker", "--role", role) for role in ROLES))
        await answers(f"{running.facade_url}/readyz")
        yield running


@pytest.fixture
async def operator(process_stack: MultiProcessStack) -> AsyncIterator[Operator]:
    """An operator with a fresh chat."""
    async with process_stack.operator() as one:
        yield one


async def a_plan(process_stack: MultiProcessStack, operator: Operator, *executing: Any) -> dict[str, Any]:
    """Return a pending plan of one note."""
    guest = a_name()
    async with process_stack.roller() as venue:
        await venue.book(guest)
    process_stack.scripted.script(guest, look_up(guest), then(NOTE), *(executing or (obey,)))
    return await operator.plan_for(f"a note for {guest}: Cake at noon")


async def history(process_stack: MultiProcessStack, plan: dict[str, Any]) -> list[HistoryEvent]:
    return [e async for e in process_stack.client.get_workflow_handle(f"plan-{plan['plan_id']}").fetch_history_events()]


async def queues_of(process_stack: MultiProcessStack, plan: dict[str, Any]) -> dict[str, str]:
    """Return the task queue of each activity of a plan."""
    found = {}
    for event in await history(process_stack, plan):
        if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
            asked = event.activity_task_scheduled_event_attributes
            found[asked.activity_type.name] = asked.task_queue.name
    return found


async def worker_part(url: str, part: str = "worker") -> str:
    """Return the /readyz report of a part, once it has answered in time."""
    async with http.client() as asking:
        while True:
            message = str((await asking.get(f"{url}/readyz")).json()["parts"][part])
            if not message.startswith("no answer within"):
                return message


async def test_each_role_does_its_part(process_stack: MultiProcessStack, operator: Operator) -> None:
    plan = await a_plan(process_stack, operator)
    await operator.confirm(plan)
    assert (await operator.settled(plan))["status"] == "completed"
    queues = await queues_of(process_stack, plan)
    assert {queues[name] for name in ("take_snapshot", "act")} == {"iq-venue"}
    assert queues["reason"] == "iq-model"
    assert queues["commit_command"] == "iq"


async def test_a_dead_role_is_reported_of_within_ten_seconds(process_stack: MultiProcessStack) -> None:
    await answers(f"{process_stack.facade_url}/readyz")
    await process_stack.end("venue")
    await until_it_says(process_stack, "no worker polls iq-venue")
    await process_stack.start("venue", "worker", "--role", "venue")
    await answers(f"{process_stack.facade_url}/readyz")


async def test_a_plan_from_before_the_split_needs_the_plan_role_alone(process_stack: MultiProcessStack) -> None:
    await process_stack.start_api("before", IQ_SPLIT_QUEUES="false")
    async with process_stack.at("before", "demo-operator") as operator:
        plan = await a_plan(process_stack, operator)
        await process_stack.end("venue")
        await process_stack.end("model")
        await operator.confirm(plan)
        assert (await operator.settled(plan))["status"] == "completed"
    assert set((await queues_of(process_stack, plan)).values()) == {"iq"}
    await process_stack.end("before")
    await asyncio.gather(*(process_stack.start(role, "worker", "--role", role) for role in ("venue", "model")))


async def test_a_facade_tells_at_start_what_it_lacks(process_stack: MultiProcessStack, operator: Operator) -> None:
    """A search attribute, and the keys of the data in Temporal."""
    plan = await a_plan(process_stack, operator)
    ours = process_stack._environment["IQ_KEYS"]
    await soon(lambda: undecryptable_plan(process_stack.client, parse_ring(new_key_line())))
    assert await undecryptable_plan(process_stack.client, parse_ring(f"{new_key_line()},{ours}")) == ""
    service = process_stack.client.operator_service
    gone = RemoveSearchAttributesRequest(namespace="default", search_attributes=["IqUser"])
    await service.remove_search_attributes(gone)
    url = await process_stack.start_api("new", ready=False, IQ_KEYS=new_key_line())
    await answers(f"{url}/healthz")
    register = "temporal operator search-attribute create --name IqUser --type Keyword"
    assert register in await worker_part(url, "search_attributes")
    log = process_stack.log_of("new")
    assert register in log
    assert "plans in Temporal cannot be read with the keys of this process" in log
    lacking = f"key {ours.partition(':')[0]}, which is not on the ring"
    assert lacking in log
    async with process_stack.at("new", "demo-operator") as anybody:
        asked = await anybody.http.get(f"/v1/plans/{plan['plan_id']}", params={"user_id": operator.user})
    assert asked.status_code == 503
    assert lacking in process_stack.log_of("new").replace(log, ""), "at each request that meets it"
    kinds = {"IqUser": IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD}
    await service.add_search_attributes(AddSearchAttributesRequest(namespace="default", search_attributes=kinds))
    await answers(f"{process_stack.facade_url}/readyz")
    assert await worker_part(url, "search_attributes") == "ok"
    await process_stack.end("new")


@pytest.mark.parametrize("again", [False, True], ids=["once", "twice"])
async def test_a_worker_that_is_reported_to_stop(
    process_stack: MultiProcessStack, operator: Operator, again: bool
) -> None:
    """After one signal it finishes what it has begun; after two it ends at once, and others look for what was lost."""
    plan = await a_plan(process_stack, operator)
    sent, go_on = asyncio.Event(), asyncio.Event()

    async def hold(call: Call) -> None:
        if call.method != "GET":
            sent.set()
            await go_on.wait()

    process_stack.proxy.before = hold
    try:
        await operator.confirm(plan)
        async with asyncio.timeout(LIMIT):
            await sent.wait()
        seen = len(process_stack.log_of("venue"))
        process_stack.processes["venue"].send_signal(signal.SIGTERM)
        await process_stack.says("venue", "takes nothing new; waits up to 60 s for 1 act. A second signal", seen)
        if again:
            # The write is held until the worker has ended.
            assert await process_stack.end("venue", signal.SIGTERM) == 1
            assert "in the middle of 1 act" in process_stack.log_of("venue")
        else:
            go_on.set()
            assert await process_stack.processes.pop("venue").wait() == 0
    finally:
        go_on.set()
        process_stack.proxy.let_go()
        await process_stack.start("venue", "worker", "--role", "venue")
    assert (await operator.settled(plan))["status"] == "completed"
    if not again:
        assert "read_back" not in await queues_of(process_stack, plan), "the write came to its end"


def other_code(tmp_path: Path) -> Path:
    """Return a copy of the tree whose plans begin with a timer: a plan of the current code cannot continue there."""
    tree = tmp_path / "other"
    ignored = shutil.ignore_patterns(".venv", ".git", ".iq", "tests", "docs", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, tree, ignore=ignored)
    page = tree / "workflows" / "plan" / "workflow.py"
    right = "        activate_locale(start.profile.locale, start.profile.words)\n        life ="
    wrong = right.replace("life =", "await asyncio.sleep(0.01)\n        life =")
    assert right in page.read_text()
    page.write_text(page.read_text().replace(right, wrong))
    return tree


def deploy(process_stack: MultiProcessStack, *arguments: str, code: int = 0) -> str:
    environment = {**process_stack._environment, "PATH": "/usr/bin"}
    done = subprocess.run([*IQ, "deploy", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


async def versions_of(process_stack: MultiProcessStack, plan: dict[str, Any]) -> set[str]:
    """Return the versions that worked on a plan."""
    return {
        event.workflow_task_completed_event_attributes.deployment_version.build_id
        for event in await history(process_stack, plan)
        if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED
    }


async def a_first_version(process_stack: MultiProcessStack) -> None:
    """Replace the workers without a version with workers of version one."""
    if "one" in process_stack.processes:
        return
    await asyncio.gather(*(process_stack.end(role, signal.SIGTERM) for role in ROLES))
    await process_stack.start("one", "worker", IQ_BUILD_ID="one")
    assert "iq deploy current" in await until_it_says(process_stack, "of one some do")
    await asyncio.to_thread(deploy, process_stack, "current", "one")
    await answers(f"{process_stack.facade_url}/readyz")


async def test_the_first_version_takes_over_what_began_without_one(
    process_stack: MultiProcessStack, operator: Operator
) -> None:
    plan = await a_plan(process_stack, operator)
    await a_first_version(process_stack)
    await operator.confirm(plan)
    assert (await operator.settled(plan))["status"] == "completed"
    assert "one" in await versions_of(process_stack, plan)


async def test_a_deploy_lets_each_plan_end_on_its_own_code(
    process_stack: MultiProcessStack, operator: Operator, tmp_path: Path
) -> None:
    await a_first_version(process_stack)
    old = await a_plan(process_stack, operator, ASKS, obey)
    await operator.confirm(old)
    await operator.asked(old)

    await process_stack.start("two", "worker", tree=other_code(tmp_path), IQ_BUILD_ID="two")
    await asyncio.to_thread(deploy, process_stack, "current", "two")
    async with process_stack.operator() as second:
        new = await a_plan(process_stack, second, ASKS, obey)
        await second.confirm(new)
        await second.asked(new)
        for one, plan in ((operator, old), (second, new)):
            answered = await one.post(f"/v1/plans/{plan['plan_id']}/answers", user_id=one.user, user_message="red")
            assert answered.status_code == 200, answered.text
            assert (await one.settled(plan))["status"] == "completed"
    assert await versions_of(process_stack, old) == {"one"}
    assert await versions_of(process_stack, new) == {"two"}
    listed = await asyncio.to_thread(deploy, process_stack, "list")
    assert [line.split(maxsplit=1) for line in listed.splitlines()] == [
        ["two", "new plans begin here"], ["one", "may have plans: keep its workers"],
    ]  # fmt: skip
    for name in ("one", "two"):
        assert "Nondeterminism" not in process_stack.log_of(name), process_stack.log_of(name)[-2000:]


async def test_a_version_that_lacks_a_part_is_not_made_current(process_stack: MultiProcessStack) -> None:
    await process_stack.start("half", "worker", "--role", "plan", IQ_BUILD_ID="half")
    await until_it_polls(process_stack, "half")
    message = await asyncio.to_thread(deploy, process_stack, "current", "half", code=1)
    assert "no worker of version half polls iq-venue" in message
    assert "IQ_BUILD_ID=half iq worker --role venue" in message
    assert "half                           was never current" in await asyncio.to_thread(deploy, process_stack, "list")
    await process_stack.start("rest", "worker", "--role", "venue", "--role", "model", IQ_BUILD_ID="half")
    await until_it_polls(process_stack, "half", Role.VENUE)
    await until_it_polls(process_stack, "half", Role.MODEL)
    await asyncio.to_thread(deploy, process_stack, "current", "half")
    await answers(f"{process_stack.facade_url}/readyz")


async def until_it_polls(process_stack: MultiProcessStack, build: str, role: Role = Role.PLAN) -> None:
    """Wait until Temporal lists the worker, which is a moment after the worker reports it."""

    async def heard() -> bool:
        return build in (await pollers(process_stack.client, role, task_queue_for("iq", role))).builds

    await soon(heard)


async def until_it_says(process_stack: MultiProcessStack, text: str) -> str:
    message = ""

    async def it_does() -> bool:
        nonlocal message
        message = await worker_part(process_stack.facade_url)
        return text in message

    await soon(it_does)
    return message
