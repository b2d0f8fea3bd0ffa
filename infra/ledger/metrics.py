"""The booking specification's metrics as SQL, built from their one definition in `contracts/metrics.py`, and the sums
over model calls (`docs/ledger.md` defines both). All are sums, so that the sums of groups add up to the total."""

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, Table, and_, case, cast, distinct, func, not_, or_, true

from contracts import metrics
from contracts.metrics import AllOf, AnyOf, Condition, In, IsSet, Metric, Not, SumOf
from infra.ledger.schema import CALLS, PLANS, STEPS


def holds(condition: Condition, table: Table) -> ColumnElement[bool]:
    """Return a condition on the rows of a table. It is never NULL, so that its negation is its opposite."""
    match condition:
        case In(field, values):
            column = table.c[field]
            return and_(column.is_not(None), column.in_([str(value) for value in values]))
        case IsSet(field):
            return table.c[field].is_not(None)
        case Not(that):
            return not_(holds(that, table))
        case AllOf(those):
            return and_(true(), *(holds(one, table) for one in those))
        case AnyOf(those):
            return or_(*(holds(one, table) for one in those))


class Ratio(NamedTuple):
    """A ratio: the count `of` by the count `among`."""

    of: ColumnElement[Any]
    among: ColumnElement[Any]


def _count(condition: ColumnElement[bool]) -> ColumnElement[Any]:
    return func.sum(case((condition, 1), else_=0))


def _share(measure: Metric, table: Table) -> Ratio:
    """Return the sum of a metric's scores, and the number of its rows."""
    counts = holds(measure.counts, table)
    if isinstance(measure.score, SumOf):
        amount = table.c[measure.score.field]
        present = and_(counts, amount.is_not(None))
        return Ratio(func.sum(case((present, amount), else_=0)), _count(present))
    return Ratio(_count(and_(counts, holds(measure.score, table))), _count(counts))


SETTLED = holds(metrics.SETTLED, PLANS)
"""Plans that the metrics count."""

PLAN_METRICS = {one.name: _share(one, PLANS) for one in metrics.MEASURES if one.of == "plans" and one.taken == "mean"}

SECONDS_TO_CONFIRM = PLANS.c[metrics.SECONDS_TO_CONFIRM.name]
"""`reports` takes the median."""

ACTIONS = _share(metrics.ACTION_FAILURE, STEPS)

CRITIQUES = func.count(distinct(case((CALLS.c.critique_triggered, CALLS.c.trace_id))))
"""Messages for which a critique was triggered, counted once however many calls it took. Their share of `turns` is the
critique rate."""

CALL_METRICS = {
    "calls": func.count(),
    # Operators' messages for which a model was called.
    "turns": func.sum(cast(CALLS.c.opens_turn, Integer)),
    "input_tokens": func.sum(CALLS.c.input_tokens),
    "cached_tokens": func.sum(CALLS.c.cached_tokens),
    "output_tokens": func.sum(CALLS.c.output_tokens),
    "latency_ms": func.sum(CALLS.c.latency_ms),
    # Price times multiplier, of the calls with a known price.
    "cost_nano": func.sum(CALLS.c.cost_nano),
    "priced": func.count(CALLS.c.cost_nano),
    # The multiple of the price that a mode's calls cost: the mean of the tariffs' multipliers over all calls.
    "multiplier": func.sum(CALLS.c.multiplier),
}
