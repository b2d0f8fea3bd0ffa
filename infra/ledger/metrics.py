"""Every metric, defined once: what is counted of which rows (`docs/ledger.md` says the same in words).

A plan counts once its waiting is over: it was confirmed, replaced, dropped, or nobody said anything in time. All are
sums, so that those of several groups add up to those of all.
"""

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, and_, case, cast, distinct, func, or_

from contracts.enums import PlanStatus, RollbackTrigger, StepStatus
from infra.ledger.schema import CALLS, PLANS, STEPS

_UNDO = RollbackTrigger.UNDO.value
_RUNNING = (PlanStatus.CONFIRMED.value, PlanStatus.EXECUTING.value)

_confirmed = PLANS.c.confirmed_at.is_not(None)
_ended = and_(_confirmed, PLANS.c.status.not_in(_RUNNING))
# A plan that its operator took back afterwards had done what was asked.
_succeeded = or_(PLANS.c.status == PlanStatus.COMPLETED.value, PLANS.c.rollback_trigger == _UNDO)
_had_to_go_back = and_(PLANS.c.rollback_trigger.is_not(None), PLANS.c.rollback_trigger != _UNDO)


def _count(condition: ColumnElement[bool]) -> ColumnElement[Any]:
    return func.sum(case((condition, 1), else_=0))


class Share(NamedTuple):
    """So many `of` so many `among`."""

    of: ColumnElement[Any]
    among: ColumnElement[Any]


SETTLED = PLANS.c.status != PlanStatus.PENDING_CONFIRMATION.value
"""Plans that metrics count."""

PLAN_METRICS = {
    # Booking specification: % of plans confirmed without modification. Who changes a plan gets another in its place:
    # the first counts as not confirmed, the second by itself.
    "planning_accuracy": Share(_count(_confirmed), func.count()),
    # % of confirmed plans that complete successfully; of those that have ended.
    "execution_success": Share(_count(and_(_succeeded, _ended)), _count(_ended)),
    # Average clarifications per request; of requests that came to a plan.
    "clarification_rate": Share(func.sum(PLANS.c.clarifications), func.count()),
    # % of executions requiring rollback. An operator's undo is none.
    "rollback_frequency": Share(_count(and_(_had_to_go_back, _ended)), _count(_ended)),
}

SECONDS_TO_CONFIRM = PLANS.c.seconds_to_confirm
"""Booking specification: median time from request to user confirm, in whole seconds; `reports` takes the median."""

ACTION_SENT = func.count()
ACTION_FAILED = func.sum(case((STEPS.c.status.in_([StepStatus.FAILED.value, StepStatus.UNKNOWN.value]), 1), else_=0))
"""Booking specification: per-action failure rate; one of which nobody knows counts as failed."""

CRITIQUES = func.count(distinct(case((CALLS.c.critique_triggered, CALLS.c.trace_id))))
"""Messages that a critique was triggered for, however many calls it took. Their share of `turns` is the critique
rate."""

CALL_METRICS = {
    "calls": func.count(),
    # Operators' messages that a model was asked about.
    "turns": func.sum(cast(CALLS.c.opens_turn, Integer)),
    "input_tokens": func.sum(CALLS.c.input_tokens),
    "cached_tokens": func.sum(CALLS.c.cached_tokens),
    "output_tokens": func.sum(CALLS.c.output_tokens),
    "latency_ms": func.sum(CALLS.c.latency_ms),
    # Price times multiplier, of the calls whose price is known.
    "cost_nano": func.sum(CALLS.c.cost_nano),
    "priced": func.count(CALLS.c.cost_nano),
    # What a mode's calls cost as a multiple of their price: the mean of the tariffs' multipliers, call by call.
    "multiplier": func.sum(CALLS.c.multiplier),
}
