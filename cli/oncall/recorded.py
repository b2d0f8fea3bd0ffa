"""The model calls that histories have recorded: what was asked, and what was proposed."""

import re
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from temporalio.api.enums.v1 import EventType
from temporalio.client import Client

from cli.oncall.resolve import workflow_named
from contracts.messages import PlanStart
from contracts.model import ModelReply, ReasonRequest
from infra.keyring import KeyringError

_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


@dataclass(frozen=True)
class Wanted:
    """Which histories: those named, or all plans and chats since a moment; and how many calls of them at most."""

    names: tuple[str, ...]
    since: datetime | None
    most: int


@dataclass(frozen=True)
class Recorded:
    """One model call as it went."""

    workflow_id: str
    at: datetime
    request: ReasonRequest
    reply: ModelReply


def span(text: str) -> datetime:
    """The moment that is so long ago: 90m, 12h, 7d. Ends the program where it is none."""
    found = re.fullmatch(r"(\d{1,6})([mhd])", text)
    if found is None:
        sys.exit(f"iq: --since {text} is no span of time: say 90m, 12h or 7d")
    return datetime.now(UTC) - int(found[1]) * _UNITS[found[2]]


async def recorded(client: Client, wanted: Wanted) -> AsyncIterator[Recorded]:
    """The calls of all that is wanted, a history after the other. One that cannot be opened is told and left out."""
    left = wanted.most
    async for workflow_id, run_id, trace in _histories(client, wanted):
        try:
            calls = [call async for call in _calls(client, workflow_id, run_id)]
        except KeyringError as locked:
            print(f"iq: {workflow_id} is left out: {locked}", file=sys.stderr)
            continue
        for call in calls:
            if (wanted.since and call.at < wanted.since) or trace not in (None, call.request.trace_id):
                continue
            if left == 0:
                print(f"iq: there are more model calls than {wanted.most}: --most says how many", file=sys.stderr)
                return
            left -= 1
            yield call


async def _histories(client: Client, wanted: Wanted) -> AsyncIterator[tuple[str, str | None, str | None]]:
    """Workflow, run, and the trace of the one message that is meant; a plan comes with the message that drafted it."""
    for name in wanted.names:
        workflow_id = workflow_named(name)
        if workflow_id.startswith("plan-") and (start := await _start(client, workflow_id)) is not None:
            async for row in client.list_workflows(f'WorkflowId = "{start.conversation_id}"'):
                yield row.id, row.run_id, start.trace_id
        yield workflow_id, None, None
    if wanted.since is not None:
        at = wanted.since.isoformat()
        query = f'WorkflowType IN ("Plan", "Conversation") AND (StartTime >= "{at}" OR CloseTime >= "{at}" OR '
        async for row in client.list_workflows(query + 'ExecutionStatus = "Running")', page_size=500):
            yield row.id, row.run_id, None


async def _start(client: Client, workflow_id: str) -> PlanStart | None:
    async for event in client.get_workflow_handle(workflow_id).fetch_history_events(page_size=1):
        given = event.workflow_execution_started_event_attributes.input
        [start] = await client.data_converter.decode_wrapper(given, [PlanStart])
        return start if isinstance(start, PlanStart) else None
    return None


async def _calls(client: Client, workflow_id: str, run_id: str | None) -> AsyncIterator[Recorded]:
    asked: dict[int, Any] = {}
    converter = client.data_converter
    async for event in client.get_workflow_handle(workflow_id, run_id=run_id).fetch_history_events():
        if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
            scheduled = event.activity_task_scheduled_event_attributes
            if scheduled.activity_type.name == "reason":
                asked[event.event_id] = scheduled.input
        elif event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED:
            done = event.activity_task_completed_event_attributes
            if done.scheduled_event_id in asked:
                [request] = await converter.decode_wrapper(asked.pop(done.scheduled_event_id), [ReasonRequest])
                [reply] = await converter.decode_wrapper(done.result, [ModelReply])
                yield Recorded(workflow_id, event.event_time.ToDatetime(tzinfo=UTC), request, reply)
