"""What the history of a plan's workflow tells of its steps, for a plan that was cut off: the plan itself publishes a
step's state only with its next change, so what it published last may be behind."""

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import BaseModel
from temporalio.api.enums.v1 import EventType, TimeoutType
from temporalio.api.failure.v1 import Failure
from temporalio.api.history.v1 import HistoryEvent
from temporalio.converter import DataConverter
from temporalio.exceptions import ApplicationError

from contracts.effects import Landing
from contracts.enums import RollbackState, StepRollbackOutcome, StepStatus
from contracts.plan import ExecutionPlan, PlannedAction
from contracts.signatures import NOT_DONE

_OF_A_STEP = ("act", "read_back", "undo_step")
_LANDED = {
    Landing.APPLIED: StepStatus.COMPLETED,
    Landing.NOT_APPLIED: StepStatus.FAILED,
    # Something stands, though not what was asked: the plan records it as failed, and puts it back.
    Landing.OTHERWISE: StepStatus.UNKNOWN,
    Landing.UNKNOWN: StepStatus.UNKNOWN,
}
_BACK = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)


def cut_off_at_work(plan: ExecutionPlan) -> bool:
    """Whether a plan that goes on no more was carrying out steps, or undoing them, by what it published last."""
    undoing = plan.rollback is not None and plan.rollback.state is not RollbackState.DONE
    return undoing or (not plan.status.terminal and plan.confirmed_at is not None)


async def as_history_tells(
    converter: DataConverter, events: Iterable[HistoryEvent], plan: ExecutionPlan
) -> ExecutionPlan:
    """The plan with each step as its calls show it; `unknown` where one was under way. Raises `KeyringError`."""
    past = _Past(converter)
    for event in events:
        await past.heard(event)
    return plan.model_copy(update={"actions": tuple(past.seen(action) for action in plan.actions)})


class _Scope(BaseModel):
    idempotency_key: str


class _Asked(BaseModel):
    """What is read of an `ActRequest` or `UndoRequest`; the rest may be of another version than this code."""

    scope: _Scope
    sent: bool = False
    look_only: bool = False
    undone_with: bool = False


class _Reply(BaseModel):
    """What is read of an `ActReply` or `UndoReply`."""

    landing: Landing | None = None
    outcome: StepRollbackOutcome | None = None
    sent: bool = False


@dataclass(frozen=True)
class _Call:
    """A call about a step that has begun, and how the step stood before it."""

    asked: _Asked
    step: int
    before: StepStatus | None


class _Past:
    """The calls of one plan, as far as they have been heard."""

    def __init__(self, converter: DataConverter) -> None:
        self._converter = converter
        self._open: dict[int, _Call] = {}
        self._status: dict[int, StepStatus | None] = {}
        self._at: dict[int, int] = {}
        """The event by which a step was last known to stand as it does."""
        self._published = 0

    def seen(self, action: PlannedAction) -> PlannedAction:
        """The step as it stands. What was published after its last call is more than the call can tell."""
        known = self._status.get(action.step)
        under_way = any(call.step == action.step and not call.asked.look_only for call in self._open.values())
        if known is not None and (under_way or self._at[action.step] > self._published):
            return action.model_copy(update={"status": known})
        if action.status is StepStatus.RUNNING:
            # Nothing was sent, or its last call is told.
            return action.model_copy(update={"status": known or StepStatus.PENDING})
        return action

    async def heard(self, event: HistoryEvent) -> None:
        """One event, in order."""
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
        [asked] = await self._converter.decode_wrapper(scheduled.input, [_Asked])
        step = int(asked.scope.idempotency_key.rpartition("-")[2])
        self._open[event.event_id] = _Call(asked, step, self._status.get(step))
        if not asked.look_only:
            self._set(step, event.event_id, StepStatus.UNKNOWN)

    def _ended(self, call: _Call, at: int, reply: _Reply | None) -> None:
        asked = call.asked
        if reply is None or (asked.look_only and not (asked.undone_with and reply.outcome in _BACK)):
            return
        if reply.landing is not None:
            self._set(call.step, at, _LANDED[reply.landing])
        elif reply.outcome is StepRollbackOutcome.REVERSED:
            self._set(call.step, at, StepStatus.REVERSED)
        elif reply.outcome is StepRollbackOutcome.NOT_NEEDED:
            applied = call.before is StepStatus.COMPLETED
            self._set(call.step, at, StepStatus.REVERSED if applied else StepStatus.FAILED)
        elif not (asked.sent or reply.sent):
            self._set(call.step, at, call.before)

    def _set(self, step: int, at: int, status: StepStatus | None) -> None:
        self._status[step], self._at[step] = status, at

    async def _reply_in(self, failure: Failure) -> _Reply | None:
        """The reply of a write that did not do what was asked; None where the call was lost."""
        mine = Failure()
        # Decoding writes into what it reads.
        mine.CopyFrom(failure)
        error = await self._converter.decode_failure(mine)
        if not isinstance(error, ApplicationError) or error.type != NOT_DONE or not error.details:
            return None
        return _Reply.model_validate(error.details[0])
