"""What `iq resolve` accepts and refuses, against a Temporal service and a ledger of its own (all of it, typed:
`tests/integration/stack/test_stuck.py`). Guarantees:

- Only an open problem can be settled: not a plan that was cut off before its confirmation, and nothing twice.
- That a workflow was ended is on record only once it is: one that continues is named again when it is cut off later.
- The refusal to end a workflow is true of every workflow whose tasks do not fail.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import WorkflowExecutionStatus

from cli.oncall import resolve
from clients.errors import ServiceUnavailableError
from clients.ledger import open_ledger
from clients.temporal.executions import ExecutionInfo, PendingTask
from contracts.chat_messages import PlanView
from contracts.plan import ExecutionPlan, ManualDecisionKind
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line
from infra.errors import DependencyUnavailableError
from infra.ledger.manual_decisions import ManualDecisionTable
from tests.integration.oncall.test_findings import NOW, ended

TERMINATED, RUNNING = WorkflowExecutionStatus.TERMINATED, WorkflowExecutionStatus.RUNNING


def cut_off(*statuses: str) -> ExecutionPlan:
    """Return a plan that was cut off while it ran, its steps as in its history."""
    plan = ended(*((status, "") for status in statuses))
    update = {"status": "failed", "rollback": None, "rollback_report": None, "stale": True}
    return ExecutionPlan.model_validate({**dict(plan), **update})


class Service:
    """A Temporal service with one workflow."""

    def __init__(self) -> None:
        self.plan = ended(("completed", "irreversible"))
        self.one = execution()
        self.ends: list[str] = []
        self.away = False

    async def describe(self, _: str) -> ExecutionInfo:
        return self.one

    async def terminate(self, workflow_id: str, run_id: str, why: str) -> None:
        if self.away:
            raise ServiceUnavailableError("temporal")
        self.ends.append(workflow_id)

    async def plan_view(self, _: str) -> PlanView:
        return PlanView(plan=self.plan)


def execution(state: Any = WorkflowExecutionStatus.COMPLETED, **more: Any) -> ExecutionInfo:
    usual: dict[str, Any] = {
        "workflow_id": "plan-1", "run_id": "r", "type": "Plan", "queue": "iq", "state": state, "started": NOW,
        "closed": NOW, "status": "rolled_back", "phase": "rolled_back", "venue": "v",
    }  # fmt: skip
    return ExecutionInfo(**{**usual, **more})


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Service:
    found = Service()

    async def connect(*_: Any, **__: Any) -> Service:
        return found

    async def as_left(_: Any, __: str, plan: ExecutionPlan) -> ExecutionPlan:
        return plan

    class Plans:
        def __init__(self, client: Service) -> None:
            self.plan = client.plan_view

    monkeypatch.setattr(resolve, "connect", connect)
    monkeypatch.setattr(resolve, "WorkflowInspector", lambda client: client)
    monkeypatch.setattr(resolve, "PlanClient", Plans)
    monkeypatch.setattr(resolve, "as_left", as_left)
    return found


class Desk:
    """A person at a terminal."""

    def __init__(self, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._settings = Settings(_env_file=None, data=data, keys=new_key_line())
        self._capsys = capsys

    async def says(self, decision: ManualDecisionKind, step: int | None = None, name: str = "plan-1") -> str:
        code = await resolve.decide(self._settings, name, decision, step, "Anna")
        shown = self._capsys.readouterr().out
        assert code == shown.startswith("iq: "), shown
        return shown

    async def on_record(self) -> list[ManualDecisionKind]:
        database, _ = open_ledger(self._settings)
        try:
            found = await ManualDecisionTable(database).of(["plan-1"])
        finally:
            database.close()
        return [one.decision for one in found.get("plan-1", [])]


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, capsys)


async def test_what_is_left_is_seen_to_once(service: Service, desk: Desk) -> None:
    assert "seen to, says Anna" in await desk.says(ManualDecisionKind.DONE)
    assert "leaves nothing to a person" in await desk.says(ManualDecisionKind.DONE)
    service.plan, service.one = cut_off("completed"), execution(TERMINATED, status="executing")
    assert "is marked as done already, by Anna" in await desk.says(ManualDecisionKind.DONE)
    assert await desk.on_record() == [ManualDecisionKind.DONE]


async def test_a_step_that_a_person_says_stands_is_still_to_be_seen_to(service: Service, desk: Desk) -> None:
    service.plan = ended(("unknown", "failed"))
    assert "outcome of step 1 is unknown" in await desk.says(ManualDecisionKind.DONE)
    assert "that step 1 was applied" in await desk.says(ManualDecisionKind.APPLIED, 1)
    assert "seen to, says Anna" in await desk.says(ManualDecisionKind.DONE)


async def test_a_plan_that_was_cut_off_is_settled_step_by_step(service: Service, desk: Desk) -> None:
    service.plan, service.one = cut_off("completed", "unknown"), execution(TERMINATED, status="executing")
    assert "outcome of step 2 is unknown" in await desk.says(ManualDecisionKind.DONE)
    assert "the outcome is unknown of step 2" in await desk.says(ManualDecisionKind.APPLIED, 1), "that one is known"
    assert "that step 2 was not applied" in await desk.says(ManualDecisionKind.NOT_APPLIED, 2)
    assert "seen to, says Anna" in await desk.says(ManualDecisionKind.DONE)
    assert "marked as done already" in await desk.says(ManualDecisionKind.DONE)


@pytest.mark.parametrize("status", ["pending_confirmation", "cancelled", "completed"])
async def test_one_that_was_cut_off_while_nothing_was_done_leaves_nothing(
    service: Service, desk: Desk, status: str
) -> None:
    service.plan, service.one = cut_off("pending"), execution(TERMINATED, status=status, phase=status)
    assert "leaves nothing to a person" in await desk.says(ManualDecisionKind.DONE)
    assert await desk.on_record() == []


async def test_what_has_no_steps_is_settled_as_a_whole_and_only_where_it_was_cut_off(
    service: Service, desk: Desk
) -> None:
    service.one = execution(workflow_id="escalation-1", type="Escalation", status="resolved")
    assert "leaves nothing" in await desk.says(ManualDecisionKind.DONE, name="escalation-1")
    service.one = execution(TERMINATED, workflow_id="escalation-1", type="Escalation", status="open")
    assert "has no steps" in await desk.says(ManualDecisionKind.APPLIED, 1, name="escalation-1")
    assert "seen to, says Anna" in await desk.says(ManualDecisionKind.DONE, name="escalation-1")
    assert "marked as done already" in await desk.says(ManualDecisionKind.DONE, name="escalation-1")


async def test_that_it_was_ended_is_on_record_only_once_it_is(service: Service, desk: Desk) -> None:
    service.one = execution(RUNNING, status="executing", task=PendingTask(3, datetime.now(UTC), False))
    service.away = True
    assert (await desk.says(ManualDecisionKind.ENDED)).startswith("iq: ")
    assert await desk.on_record() == [], "it goes on"
    service.away = False
    assert "that it is ended" in await desk.says(ManualDecisionKind.ENDED)
    assert (service.ends, await desk.on_record()) == (["plan-1"], [ManualDecisionKind.ENDED])


async def test_one_that_is_ended_and_not_on_record_says_so(
    service: Service, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any) -> None:
        raise DependencyUnavailableError("ledger", "the ledger did not answer in time")

    service.one = execution(RUNNING, status="executing", task=PendingTask(3, datetime.now(UTC), False))
    monkeypatch.setattr(ManualDecisionTable, "note", away)
    shown = await desk.says(ManualDecisionKind.ENDED)
    assert "is ended, and that is not on record" in shown and "iq resolve plan-1 --done" in shown, shown
    assert service.ends == ["plan-1"]


async def test_one_whose_tasks_do_not_fail_is_not_ended(service: Service, desk: Desk) -> None:
    for task in (None, PendingTask(1, datetime.now(UTC), False)):
        service.one = execution(RUNNING, status="executing", task=task)
        shown = await desk.says(ManualDecisionKind.ENDED)
        # Possibly no worker runs, so that the workflow neither continues nor can be cancelled.
        assert "do not fail" in shown and "iq stuck" in shown and "can" not in shown, shown
    assert (service.ends, await desk.on_record()) == ([], [])
