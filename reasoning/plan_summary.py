"""Summarizes what a plan did: from the plan's state, not from what a model remembers."""

from contracts.enums import PlanStatus, RollbackOutcome, RollbackTrigger, StepStatus
from contracts.plan import ExecutionPlan
from language.messages.catalogue import translate


def summarize(plan: ExecutionPlan) -> str:
    """Return what a confirmed plan changed, and its outcome."""
    lines = [r.message for r in plan.results if r.status in (StepStatus.COMPLETED, StepStatus.UNKNOWN)]
    titles = [a.title for a in plan.actions]
    done = plan.summary or " ".join(lines) or translate("recount.of", titles=titles)
    report = plan.rollback_report
    match plan.status:
        case PlanStatus.COMPLETED:
            completed = translate("recount.completed", done=done)
            return completed if plan.settled else f"{completed} {translate('recount.being_undone')}"
        case PlanStatus.ROLLED_BACK if report is not None:
            text = " ".join(s.message for s in report.steps)
            key = "undone" if report.trigger is RollbackTrigger.UNDO else "rolled_back"
            whole = report.outcome is RollbackOutcome.COMPLETE
            return translate(f"recount.{key}", titles=titles, report=text, whole=whole)
        case PlanStatus.FAILED:
            failed = translate("recount.failed", why=plan.failure.message if plan.failure else "")
            if plan.notice is not None and plan.notice not in failed:
                # A rollback that was cut off has undone only a part, and does not continue.
                return f"{failed} {plan.notice}"
            return failed if plan.settled else f"{failed} {translate('event.rolling_back')}"
        case PlanStatus.CONFIRMED | PlanStatus.EXECUTING:
            return translate("recount.running", titles=titles, done=" ".join(lines))
        case _:
            return translate("recount.not_done", titles=titles)
