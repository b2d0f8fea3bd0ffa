"""A plan's events (`contracts/events.py`) as AG-UI's.

| of the plan | of AG-UI |
|---|---|
| `progress` of a step | STEP_STARTED, once |
| `step_started` | the step as a tool call |
| `step_result` | TOOL_CALL_RESULT, STEP_FINISHED |
| undoing a step, `reversal` | a step of its own |
| `prompt_opened`, `sign_in_needed`, `separate_message` | a text message |
| every one of them, too | CUSTOM `iq.<kind>`, with the event |
"""

import json
from collections.abc import Iterator

from ag_ui.core import BaseEvent, CustomEvent, StepFinishedEvent, StepStartedEvent

from api.ag_ui.transcript import Transcript
from contracts.enums import StepStatus
from contracts.events import EventKind, PlanEvent
from contracts.plan import ExecutionPlan
from language.catalogue import say

_SPOKEN = (EventKind.PROMPT_OPENED, EventKind.SIGN_IN_NEEDED, EventKind.SEPARATE_MESSAGE)


class Story:
    """What one run tells of one plan, behind the event `after`."""

    def __init__(self, transcript: Transcript, after: int) -> None:
        self._transcript, self._after = transcript, after
        self._open: list[str] = []
        self._going_back = False

    def told(self, event: PlanEvent, plan: ExecutionPlan) -> Iterator[BaseEvent]:
        """One event; the plan as it stands by then. What lies before the part that is told is only taken in."""
        if event.kind is EventKind.ROLLING_BACK:
            self._going_back = True
        if event.number <= self._after:
            return
        if event.kind is EventKind.ROLLING_BACK:
            yield from self.closed()
        yield from self._begun(event, plan)
        value = {"plan_id": plan.plan_id, **event.model_dump(mode="json", exclude_none=True)}
        yield CustomEvent(name=f"iq.{event.kind}", value=value)
        if event.kind in _SPOKEN:
            yield from self._transcript.text(f"{plan.plan_id}:{event.number}", event.text)
        if event.kind is EventKind.STEP_RESULT:
            yield from self._result(event, plan)
        if event.kind in (EventKind.STEP_RESULT, EventKind.STEP_SKIPPED, EventKind.REVERSAL):
            yield from self._finished(_name(event, undoing=event.kind is EventKind.REVERSAL))

    def closed(self) -> Iterator[BaseEvent]:
        """The ends of the steps that go on beyond this run."""
        for name in reversed(self._open):
            yield StepFinishedEvent(step_name=name)
        self._open.clear()

    def _begun(self, event: PlanEvent, plan: ExecutionPlan) -> Iterator[BaseEvent]:
        """The beginning of the step that an event is about, which an earlier run may have told already."""
        at_work = event.kind is EventKind.PROGRESS and event.step is not None
        sent = event.kind in (EventKind.STEP_STARTED, EventKind.STEP_RESULT)
        if self._going_back and (at_work or event.kind is EventKind.REVERSAL):
            yield from self._started(_name(event, undoing=True))
        elif at_work or sent:
            yield from self._started(_name(event, undoing=False))
        if sent and (action := next((a for a in plan.actions if a.step == event.step), None)):
            yield from self._transcript.call(_call(plan, event), action)

    def _result(self, event: PlanEvent, plan: ExecutionPlan) -> Iterator[BaseEvent]:
        told = {"status": event.step_status, "message": event.text, "error_type": event.error_type}
        content = json.dumps({k: v for k, v in told.items() if v is not None}, ensure_ascii=False)
        failed = None if event.step_status is StepStatus.COMPLETED else event.text
        yield from self._transcript.result(_call(plan, event), content, failed)

    def _started(self, name: str) -> Iterator[BaseEvent]:
        if name not in self._open:
            self._open.append(name)
            yield StepStartedEvent(step_name=name)

    def _finished(self, name: str) -> Iterator[BaseEvent]:
        if name in self._open:
            self._open.remove(name)
            yield StepFinishedEvent(step_name=name)


def _name(event: PlanEvent, *, undoing: bool) -> str:
    """Unique in its plan, whatever the steps are called."""
    return say("ag_ui.undo_step" if undoing else "ag_ui.step", step=event.step, title=event.name or event.text)


def _call(plan: ExecutionPlan, event: PlanEvent) -> str:
    return f"{plan.plan_id}:step-{event.step}"
