"""The only worker is killed with SIGKILL in mid-step; tokens are in Redis, and a new worker takes over.

- A worker never reads a snapshot again after its act was sent, because that state is no longer the one before the
  write.
- The write is sent once, and the plan completes with the outcome that was read back.
- A watcher receives each step's start and result once and in order, and nothing but what happened.
- Killed around a write, around a snapshot or while a model is called, the plan goes on with the next worker. `python -m
  tests.e2e.chaos --recovery 10` measures how soon.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest
from temporalio.api.history.v1 import HistoryEvent

from contracts.step_activities import ActRequest, SnapshotRequest
from tests.e2e.chaos.injection import Injector
from tests.e2e.chaos.recovery import PLACES, measure
from tests.e2e.chaos.scenario import STEPS, Disturbance, Place, Scenario, plan_message
from tests.e2e.chaos.stack import ChaosStack
from tests.support import needs
from tests.support.operator import Operator
from tests.support.process_stack import PATIENT, ProcessStack
from tests.support.roller import a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.watching import Watcher, closing

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest.fixture(scope="module")
async def process_stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ChaosStack]:
    """A stack with each part in its own process."""
    needs.redis_server()
    async with ChaosStack(tmp_path_factory.mktemp("killed"), **PATIENT) as running:
        yield running


@pytest.fixture
async def operator(process_stack: ChaosStack) -> AsyncIterator[Operator]:
    """An operator with a fresh chat."""
    token = f"op-{a_name()}".replace(" ", "-")
    await process_stack.grant(token)
    async with process_stack.operator(token) as one:
        yield one


@pytest.mark.parametrize("answered", [False, True], ids=["sent, not yet applied", "applied, not yet heard"])
async def test_a_killed_worker_never_rereads_a_snapshot_after_its_act_was_sent(
    process_stack: ChaosStack, operator: Operator, answered: bool
) -> None:
    guest = a_name()
    steps = ("change_guest_count", "edit_note", "update_contact")
    async with process_stack.roller() as venue:
        booking = await venue.book(guest)
        process_stack.scripted.script(guest, look_up(guest), then(*(STEPS[s] for s in steps)), obey)
        plan = await operator.plan_for(plan_message(steps, guest))
        kill = Disturbance("worker", Place("act", 2, "write", after=answered))
        token = operator.http.headers["Authorization"].removeprefix("Bearer ")
        scenario = Scenario(0, steps, (kill,))
        injector = Injector(process_stack, scenario, operator, plan["plan_id"], booking["uniqueId"], token)
        injector.attach()
        watching = asyncio.create_task(Watcher(operator, plan).until(closing))
        try:
            await operator.confirm(plan)
            ended = await operator.settled(plan)
            await injector.finish()
        finally:
            await injector.abandon()
        assert injector.fired == [kill], "the worker was killed at that place"
        assert ended["status"] == "completed", ended
        assert len(await venue.journal(booking)) == 3, "each write once"
    shown = await watching
    steps_shown = [(e["kind"], e["step"]) for e in shown if e["kind"].startswith("step_")]
    assert steps_shown == [(kind, n) for n in (1, 2, 3) for kind in ("step_started", "step_result")]
    assert [e["number"] for e in shown] == list(range(1, len(shown) + 1))
    assert (shown[-2]["status"], shown[-1]["text"]) == ("completed", ended["summary"])
    order = await effects_of(process_stack, plan["plan_id"])
    for number in (1, 2, 3):
        key = f"{plan['plan_id']}-{number}"
        mine = [name for name, of in order if of == key]
        assert mine.count("act") == 1, mine
        assert "take_snapshot" not in mine[mine.index("act") :], mine
    assert ("read_back", f"{plan['plan_id']}-2") in order, "the lost write was looked for instead"


async def effects_of(process_stack: ProcessStack, plan_id: str) -> list[tuple[str, str]]:
    """Return (activity, idempotency key) of every venue effect that the plan scheduled, in order."""
    found = []
    async for event in process_stack.client.get_workflow_handle(f"plan-{plan_id}").fetch_history_events():
        name = event.activity_task_scheduled_event_attributes.activity_type.name
        if name in ("take_snapshot", "act", "read_back"):
            found.append(
                (name, await _key(process_stack, event, SnapshotRequest if name == "take_snapshot" else ActRequest))
            )
    return found


async def _key(
    process_stack: ProcessStack, event: HistoryEvent, shape: type[SnapshotRequest] | type[ActRequest]
) -> str:
    sent = event.activity_task_scheduled_event_attributes.input
    [request] = await process_stack.client.data_converter.decode(sent.payloads, [shape])
    return str(request.scope.idempotency_key)


async def test_wherever_its_worker_was_killed_a_plan_goes_on_with_the_next(process_stack: ProcessStack) -> None:
    waits = await measure(process_stack, len(PLACES))
    assert [wait.place for wait in waits.all] == list(PLACES)
