"""Workflow inspection by the Temporal service alone, without a worker: what a workflow waits for, what is retried and
what failed last. Of the payloads, only failures and memos are decoded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile
from uuid import uuid4

from google.protobuf.timestamp_pb2 import Timestamp
from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.enums.v1 import EventType, PendingActivityState, PendingWorkflowTaskState, TaskQueueType
from temporalio.api.failure.v1 import Failure
from temporalio.api.history.v1 import HistoryEvent
from temporalio.api.workflow.v1 import PendingActivityInfo
from temporalio.api.workflowservice.v1 import (
    DescribeTaskQueueRequest,
    GetWorkflowExecutionHistoryReverseRequest,
    PauseActivityRequest,
    UnpauseActivityRequest,
)
from temporalio.client import Client, WorkflowExecutionDescription, WorkflowExecutionStatus
from temporalio.exceptions import ApplicationError, FailureError

from clients.temporal.calls import with_deadline
from infra.crypto.keyring import KeyringError
from infra.temporal.client import QUICK
from infra.temporal.search_attributes import PHASE, STATUS, VENUE

UNREAD = "its words cannot be read here"

_WITHIN = 5.0
"""Seconds for one request. It may be long because it serves engineers, not operators."""
_IDENTITY = "iq resolve"
_BACK = 50
"""Number of events read from the end of a history. They include everything in progress."""


_CALL_ENDED = (
    EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
    EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED,
    EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT,
    EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED,
)
_TIMER_ENDED = (EventType.EVENT_TYPE_TIMER_FIRED, EventType.EVENT_TYPE_TIMER_CANCELED)
_LOST = (EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED, EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT)


@dataclass(frozen=True)
class PendingCall:
    """An activity in progress `since` it was scheduled. `most`: the maximum number of attempts, 0 for no limit.
    `next_try` is None while an attempt runs."""

    activity_id: str
    name: str
    attempt: int
    most: int
    since: datetime
    runs: bool
    next_try: datetime | None
    gives_up: datetime | None
    last_error: str


@dataclass(frozen=True)
class PendingTask:
    """A workflow task that no worker has completed yet; `taken_up` if a worker has started it."""

    attempt: int
    since: datetime
    taken_up: bool


@dataclass(frozen=True)
class PendingTimer:
    """A running timer; `why` is the workflow's summary, "" if it has none."""

    since: datetime
    ends: datetime
    why: str


@dataclass(frozen=True)
class ExecutionInfo:
    """One run of a workflow."""

    workflow_id: str
    run_id: str
    type: str
    queue: str
    state: WorkflowExecutionStatus
    started: datetime
    closed: datetime | None
    status: str
    phase: str
    venue: str
    calls: Sequence[PendingCall] = ()
    task: PendingTask | None = None

    @property
    def open(self) -> bool:
        """Return whether the run is still open."""
        return self.state is WorkflowExecutionStatus.RUNNING


class WorkflowInspector:
    """Inspects workflows. Every method raises `ApiError`, and `ServiceUnavailableError` if Temporal did
    not answer."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def describe(self, workflow_id: str) -> ExecutionInfo:
        """Return the state of a workflow."""
        handle = self.client.get_workflow_handle(workflow_id)
        found = await self._read(await with_deadline(handle.describe(rpc_timeout=QUICK * 3), _WITHIN, part="temporal"))
        attempts = [call.attempt for call in found.calls] + ([found.task.attempt] if found.task else [])
        if max(attempts, default=1) < 2:
            return found
        # For an activity that is retried, the service reports its next attempt but not when it was scheduled.
        events = await self._last_events(workflow_id)
        first = {
            event.activity_task_scheduled_event_attributes.activity_id: _moment(event.event_time)
            for event in events
            if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED
        }
        calls = [replace(call, since=first.get(call.activity_id, found.started)) for call in found.calls]
        task = found.task
        if task is not None and task.attempt > 1:
            stands = takewhile(lambda e: e.event_type != EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED, events)
            lost = [_moment(e.event_time) for e in stands if e.event_type in _LOST]
            task = replace(task, since=lost[-1] if lost else found.started)
        return replace(found, calls=calls, task=task)

    async def _read(self, found: WorkflowExecutionDescription) -> ExecutionInfo:
        raw, labels = found.raw_description, found.typed_search_attributes
        task = None
        if raw.HasField("pending_workflow_task"):
            pending = raw.pending_workflow_task
            started = pending.state == PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_STARTED
            since = pending.original_scheduled_time or pending.scheduled_time
            task = PendingTask(pending.attempt, _moment(since), started)
        return ExecutionInfo(
            workflow_id=found.id,
            run_id=found.run_id,
            type=found.workflow_type,
            queue=found.task_queue,
            state=found.status or WorkflowExecutionStatus.RUNNING,
            started=found.start_time,
            closed=found.close_time,
            status=labels.get(STATUS) or "",
            phase=labels.get(PHASE) or labels.get(STATUS) or "",
            venue=labels.get(VENUE) or "",
            calls=[await self._call(one) for one in raw.pending_activities],
            task=task,
        )

    async def _call(self, one: PendingActivityInfo) -> PendingCall:
        waits = one.state == PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED
        return PendingCall(
            activity_id=one.activity_id,
            name=one.activity_type.name,
            attempt=one.attempt,
            most=one.maximum_attempts,
            since=_moment(one.scheduled_time),
            runs=not waits,
            next_try=_moment(one.next_attempt_schedule_time) if one.HasField("next_attempt_schedule_time") else None,
            gives_up=_moment(one.expiration_time) if one.HasField("expiration_time") else None,
            last_error=await self.payload(one.last_failure) if one.HasField("last_failure") else "",
        )

    async def payload(self, failure: Failure) -> str:
        """Return a failure in one line: its message, or its cause's if it has none; `UNREAD` and the reason if the
        message is encrypted with an unavailable key."""
        try:
            error: BaseException | None = await self.client.data_converter.decode_failure(failure)
        except KeyringError as locked:
            return f"{UNREAD} ({locked})"
        while isinstance(error, FailureError) and error.cause is not None and not isinstance(error, ApplicationError):
            error = error.cause
        kind = error.type if isinstance(error, ApplicationError) else type(error).__name__
        text = " ".join(str(error.message if isinstance(error, FailureError) else error).split())
        return text if not kind or text.startswith(kind) else f"{kind}: {text}".rstrip(": ")

    async def timer(self, event: HistoryEvent) -> PendingTimer:
        """Return the timer of a timer-started event."""
        length = event.timer_started_event_attributes.start_to_fire_timeout.ToTimedelta()
        since, why = _moment(event.event_time), ""
        if event.user_metadata.HasField("summary"):
            try:
                [why] = await self.client.data_converter.decode([event.user_metadata.summary], [str])
            except KeyringError as locked:
                why = str(locked)
        return PendingTimer(since, since + length, why)

    async def timers(self, workflow_id: str) -> list[PendingTimer]:
        """Return the running timers that were started within the last events."""
        events = await self._last_events(workflow_id)
        over = {_of_timer(event) for event in events}
        started = [e for e in events if e.event_type == EventType.EVENT_TYPE_TIMER_STARTED]
        return [await self.timer(e) for e in started if e.timer_started_event_attributes.timer_id not in over]

    async def last_failed_task(self, workflow_id: str) -> str:
        """Return why the last workflow task failed; "" if none of the last events is such a failure."""
        for event in await self._last_events(workflow_id):
            if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED:
                failed = event.workflow_task_failed_event_attributes
                # A task failed by a worker has a failure; one failed by the service has a cause only.
                return await self.payload(failed.failure)
            if event.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED:
                return await self.payload(event.workflow_execution_failed_event_attributes.failure)
        return ""

    async def was_interrupted(self, workflow_id: str) -> list[str]:
        """Return the activities that were in progress when a workflow closed. Their outcome is recorded nowhere."""
        events = await self._last_events(workflow_id)
        ended = {_of_call(event) for event in events}
        scheduled = [e for e in events if e.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED]
        left = [e for e in scheduled if e.event_id not in ended]
        return [e.activity_task_scheduled_event_attributes.activity_type.name for e in left]

    async def _last_events(self, workflow_id: str) -> Sequence[HistoryEvent]:
        """Return the last events, newest first."""
        request = GetWorkflowExecutionHistoryReverseRequest(
            namespace=self.client.namespace,
            execution=WorkflowExecution(workflow_id=workflow_id),
            maximum_page_size=_BACK,
        )
        asking = self.client.workflow_service.get_workflow_execution_history_reverse(request, timeout=QUICK * 3)
        return (await with_deadline(asking, _WITHIN, part="temporal")).history.events

    async def has_pollers(self, queue: str) -> datetime | None:
        """Return when a worker last polled a queue; None if no worker has lately."""
        request = DescribeTaskQueueRequest(namespace=self.client.namespace)
        request.task_queue.name = queue
        request.task_queue_type = TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW
        asking = self.client.workflow_service.describe_task_queue(request, timeout=QUICK * 3)
        seen = await with_deadline(asking, _WITHIN, part="temporal")
        return max((_moment(p.last_access_time) for p in seen.pollers), default=None)

    async def retry_now(self, workflow_id: str, call: PendingCall) -> None:
        """Start the next attempt of a waiting activity now. Its attempt count continues, because an earlier request may
        still be applied, and a first attempt would not know about it."""
        who, service, namespace = (
            WorkflowExecution(workflow_id=workflow_id),
            self.client.workflow_service,
            self.client.namespace,
        )
        pause = PauseActivityRequest(
            namespace=namespace, execution=who, id=call.activity_id, identity=_IDENTITY, request_id=str(uuid4())
        )
        await with_deadline(service.pause_activity(pause, timeout=QUICK * 3), _WITHIN, part="temporal")
        go_on = UnpauseActivityRequest(namespace=namespace, execution=who, id=call.activity_id, identity=_IDENTITY)
        await with_deadline(service.unpause_activity(go_on, timeout=QUICK * 3), _WITHIN, part="temporal")

    async def terminate(self, workflow_id: str, run_id: str, why: str) -> None:
        """Terminate a workflow. Nothing of it continues, and nothing is undone."""
        handle = self.client.get_workflow_handle(workflow_id, run_id=run_id)
        await with_deadline(handle.terminate(reason=why, rpc_timeout=QUICK * 3), _WITHIN, part="temporal")


def _of_call(event: HistoryEvent) -> int:
    """Return the id of the event that scheduled the activity which this event ends; 0 for any other event."""
    if event.event_type not in _CALL_ENDED:
        return 0
    return int(getattr(event, str(event.WhichOneof("attributes"))).scheduled_event_id)


def _of_timer(event: HistoryEvent) -> str:
    """Return the id of the timer that this event ends; "" for any other event."""
    if event.event_type not in _TIMER_ENDED:
        return ""
    return str(getattr(event, str(event.WhichOneof("attributes"))).timer_id)


def _moment(at: Timestamp) -> datetime:
    return at.ToDatetime(tzinfo=UTC)
