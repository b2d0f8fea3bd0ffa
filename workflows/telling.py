"""What watchers are told of a plan: each change of its state as events, and what is said beside them.

Which change is told, and in which order, is compatibility data (`contracts.events`): a plan that is replayed must give
every event the number that it had.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.enums import PlanStatus, RollbackState, StepRollbackOutcome, StepStatus
    from contracts.events import EventKind, PlanEvent
    from contracts.plan import ExecutionPlan, PlannedAction, StepRollback
    from infra.wakes import ThisProcessWakes
    from language.catalogue import say

_Told = tuple[EventKind, dict[str, Any]]

_BACK = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)
_RESULTS = (StepStatus.COMPLETED, StepStatus.FAILED, StepStatus.UNKNOWN)


class Telling:
    """The events of one plan, in order; `heard` is told each. `at_step` is the step that is being worked on, 0 for
    none."""

    def __init__(
        self, plan: ExecutionPlan, reasoning: str, confidence: int, heard: Callable[[PlanEvent], None]
    ) -> None:
        self._plan_id = plan.plan_id
        self._heard = heard
        self._names = {action.step: action.title for action in plan.actions}
        self.events: list[PlanEvent] = []
        self.at_step = 0
        looks = [result for result in plan.results if plan.actions[result.step - 1].read_only]
        told: dict[str, Any] = {"in_chat": True, "at": looks[0].started_at} if looks else {}
        text = plan.intent or reasoning
        self._tell(EventKind.INITIATED, text=text, reasoning=reasoning, confidence=confidence, **told)
        for look in looks:
            told["at"] = look.started_at
            self._tell(EventKind.STEP_STARTED, text="", step=look.step, **told)
            told["at"] = look.finished_at
            how: dict[str, Any] = {"step_status": look.status, "error_type": look.error_type}
            self._tell(EventKind.STEP_RESULT, text=look.message, step=look.step, **how, **told)

    def after(self, number: int) -> Sequence[PlanEvent]:
        """The events after a number."""
        return self.events[max(0, number) :]

    def progress(self, key: str, step: int = 0) -> None:
        """Something goes on that takes its time: a text of the catalogue, about a step or about none."""
        name = self._names.get(step, "")
        self._tell(EventKind.PROGRESS, step=step, text=say(f"event.{key}", title=name))

    def prompt(self, kind: EventKind, prompt_id: str, text: str, choices: tuple[str, ...] = ()) -> None:
        """A question is open, answered or closed."""
        self._tell(kind, step=self.at_step, text=text, prompt_id=prompt_id, choices=choices or None)

    def reversal(self, row: StepRollback) -> None:
        """What became of one reversal."""
        self._tell(EventKind.REVERSAL, step=row.step, text=row.message, outcome=row.outcome)

    def changed(self, before: ExecutionPlan, after: ExecutionPlan) -> None:
        """Tell how a plan has moved on."""
        for kind, fields in _changes(before, after):
            self._tell(kind, **fields)

    def _tell(self, kind: EventKind, *, text: str, step: int = 0, at: datetime | None = None, **fields: Any) -> None:
        name = self._names.get(step)
        self.events.append(
            PlanEvent(
                number=len(self.events) + 1,
                at=at or workflow.now(),
                kind=kind,
                text=text.strip() or name or say("event.goes_on"),
                step=step or None,
                name=name,
                **fields,
            )
        )
        self._heard(self.events[-1])
        if not workflow.unsafe.is_replaying():
            ThisProcessWakes.wake(self._plan_id)


def _changes(before: ExecutionPlan, after: ExecutionPlan) -> Iterator[_Told]:
    if after.status is PlanStatus.CONFIRMED and before.status is not PlanStatus.CONFIRMED:
        yield EventKind.CONFIRMED, {"text": say("event.confirmed")}
    if after.stopping and not before.stopping:
        yield EventKind.STOPPING, {"text": say("event.stopping")}
    was = {action.step: action for action in before.actions}
    told = {result.step: result for result in before.results}
    results = {result.step: result for result in after.results}
    for action in after.actions:
        yield from _started(was[action.step], action)
        result = results.get(action.step)
        if result is not None and action.step not in told and result.status in _RESULTS:
            fields = {"step_status": result.status, "error_type": result.error_type}
            yield EventKind.STEP_RESULT, {"step": action.step, "text": result.message, **fields}
        elif result is None:
            yield from _broken_off(was[action.step], action)
    yield from _going_back(before, after)
    yield from _ended(before, after)


def _started(before: PlannedAction, after: PlannedAction) -> Iterator[_Told]:
    if after.status is StepStatus.RUNNING and before.status is StepStatus.PENDING:
        yield EventKind.STEP_STARTED, {"step": after.step, "text": after.title}


def _broken_off(before: PlannedAction, after: PlannedAction) -> Iterator[_Told]:
    """Steps that a plan's early end settles: each that was started has a result."""
    if before.status is StepStatus.RUNNING and after.status in (StepStatus.SKIPPED, StepStatus.UNKNOWN):
        unknown = after.status is StepStatus.UNKNOWN
        text = say("event.step_unknown" if unknown else "event.step_not_sent", title=after.title)
        status = StepStatus.UNKNOWN if unknown else StepStatus.FAILED
        yield EventKind.STEP_RESULT, {"step": after.step, "text": text, "step_status": status}
    elif before.status is StepStatus.PENDING and after.status is StepStatus.SKIPPED:
        text = after.left_out or say("event.step_skipped", title=after.title)
        yield EventKind.STEP_SKIPPED, {"step": after.step, "text": text}


def _going_back(before: ExecutionPlan, after: ExecutionPlan) -> Iterator[_Told]:
    was = before.rollback.state if before.rollback else None
    now = after.rollback.state if after.rollback else None
    if now is RollbackState.RUNNING and was is None:
        undone = before.status is PlanStatus.COMPLETED
        yield EventKind.ROLLING_BACK, {"text": say("event.undoing" if undone else "event.rolling_back")}
    elif now is RollbackState.WAITING_FOR_SIGN_IN and was is not now:
        yield EventKind.SIGN_IN_NEEDED, {"text": say("event.sign_in")}
    elif now is RollbackState.RUNNING and was is RollbackState.WAITING_FOR_SIGN_IN:
        yield EventKind.PROGRESS, {"text": say("event.signed_in")}


def _ended(before: ExecutionPlan, after: ExecutionPlan) -> Iterator[_Told]:
    """`complete` once, when nothing of the plan goes on any more, and then its words. An undo has words alone."""
    if not after.settled or before.settled:
        return
    if not after.undone:
        yield EventKind.COMPLETE, {"text": _ended_as(after), "status": after.status}
    yield EventKind.SEPARATE_MESSAGE, {"text": closing_words(after)}


def _ended_as(plan: ExecutionPlan) -> str:
    rows = plan.rollback_report.steps if plan.rollback_report else ()
    if any(row.outcome not in _BACK for row in rows):
        some = any(row.outcome is StepRollbackOutcome.REVERSED for row in rows)
        return say("event.partly_back" if some else "event.not_back")
    return say(f"status.{plan.status}")


def closing_words(plan: ExecutionPlan) -> str:
    """How a plan ended, as an operator is told it."""
    if plan.status in (PlanStatus.EXPIRED, PlanStatus.CANCELLED):
        if tried := [result.message for result in plan.results if result.status is StepStatus.FAILED]:
            return say("event.cancelled_tried", why=in_sentences(tried))
        key = plan.status if plan.confirmed_at or plan.status is PlanStatus.EXPIRED else "dropped"
        return say("event.superseded") if plan.superseded_by else say(f"event.{key}")
    said = [plan.failure.message] if plan.failure else []
    said += [plan.summary] if plan.summary else []
    said += plan.rollback_report.manual_steps if plan.rollback_report else ()
    # A message that ends with what to do says it once.
    said += [one for one in plan.failure.suggestions if one.rstrip(".") not in " ".join(said)] if plan.failure else []
    return in_sentences(said)


def in_sentences(said: Sequence[str]) -> str:
    """Several texts as one; each ends before the next begins, also what a venue wrote."""
    return " ".join(text if text.endswith((".", "!", "?", "…")) else f"{text}." for text in said)
