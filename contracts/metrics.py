"""The booking specification's six key metrics, each defined here and nowhere else (`docs/ledger.md` describes them in
words). The ledger makes SQL of these definitions, Prometheus sums of their scores, Langfuse scores of a trace.

A metric is measured over rows: plans, or steps that were sent. It defines which rows count, and the score of each:
1 or 0 where it is a share, else an amount. The metric is the mean of these scores, or their median. Rows of the same
names are a plan's `PlanOutcome` and `StepOutcome`, and the ledger's tables.
"""

from dataclasses import dataclass
from typing import Literal

from contracts.enums import PlanStatus, RollbackTrigger, StepStatus
from contracts.usage import PlanOutcome, StepOutcome

Row = PlanOutcome | StepOutcome


@dataclass(frozen=True)
class In:
    """The field has one of these values; false for a field without a value."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class IsSet:
    """The field has a value."""

    field: str


@dataclass(frozen=True)
class Not:
    """The condition does not hold."""

    that: "Condition"


@dataclass(frozen=True)
class AllOf:
    """All of the conditions hold; true without conditions."""

    those: "tuple[Condition, ...]" = ()


@dataclass(frozen=True)
class AnyOf:
    """At least one of the conditions holds."""

    those: "tuple[Condition, ...]"


Condition = In | IsSet | Not | AllOf | AnyOf
"""Data, so that SQL can be generated from it."""


@dataclass(frozen=True)
class SumOf:
    """A row counts for the number in this field, and only where it has one."""

    field: str


@dataclass(frozen=True)
class Metric:
    """One key metric. `name` is its name in reports, in Prometheus after `iq_`, and in Langfuse."""

    name: str
    of: Literal["plans", "steps"]
    counts: Condition
    score: Condition | SumOf
    taken: Literal["mean", "median"] = "mean"


SETTLED = Not(In("status", (PlanStatus.PENDING_CONFIRMATION,)))
"""Plans that are measured. They no longer wait, because they were confirmed, replaced or dropped, or they expired."""

_CONFIRMED = IsSet("confirmed_at")
_ENDED = AllOf((SETTLED, _CONFIRMED, Not(In("status", (PlanStatus.CONFIRMED, PlanStatus.EXECUTING)))))
_UNDONE = In("rollback_trigger", (RollbackTrigger.UNDO,))

PLANNING_ACCURACY = Metric("planning_accuracy", "plans", SETTLED, _CONFIRMED)
"""% of plans confirmed without modification. A changed plan is replaced by another: the first counts as not confirmed,
the second by itself."""

EXECUTION_SUCCESS = Metric(
    "execution_success", "plans", _ENDED, AnyOf((In("status", (PlanStatus.COMPLETED,)), _UNDONE))
)
"""% of confirmed plans that complete successfully; of those that have ended. A plan that its operator undid
afterwards counts as successful."""

CLARIFICATION_RATE = Metric("clarification_rate", "plans", SETTLED, SumOf("clarifications"))
"""Average clarifications per request; of requests that led to a plan."""

SECONDS_TO_CONFIRM = Metric("seconds_to_confirm", "plans", SETTLED, SumOf("seconds_to_confirm"), "median")
"""Median time from request to user confirm, in whole seconds; of plans that were confirmed."""

ROLLBACK_FREQUENCY = Metric("rollback_frequency", "plans", _ENDED, AllOf((IsSet("rollback_trigger"), Not(_UNDONE))))
"""% of executions requiring rollback; of those that have ended. An operator's undo does not count."""

ACTION_FAILURE = Metric("action_failure", "steps", AllOf(), In("status", (StepStatus.FAILED, StepStatus.UNKNOWN)))
"""Per-action failure rate, of steps that were sent; a step with unknown outcome counts as failed."""

MEASURES = (
    PLANNING_ACCURACY,
    EXECUTION_SUCCESS,
    CLARIFICATION_RATE,
    SECONDS_TO_CONFIRM,
    ROLLBACK_FREQUENCY,
    ACTION_FAILURE,
)


def holds(condition: Condition, row: Row) -> bool:
    """Return whether a condition holds for a row."""
    match condition:
        case In(field, values):
            return getattr(row, field) in values
        case IsSet(field):
            return getattr(row, field) is not None
        case Not(that):
            return not holds(that, row)
        case AllOf(those):
            return all(holds(one, row) for one in those)
        case AnyOf(those):
            return any(holds(one, row) for one in those)


def score(measure: Metric, row: Row) -> float | None:
    """Return the score of a row; None where it does not count."""
    if not holds(measure.counts, row):
        return None
    if isinstance(measure.score, SumOf):
        amount = getattr(row, measure.score.field)
        return None if amount is None else float(amount)
    return float(holds(measure.score, row))


def scores(outcome: PlanOutcome) -> dict[str, float]:
    """Return the scores of one plan, by the names of the metrics of plans in which it counts. They are final once the
    plan is `settled`."""
    fields = {one.name: score(one, outcome) for one in MEASURES if one.of == "plans"}
    return {name: value for name, value in fields.items() if value is not None}
