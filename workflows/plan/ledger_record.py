"""A plan's ledger record: its state, its times, and the outcome of each step. It contains no text of any person."""

from collections.abc import Iterator
from datetime import datetime

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import PlanStart
    from contracts.enums import AiMode, PlanStatus, StepStatus
    from contracts.plan import ExecutionPlan
    from contracts.usage import AuditAction, AuditEntry, PlanOutcome, StepOutcome


class AuditTrail:
    """The audit log of a plan. Only its owner may send commands (`workflows.update_errors`), so the user is always the
    owner."""

    def __init__(self, start: PlanStart) -> None:
        self._plan = start.plan
        self.so_far: tuple[AuditEntry, ...] = ()
        self.record(AuditAction.ASKED, start.requested_at or start.plan.created_at)

    def record(self, action: AuditAction, at: datetime) -> None:
        """Record a command that has taken effect."""
        plan, number = self._plan, len(self.so_far) + 1
        entry = AuditEntry(
            plan_id=plan.plan_id, number=number, venue_id=plan.venue_id, user_id=plan.user_id, action=action, at=at
        )
        self.so_far = (*self.so_far, entry)


def ledger_record(
    start: PlanStart,
    plan: ExecutionPlan,
    revision: int,
    now: datetime,
    deeds: tuple[AuditEntry, ...],
    *,
    before: PlanStatus,
    ends: bool,
) -> PlanOutcome:
    """Return a plan's record at `now`. `revision` is the number of its changes, `before` the last recorded status, and
    `ends` whether the plan has ended."""
    report = plan.rollback_report
    looks = {a.step for a in plan.actions if a.read_only}
    return PlanOutcome(
        plan_id=plan.plan_id,
        venue_id=plan.venue_id,
        mode=start.mode or AiMode.STANDARD,
        status=plan.status,
        before=before,
        settled=plan.settled or ends,
        ends=ends,
        revision=revision,
        requested_at=start.requested_at or plan.created_at,
        drafted_at=plan.created_at,
        confirmed_at=plan.confirmed_at,
        first_action_at=min((r.started_at for r in plan.results if r.step not in looks), default=None),
        ended_at=(plan.completed_at or now) if plan.status.terminal else None,
        clarifications=start.clarifications,
        replaced=plan.superseded_by is not None,
        rollback_trigger=report.trigger if report else None,
        rollback_outcome=report.outcome if report else None,
        steps=tuple(_attempted(plan)),
        trace_id=start.trace_id,
        audit_entries=deeds,
    )


def _attempted(plan: ExecutionPlan) -> Iterator[StepOutcome]:
    """Yield the outcomes of the steps that were attempted. A step that was undone had been done."""
    results = {r.step: r for r in plan.results}
    for action in plan.actions:
        result = results.get(action.step)
        if action.read_only:
            continue
        if result is not None:
            yield StepOutcome(
                step=action.step,
                action=action.action_id,
                status=result.status,
                error_type=result.error_type,
                seconds=max(0.0, (result.finished_at - result.started_at).total_seconds()),
            )
        elif action.status is StepStatus.UNKNOWN:
            yield StepOutcome(step=action.step, action=action.action_id, status=action.status)
