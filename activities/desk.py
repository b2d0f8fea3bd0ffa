"""Plans and chats as seen from outside their workflows: ask, tell, describe. The facade and the activities share it.

Every call is bounded: a query with no live worker blocks for half a minute otherwise, and the operator's phone does not
wait that long (Temporal facts, 4 and 9).
"""

import asyncio
import logging
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from redis.exceptions import RedisError
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

from contracts.enums import PlanStatus, ServiceErrorType
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
from contracts.plan import ExecutionPlan
from infra.claims import STARTED, WITHDRAWN, Claims
from infra.search_attributes import PHASE, STATUS, VENUE
from infra.temporal import QUICK, is_missing
from language.catalogue import say, spoken
from reasoning import wording

T = TypeVar("T")

log = logging.getLogger(__name__)

ACCEPT_WITHIN = 1.2
"""Seconds in which an update must reach a worker, or be refused by it."""
_PLAN_TASK = 1.0
"""Seconds that a plan's workflow task may take: one that began in time may accept an update this much later, so
only then
may a caller be told that it was not accepted."""
_CONFIRM_WITHIN = ACCEPT_WITHIN + _PLAN_TASK
"""Seconds for a whole confirm: longer than the plan may take to claim its effect (`workflows.plan.CLAIM_WITHIN`)."""
_WITHDRAW_WITHIN = 0.3
_LOOK_WITHIN = 0.6
"""Seconds for a query. Every route answers within three: describe and query, then an update."""
TURN_ACCEPT_WITHIN = 2.5
"""Seconds in which a message must reach a worker; working it out may then take the whole turn budget."""
_UNDO_WITHIN = 10.0
"""Seconds in which an accepted undo must have looked at every booking."""


class DeskError(Exception):
    """A request that cannot be served, as the caller is to be told."""

    def __init__(self, error: ServiceError) -> None:
        super().__init__(error.message)
        self.error = error


def refuse(kind: ServiceErrorType, message: str, *suggestions: str, plan: ExecutionPlan | None = None) -> DeskError:
    """A `DeskError` in one line."""
    return DeskError(ServiceError(error_type=kind, message=message, suggestions=list(suggestions), plan=plan))


class Desk:
    """Talks to plans and chats through the Temporal service."""

    def __init__(self, client: Client, task_queue: str, claims: Claims) -> None:
        self.client = client
        self._claims = claims
        self._queue = task_queue

    async def plan(self, plan_id: str) -> PlanView:
        """The plan as it stands; its last recorded state, marked `stale`, when no worker can be asked.
        Raises `DeskError`: not_found, service_unavailable."""
        description = await self.describe(plan_id)
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        if description.status is WorkflowExecutionStatus.COMPLETED:
            result = await _bounded(handle.result(rpc_timeout=QUICK), 2)
            return PlanView(plan=ExecutionPlan.model_validate(result))
        if description.status is WorkflowExecutionStatus.RUNNING:
            try:
                return await _bounded(handle.query("plan", result_type=PlanView, rpc_timeout=QUICK), _LOOK_WITHIN)
            except (DeskError, WorkflowQueryFailedError):
                pass
        recorded = await description.memo_value("plan", default=None, type_hint=ExecutionPlan)
        if recorded is None:
            raise DeskError(wording.unavailable(spoken(), "plan"))
        return PlanView(plan=recorded.model_copy(update={"stale": True}))

    async def describe(self, plan_id: str) -> WorkflowExecutionDescription:
        """The service's own knowledge of a plan. Raises `DeskError`."""
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        return await _bounded(handle.describe(rpc_timeout=QUICK), 1.0)

    async def confirm(self, view: PlanView, request: ConfirmRequest) -> PlanView:
        """Confirm the plan in view. Raises `DeskError`; after service_unavailable it is certain that this attempt
        never takes effect. When it has, though no answer came, the plan is shown as confirmed and `stale`."""
        handle = self.client.get_workflow_handle(f"plan-{view.plan.plan_id}")
        try:
            return await _bounded(
                handle.execute_update(
                    "confirm", request, result_type=PlanView, rpc_timeout=timedelta(seconds=_CONFIRM_WITHIN + 1)
                ),
                _CONFIRM_WITHIN,
            )
        except DeskError as error:
            if error.error.error_type is ServiceErrorType.CONFLICT:
                error.error.plan = (await self.plan(view.plan.plan_id)).plan
            if error.error.error_type is not ServiceErrorType.SERVICE_UNAVAILABLE or not await self._began(request):
                raise
        confirmed = {"status": PlanStatus.CONFIRMED, "confirmed_at": datetime.now(UTC), "stale": True}
        return PlanView(
            plan=view.plan.model_copy(update=confirmed),
            confirm_request_id=request.request_id,
            token_ref=request.token_ref,
        )

    async def _began(self, request: ConfirmRequest) -> bool:
        """Withdraw an attempt that nobody answered, unless its plan has begun."""
        try:
            stands = await asyncio.wait_for(self._claims.settle(request.attempt, WITHDRAWN), _WITHDRAW_WITHIN)
        except (OSError, RedisError, TimeoutError):
            log.warning("the claims' store is away; the attempt's own deadline keeps it from taking effect")
            return False
        return stands == STARTED

    async def cancel(self, plan_id: str, request: CancelRequest) -> PlanView:
        """Cancel a plan. Raises `DeskError`."""
        return await self._update(plan_id, "cancel", request)

    async def undo(self, plan_id: str, request: UndoPlan) -> PlanView:
        """Undo a completed plan; looks at every booking first. Raises `DeskError`."""
        return await self._update(plan_id, "undo", request, within=_UNDO_WITHIN)

    async def signed_in(self, plan_id: str, message: SignedIn) -> None:
        """Hand a plan a token that the venue has accepted. Raises `DeskError`."""
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        await _bounded(handle.signal("signed_in", message, rpc_timeout=QUICK), 1.5)

    async def answer(self, plan_id: str, answer: Answer) -> None:
        """Signal an answer. Raises `DeskError`."""
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        await _bounded(handle.signal("answer", answer, rpc_timeout=QUICK), 1.5)

    async def _update(self, plan_id: str, name: str, request: Any, within: float = 1.0) -> PlanView:
        handle = self.client.get_workflow_handle(f"plan-{plan_id}")
        accepting = ACCEPT_WITHIN + _PLAN_TASK
        try:
            update = await _bounded(
                handle.start_update(
                    name,
                    request,
                    wait_for_stage=WorkflowUpdateStage.ACCEPTED,
                    result_type=PlanView,
                    rpc_timeout=timedelta(seconds=accepting + 1),
                ),
                accepting,
            )
            return await _bounded(update.result(rpc_timeout=timedelta(seconds=within + 1)), within)
        except DeskError as error:
            if error.error.error_type is ServiceErrorType.CONFLICT:
                view = await self.plan(plan_id)
                error.error.plan = view.plan
            raise

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
        update = await _bounded(
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
        reply: TurnReply = await _bounded(update.result(rpc_timeout=timedelta(seconds=left + 1)), left)
        return reply

    async def session(self, conversation_id: str) -> SessionView | None:
        """What goes on in a chat, or None when there is none. Raises `DeskError`."""
        handle = self.client.get_workflow_handle(conversation_id)
        try:
            return await _bounded(handle.query("session", result_type=SessionView, rpc_timeout=QUICK), 1.5)
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


async def _bounded(call: Coroutine[Any, Any, T], seconds: float) -> T:
    """Wait at most so long, and turn every way of failing into a `DeskError`."""
    try:
        return await asyncio.wait_for(call, seconds)
    except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError):
        raise DeskError(wording.unavailable(spoken())) from None
    except WorkflowUpdateFailedError as error:
        raise _from_workflow(error.cause) from None
    except WorkflowFailureError as error:
        raise _from_workflow(error.cause) from None
    except RPCError as error:
        raise _from_service(error) from None


def _from_workflow(cause: BaseException | None) -> DeskError:
    if isinstance(cause, ApplicationError) and cause.type in set(ServiceErrorType):
        kind = ServiceErrorType(cause.type)
        if kind is ServiceErrorType.SERVICE_UNAVAILABLE:
            return DeskError(wording.unavailable(spoken()))
        return refuse(kind, cause.message)
    return DeskError(wording.unavailable(spoken()))


def _from_service(error: RPCError) -> DeskError:
    if error.status is RPCStatusCode.NOT_FOUND:
        if is_missing(error.message):
            return refuse(
                ServiceErrorType.NOT_FOUND, say("refuse.no_plan", spoken()), say("refuse.no_plan_next", spoken())
            )
        return refuse(ServiceErrorType.CONFLICT, say("refuse.plan_ended", spoken()))
    return DeskError(wording.unavailable(spoken()))
