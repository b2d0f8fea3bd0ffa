"""The events of a plan for its watchers: each change of its state, and the messages with it.

Which changes are events, and in which order, is compatibility data (`contracts.events`): a replayed plan must give
every event its original number.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.enums import PlanStatus, RollbackState, StepRollbackOutcome, StepStatus
    from contracts.events import EventKind, PlanEvent
    from contracts.plan import ExecutionPlan, PlannedAction, StepRollback
    from infra.stores.process_notifications import ProcessNotifications
    from language.messages.catalogue import translate

_Draft = tuple[EventKind, dict[str, Any]]

_BACK = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)
_RESULTS = (StepStatus.COMPLETED, StepStatus.FAILED, StepStatus.UNKNOWN)


class EventLog:
    """The events of one plan, in order; `heard` is called with each. `at_step` is the current step, 0 for none."""

    def __init__(
        self, plan: ExecutionPlan, reasoning: str, confidence: int, heard: Callable[[PlanEvent], None]
    ) -> None:
        self._plan_id = plan.plan_id
        self._heard = heard
        self._names = {action.step: action.title for action in plan.actions}
        self.events: list[PlanEvent] = []
        self.at_step = 0
        looks = [result for result in plan.results if plan.actions[result.step - 1].read_only]
        fields: dict[str, Any] = {"in_chat": True, "at": looks[0].started_at} if looks else {}
        text = plan.intent or reasoning
        self._tell(EventKind.INITIATED, text=text, reasoning=reasoning, confidence=confidence, **fields)
        for look in looks:
            fields["at"] = look.started_at
            self._tell(EventKind.STEP_STARTED, text="", step=look.step, **fields)
            fields["at"] = look.finished_at
            how: dict[str, Any] = {"step_status": look.status, "error_type": look.error_type}
            self._tell(EventKind.STEP_RESULT, text=look.message, step=look.step, **how, **fields)

    def after(self, number: int) -> Sequence[PlanEvent]:
        """Return the events after a number."""
        return self.events[max(0, number) :]

    def progress(self, key: str, step: int = 0) -> None:
        """Add a progress event with a message of the catalogue, about a step or about none."""
        name = self._names.get(step, "")
        self._tell(EventKind.PROGRESS, step=step, text=translate(f"event.{key}", title=name))

    def prompt(self, kind: EventKind, prompt_id: str, text: str, choices: tuple[str, ...] = ()) -> None:
        """Add an event for a prompt that was opened, answered or closed."""
        self._tell(kind, step=self.at_step, text=text, prompt_id=prompt_id, choices=choices or None)

    def reversal(self, row: StepRollback) -> None:
        """Add an event for the result of one compensation."""
        self._tell(EventKind.REVERSAL, step=row.step, text=row.message, outcome=row.outcome)

    def changed(self, before: ExecutionPlan, after: ExecutionPlan) -> None:
        """Add the events for a change of the plan."""
        for kind, fields in _changes(before, after):
            self._tell(kind, **fields)

    def _tell(self, kind: EventKind, *, text: str, step: int = 0, at: datetime | None = None, **fields: Any) -> None:
        name = self._names.get(step)
        self.events.append(
            PlanEvent(
                number=len(self.events) + 1,
                at=at or workflow.now(),
                kind=kind,
                text=text.strip() or name or translate("event.goes_on"),
                step=step or None,
                name=name,
                **fields,
            )
        )
        self._heard(self.events[-1])
        if not workflow.unsafe.is_replaying():
            ProcessNotifications.notify(self._plan_id)


def _changes(before: ExecutionPlan, after: ExecutionPlan) -> Iterator[_Draft]:
    if after.status is PlanStatus.CONFIRMED and before.status is not PlanStatus.CONFIRMED:
        yield EventKind.CONFIRMED, {"text": translate("event.confirmed")}
    if after.stopping and not before.stopping:
        yield EventKind.STOPPING, {"text": translate("event.stopping")}
    was = {action.step: action for action in before.actions}
    details = {result.step: result for result in before.results}
    results = {result.step: result for result in after.results}
    for action in after.actions:
        yield from _started(was[action.step], action)
        result = results.get(action.step)
        if result is not None and action.step not in details and result.status in _RESULTS:
            fields = {"step_status": result.status, "error_type": result.error_type}
            yield EventKind.STEP_RESULT, {"step": action.step, "text": result.message, **fields}
        elif result is None:
            yield from _broken_off(was[action.step], action)
    yield from _going_back(before, after)
    yield from _ended(before, after)


def _started(before: PlannedAction, after: PlannedAction) -> Iterator[_Draft]:
    if after.status is StepStatus.RUNNING and before.status is StepStatus.PENDING:
        yield EventKind.STEP_STARTED, {"step": after.step, "text": after.title}


def _broken_off(before: PlannedAction, after: PlannedAction) -> Iterator[_Draft]:
    """Yield the results of steps that the plan's early end settles: each started step gets a result."""
    if before.status is StepStatus.RUNNING and after.status in (StepStatus.SKIPPED, StepStatus.UNKNOWN):
        unknown = after.status is StepStatus.UNKNOWN
        text = translate("event.step_unknown" if unknown else "event.step_not_sent", title=after.title)
        status = StepStatus.UNKNOWN if unknown else StepStatus.FAILED
        yield EventKind.STEP_RESULT, {"step": after.step, "text": text, "step_status": status}
    elif before.status is StepStatus.PENDING and after.status is StepStatus.SKIPPED:
        text = after.left_out or translate("event.step_skipped", title=after.title)
        yield EventKind.STEP_SKIPPED, {"step": after.step, "text": text}


def _going_back(before: ExecutionPlan, after: ExecutionPlan) -> Iterator[_Draft]:
    was = before.rollback.state if before.rollback else None
    now = after.rollback.state if after.rollback else None
    if now is RollbackState.RUNNING and was is None:
        undone = before.status is PlanStatus.COMPLETED
        yield EventKind.ROLLING_BACK, {"text": translate("event.undoing" if undone else "event.rolling_back")}
    elif now is RollbackState.WAITING_FOR_SIGN_IN and was is not now:
        yield EventKind.SIGN_IN_NEEDED, {"text": translate("event.sign_in")}
    elif now is RollbackState.RUNNING and was is RollbackState.WAITING_FOR_SIGN_IN:
        yield EventKind.PROGRESS, {"text": translate("event.signed_in")}


def _ended(before: ExecutionPlan, after: ExecutionPlan) -> Iterator[_Draft]:
    """Yield `complete` once, when nothing of the plan runs any more, and then its message. An undo has a
    message only."""
    if not after.settled or before.settled:
        return
    if not after.undone:
        yield EventKind.COMPLETE, {"text": _ended_as(after), "status": after.status}
    yield EventKind.SEPARATE_MESSAGE, {"text": closing_text(after)}


def _ended_as(plan: ExecutionPlan) -> str:
    rows = plan.rollback_report.steps if plan.rollback_report else ()
    if any(row.outcome not in _BACK for row in rows):
        some = any(row.outcome is StepRollbackOutcome.REVERSED for row in rows)
        return translate("event.partly_back" if some else "event.not_back")
    return translate(f"status.{plan.status}")


def closing_text(plan: ExecutionPlan) -> str:
    """Return the operator's message about how a plan ended."""
    if plan.status in (PlanStatus.EXPIRED, PlanStatus.CANCELLED):
        if tried := [result.message for result in plan.results if result.status is StepStatus.FAILED]:
            return translate("event.cancelled_tried", why=join_sentences(tried))
        key = plan.status if plan.confirmed_at or plan.status is PlanStatus.EXPIRED else "dropped"
        return translate("event.superseded") if plan.superseded_by else translate(f"event.{key}")
    messages = [plan.failure.message] if plan.failure else []
    messages += [plan.summary] if plan.summary else []
    messages += plan.rollback_report.manual_steps if plan.rollback_report else ()
    # A message that ends with the next step must not repeat it.
    messages += (
        [one for one in plan.failure.suggestions if one.rstrip(".") not in " ".join(messages)] if plan.failure else []
    )
    return join_sentences(messages)


def join_sentences(messages: Sequence[str]) -> str:
    """Join texts into one, each with a full stop, also a venue's text."""
    return " ".join(text if text.endswith((".", "!", "?", "…")) else f"{text}." for text in messages)
