"""What a plan did, told back in words: from the plan as it stands, not from what a model remembers."""

from contracts.enums import PlanStatus, RollbackOutcome, RollbackTrigger, StepStatus
from contracts.plan import ExecutionPlan
from language.catalogue import say


def recount(plan: ExecutionPlan) -> str:
    """What was changed by a plan that was confirmed, and what became of it."""
    lines = [r.message for r in plan.results if r.status in (StepStatus.COMPLETED, StepStatus.UNKNOWN)]
    titles = [a.title for a in plan.actions]
    done = plan.summary or " ".join(lines) or say("recount.of", titles=titles)
    report = plan.rollback_report
    match plan.status:
        case PlanStatus.COMPLETED:
            completed = say("recount.completed", done=done)
            return completed if plan.settled else f"{completed} {say('recount.being_undone')}"
        case PlanStatus.ROLLED_BACK if report is not None:
            told = " ".join(s.message for s in report.steps)
            key = "undone" if report.trigger is RollbackTrigger.UNDO else "rolled_back"
            whole = report.outcome is RollbackOutcome.COMPLETE
            return say(f"recount.{key}", titles=titles, told=told, whole=whole)
        case PlanStatus.FAILED:
            failed = say("recount.failed", why=plan.failure.message if plan.failure else "")
            return failed if plan.settled else f"{failed} {say('event.rolling_back')}"
        case PlanStatus.CONFIRMED | PlanStatus.EXECUTING:
            return say("recount.running", titles=titles, done=" ".join(lines))
        case _:
            return say("recount.not_done", titles=titles)
