"""Client of chat workflows: runs a turn, reads the state, reads the memory of the last run."""

import asyncio
import hashlib
from datetime import UTC, datetime, timedelta

from temporalio.client import Client, WithStartWorkflowOperation, WorkflowExecutionStatus, WorkflowUpdateStage
from temporalio.common import Priority, SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy

from clients.errors import ApiError
from clients.temporal.calls import query_with_retry, with_deadline
from contracts.chat_messages import (
    ChatMemory,
    ChatStart,
    DebugView,
    SessionView,
    TranscriptView,
    TurnReply,
    TurnRequest,
)
from contracts.enums import ServiceErrorType
from contracts.escalation import StaffReplySignal
from contracts.persisted_names import Signal
from contracts.step_activities import PromptSlotRequest
from infra.temporal.client import QUICK
from infra.temporal.search_attributes import VENUE
from workflows.chat.workflow import ConversationWorkflow
from workflows.plan.activities import WORKFLOW_TASK

TURN_ACCEPT_WITHIN = 2.5
"""Seconds in which a message must reach a worker. The turn may then take the whole turn budget."""

_KEY_BYTES = 64
_RECALLING = 0.05
"""Seconds between queries of a chat that is still restoring its memory after it was closed."""


class ChatClient:
    """Calls chats through the Temporal service, by their ids (`workflows.workflow_ids.chat_workflow`). Every method
    raises `ApiError`, and `ServiceUnavailableError` if no answer came in time."""

    def __init__(self, client: Client, task_queue: str) -> None:
        self.client = client
        self._queue = task_queue

    async def turn(self, conversation_id: str, start: ChatStart, request: TurnRequest) -> TurnReply:
        """Run one turn of a chat, which is started if it does not run."""
        for _ in range(2):
            try:
                return await self._turn(conversation_id, start, request)
            except ApiError as error:
                # The run closed during the request. A retry is safe, because the next run remembers the request.
                if error.kind is not ServiceErrorType.CONFLICT:
                    raise
        return await self._turn(conversation_id, start, request)

    async def _turn(self, conversation_id: str, start: ChatStart, request: TurnRequest) -> TurnReply:
        operation = WithStartWorkflowOperation(
            ConversationWorkflow.run,
            start,
            id=conversation_id,
            task_queue=self._queue,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            search_attributes=TypedSearchAttributes([SearchAttributePair(VENUE, start.venue_id)]),
            priority=fairness_priority(start.venue_id),
            task_timeout=WORKFLOW_TASK,
            static_summary="chat",
        )
        update = await with_deadline(
            self.client.start_update_with_start_workflow(
                ConversationWorkflow.handle_request,
                request,
                start_workflow_operation=operation,
                wait_for_stage=WorkflowUpdateStage.ACCEPTED,
                rpc_timeout=timedelta(seconds=TURN_ACCEPT_WITHIN + 1),
            ),
            TURN_ACCEPT_WITHIN + 0.1,
        )
        remaining = (request.deadline - datetime.now(UTC)).total_seconds() + 1
        return await with_deadline(update.result(rpc_timeout=timedelta(seconds=remaining + 1)), remaining)

    async def session(self, conversation_id: str) -> SessionView | None:
        """Return the state of a chat, or None if it does not exist."""
        try:
            return await with_deadline(self._session(conversation_id), 1.5)
        except ApiError as error:
            if error.kind is ServiceErrorType.NOT_FOUND:
                return None
            raise

    async def _session(self, conversation_id: str) -> SessionView:
        handle = self.client.get_workflow_handle_for(ConversationWorkflow.run, conversation_id)
        while True:
            view = await query_with_retry(lambda: handle.query(ConversationWorkflow.session, rpc_timeout=QUICK))
            if view.ready:
                return view
            await asyncio.sleep(_RECALLING)

    async def transcript(self, conversation_id: str, after: int, timeout: float = 1.5) -> TranscriptView | None:
        """Return the transcript of a chat after a number, or None if it does not exist. `timeout` in seconds."""
        try:
            return await with_deadline(self._shown(conversation_id, after), timeout)
        except ApiError as error:
            if error.kind is ServiceErrorType.NOT_FOUND:
                return None
            raise

    async def _shown(self, conversation_id: str, after: int) -> TranscriptView:
        handle = self.client.get_workflow_handle_for(ConversationWorkflow.run, conversation_id)
        while True:
            view = await query_with_retry(
                lambda: handle.query(ConversationWorkflow.transcript, after, rpc_timeout=QUICK)
            )
            if view.ready:
                return view
            await asyncio.sleep(_RECALLING)

    async def debug(self, conversation_id: str) -> DebugView | None:
        """Return the last reasoning steps of a chat, or None if it does not exist."""
        handle = self.client.get_workflow_handle_for(ConversationWorkflow.run, conversation_id)
        try:
            return await with_deadline(
                query_with_retry(lambda: handle.query(ConversationWorkflow.debug, rpc_timeout=QUICK)), 1.5
            )
        except ApiError as error:
            if error.kind is ServiceErrorType.NOT_FOUND:
                return None
            raise

    async def memory_of_last_run(self, conversation_id: str, asking: str) -> ChatMemory | None:
        """Return the memory of the chat's last closed run, or None; `asking` is the run to leave out. The list of runs
        lags, so each run is asked whether it has closed."""
        listed = self.client.list_workflows(f'WorkflowId = "{conversation_id}"', limit=20)
        runs = [run async for run in listed if run.run_id != asking]
        for run in sorted(runs, key=lambda run: run.start_time, reverse=True):
            handle = self.client.get_workflow_handle_for(ConversationWorkflow.run, conversation_id, run_id=run.run_id)
            if (await handle.describe(rpc_timeout=QUICK)).status is WorkflowExecutionStatus.COMPLETED:
                return await handle.result(rpc_timeout=timedelta(seconds=5))
        return None

    async def request_prompt_slot(self, conversation_id: str, start: ChatStart, call: PromptSlotRequest) -> None:
        """Signal a chat that a plan requests or releases the prompt slot. A closed chat is started."""
        await self._wake(conversation_id, start, Signal.REQUEST_PROMPT_SLOT, call)

    async def staff_reply(self, conversation_id: str, start: ChatStart, says: StaffReplySignal) -> None:
        """Signal a staff reply to a chat. A closed chat is started."""
        await self._wake(conversation_id, start, Signal.STAFF_REPLY, says)

    async def _wake(
        self, conversation_id: str, start: ChatStart, signal: str, call: PromptSlotRequest | StaffReplySignal
    ) -> None:
        await self.client.start_workflow(
            ConversationWorkflow.run,
            start,
            id=conversation_id,
            task_queue=self._queue,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            search_attributes=TypedSearchAttributes([SearchAttributePair(VENUE, start.venue_id)]),
            priority=fairness_priority(start.venue_id),
            task_timeout=WORKFLOW_TASK,
            start_signal=signal,
            start_signal_args=[call],
        )


def fairness_priority(venue_id: str) -> Priority:
    """Return the fairness priority of a venue: a chat, its plans and their activities queue only behind work of their
    own venue. A key has at most 64 bytes and is stored in plain text, like the venue in the search attributes."""
    key = venue_id if len(venue_id.encode()) <= _KEY_BYTES else hashlib.sha256(venue_id.encode()).hexdigest()
    return Priority(fairness_key=key)
