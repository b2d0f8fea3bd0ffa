"""Client of plan workflows: queries, updates, signals and descriptions. The API and the activities share it.

The step states of a plan whose workflow failed or was terminated are read from its history: the workflow publishes a
step's state only with its next change, so the last published state may be outdated.
"""

import contextlib
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import BaseModel
from temporalio.api.enums.v1 import EventType, TimeoutType
from temporalio.api.failure.v1 import Failure
from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import (
    Client,
    WorkflowExecutionDescription,
    WorkflowExecutionStatus,
    WorkflowHandle,
    WorkflowQueryFailedError,
    WorkflowUpdateStage,
)
from temporalio.converter import DataConverter
from temporalio.exceptions import ApplicationError

from clients.errors import ApiError, ServiceUnavailableError
from clients.temporal.calls import query_with_retry, with_deadline
from contracts.chat_messages import (
    CancelRequest,
    ConfirmRequest,
    PlanStart,
    PlanView,
    PromptAnswer,
    SkipRequest,
    TokenRenewed,
    UndoRequest,
)
from contracts.enums import ErrorType, PlanStatus, RollbackState, StepRollbackOutcome, StepStatus
from contracts.events import EventsView
from contracts.persisted_names import NOT_DONE
from contracts.plan import ExecutionPlan, PlanFailure, PlannedAction
from contracts.step_activities import WriteOutcome
from infra.crypto.keyring import KeyringError
from infra.observability.logging import OutageLog
from infra.temporal.client import QUICK
from infra.temporal.search_attributes import PHASE, STATUS, VENUE
from language.messages.catalogue import translate
from workflows.plan.workflow import PlanWorkflow
from workflows.workflow_ids import plan_workflow

_UNASKED = OutageLog(
    logging.getLogger(__name__),
    "querying running plans",
    "what is shown of them is what they recorded last, marked stale",
)

_LOOK_WITHIN = 0.6
"""Seconds for a query. Every route answers within three: describe and query, then an update."""


_EVENTS, _EVENTS_WITHIN = timedelta(seconds=5), 5.0
"""Seconds. No operator waits for this query, and a plan that a new worker takes over is replayed first."""

_CUT_OFF = (
    WorkflowExecutionStatus.FAILED,
    WorkflowExecutionStatus.TERMINATED,
    WorkflowExecutionStatus.TIMED_OUT,
    WorkflowExecutionStatus.CANCELED,
)
"""The close states of a plan's workflow that indicate an error."""

_HISTORY_WITHIN = 1.5
"""Seconds for reading the history of an interrupted plan while a caller waits."""


class PlanClient:
    """Calls plans through the Temporal service. Every method raises `ApiError`, and `ServiceUnavailableError` if no
    answer came in time."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def venue(self, plan_id: str) -> str:
        """Return the venue of a plan without a worker; empty if its search attributes lack it. Raises `ApiError`."""
        return (await self.describe(plan_id)).typed_search_attributes.get(VENUE) or ""

    async def plan(self, plan_id: str) -> PlanView:
        """Return the current plan. Without a worker it is the last recorded state, marked `stale`; if the workflow has
        failed or was terminated, the plan is shown as ended. Raises `ApiError`: not_found, service_unavailable."""
        description = await self.describe(plan_id)
        handle = self._handle(plan_id)
        if description.status is WorkflowExecutionStatus.COMPLETED:
            return PlanView(plan=await with_deadline(handle.result(rpc_timeout=QUICK), 2))
        if description.status is WorkflowExecutionStatus.RUNNING:
            try:
                asking = query_with_retry(lambda: handle.query(PlanWorkflow.plan, rpc_timeout=QUICK))
                found = await with_deadline(asking, _LOOK_WITHIN)
                _UNASKED.success()
                return found
            except (ApiError, WorkflowQueryFailedError) as error:
                _UNASKED.failure(type(error).__name__)
        recorded = await description.memo_value("plan", default=None, type_hint=ExecutionPlan)
        if recorded is None:
            raise ServiceUnavailableError("worker")
        if description.status in _CUT_OFF:
            # Without the history, the last published state is shown, and its notice says what may be missing.
            with contextlib.suppress(ApiError, KeyringError):
                if cut_off_at_work(recorded):
                    recorded = await self.as_left(plan_id, recorded, _HISTORY_WITHIN)
            return PlanView(plan=_ended(recorded, description.close_time or datetime.now(UTC)))
        return PlanView(plan=recorded.model_copy(update={"stale": True}))

    async def as_left(self, plan_id: str, plan: ExecutionPlan, timeout: float) -> ExecutionPlan:
        """Return an interrupted plan with each step's state from its history. Raises `ApiError`, `KeyringError`."""
        events = await self.history(plan_id, timeout)
        return await as_history_tells(self.client.data_converter, events, plan)

    async def history(self, plan_id: str, timeout: float) -> list[HistoryEvent]:
        """Return the whole history of a plan. Raises `ApiError`."""

        async def all_of_it() -> list[HistoryEvent]:
            events = self._handle(plan_id).fetch_history_events(rpc_timeout=timedelta(seconds=timeout))
            return [event async for event in events]

        return await with_deadline(all_of_it(), timeout, part="temporal")

    async def events(self, plan_id: str, after: int) -> EventsView:
        """Return the events of a plan after a number, or the last state of a plan whose workflow was interrupted.
        Raises `ApiError`: not_found, service_unavailable."""
        handle = self._handle(plan_id)
        try:
            asking = query_with_retry(lambda: handle.query(PlanWorkflow.events, after, rpc_timeout=_EVENTS))
            return await with_deadline(asking, _EVENTS_WITHIN)
        except WorkflowQueryFailedError:
            raise ServiceUnavailableError("worker") from None

    async def was_interrupted(self, plan_id: str) -> ExecutionPlan | None:
        """Return the displayed plan if its workflow failed or was terminated; None otherwise. Raises `ApiError`."""
        description = await self.describe(plan_id)
        if description.status not in _CUT_OFF:
            return None
        recorded = await description.memo_value("plan", default=None, type_hint=ExecutionPlan)
        return None if recorded is None else _ended(recorded, description.close_time or datetime.now(UTC))

    async def never_started(self, plan_id: str) -> PlanStart | None:
        """Return the input of a plan whose workflow was terminated before a worker started it, so that it has no
        events; None for any other plan. Raises `ApiError`."""
        return await with_deadline(self._untaken(plan_id), _EVENTS_WITHIN, part="temporal")

    async def _untaken(self, plan_id: str) -> PlanStart | None:
        started: PlanStart | None = None
        async for event in self._handle(plan_id).fetch_history_events():
            if event.HasField("workflow_task_completed_event_attributes"):
                return None
            if event.HasField("workflow_execution_started_event_attributes"):
                given = event.workflow_execution_started_event_attributes.input
                [started] = await self.client.data_converter.decode_wrapper(given, [PlanStart])
        return started

    async def describe(self, plan_id: str) -> WorkflowExecutionDescription:
        """Return the service's description of a plan's workflow. Raises `ApiError`."""
        # Temporal answers this itself, without a worker.
        return await with_deadline(self._handle(plan_id).describe(rpc_timeout=QUICK), 1.0, part="temporal")

    async def confirm(self, plan_id: str, request: ConfirmRequest, timeout: float) -> PlanView:
        """Confirm a plan. `timeout` in seconds, as for the other commands."""
        update = self._handle(plan_id).execute_update(PlanWorkflow.confirm, request, rpc_timeout=_beyond(timeout))
        return await with_deadline(update, timeout)

    async def cancel(self, plan_id: str, request: CancelRequest, timeout: float) -> PlanView:
        """Cancel a plan."""
        update = self._handle(plan_id).execute_update(PlanWorkflow.cancel, request, rpc_timeout=_beyond(timeout))
        return await with_deadline(update, timeout)

    async def skip(self, plan_id: str, request: SkipRequest, timeout: float) -> PlanView:
        """Skip a step."""
        update = self._handle(plan_id).execute_update(PlanWorkflow.skip_step, request, rpc_timeout=_beyond(timeout))
        return await with_deadline(update, timeout)

    async def undo(self, plan_id: str, request: UndoRequest, accepted_within: float, timeout: float) -> PlanView:
        """Undo a completed plan. A worker must accept it within `accepted_within` seconds; the undo then
        takes longer."""
        accepting = self._handle(plan_id).start_update(
            PlanWorkflow.undo,
            request,
            wait_for_stage=WorkflowUpdateStage.ACCEPTED,
            rpc_timeout=_beyond(accepted_within),
        )
        update = await with_deadline(accepting, accepted_within)
        return await with_deadline(update.result(rpc_timeout=_beyond(timeout)), timeout)

    async def token_renewed(self, plan_id: str, message: TokenRenewed) -> None:
        """Signal a plan a token that the venue has accepted."""
        await with_deadline(self._handle(plan_id).signal(PlanWorkflow.token_renewed, message, rpc_timeout=QUICK), 1.5)

    async def answer(self, plan_id: str, answer: PromptAnswer) -> None:
        """Signal an answer."""
        await with_deadline(self._handle(plan_id).signal(PlanWorkflow.answer, answer, rpc_timeout=QUICK), 1.5)

    def _handle(self, plan_id: str) -> WorkflowHandle[PlanWorkflow, ExecutionPlan]:
        return self.client.get_workflow_handle_for(PlanWorkflow.run, plan_workflow(plan_id))

    @staticmethod
    def status_of(description: WorkflowExecutionDescription) -> str | None:
        """Return the plan's status from its search attribute."""
        return description.typed_search_attributes.get(STATUS)

    @staticmethod
    def phase_of(description: WorkflowExecutionDescription) -> str | None:
        """Return the plan's phase from its search attribute."""
        return description.typed_search_attributes.get(PHASE)


def _ended(plan: ExecutionPlan, at: datetime) -> ExecutionPlan:
    """Return the last recorded state of a plan whose workflow was interrupted: it neither waits nor runs."""
    notice = translate("plan.cut_off" if cut_off_at_work(plan) else "plan.ended_unexpectedly")
    update: dict[str, Any] = {"stale": True, "notice": notice, "blocking_prompt": None, "undo_until": None}
    undoing = plan.rollback is not None and plan.rollback.state is not RollbackState.DONE
    if undoing:
        update["rollback"] = None
    if plan.status is PlanStatus.PENDING_CONFIRMATION:
        update["status"] = PlanStatus.CANCELLED
    elif plan.status in (PlanStatus.CONFIRMED, PlanStatus.EXECUTING, *([PlanStatus.COMPLETED] if undoing else [])):
        failure = PlanFailure(error_type=ErrorType.SERVER_ERROR, message=notice)
        update |= {"status": PlanStatus.FAILED, "completed_at": at, "failure": failure}
    return ExecutionPlan.model_validate({**dict(plan), **update})


def _beyond(timeout: float) -> timedelta:
    # A little longer than the timeout around the call, which should end first.
    return timedelta(seconds=timeout + 1)


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
class _ActivityInProgress:
    """An activity of a step that is in progress, and the step's status before it."""

    asked: _StartedCall
    step: int
    before: StepStatus | None


class _Past:
    """The activities of one plan, as far as its history was read."""

    def __init__(self, converter: DataConverter) -> None:
        self._converter = converter
        self._open: dict[int, _ActivityInProgress] = {}
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
        self._open[event.event_id] = _ActivityInProgress(asked, step, self._status.get(step))
        if not asked.look_only:
            self._set(step, event.event_id, StepStatus.UNKNOWN)

    def _ended(self, call: _ActivityInProgress, at: int, reply: _Reply | None) -> None:
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
