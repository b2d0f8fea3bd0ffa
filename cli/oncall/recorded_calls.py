"""The model calls that histories have recorded: the request and the proposal."""

import re
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from temporalio.api.enums.v1 import EventType
from temporalio.client import Client

from cli.oncall.resolve import workflow_named
from contracts.chat_completion import ModelReply, ReasonRequest
from contracts.chat_messages import PlanStart
from infra.crypto.keyring import KeyringError

_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


@dataclass(frozen=True)
class CallFilter:
    """Selects histories: the named ones, or all plans and chats since a moment; and the maximum number of calls."""

    names: tuple[str, ...]
    since: datetime | None
    most: int


@dataclass(frozen=True)
class RecordedCall:
    """One recorded model call."""

    workflow_id: str
    at: datetime
    request: ReasonRequest
    reply: ModelReply


def span(text: str) -> datetime:
    """Return the moment that lies this long in the past: 90m, 12h, 7d. Ends the program if the text is invalid."""
    found = re.fullmatch(r"(\d{1,6})([mhd])", text)
    if found is None:
        sys.exit(f"iq: --since {text} is no span of time: say 90m, 12h or 7d")
    return datetime.now(UTC) - int(found[1]) * _UNITS[found[2]]


async def recorded(client: Client, criteria: CallFilter) -> AsyncIterator[RecordedCall]:
    """Yield the calls of all selected histories, one history after the other. One that cannot be opened is reported and
    left out."""
    remaining = criteria.most
    async for workflow_id, run_id, trace in _histories(client, criteria):
        try:
            calls = [call async for call in _calls(client, workflow_id, run_id)]
        except KeyringError as locked:
            print(f"iq: {workflow_id} is left out: {locked}", file=sys.stderr)
            continue
        for call in calls:
            if (criteria.since and call.at < criteria.since) or trace not in (None, call.request.trace_id):
                continue
            if remaining == 0:
                print(f"iq: there are more model calls than {criteria.most}: --most says how many", file=sys.stderr)
                return
            remaining -= 1
            yield call


async def _histories(client: Client, criteria: CallFilter) -> AsyncIterator[tuple[str, str | None, str | None]]:
    """Yield workflow, run, and the trace of the selected message; a plan comes with the message that drafted it."""
    for name in criteria.names:
        workflow_id = workflow_named(name)
        if workflow_id.startswith("plan-") and (start := await _start(client, workflow_id)) is not None:
            async for row in client.list_workflows(f'WorkflowId = "{start.conversation_id}"'):
                yield row.id, row.run_id, start.trace_id
        yield workflow_id, None, None
    if criteria.since is not None:
        at = criteria.since.isoformat()
        query = f'WorkflowType IN ("Plan", "Conversation") AND (StartTime >= "{at}" OR CloseTime >= "{at}" OR '
        async for row in client.list_workflows(query + 'ExecutionStatus = "Running")', page_size=500):
            yield row.id, row.run_id, None


async def _start(client: Client, workflow_id: str) -> PlanStart | None:
    async for event in client.get_workflow_handle(workflow_id).fetch_history_events(page_size=1):
        given = event.workflow_execution_started_event_attributes.input
        [start] = await client.data_converter.decode_wrapper(given, [PlanStart])
        return start if isinstance(start, PlanStart) else None
    return None


async def _calls(client: Client, workflow_id: str, run_id: str | None) -> AsyncIterator[RecordedCall]:
    arguments: dict[int, Any] = {}
    converter = client.data_converter
    async for event in client.get_workflow_handle(workflow_id, run_id=run_id).fetch_history_events():
        if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
            scheduled = event.activity_task_scheduled_event_attributes
            if scheduled.activity_type.name == "reason":
                arguments[event.event_id] = scheduled.input
        elif event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED:
            done = event.activity_task_completed_event_attributes
            if done.scheduled_event_id in arguments:
                [request] = await converter.decode_wrapper(arguments.pop(done.scheduled_event_id), [ReasonRequest])
                [reply] = await converter.decode_wrapper(done.result, [ModelReply])
                yield RecordedCall(workflow_id, event.event_time.ToDatetime(tzinfo=UTC), request, reply)
