"""The booking specification's metrics as SQL, made of their one definition in `contracts/measures.py`; and what is
added up of model calls (`docs/ledger.md` says the same in words). All are sums, so that those of several groups add
up to those of all.
"""

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Integer, Table, and_, case, cast, distinct, func, not_, or_, true

from contracts import measures
from contracts.measures import Amount, Both, Condition, Either, Known, Measure, Not, OneOf
from infra.ledger.schema import CALLS, PLANS, STEPS


def holds(condition: Condition, table: Table) -> ColumnElement[bool]:
    """A condition on the rows of a table. It is never NULL, so that its denial is its opposite."""
    match condition:
        case OneOf(field, values):
            column = table.c[field]
            return and_(column.is_not(None), column.in_([str(value) for value in values]))
        case Known(field):
            return table.c[field].is_not(None)
        case Not(that):
            return not_(holds(that, table))
        case Both(those):
            return and_(true(), *(holds(one, table) for one in those))
        case Either(those):
            return or_(*(holds(one, table) for one in those))


class Share(NamedTuple):
    """So many `of` so many `among`."""

    of: ColumnElement[Any]
    among: ColumnElement[Any]


def _count(condition: ColumnElement[bool]) -> ColumnElement[Any]:
    return func.sum(case((condition, 1), else_=0))


def _share(measure: Measure, table: Table) -> Share:
    """What the scores of a measure come to, and of how many rows."""
    counts = holds(measure.counts, table)
    if isinstance(measure.score, Amount):
        amount = table.c[measure.score.field]
        told = and_(counts, amount.is_not(None))
        return Share(func.sum(case((told, amount), else_=0)), _count(told))
    return Share(_count(and_(counts, holds(measure.score, table))), _count(counts))


SETTLED = holds(measures.SETTLED, PLANS)
"""Plans that metrics count."""

PLAN_METRICS = {one.name: _share(one, PLANS) for one in measures.MEASURES if one.of == "plans" and one.taken == "mean"}

SECONDS_TO_CONFIRM = PLANS.c[measures.SECONDS_TO_CONFIRM.name]
"""`reports` takes the median."""

ACTIONS = _share(measures.ACTION_FAILURE, STEPS)

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
