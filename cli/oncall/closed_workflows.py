"""Closed workflows that need a person: steps of unknown outcome, manual steps, workflows that were cut off."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from temporalio.client import WorkflowExecution, WorkflowExecutionStatus

from cli.oncall.issue import Issue, IssueKind, iq
from clients.temporal.executions import ExecutionInfo, WorkflowInspector
from clients.temporal.plans import PlanClient
from contracts.enums import StepRollbackOutcome
from contracts.plan import ExecutionPlan, ManualDecision, ManualDecisionKind
from infra.crypto.keyring import KeyringError
from infra.temporal.search_attributes import PHASE, STATUS, VENUE
from workflows.workflow_ids import plan_of_workflow

ROLLED_BACK = 'WorkflowType = "Plan" AND ExecutionStatus != "Running" AND IqStatus = "rolled_back"'
"""In any end state: a plan that failed through our own mistake was rolled back first, and may need the same work."""
CUT_OFF = (
    'ExecutionStatus IN ("Failed", "Terminated", "TimedOut", "Canceled") AND ('
    'WorkflowType = "Plan" AND IqStatus IN ("confirmed", "executing", "failed")'
    ' OR WorkflowType = "Plan" AND IqPhase IN ("rollback running", "rollback waiting_for_sign_in")'
    ' OR WorkflowType = "Escalation" AND IqStatus = "open")'
)

_WRITES = ("act", "undo_step")
_READING_WITHIN = 5.0
"""Seconds for reading one plan's history. No operator waits for it."""

Decided = Mapping[str, Sequence[ManualDecision]]


async def rolled_back(rows: Sequence[WorkflowExecution], decided: Decided) -> list[Issue]:
    """Return the plans that were rolled back in part, from their memos, without a worker."""
    found: list[Issue] = []
    for row in rows:
        plan = await row.memo_value("plan", default=None, type_hint=ExecutionPlan)
        if plan is not None:
            found += of_plan(row.id, plan, decided.get(row.id, ()), row.close_time or row.start_time)
    return found


def of_plan(workflow_id: str, plan: ExecutionPlan, decisions: Sequence[ManualDecision], at: datetime) -> list[Issue]:
    """Return the issues that one plan leaves."""
    manual = " ".join(plan.rollback_report.manual_steps) if plan.rollback_report else ""
    found = [
        Issue(
            kind=IssueKind.UNKNOWN_OUTCOME,
            subject=workflow_id,
            since=at,
            venue=plan.venue_id,
            reason=f"it is unknown whether step {step} ({plan.actions[step - 1].action_id}) was applied: look at the "
            f"booking. {manual}".rstrip(),
            commands=_on_step(workflow_id, step),
        )
        for step in undecided(plan, decisions)
    ]
    if steps := by_hand(plan, decisions):
        numbers = ", ".join(map(str, steps))
        found.append(
            Issue(
                kind=IssueKind.MANUAL_STEPS,
                subject=workflow_id,
                since=at,
                venue=plan.venue_id,
                reason=f"step {numbers} was carried out and has not surely been put back. {manual}".rstrip(),
                commands=(iq("resolve", workflow_id, "--done"),),
            )
        )
    return found


def cut_short(one: ExecutionInfo) -> bool:
    """Return whether a workflow matches `CUT_OFF`."""
    if one.state in (WorkflowExecutionStatus.RUNNING, WorkflowExecutionStatus.COMPLETED):
        return False
    if one.type == "Escalation":
        return one.status == "open"
    at_work = one.status in ("confirmed", "executing", "failed") or one.phase.startswith("rollback ")
    return one.type == "Plan" and at_work


def cut_off_when(status: str, phase: str) -> str:
    """Return how far the workflow had come, from its search attributes."""
    if phase.startswith("rollback "):
        return "while it was being undone"
    after = {"confirmed": "after it was confirmed", "failed": "after it had failed"}
    return after.get(status, f"while it was {status or 'at work'}")


async def as_left(executions: WorkflowInspector, workflow_id: str, plan: ExecutionPlan) -> ExecutionPlan:
    """Return a plan that was cut off, with each step's state from its history. Raises `ApiError`, `KeyringError`."""
    plans = PlanClient(executions.client)
    return await plans.as_left(plan_of_workflow(workflow_id), plan, _READING_WITHIN)


def settling(workflow_id: str, plan: ExecutionPlan | None, decisions: Sequence[ManualDecision]) -> tuple[str, ...]:
    """Return the commands that settle a workflow that was cut off: a decision on each step of unknown outcome, and then
    on the whole."""
    if seen_to(decisions):
        return ()
    steps = undecided(plan, decisions) if plan is not None else ()
    return _on_step(workflow_id, steps[0]) if steps else (iq("resolve", workflow_id, "--done"),)


async def cut_off(executions: WorkflowInspector, rows: Sequence[WorkflowExecution], decided: Decided) -> list[Issue]:
    """Return workflows that were terminated, or failed, in the middle of their work."""
    found = []
    for row in rows:
        decisions = decided.get(row.id, ())
        if seen_to(decisions):
            continue
        why = await executions.last_failed_task(row.id)
        plan, known = await _known_of(executions, row, decisions)
        state = row.status.name.lower().replace("_", " ") if row.status else "ended"
        labels = row.typed_search_attributes
        when = cut_off_when(labels.get(STATUS) or "", labels.get(PHASE) or "")
        found.append(
            Issue(
                kind=IssueKind.CUT_OFF,
                subject=row.id,
                since=row.close_time or row.start_time,
                venue=labels.get(VENUE) or "",
                reason=f"its workflow was {state} {when}{f': {why}' if why else ''}{known}. It does not continue: "
                f"see what was applied (`{iq('plan', row.id)}`)",
                commands=settling(row.id, plan, decisions),
            )
        )
    return found


async def _known_of(
    executions: WorkflowInspector, row: WorkflowExecution, decisions: Sequence[ManualDecision]
) -> tuple[ExecutionPlan | None, str]:
    """Return a plan as it was left, and the text on its steps; None if it is no plan or cannot be read here."""
    if row.workflow_type != "Plan":
        return None, ""
    try:
        recorded = await row.memo_value("plan", default=None, type_hint=ExecutionPlan)
        plan = await as_left(executions, row.id, recorded) if recorded is not None else None
    except KeyringError:
        plan = None
    if plan is not None:
        return plan, not_known(undecided(plan, decisions))
    calls = [name for name in await executions.was_interrupted(row.id) if name in _WRITES]
    return None, f". {', '.join(calls)} was under way, and its outcome is unknown" if calls else ""


def not_known(steps: Sequence[int]) -> str:
    """Return that it is unknown whether these steps were applied; "" if there are none."""
    return f". It is unknown whether step {', '.join(map(str, steps))} was applied" if steps else ""


def _on_step(workflow_id: str, step: int) -> tuple[str, ...]:
    this = ("resolve", workflow_id, "--step", str(step))
    return iq(*this, "--applied"), iq(*this, "--not-applied")


_SETTLED = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)
_OF_A_STEP = (ManualDecisionKind.APPLIED, ManualDecisionKind.NOT_APPLIED)
_SEEN_TO = (ManualDecisionKind.DONE, ManualDecisionKind.ENDED)


def undecided(plan: ExecutionPlan, decisions: Sequence[ManualDecision]) -> tuple[int, ...]:
    """Return the steps of unknown outcome without a later decision. In a plan that was cut off, the steps in progress
    are among them."""
    decided = {one.step for one in decisions if one.decision in _OF_A_STEP}
    return tuple(step for step in plan.uncertain_steps if step not in decided)


def by_hand(plan: ExecutionPlan, decisions: Sequence[ManualDecision]) -> tuple[int, ...]:
    """Return the applied steps that were not undone and have no later decision. Steps that no undo can revert, as the
    operator saw before confirming, are not among them, because there is nothing to do about them."""
    rows = plan.rollback_report.steps if plan.rollback_report else ()
    left = [row.step for row in rows if row.outcome not in _SETTLED]
    unknown = undecided(plan, decisions)
    return tuple(step for step in left if step not in unknown and not _is_settled(step, decisions))


def seen_to(decisions: Sequence[ManualDecision]) -> ManualDecision | None:
    """Return the decision that the remaining work is done; None without one since a step was decided as applied."""
    for one in reversed(decisions):
        if one.decision in _SEEN_TO:
            return one
        if one.decision is ManualDecisionKind.APPLIED:
            return None
    return None


def _is_settled(step: int, decisions: Sequence[ManualDecision]) -> bool:
    """Return whether a step needs no more work, by the last decision on it or on the whole."""
    words = [one for one in decisions if one.step == step or one.decision in _SEEN_TO]
    return bool(words) and words[-1].decision is not ManualDecisionKind.APPLIED
