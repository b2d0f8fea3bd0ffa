"""A plan's events (`contracts/events.py`) as AG-UI's.

| event of the plan | event of AG-UI |
|---|---|
| `progress` of a step | STEP_STARTED, once |
| `step_started` | the step as a tool call |
| `step_result` | TOOL_CALL_RESULT, STEP_FINISHED |
| undoing a step, `reversal` | a step of its own |
| `prompt_opened`, `sign_in_needed`, `separate_message` | a text message |
| each of them, additionally | CUSTOM `iq.<kind>`, with the event |

The state that a client shares: the run's plan, and the result of its last message.

    {"plan": ExecutionPlan or null, "turn": {"type", "quick_actions", "candidates", "reason", "reference"} or null}

Sent whole first, then as JSON Patch (RFC 6902). The state that a client sends is ignored.
"""

import json
from collections.abc import Iterator
from typing import Any

import jsonpatch
from ag_ui.core import BaseEvent, CustomEvent, StateDeltaEvent, StateSnapshotEvent, StepFinishedEvent, StepStartedEvent

from api.ag_ui.messages import MessageHistory
from contracts.enums import StepStatus
from contracts.events import EventKind, PlanEvent
from contracts.plan import ExecutionPlan
from contracts.turn import PlanTurn, Turn
from language.messages.catalogue import translate

_SPOKEN = (EventKind.PROMPT_OPENED, EventKind.SIGN_IN_NEEDED, EventKind.SEPARATE_MESSAGE)


class EventMapper:
    """Maps the events of one plan behind event `after`, for one run."""

    def __init__(self, transcript: MessageHistory, after: int) -> None:
        self._transcript, self._after = transcript, after
        self._open: list[str] = []
        self._going_back = False

    def map(self, event: PlanEvent, plan: ExecutionPlan) -> Iterator[BaseEvent]:
        """Yield AG-UI's events for one event; `plan` is the plan at that time. Events up to `after` only update the
        state."""
        if event.kind is EventKind.ROLLING_BACK:
            self._going_back = True
        if event.number <= self._after:
            return
        if event.kind is EventKind.ROLLING_BACK:
            yield from self.close()
        yield from self._begun(event, plan)
        value = {"plan_id": plan.plan_id, **event.model_dump(mode="json", exclude_none=True)}
        yield CustomEvent(name=f"iq.{event.kind}", value=value)
        if event.kind in _SPOKEN:
            yield from self._transcript.text(f"{plan.plan_id}:{event.number}", event.text)
        if event.kind is EventKind.STEP_RESULT:
            yield from self._result(event, plan)
        if event.kind in (EventKind.STEP_RESULT, EventKind.STEP_SKIPPED, EventKind.REVERSAL):
            yield from self._finished(_name(event, undoing=event.kind is EventKind.REVERSAL))

    def close(self) -> Iterator[BaseEvent]:
        """Yield the ends of the steps that continue beyond this run."""
        for name in reversed(self._open):
            yield StepFinishedEvent(step_name=name)
        self._open.clear()

    def _begun(self, event: PlanEvent, plan: ExecutionPlan) -> Iterator[BaseEvent]:
        """Yield the start of the event's step, which an earlier run may have sent already."""
        at_work = event.kind is EventKind.PROGRESS and event.step is not None
        sent = event.kind in (EventKind.STEP_STARTED, EventKind.STEP_RESULT)
        if self._going_back and (at_work or event.kind is EventKind.REVERSAL):
            yield from self._started(_name(event, undoing=True))
        elif at_work or sent:
            yield from self._started(_name(event, undoing=False))
        if sent and (action := next((a for a in plan.actions if a.step == event.step), None)):
            yield from self._transcript.call(_call(plan, event), action)

    def _result(self, event: PlanEvent, plan: ExecutionPlan) -> Iterator[BaseEvent]:
        fields = {"status": event.step_status, "message": event.text, "error_type": event.error_type}
        content = json.dumps({k: v for k, v in fields.items() if v is not None}, ensure_ascii=False)
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
    """Return a step's name, unique in its plan even if titles repeat."""
    return translate("ag_ui.undo_step" if undoing else "ag_ui.step", step=event.step, title=event.name or event.text)


def _call(plan: ExecutionPlan, event: PlanEvent) -> str:
    return f"{plan.plan_id}:step-{event.step}"


_BESIDE_ITS_WORDS = {"type", "quick_actions", "candidates", "reason", "reference"}


class SharedState:
    """The state that the client of one run knows."""

    def __init__(self) -> None:
        self._state: dict[str, Any] = {"plan": None, "turn": None}
        self._sent: dict[str, Any] | None = None

    def plan(self, plan: ExecutionPlan) -> Iterator[BaseEvent]:
        """Yield the plan's state, if it changed."""
        self._state = {**self._state, "plan": plan.model_dump(mode="json", exclude_none=True)}
        yield from self._news()

    def turn(self, turn: Turn) -> Iterator[BaseEvent]:
        """Yield the result of a message, without its text."""
        if isinstance(turn, PlanTurn):
            fields = turn.model_dump(mode="json", exclude_none=True, exclude={"plan", "message"})
        else:
            fields = turn.model_dump(mode="json", exclude_none=True, include=_BESIDE_ITS_WORDS)
        self._state = {**self._state, "turn": fields}
        yield from self._news()

    def snapshot(self) -> StateSnapshotEvent:
        """Return the whole state."""
        self._sent = self._state
        return StateSnapshotEvent(snapshot=self._state)

    def _news(self) -> Iterator[BaseEvent]:
        if self._sent is None:
            yield self.snapshot()
            return
        operations = jsonpatch.make_patch(self._sent, self._state).patch
        self._sent = self._state
        if operations:
            yield StateDeltaEvent(delta=operations)
