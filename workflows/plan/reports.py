"""What a plan reports of itself: its ledger record, and its details in the Temporal UI.

The ledger record has its state, its times, and the outcome of each step. It contains no text of any person. The
"Current Details" show what it waits for, and its steps in a table. They are for engineers, so in English, and
encrypted like the rest of a plan.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

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


with workflow.unsafe.imports_passed_through():
    from contracts.enums import PlanStatus, RollbackOutcome, RollbackState, RollbackTrigger
    from contracts.events import PlanEvent
    from contracts.plan import ExecutionPlan, PlannedAction

_MARKUP = re.compile(r"([\\`*_\[\]()<>|!#~])")
"""Markdown characters, which are escaped so that a venue's text cannot insert a picture or link."""


def details_of(plan: ExecutionPlan, last: PlanEvent) -> str:
    """Return the plan as Markdown: its state, what it waits for and until when, its last event, and each step."""
    return "\n".join(_lines(plan, last))


def phase_of(plan: ExecutionPlan, now: datetime) -> str:
    """Return a plan's phase, as defined by `infra.temporal.search_attributes.PHASE`."""
    if plan.blocking_prompt is not None:
        return "asking"
    if plan.assistant_busy_until is not None and not plan.status.terminal:
        return "waiting_for_model"
    if plan.rollback is not None and plan.rollback.state is not RollbackState.DONE:
        return f"rollback {plan.rollback.state.value}"
    if plan.status is PlanStatus.COMPLETED and plan.undo_until is not None and plan.undo_until > now:
        return "completed, can be undone"
    if plan.rollback_report is not None and plan.rollback_report.outcome is RollbackOutcome.PARTIAL:
        return f"{plan.status.value}, manual steps left"
    if plan.rollback_report is not None and plan.rollback_report.trigger is RollbackTrigger.UNDO:
        return "undone"
    return plan.status.value


def _lines(plan: ExecutionPlan, last: PlanEvent) -> Iterator[str]:
    yield f"**{plan.status.value.replace('_', ' ')}**: {_plain(plan.intent)}"
    yield ""
    yield _waits(plan)
    yield ""
    yield f"Last ({_at(last.at)}): {_plain(last.text)}"
    yield ""
    yield "| step | action | state | started | took | what is known |"
    yield "|---|---|---|---|---|---|"
    for action in plan.actions:
        yield _row(plan, action)
    if plan.failure is not None:
        yield ""
        yield f"Failed: {_plain(plan.failure.message)}"
    for step in plan.rollback_report.manual_steps if plan.rollback_report else ():
        yield ""
        yield f"By hand: {_plain(step)}"


def _waits(plan: ExecutionPlan) -> str:
    """Return what happens next, and by when."""
    if plan.status is PlanStatus.PENDING_CONFIRMATION:
        return f"Waits for the operator to confirm, until {_at(plan.expires_at)}; then it expires."
    if plan.blocking_prompt is not None:
        prompt = plan.blocking_prompt
        return f"Waits for an answer until {_at(prompt.expires_at)}: {_plain(prompt.question)}"
    if plan.assistant_busy_until is not None and not plan.status.terminal:
        return f"Waits until {_at(plan.assistant_busy_until)}, because the model asks its callers to; then it goes on."
    if plan.rollback is not None and plan.rollback.state is RollbackState.WAITING_FOR_SIGN_IN:
        return "Waits for the operator to sign in again: the venue no longer accepts the token that it has."
    if plan.rollback is not None and plan.rollback.state is RollbackState.RUNNING:
        return "Is being undone, the last step first."
    if plan.status is PlanStatus.COMPLETED and plan.undo_until is not None:
        return f"Done. Stays open until {_at(plan.undo_until)}, so that it can be undone."
    if plan.status.terminal:
        return "Over: it waits for nothing."
    return "Is stopping before its next step." if plan.stopping else "Is being carried out."


def _row(plan: ExecutionPlan, action: PlannedAction) -> str:
    result = next((r for r in plan.results if r.step == action.step), None)
    report = plan.rollback_report
    back = next((s for s in report.steps if s.step == action.step), None) if report else None
    # The day is in the line above, because the table has a narrow column in the UI.
    started = f"{result.started_at.astimezone(UTC):%H:%M:%S}" if result else "–"
    took = f"{(result.finished_at - result.started_at).total_seconds():.1f} s" if result else "–"
    known = [result.message if result else action.left_out or "", back.message if back else ""]
    cells = (str(action.step), action.title, action.status.value, started, took, " ".join(filter(None, known)) or "–")
    return f"| {' | '.join(_plain(cell) for cell in cells)} |"


def _at(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
