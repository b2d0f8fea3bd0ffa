"""What has ended and leaves something to a person: steps of unknown outcome, manual steps, workflows that were cut
off."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from temporalio.client import WorkflowExecution, WorkflowExecutionStatus

from cli.oncall.finding import Finding, Kind, iq
from cli.oncall.left import by_hand, seen_to, undecided
from clients.executions import Execution, Executions
from clients.plans import PlanClient
from contracts.decisions import PersonDecision
from contracts.plan import ExecutionPlan
from infra.keyring import KeyringError
from infra.search_attributes import PHASE, STATUS, VENUE
from workflows.ids import plan_of_workflow

ROLLED_BACK = 'WorkflowType = "Plan" AND ExecutionStatus != "Running" AND IqStatus = "rolled_back"'
"""However it ended: one that failed on a mistake of ours was put back before, and may have left as much."""
CUT_OFF = (
    'ExecutionStatus IN ("Failed", "Terminated", "TimedOut", "Canceled") AND ('
    'WorkflowType = "Plan" AND IqStatus IN ("confirmed", "executing", "failed")'
    ' OR WorkflowType = "Plan" AND IqPhase IN ("rollback running", "rollback waiting_for_sign_in")'
    ' OR WorkflowType = "Escalation" AND IqStatus = "open")'
)

_WRITES = ("act", "undo_step")
_READING_WITHIN = 5.0
"""Seconds for one plan's history. Nobody's phone waits for it."""

Decided = Mapping[str, Sequence[PersonDecision]]


async def rolled_back(rows: Sequence[WorkflowExecution], decided: Decided) -> list[Finding]:
    """Plans that were put back in part, by their memos: no worker is needed."""
    found: list[Finding] = []
    for row in rows:
        plan = await row.memo_value("plan", default=None, type_hint=ExecutionPlan)
        if plan is not None:
            found += of_plan(row.id, plan, decided.get(row.id, ()), row.close_time or row.start_time)
    return found


def of_plan(workflow_id: str, plan: ExecutionPlan, decisions: Sequence[PersonDecision], at: datetime) -> list[Finding]:
    """What one plan leaves."""
    manual = " ".join(plan.rollback_report.manual_steps) if plan.rollback_report else ""
    found = [
        Finding(
            kind=Kind.UNKNOWN_OUTCOME,
            subject=workflow_id,
            since=at,
            venue=plan.venue_id,
            reason=f"it is unknown whether step {step} ({plan.actions[step - 1].action_id}) stands: look at the "
            f"booking. {manual}".rstrip(),
            commands=_on_step(workflow_id, step),
        )
        for step in undecided(plan, decisions)
    ]
    if steps := by_hand(plan, decisions):
        numbers = ", ".join(map(str, steps))
        found.append(
            Finding(
                kind=Kind.MANUAL_STEPS,
                subject=workflow_id,
                since=at,
                venue=plan.venue_id,
                reason=f"step {numbers} was carried out and has not surely been put back. {manual}".rstrip(),
                commands=(iq("resolve", workflow_id, "--done"),),
            )
        )
    return found


def cut_short(one: Execution) -> bool:
    """Whether a workflow is among those of `CUT_OFF`."""
    if one.state in (WorkflowExecutionStatus.RUNNING, WorkflowExecutionStatus.COMPLETED):
        return False
    if one.type == "Escalation":
        return one.status == "open"
    at_work = one.status in ("confirmed", "executing", "failed") or one.phase.startswith("rollback ")
    return one.type == "Plan" and at_work


def cut_off_when(status: str, phase: str) -> str:
    """How far it had come, by its labels."""
    if phase.startswith("rollback "):
        return "while it was being undone"
    after = {"confirmed": "after it was confirmed", "failed": "after it had failed"}
    return after.get(status, f"while it was {status or 'at work'}")


async def as_left(executions: Executions, workflow_id: str, plan: ExecutionPlan) -> ExecutionPlan:
    """A plan that was cut off, with each step as its history tells. Raises `RequestError`, `KeyringError`."""
    plans = PlanClient(executions.client)
    return await plans.as_left(plan_of_workflow(workflow_id), plan, _READING_WITHIN)


def settling(workflow_id: str, plan: ExecutionPlan | None, decisions: Sequence[PersonDecision]) -> tuple[str, ...]:
    """What settles one that was cut off: a decision on each step of unknown outcome, and then on the whole."""
    if seen_to(decisions):
        return ()
    steps = undecided(plan, decisions) if plan is not None else ()
    return _on_step(workflow_id, steps[0]) if steps else (iq("resolve", workflow_id, "--done"),)


async def cut_off(executions: Executions, rows: Sequence[WorkflowExecution], decided: Decided) -> list[Finding]:
    """Workflows that were ended, or failed, in the middle of their work."""
    found = []
    for row in rows:
        words = decided.get(row.id, ())
        if seen_to(words):
            continue
        why = await executions.last_failed_task(row.id)
        plan, known = await _known_of(executions, row, words)
        state = row.status.name.lower().replace("_", " ") if row.status else "ended"
        labels = row.typed_search_attributes
        when = cut_off_when(labels.get(STATUS) or "", labels.get(PHASE) or "")
        found.append(
            Finding(
                kind=Kind.CUT_OFF,
                subject=row.id,
                since=row.close_time or row.start_time,
                venue=labels.get(VENUE) or "",
                reason=f"its workflow was {state} {when}{f': {why}' if why else ''}{known}. Nothing of it goes on: "
                f"look at what stands (`{iq('plan', row.id)}`)",
                commands=settling(row.id, plan, words),
            )
        )
    return found


async def _known_of(
    executions: Executions, row: WorkflowExecution, words: Sequence[PersonDecision]
) -> tuple[ExecutionPlan | None, str]:
    """A plan as it was left, and what is said of its steps; None where it is no plan, or cannot be read here."""
    if row.workflow_type != "Plan":
        return None, ""
    try:
        recorded = await row.memo_value("plan", default=None, type_hint=ExecutionPlan)
        plan = await as_left(executions, row.id, recorded) if recorded is not None else None
    except KeyringError:
        plan = None
    if plan is not None:
        return plan, not_known(undecided(plan, words))
    calls = [name for name in await executions.cut_short(row.id) if name in _WRITES]
    return None, f". {', '.join(calls)} was under way, and its outcome is unknown" if calls else ""


def not_known(steps: Sequence[int]) -> str:
    """That it is unknown whether these steps stand; "" where there is none."""
    return f". It is unknown whether step {', '.join(map(str, steps))} stands" if steps else ""


def _on_step(workflow_id: str, step: int) -> tuple[str, ...]:
    this = ("resolve", workflow_id, "--step", str(step))
    return iq(*this, "--applied"), iq(*this, "--not-applied")
