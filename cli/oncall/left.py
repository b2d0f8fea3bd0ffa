"""What a plan that has ended leaves to a person, and what of it a person has settled since."""

from collections.abc import Sequence

from contracts.decisions import Decision, PersonDecision
from contracts.enums import StepRollbackOutcome, StepStatus
from contracts.plan import ExecutionPlan

_SETTLED = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)
_OF_A_STEP = (Decision.APPLIED, Decision.NOT_APPLIED)


def undecided(plan: ExecutionPlan, decisions: Sequence[PersonDecision]) -> tuple[int, ...]:
    """Steps of which nobody knows whether they were carried out, and nobody has said so since. A plan that was cut off
    in the middle of a step leaves that one, too."""
    decided = {one.step for one in decisions if one.decision in _OF_A_STEP}
    under_way = tuple(a.step for a in plan.actions if a.status is StepStatus.RUNNING and plan.stale)
    return tuple(step for step in sorted({*plan.uncertain_steps, *under_way}) if step not in decided)


def by_hand(plan: ExecutionPlan, decisions: Sequence[PersonDecision]) -> tuple[int, ...]:
    """Steps that were carried out and not put back, which nobody has seen to since. What an undo cannot bring back, as
    the operator was told before, is not among them: there is nothing to do about it."""
    if any(one.decision is Decision.DONE for one in decisions):
        return ()
    rows = plan.rollback_report.steps if plan.rollback_report else ()
    known = {*undecided(plan, decisions), *(one.step for one in decisions if one.decision in _OF_A_STEP)}
    return tuple(row.step for row in rows if row.outcome not in _SETTLED and row.step not in known)
