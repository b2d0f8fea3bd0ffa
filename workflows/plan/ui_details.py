"""A plan in the Temporal UI under "Current Details": what it waits for, and its steps in a table. It is for engineers,
so in English; it is encrypted like the rest of a plan."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from temporalio import workflow

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
