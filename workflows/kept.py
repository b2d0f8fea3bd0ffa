"""What the ledger keeps of a plan: how it stands, when, and what became of each step. Nothing that anybody said."""

from collections.abc import Iterator
from datetime import datetime

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.enums import AiMode, PlanStatus, StepStatus
    from contracts.messages import PlanStart
    from contracts.plan import ExecutionPlan
    from contracts.usage import Deed, PlanOutcome, StepEnd, Word


class Deeds:
    """Who said what to a plan. Only its owner is ever heard (`workflows.refusals`), so it is always that user."""

    def __init__(self, start: PlanStart) -> None:
        self._plan = start.plan
        self.so_far: tuple[Deed, ...] = ()
        self.say(Word.ASKED, start.requested_at or start.plan.created_at)

    def say(self, word: Word, at: datetime) -> None:
        """A word has taken effect."""
        plan, number = self._plan, len(self.so_far) + 1
        deed = Deed(plan_id=plan.plan_id, number=number, venue_id=plan.venue_id, user_id=plan.user_id, word=word, at=at)
        self.so_far = (*self.so_far, deed)


def outcome_of(
    start: PlanStart,
    plan: ExecutionPlan,
    revision: int,
    now: datetime,
    deeds: tuple[Deed, ...],
    *,
    before: PlanStatus,
    ends: bool,
) -> PlanOutcome:
    """How a plan stands at `now`; `revision` is how often it has changed, `before` the status told last, and `ends`
    says that it has come to its end."""
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
        deeds=deeds,
    )


def _attempted(plan: ExecutionPlan) -> Iterator[StepEnd]:
    """What became of the steps that were attempted; a step that was put back again had been done."""
    results = {r.step: r for r in plan.results}
    for action in plan.actions:
        result = results.get(action.step)
        if action.read_only:
            continue
        if result is not None:
            yield StepEnd(
                step=action.step,
                action=action.action_id,
                status=result.status,
                error_type=result.error_type,
                seconds=max(0.0, (result.finished_at - result.started_at).total_seconds()),
            )
        elif action.status is StepStatus.UNKNOWN:
            yield StepEnd(step=action.step, action=action.action_id, status=action.status)
