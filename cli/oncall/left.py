"""What a plan that has ended leaves to a person, and what of it a person has settled since."""

from collections.abc import Sequence

from contracts.decisions import Decision, PersonDecision
from contracts.enums import StepRollbackOutcome
from contracts.plan import ExecutionPlan

_SETTLED = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)
_OF_A_STEP = (Decision.APPLIED, Decision.NOT_APPLIED)
_SEEN_TO = (Decision.DONE, Decision.ENDED)


def undecided(plan: ExecutionPlan, decisions: Sequence[PersonDecision]) -> tuple[int, ...]:
    """Steps of unknown outcome on which no person has decided since. Of a plan that was cut off, those
    that were under way are among them."""
    decided = {one.step for one in decisions if one.decision in _OF_A_STEP}
    return tuple(step for step in plan.uncertain_steps if step not in decided)


def by_hand(plan: ExecutionPlan, decisions: Sequence[PersonDecision]) -> tuple[int, ...]:
    """Steps that stand and were not put back, which nobody has seen to since. What an undo cannot bring back, as the
    operator was told before, is not among them: there is nothing to do about it."""
    rows = plan.rollback_report.steps if plan.rollback_report else ()
    left = [row.step for row in rows if row.outcome not in _SETTLED]
    unknown = undecided(plan, decisions)
    return tuple(step for step in left if step not in unknown and not _is_settled(step, decisions))


def seen_to(decisions: Sequence[PersonDecision]) -> PersonDecision | None:
    """The decision that what was left is done; None where there is none since a step was decided to stand."""
    for one in reversed(decisions):
        if one.decision in _SEEN_TO:
            return one
        if one.decision is Decision.APPLIED:
            return None
    return None


def _is_settled(step: int, decisions: Sequence[PersonDecision]) -> bool:
    """Whether a step needs nobody any more: the last word on it, or on the whole, says so."""
    words = [one for one in decisions if one.step == step or one.decision in _SEEN_TO]
    return bool(words) and words[-1].decision is not Decision.APPLIED
