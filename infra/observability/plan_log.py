"""One line at a plan's end, and one at the end of a later undo: result, duration and the outcome of each step. A
counter of `infra/observability/observer.py`."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from contracts.enums import PlanStatus, RollbackOutcome, StepStatus
from contracts.usage import PlanOutcome
from infra.observability.logging import hashed
from infra.observability.observer import Counted, Deduplicator, Kind, Observation

log = logging.getLogger(__name__)

_AS_PLANNED = frozenset({PlanStatus.COMPLETED, PlanStatus.EXPIRED, PlanStatus.CANCELLED})


class PlanLog:
    """Logs the end of plans."""

    def __init__(self) -> None:
        self._once = Deduplicator()

    @contextmanager
    def on_call(self, kind: Kind, name: str, trace_id: str, fields: dict[str, Any]) -> Iterator[Observation]:
        """See `Sink`. Traces record the calls."""
        yield _Nothing()

    def on_record(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        """See `Sink`."""
        plan = fields.get("outcome")
        if not isinstance(plan, PlanOutcome):
            return
        undone = plan.status is PlanStatus.ROLLED_BACK and plan.before is PlanStatus.COMPLETED
        if (plan.ends or undone) and self._once.is_new(plan.plan_id, plan.revision):
            event = "a plan was undone" if undone else "a plan ended"
            log.log(_level(plan), event, extra={"fields": _fields(plan)})

    def on_count(self, what: Counted, labels: dict[str, str], seconds: float | None) -> None:
        """See `Counter`."""

    def flush(self) -> None:
        """See `Sink`."""


class _Nothing:
    def update(self, **fields: Any) -> None:
        """Ignore the fields."""


def _level(plan: PlanOutcome) -> int:
    """Return a warning where on-call may have to act."""
    whole = plan.rollback_outcome is RollbackOutcome.COMPLETE
    unknown = not whole and any(step.status is StepStatus.UNKNOWN for step in plan.steps)
    if plan.rollback_outcome is RollbackOutcome.PARTIAL or unknown:
        return logging.ERROR
    as_planned = plan.status in _AS_PLANNED or plan.before is PlanStatus.COMPLETED
    return logging.INFO if as_planned else logging.WARNING


def _fields(plan: PlanOutcome) -> dict[str, Any]:
    seconds = {
        "seconds_to_confirm": plan.seconds_to_confirm,
        "seconds_to_first_action": _between(plan.confirmed_at, plan.first_action_at),
        "seconds": _between(plan.confirmed_at or plan.drafted_at, plan.ended_at),
    }
    rollback = {"rollback": plan.rollback_trigger, "rollback_outcome": plan.rollback_outcome}
    steps = [
        {"step": s.step, "action": s.action, "status": s.status.value}
        | ({"error_type": s.error_type.value} if s.error_type else {})
        | ({"seconds": round(s.seconds, 3)} if s.seconds is not None else {})
        for s in plan.steps
    ]
    return {
        "plan_id": plan.plan_id,
        "request_id": hashed(plan.trace_id),
        "venue": plan.venue_id,
        "outcome": plan.status.value,
        **{name: value for name, value in seconds.items() if value is not None},
        **{name: value.value for name, value in rollback.items() if value is not None},
        **({"replaced": True} if plan.replaced else {}),
        "steps": steps,
    }


def _between(since: datetime | None, until: datetime | None) -> float | None:
    return None if since is None or until is None else round((until - since).total_seconds(), 3)
