"""Every metric, defined once: what is counted of which rows (`docs/ledger.md` says the same in words).

A plan counts once its waiting is over: it was confirmed, replaced, dropped, or nobody said anything in time.
"""

from typing import Any

from sqlalchemy import ColumnElement, Float, Integer, and_, case, cast, distinct, func, or_

from contracts.enums import PlanStatus, RollbackTrigger, StepStatus
from infra.ledger.schema import CALLS, PLANS, STEPS

_PENDING = PlanStatus.PENDING_CONFIRMATION.value
_UNDO = RollbackTrigger.UNDO.value

_confirmed = PLANS.c.confirmed_at.is_not(None)
_ended = and_(_confirmed, PLANS.c.status.not_in([PlanStatus.CONFIRMED.value, PlanStatus.EXECUTING.value]))
# A plan that its operator took back afterwards had done what was asked.
_succeeded = or_(PLANS.c.status == PlanStatus.COMPLETED.value, PLANS.c.rollback_trigger == _UNDO)
_had_to_go_back = and_(
    PLANS.c.rollback_trigger.is_not(None), PLANS.c.rollback_trigger != _UNDO, PLANS.c.rollback_outcome.is_not(None)
)


def _count(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def _share(of: ColumnElement[bool], among: ColumnElement[bool]) -> ColumnElement[Any]:
    """None where there is nothing to take a share of."""
    return cast(_count(and_(of, among)), Float) / func.nullif(_count(among), 0)


SETTLED = PLANS.c.status != _PENDING
"""Plans that metrics count."""

PLANNING_ACCURACY = _share(_confirmed, SETTLED)
"""Booking specification: % of plans confirmed without modification. Who changes a plan gets another in its place: the
first counts as not confirmed, the second by itself."""

EXECUTION_SUCCESS = _share(_succeeded, _ended)
"""Booking specification: % of confirmed plans that complete successfully; of those that have ended."""

CLARIFICATION_RATE = func.avg(cast(PLANS.c.clarifications, Float))
"""Booking specification: average clarifications per request; of requests that came to a plan."""

ROLLBACK_FREQUENCY = _share(_had_to_go_back, _ended)
"""Booking specification: % of executions requiring rollback. An operator's undo is none."""

SECONDS_TO_CONFIRM = PLANS.c.seconds_to_confirm
"""Booking specification: median time from request to user confirm; the median is taken in `reports`."""

ACTION_SENT = func.count()
ACTION_FAILED = func.sum(case((STEPS.c.status.in_([StepStatus.FAILED.value, StepStatus.UNKNOWN.value]), 1), else_=0))
"""Booking specification: per-action failure rate; one of which nobody knows counts as failed."""

CALLS_MADE = func.count()
TURNS = func.sum(cast(CALLS.c.opens_turn, Integer))
"""Operators' messages that a model was asked about."""

CRITIQUES = func.count(distinct(case((CALLS.c.critique_triggered, CALLS.c.trace_id))))
"""Messages that a critique was triggered for, however many calls it took. Their share of `TURNS` is the critique
rate."""

INPUT_TOKENS = func.sum(CALLS.c.input_tokens)
CACHED_TOKENS = func.sum(CALLS.c.cached_tokens)
OUTPUT_TOKENS = func.sum(CALLS.c.output_tokens)
LATENCY_MS = func.avg(CALLS.c.latency_ms)
COST_NANO = func.sum(CALLS.c.cost_nano)
"""Price times multiplier, of the calls whose price is known."""

UNPRICED = func.count() - func.count(CALLS.c.cost_nano)
MULTIPLIER = func.avg(CALLS.c.multiplier)
"""What a mode's calls cost as a multiple of their price: the tariffs' multipliers, call by call."""
