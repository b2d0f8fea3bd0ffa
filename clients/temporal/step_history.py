"""Reads step states from the history of a plan's workflow that failed or was terminated. The workflow publishes a
step's state only with its next change, so the last published state may be outdated."""

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import BaseModel
from temporalio.api.enums.v1 import EventType, TimeoutType
from temporalio.api.failure.v1 import Failure
from temporalio.api.history.v1 import HistoryEvent
from temporalio.converter import DataConverter
from temporalio.exceptions import ApplicationError

from contracts.enums import RollbackState, StepRollbackOutcome, StepStatus
from contracts.persisted_names import NOT_DONE
from contracts.plan import ExecutionPlan, PlannedAction
from contracts.step_activities import WriteOutcome

_OF_A_STEP = ("act", "read_back", "undo_step")
_LANDED = {
    WriteOutcome.APPLIED: StepStatus.COMPLETED,
    WriteOutcome.NOT_APPLIED: StepStatus.FAILED,
    # A misapplied write: the plan records it as failed, and undoes it.
    WriteOutcome.MISAPPLIED: StepStatus.UNKNOWN,
    WriteOutcome.UNKNOWN: StepStatus.UNKNOWN,
}
_BACK = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)


def cut_off_at_work(plan: ExecutionPlan) -> bool:
    """Return whether an interrupted plan was executing or undoing steps, by its last published state."""
    undoing = plan.rollback is not None and plan.rollback.state is not RollbackState.DONE
    return undoing or (not plan.status.terminal and plan.confirmed_at is not None)


async def as_history_tells(
    converter: DataConverter, events: Iterable[HistoryEvent], plan: ExecutionPlan
) -> ExecutionPlan:
    """Return the plan with each step's state from its activities; `unknown` if an activity was in progress. Raises
    `KeyringError`."""
    past = _Past(converter)
    for event in events:
        await past.heard(event)
    actions = tuple(past.seen(action) for action in plan.actions)
    # The recorded result of a completed step may no longer be true.
    doubted = {a.step for a in actions if a.status is StepStatus.UNKNOWN and a not in plan.actions}
    results = tuple(result for result in plan.results if result.step not in doubted)
    return plan.model_copy(update={"actions": actions, "results": results})


class _Scope(BaseModel):
    idempotency_key: str


class _StartedCall(BaseModel):
    """The fields that are read of an `ActRequest` or `StepUndoRequest`. The others may be of another version than this
    code."""

    scope: _Scope
    sent: bool = False
    look_only: bool = False
    undone_with: bool = False


class _Reply(BaseModel):
    """The fields that are read of an `ActReply` or `StepUndoResult`."""

    write_outcome: WriteOutcome | None = None
    outcome: StepRollbackOutcome | None = None
    sent: bool = False


@dataclass(frozen=True)
class _Command:
    """An activity of a step that is in progress, and the step's status before it."""

    asked: _StartedCall
    step: int
    before: StepStatus | None


class _Past:
    """The activities of one plan, as far as its history was read."""

    def __init__(self, converter: DataConverter) -> None:
        self._converter = converter
        self._open: dict[int, _Command] = {}
        self._status: dict[int, StepStatus | None] = {}
        self._at: dict[int, int] = {}
        """The event that set each step's current status."""
        self._published = 0

    def seen(self, action: PlannedAction) -> PlannedAction:
        """Return the step with its current status. A state that was published after its last activity takes
        precedence."""
        known = self._status.get(action.step)
        under_way = any(call.step == action.step and not call.asked.look_only for call in self._open.values())
        if known is not None and (under_way or self._at[action.step] > self._published):
            return action.model_copy(update={"status": known})
        if action.status is StepStatus.RUNNING:
            # Nothing was sent, or the result of its last activity is known.
            return action.model_copy(update={"status": known or StepStatus.PENDING})
        return action

    async def heard(self, event: HistoryEvent) -> None:
        """Process one event. Events must come in order."""
        kind = event.event_type
        if kind == EventType.EVENT_TYPE_WORKFLOW_PROPERTIES_MODIFIED:
            self._published = event.event_id
        elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
            await self._begun(event)
        elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED:
            done = event.activity_task_completed_event_attributes
            if call := self._open.pop(done.scheduled_event_id, None):
                [reply] = await self._converter.decode_wrapper(done.result, [_Reply])
                self._ended(call, event.event_id, reply)
        elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED:
            failed = event.activity_task_failed_event_attributes
            if call := self._open.pop(failed.scheduled_event_id, None):
                self._ended(call, event.event_id, await self._reply_in(failed.failure))
        elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT:
            late = event.activity_task_timed_out_event_attributes
            if call := self._open.pop(late.scheduled_event_id, None):
                never = late.failure.timeout_failure_info.timeout_type == TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START
                if never and not call.asked.look_only:
                    self._set(call.step, event.event_id, call.before)
        elif kind == EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED:
            self._open.pop(event.activity_task_canceled_event_attributes.scheduled_event_id, None)

    async def _begun(self, event: HistoryEvent) -> None:
        scheduled = event.activity_task_scheduled_event_attributes
        if scheduled.activity_type.name not in _OF_A_STEP:
            return
        [asked] = await self._converter.decode_wrapper(scheduled.input, [_StartedCall])
        step = int(asked.scope.idempotency_key.rpartition("-")[2])
        self._open[event.event_id] = _Command(asked, step, self._status.get(step))
        if not asked.look_only:
            self._set(step, event.event_id, StepStatus.UNKNOWN)

    def _ended(self, call: _Command, at: int, reply: _Reply | None) -> None:
        request = call.asked
        if reply is None or (request.look_only and not (request.undone_with and reply.outcome in _BACK)):
            return
        if reply.write_outcome is not None:
            self._set(call.step, at, _LANDED[reply.write_outcome])
        elif reply.outcome is StepRollbackOutcome.REVERSED:
            self._set(call.step, at, StepStatus.REVERSED)
        elif reply.outcome is StepRollbackOutcome.NOT_NEEDED:
            applied = call.before is StepStatus.COMPLETED
            self._set(call.step, at, StepStatus.REVERSED if applied else StepStatus.FAILED)
        elif not (request.sent or reply.sent):
            self._set(call.step, at, call.before)

    def _set(self, step: int, at: int, status: StepStatus | None) -> None:
        self._status[step], self._at[step] = status, at

    async def _reply_in(self, failure: Failure) -> _Reply | None:
        """Return the reply in the failure of a write that was not applied as asked; None if the activity was lost."""
        mine = Failure()
        # Decoding modifies its input.
        mine.CopyFrom(failure)
        error = await self._converter.decode_failure(mine)
        if not isinstance(error, ApplicationError) or error.type != NOT_DONE or not error.details:
            return None
        return _Reply.model_validate(error.details[0])
