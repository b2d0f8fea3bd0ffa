"""Chats as seen from outside their workflows: one turn, what goes on, what the last run remembered."""

import asyncio
import hashlib
from datetime import UTC, datetime, timedelta

from temporalio.client import Client, WithStartWorkflowOperation, WorkflowExecutionStatus, WorkflowUpdateStage
from temporalio.common import Priority, SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy

from clients.errors import RequestError
from clients.temporal import bounded, unbuffered
from contracts.effects import SlotCall
from contracts.enums import ServiceErrorType
from contracts.escalation import PersonSays
from contracts.messages import ChatMemory, ChatStart, DebugView, SessionView, ShownView, TurnReply, TurnRequest
from infra.search_attributes import VENUE
from infra.temporal import QUICK
from workflows.calls import WORKFLOW_TASK
from workflows.conversation import PERSON_SAYS, QUESTION_SLOT, ConversationWorkflow

TURN_ACCEPT_WITHIN = 2.5
"""Seconds in which a message must reach a worker; working it out may then take the whole turn budget."""

_KEY_BYTES = 64
_RECALLING = 0.05
"""Seconds between looks at a chat that still recalls what was said before it was closed."""


class ChatClient:
    """Talks to chats through the Temporal service, by their workflow ids (`workflows.ids.chat_workflow`). Every method
    raises `RequestError`, and `UnansweredError` when nobody answered in time."""

    def __init__(self, client: Client, task_queue: str) -> None:
        self.client = client
        self._queue = task_queue

    async def turn(self, conversation_id: str, start: ChatStart, request: TurnRequest) -> TurnReply:
        """One turn of a chat, which is started if it does not run."""
        for _ in range(2):
            try:
                return await self._turn(conversation_id, start, request)
            except RequestError as error:
                # The run closed under the request: the next one knows what was said, so asking it is safe.
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
            priority=turn_of(start.venue_id),
            task_timeout=WORKFLOW_TASK,
            static_summary="chat",
        )
        update = await bounded(
            self.client.start_update_with_start_workflow(
                ConversationWorkflow.handle_request,
                request,
                start_workflow_operation=operation,
                wait_for_stage=WorkflowUpdateStage.ACCEPTED,
                rpc_timeout=timedelta(seconds=TURN_ACCEPT_WITHIN + 1),
            ),
            TURN_ACCEPT_WITHIN + 0.1,
        )
        left = (request.deadline - datetime.now(UTC)).total_seconds() + 1
        return await bounded(update.result(rpc_timeout=timedelta(seconds=left + 1)), left)

    async def session(self, conversation_id: str) -> SessionView | None:
        """What goes on in a chat, or None when there is none."""
        try:
            return await bounded(self._session(conversation_id), 1.5)
        except RequestError as error:
            if error.kind is ServiceErrorType.NOT_FOUND:
                return None
            raise

    async def _session(self, conversation_id: str) -> SessionView:
        handle = self.client.get_workflow_handle_for(ConversationWorkflow.run, conversation_id)
        while True:
            view = await unbuffered(lambda: handle.query(ConversationWorkflow.session, rpc_timeout=QUICK))
            if view.ready:
                return view
            await asyncio.sleep(_RECALLING)

    async def shown(self, conversation_id: str, after: int, within: float = 1.5) -> ShownView | None:
        """What was shown in a chat after a number, or None when there is none; asked for so many seconds."""
        try:
            return await bounded(self._shown(conversation_id, after), within)
        except RequestError as error:
            if error.kind is ServiceErrorType.NOT_FOUND:
                return None
            raise

    async def _shown(self, conversation_id: str, after: int) -> ShownView:
        handle = self.client.get_workflow_handle_for(ConversationWorkflow.run, conversation_id)
        while True:
            view = await unbuffered(lambda: handle.query(ConversationWorkflow.shown, after, rpc_timeout=QUICK))
            if view.ready:
                return view
            await asyncio.sleep(_RECALLING)

    async def debug(self, conversation_id: str) -> DebugView | None:
        """The last steps of reasoning in a chat, or None when there is none."""
        handle = self.client.get_workflow_handle_for(ConversationWorkflow.run, conversation_id)
        try:
            return await bounded(unbuffered(lambda: handle.query(ConversationWorkflow.debug, rpc_timeout=QUICK)), 1.5)
        except RequestError as error:
            if error.kind is ServiceErrorType.NOT_FOUND:
                return None
            raise

    async def memory_of_last_run(self, conversation_id: str, asking: str) -> ChatMemory | None:
        """What the chat's last closed run left behind, or None; `asking` is the run that is not meant. The list lags
        behind: that a run has closed is asked of the run itself."""
        listed = self.client.list_workflows(f'WorkflowId = "{conversation_id}"', limit=20)
        runs = [run async for run in listed if run.run_id != asking]
        for run in sorted(runs, key=lambda run: run.start_time, reverse=True):
            handle = self.client.get_workflow_handle_for(ConversationWorkflow.run, conversation_id, run_id=run.run_id)
            if (await handle.describe(rpc_timeout=QUICK)).status is WorkflowExecutionStatus.COMPLETED:
                return await handle.result(rpc_timeout=timedelta(seconds=5))
        return None

    async def question_slot(self, conversation_id: str, start: ChatStart, call: SlotCall) -> None:
        """Tell a chat that a plan asks for its question slot or gives it back, waking it when it has closed."""
        await self._wake(conversation_id, start, QUESTION_SLOT, call)

    async def person_says(self, conversation_id: str, start: ChatStart, says: PersonSays) -> None:
        """Tell a chat what a person answered, waking it when it has closed."""
        await self._wake(conversation_id, start, PERSON_SAYS, says)

    async def _wake(self, conversation_id: str, start: ChatStart, signal: str, call: SlotCall | PersonSays) -> None:
        await self.client.start_workflow(
            ConversationWorkflow.run,
            start,
            id=conversation_id,
            task_queue=self._queue,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            search_attributes=TypedSearchAttributes([SearchAttributePair(VENUE, start.venue_id)]),
            priority=turn_of(start.venue_id),
            task_timeout=WORKFLOW_TASK,
            start_signal=signal,
            start_signal_args=[call],
        )


def turn_of(venue_id: str) -> Priority:
    """Venues take turns: a chat, its plans and all that they ask for wait behind those of their own venue only. A key
    has 64 bytes at most, and stands in plain text, as the venue does among the labels."""
    key = venue_id if len(venue_id.encode()) <= _KEY_BYTES else hashlib.sha256(venue_id.encode()).hexdigest()
    return Priority(fairness_key=key)
