"""Plans and chats as seen from outside their workflows: ask, tell, describe. The facade and the activities share it.

Every call is bounded: a query with no live worker blocks for half a minute otherwise, and the operator's phone does not
wait that long (Temporal facts, 4 and 9).
"""

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from temporalio.client import (
    Client,
    WithStartWorkflowOperation,
    WorkflowExecutionDescription,
    WorkflowExecutionStatus,
    WorkflowFailureError,
    WorkflowQueryFailedError,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
    WorkflowUpdateStage,
)
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDConflictPolicy
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from contracts.enums import ErrorType, PlanStatus, RollbackState, ServiceErrorType
from contracts.errors import ServiceError
from contracts.messages import (
    Answer,
    CancelRequest,
    ChatMemory,
    ChatStart,
    ConfirmRequest,
    PlanView,
    SessionView,
    SignedIn,
    TurnReply,
    TurnRequest,
    UndoPlan,
)
from contracts.plan import ExecutionPlan, PlanFailure
from infra.search_attributes import PHASE, STATUS, VENUE
from infra.temporal import QUICK, is_missing
from language.catalogue import say, spoken
from reasoning import wording

T = TypeVar("T")

_LOOK_WITHIN = 0.6
"""Seconds for a query. Every route answers within three: describe and query, then an update."""
TURN_ACCEPT_WITHIN = 2.5
"""Seconds in which a message must reach a worker; working it out may then take the whole turn budget."""


_CUT_OFF = (
    WorkflowExecutionStatus.FAILED,
    WorkflowExecutionStatus.TERMINATED,
    WorkflowExecutionStatus.TIMED_OUT,
    WorkflowExecutionStatus.CANCELED,
)
"""How a plan's workflow ends only when something is wrong."""


class DeskError(Exception):
    """A request that cannot be served, as the caller is to be told."""

    def __init__(self, error: ServiceError) -> None:
        super().__init__(error.message)
        self.error = error


class Unanswered(DeskError):
    """A part did not answer. Whether what it was asked took effect is not known from this; `then` is the key of a
    sentence that says what it means, where somebody knows."""

    def __init__(self, part: str, then: str = "") -> None:
        super().__init__(wording.unavailable(spoken(), part, then))
        self.part = part


def refuse(kind: ServiceErrorType, message: str, *suggestions: str, plan: ExecutionPlan | None = None) -> DeskError:
    """A `DeskError` in one line."""
    return DeskError(ServiceError(error_type=kind, message=message, suggestions=list(suggestions), plan=plan))


class Desk:
    """Talks to plans and chats through the Temporal service."""

    def __init__(self, client: Client, task_queue: str) -> None:
        self.client = client
        self._queue = task_queue

    async def plan(self, plan_id: str) -> PlanView:
        """The plan as it stands; its last recorded state, marked `stale`, when no worker can be asked, and as ended
        when its workflow has failed or was ended by hand. Raises `DeskError`: not_found, service_unavailable."""
        description = await self.describe(plan_id)
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        if description.status is WorkflowExecutionStatus.COMPLETED:
            result = await bounded(handle.result(rpc_timeout=QUICK), 2)
            return PlanView(plan=ExecutionPlan.model_validate(result))
        if description.status is WorkflowExecutionStatus.RUNNING:
            try:
                return await bounded(handle.query("plan", result_type=PlanView, rpc_timeout=QUICK), _LOOK_WITHIN)
            except (DeskError, WorkflowQueryFailedError):
                pass
        recorded = await description.memo_value("plan", default=None, type_hint=ExecutionPlan)
        if recorded is None:
            raise Unanswered("worker")
        if description.status in _CUT_OFF:
            return PlanView(plan=_ended(recorded, description.close_time or datetime.now(UTC)))
        return PlanView(plan=recorded.model_copy(update={"stale": True}))

    async def describe(self, plan_id: str) -> WorkflowExecutionDescription:
        """The service's own knowledge of a plan. Raises `DeskError`."""
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        # Temporal answers this by itself, without any worker.
        return await bounded(handle.describe(rpc_timeout=QUICK), 1.0, part="temporal")

    async def confirm(self, plan_id: str, request: ConfirmRequest, within: float) -> PlanView:
        """Confirm a plan. Raises `DeskError`, `Unanswered` after so many seconds; so do the other words."""
        return await self._update(plan_id, "confirm", request, within)

    async def cancel(self, plan_id: str, request: CancelRequest, within: float) -> PlanView:
        """Cancel a plan."""
        return await self._update(plan_id, "cancel", request, within)

    async def undo(self, plan_id: str, request: UndoPlan, accepted_within: float, within: float) -> PlanView:
        """Undo a completed plan, which takes its time once a worker has accepted it."""
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        accepting = handle.start_update(
            "undo",
            request,
            wait_for_stage=WorkflowUpdateStage.ACCEPTED,
            result_type=PlanView,
            rpc_timeout=timedelta(seconds=accepted_within + 1),
        )
        update = await bounded(accepting, accepted_within)
        return await bounded(update.result(rpc_timeout=timedelta(seconds=within + 1)), within)

    async def _update(self, plan_id: str, name: str, request: Any, within: float) -> PlanView:
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        timeout = timedelta(seconds=within + 1)
        return await bounded(handle.execute_update(name, request, result_type=PlanView, rpc_timeout=timeout), within)

    async def signed_in(self, plan_id: str, message: SignedIn) -> None:
        """Hand a plan a token that the venue has accepted. Raises `DeskError`."""
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        await bounded(handle.signal("signed_in", message, rpc_timeout=QUICK), 1.5)

    async def answer(self, plan_id: str, answer: Answer) -> None:
        """Signal an answer. Raises `DeskError`."""
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        await bounded(handle.signal("answer", answer, rpc_timeout=QUICK), 1.5)

    async def turn(self, conversation_id: str, start: ChatStart, request: TurnRequest) -> TurnReply:
        """One turn of a chat, which is started if it does not run. Raises `DeskError`."""
        for _ in range(2):
            try:
                return await self._turn(conversation_id, start, request)
            except DeskError as error:
                # The run closed under the request: the next one knows what was said, so asking it is safe.
                if error.error.error_type is not ServiceErrorType.CONFLICT:
                    raise
        return await self._turn(conversation_id, start, request)

    async def _turn(self, conversation_id: str, start: ChatStart, request: TurnRequest) -> TurnReply:
        operation: WithStartWorkflowOperation[Any, ChatMemory] = WithStartWorkflowOperation(
            "Conversation",
            start,
            id=conversation_id,
            task_queue=self._queue,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            search_attributes=TypedSearchAttributes([SearchAttributePair(VENUE, start.venue_id)]),
            static_summary="chat",
        )
        update = await bounded(
            self.client.start_update_with_start_workflow(
                "handle_request",
                request,
                start_workflow_operation=operation,
                wait_for_stage=WorkflowUpdateStage.ACCEPTED,
                result_type=TurnReply,
                rpc_timeout=timedelta(seconds=TURN_ACCEPT_WITHIN + 1),
            ),
            TURN_ACCEPT_WITHIN + 0.1,
        )
        left = (request.deadline - datetime.now(UTC)).total_seconds() + 1
        reply: TurnReply = await bounded(update.result(rpc_timeout=timedelta(seconds=left + 1)), left)
        return reply

    async def session(self, conversation_id: str) -> SessionView | None:
        """What goes on in a chat, or None when there is none. Raises `DeskError`."""
        handle = self.client.get_workflow_handle(conversation_id)
        try:
            return await bounded(handle.query("session", result_type=SessionView, rpc_timeout=QUICK), 1.5)
        except DeskError as error:
            if error.error.error_type is ServiceErrorType.NOT_FOUND:
                return None
            raise

    async def memory_of_last_run(self, conversation_id: str) -> ChatMemory | None:
        """What the chat's last closed run left behind, or None."""
        closed = [
            run
            async for run in self.client.list_workflows(
                f'WorkflowId = "{conversation_id}" AND ExecutionStatus = "Completed"', limit=20
            )
        ]
        if not closed:
            return None
        last = max(closed, key=lambda run: run.close_time or run.start_time)
        handle = self.client.get_workflow_handle(conversation_id, run_id=last.run_id, result_type=ChatMemory)
        memory: ChatMemory = await handle.result(rpc_timeout=timedelta(seconds=5))
        return memory

    async def signal_chat(self, conversation_id: str, start: ChatStart, signal: str, argument: Any) -> None:
        """Signal a chat, waking it when it has closed."""
        await self.client.start_workflow(
            "Conversation",
            start,
            id=conversation_id,
            task_queue=self._queue,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            search_attributes=TypedSearchAttributes([SearchAttributePair(VENUE, start.venue_id)]),
            start_signal=signal,
            start_signal_args=[argument],
        )

    @staticmethod
    def status_of(description: WorkflowExecutionDescription) -> str | None:
        """The plan's status as its search attribute tells it."""
        return description.typed_search_attributes.get(STATUS)

    @staticmethod
    def phase_of(description: WorkflowExecutionDescription) -> str | None:
        """What the plan is busy with, as its search attribute tells it."""
        return description.typed_search_attributes.get(PHASE)


def _ended(plan: ExecutionPlan, at: datetime) -> ExecutionPlan:
    """A plan whose workflow ended before it did, as it was recorded last: it neither waits nor runs any more."""
    notice = say("plan.ended_unexpectedly", spoken())
    update: dict[str, Any] = {"stale": True, "notice": notice, "blocking_prompt": None, "undo_until": None}
    if plan.rollback is not None and plan.rollback.state is not RollbackState.DONE:
        update["rollback"] = None
    if plan.status is PlanStatus.PENDING_CONFIRMATION:
        update["status"] = PlanStatus.CANCELLED
    elif plan.status in (PlanStatus.CONFIRMED, PlanStatus.EXECUTING):
        failure = PlanFailure(error_type=ErrorType.SERVER_ERROR, message=notice)
        update |= {"status": PlanStatus.FAILED, "completed_at": at, "failure": failure}
    return ExecutionPlan.model_validate({**dict(plan), **update})


async def bounded(call: Coroutine[Any, Any, T], seconds: float, part: str = "slow") -> T:
    """Wait at most so long, and turn every way of failing into a `DeskError`; into `Unanswered` when nobody said no."""
    try:
        return await asyncio.wait_for(call, seconds)
    except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError):
        raise Unanswered(part) from None
    except (WorkflowUpdateFailedError, WorkflowFailureError) as error:
        raise _from_workflow(error.cause) from None
    except RPCError as error:
        raise _from_service(error, part) from None


def _from_workflow(cause: BaseException | None) -> DeskError:
    if isinstance(cause, ApplicationError) and cause.type in set(ServiceErrorType):
        kind = ServiceErrorType(cause.type)
        refused = refuse(kind, cause.message)
        if kind is ServiceErrorType.SERVICE_UNAVAILABLE:
            refused.error.suggestions, refused.error.retry_after_seconds = [say("next.moment", spoken())], 5
        return refused
    return Unanswered("service")


def _from_service(error: RPCError, part: str) -> DeskError:
    if error.status is RPCStatusCode.NOT_FOUND:
        if is_missing(error.message):
            return refuse(
                ServiceErrorType.NOT_FOUND, say("refuse.no_plan", spoken()), say("refuse.no_plan_next", spoken())
            )
        return refuse(ServiceErrorType.CONFLICT, say("refuse.plan_ended", spoken()))
    late = error.status in (RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED)
    return Unanswered(part if late else "temporal")
