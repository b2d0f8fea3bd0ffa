"""What the booking specification's six key metrics are, each defined here and nowhere else (`docs/ledger.md` says the
same in words). The ledger makes SQL of these definitions, Prometheus sums of their scores, Langfuse scores of a trace.

A measure is taken of rows: plans, or steps that were sent. It says which rows count, and what such a row counts for:
1 or 0 where it is a share, else an amount. The metric is the mean of these scores, or their median. Rows of the same
names are a plan's `PlanOutcome` and `StepEnd`, and the ledger's tables.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, median
from typing import Literal

from contracts.enums import PlanStatus, RollbackTrigger, StepStatus
from contracts.usage import PlanOutcome, StepEnd

Row = PlanOutcome | StepEnd


@dataclass(frozen=True)
class OneOf:
    """The field has one of these values; where it has none, this does not hold."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Known:
    """The field has a value."""

    field: str


@dataclass(frozen=True)
class Not:
    """That does not hold."""

    that: "Condition"


@dataclass(frozen=True)
class Both:
    """All of those hold; none at all always do."""

    those: "tuple[Condition, ...]" = ()


@dataclass(frozen=True)
class Either:
    """At least one of those holds."""

    those: "tuple[Condition, ...]"


Condition = OneOf | Known | Not | Both | Either
"""Told as data, so that SQL can be made of it."""


@dataclass(frozen=True)
class Amount:
    """A row counts for the number in this field, and only where it has one."""

    field: str


@dataclass(frozen=True)
class Measure:
    """`name` is what it is called in reports, in Prometheus after `iq_`, and in Langfuse."""

    name: str
    of: Literal["plans", "steps"]
    counts: Condition
    score: Condition | Amount
    taken: Literal["mean", "median"] = "mean"


SETTLED = Not(OneOf("status", (PlanStatus.PENDING_CONFIRMATION,)))
"""Plans that are measured: their waiting is over, since they were confirmed, replaced, dropped, or nobody said anything
in time."""

_CONFIRMED = Known("confirmed_at")
_ENDED = Both((SETTLED, _CONFIRMED, Not(OneOf("status", (PlanStatus.CONFIRMED, PlanStatus.EXECUTING)))))
_UNDONE = OneOf("rollback_trigger", (RollbackTrigger.UNDO,))

PLANNING_ACCURACY = Measure("planning_accuracy", "plans", SETTLED, _CONFIRMED)
"""% of plans confirmed without modification. Who changes a plan gets another in its place: the first counts as not
confirmed, the second by itself."""

EXECUTION_SUCCESS = Measure(
    "execution_success", "plans", _ENDED, Either((OneOf("status", (PlanStatus.COMPLETED,)), _UNDONE))
)
"""% of confirmed plans that complete successfully; of those that have ended. A plan that its operator took back
afterwards had done what was asked."""

CLARIFICATION_RATE = Measure("clarification_rate", "plans", SETTLED, Amount("clarifications"))
"""Average clarifications per request; of requests that came to a plan."""

SECONDS_TO_CONFIRM = Measure("seconds_to_confirm", "plans", SETTLED, Amount("seconds_to_confirm"), "median")
"""Median time from request to user confirm, in whole seconds; of plans that were confirmed."""

ROLLBACK_FREQUENCY = Measure("rollback_frequency", "plans", _ENDED, Both((Known("rollback_trigger"), Not(_UNDONE))))
"""% of executions requiring rollback; of those that have ended. An operator's undo is none."""

ACTION_FAILURE = Measure("action_failure", "steps", Both(), OneOf("status", (StepStatus.FAILED, StepStatus.UNKNOWN)))
"""Per-action failure rate, of steps that were sent; one of which nobody knows counts as failed."""

MEASURES = (
    PLANNING_ACCURACY,
    EXECUTION_SUCCESS,
    CLARIFICATION_RATE,
    SECONDS_TO_CONFIRM,
    ROLLBACK_FREQUENCY,
    ACTION_FAILURE,
)


def holds(condition: Condition, row: Row) -> bool:
    """Whether a condition holds of a row."""
    match condition:
        case OneOf(field, values):
            return getattr(row, field) in values
        case Known(field):
            return getattr(row, field) is not None
        case Not(that):
            return not holds(that, row)
        case Both(those):
            return all(holds(one, row) for one in those)
        case Either(those):
            return any(holds(one, row) for one in those)


def score(measure: Measure, row: Row) -> float | None:
    """What a row counts for; None where it does not count."""
    if not holds(measure.counts, row):
        return None
    if isinstance(measure.score, Amount):
        amount = getattr(row, measure.score.field)
        return None if amount is None else float(amount)
    return float(holds(measure.score, row))


def scores(outcome: PlanOutcome) -> dict[str, float]:
    """What one plan counts for, by the names of the measures of plans that it counts in. What it says is final once
    the plan is `settled`."""
    told = {one.name: score(one, outcome) for one in MEASURES if one.of == "plans"}
    return {name: value for name, value in told.items() if value is not None}


def taken(measure: Measure, rows: Iterable[Row]) -> float | None:
    """The metric, of rows of one kind; None where none counts."""
    found = [value for row in rows if (value := score(measure, row)) is not None]
    if not found:
        return None
    return median(found) if measure.taken == "median" else fmean(found)
