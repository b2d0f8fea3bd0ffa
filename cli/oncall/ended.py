"""What has ended and leaves something to a person: steps of unknown outcome, manual steps, workflows that were cut
off."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from temporalio.client import WorkflowExecution, WorkflowExecutionStatus

from cli.oncall.finding import Finding, Kind, iq
from cli.oncall.left import by_hand, undecided
from clients.executions import Execution, Executions
from contracts.decisions import Decision, PersonDecision
from contracts.plan import ExecutionPlan
from infra.keyring import KeyringError
from infra.search_attributes import STATUS, VENUE

ROLLED_BACK = 'WorkflowType = "Plan" AND ExecutionStatus != "Running" AND IqStatus = "rolled_back"'
"""However it ended: one that failed on a mistake of ours was put back before, and may have left as much."""
CUT_OFF = (
    'ExecutionStatus IN ("Failed", "Terminated", "TimedOut", "Canceled") AND ('
    'WorkflowType = "Plan" AND IqStatus IN ("confirmed", "executing", "failed")'
    ' OR WorkflowType = "Plan" AND IqPhase IN ("rollback running", "rollback waiting_for_sign_in")'
    ' OR WorkflowType = "Escalation" AND IqStatus = "open")'
)

_WRITES = ("act", "undo_step")
_SETTLES = (Decision.DONE, Decision.ENDED)

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
            reason=f"nobody knows whether step {step} ({plan.actions[step - 1].action_id}) was carried out: look at "
            f"the booking. {manual}".rstrip(),
            commands=(
                iq("resolve", workflow_id, "--step", str(step), "--applied"),
                iq("resolve", workflow_id, "--step", str(step), "--not-applied"),
            ),
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
    """Whether a plan's workflow is among those of `CUT_OFF`."""
    at_work = one.status in ("confirmed", "executing", "failed") or one.phase.startswith("rollback ")
    return at_work and one.state not in (WorkflowExecutionStatus.RUNNING, WorkflowExecutionStatus.COMPLETED)


async def cut_off(executions: Executions, rows: Sequence[WorkflowExecution], decided: Decided) -> list[Finding]:
    """Workflows that were ended, or failed, in the middle of their work."""
    found = []
    for row in rows:
        if any(one.decision in _SETTLES for one in decided.get(row.id, ())):
            continue
        why = await executions.last_failed_task(row.id)
        writes = [name for name in await executions.cut_short(row.id) if name in _WRITES]
        under_way = f". {', '.join(writes)} was under way, and nobody knows what became of it" if writes else ""
        state = row.status.name.lower().replace("_", " ") if row.status else "ended"
        labels = row.typed_search_attributes
        found.append(
            Finding(
                kind=Kind.CUT_OFF,
                subject=row.id,
                since=row.close_time or row.start_time,
                venue=labels.get(VENUE) or "",
                reason=f"its workflow was {state} while it was {labels.get(STATUS) or 'at work'}"
                f"{f': {why}' if why else ''}{under_way}. Nothing of it goes on: look at what "
                f"stands (`{iq('plan', row.id)}`)",
                commands=await _settling(row, decided.get(row.id, ())),
            )
        )
    return found


async def _settling(row: WorkflowExecution, decisions: Sequence[PersonDecision]) -> tuple[str, ...]:
    """What settles one that was cut off: a word on each step that nobody knows of, where its last record has such."""
    try:
        plan = await row.memo_value("plan", default=None, type_hint=ExecutionPlan)
    except KeyringError:
        plan = None
    steps = undecided(plan.model_copy(update={"stale": True}), decisions) if plan is not None else ()
    if not steps:
        return (iq("resolve", row.id, "--done"),)
    this = ("resolve", row.id, "--step", str(steps[0]))
    return iq(*this, "--applied"), iq(*this, "--not-applied")
