"""Plans as seen from outside their workflows: ask, tell, describe. The facade and the activities share it."""

import contextlib
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import (
    Client,
    WorkflowExecutionDescription,
    WorkflowExecutionStatus,
    WorkflowHandle,
    WorkflowQueryFailedError,
    WorkflowUpdateStage,
)

from clients.cut_off import as_history_tells, cut_off_at_work
from clients.errors import RequestError, UnansweredError
from clients.temporal import bounded, unbuffered
from contracts.enums import ErrorType, PlanStatus, RollbackState
from contracts.events import EventsView
from contracts.messages import (
    Answer,
    CancelRequest,
    ConfirmRequest,
    PlanStart,
    PlanView,
    SignedIn,
    SkipStep,
    UndoPlan,
)
from contracts.plan import ExecutionPlan, PlanFailure
from infra.keyring import KeyringError
from infra.outages import Outage
from infra.search_attributes import PHASE, STATUS, VENUE
from infra.temporal import QUICK
from language.catalogue import say
from workflows.ids import plan_workflow
from workflows.plan import PlanWorkflow

_UNASKED = Outage(
    logging.getLogger(__name__),
    "asking running plans how they stand",
    "what is shown of them is what they recorded last, marked stale",
)

_LOOK_WITHIN = 0.6
"""Seconds for a query. Every route answers within three: describe and query, then an update."""


_EVENTS, _EVENTS_WITHIN = timedelta(seconds=5), 5.0
"""Nobody's phone waits for this query, and a plan that a new worker takes up is replayed first."""

_CUT_OFF = (
    WorkflowExecutionStatus.FAILED,
    WorkflowExecutionStatus.TERMINATED,
    WorkflowExecutionStatus.TIMED_OUT,
    WorkflowExecutionStatus.CANCELED,
)
"""How a plan's workflow ends only when something is wrong."""

_HISTORY_WITHIN = 1.5
"""Seconds for reading it, of a plan that was cut off, for whoever waits for an answer."""


class PlanClient:
    """Talks to plans through the Temporal service. Every method raises `RequestError`, and `UnansweredError` when
    nobody answered in time."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def venue(self, plan_id: str) -> str:
        """The venue that a plan is of, without asking a worker; empty where its labels do not say. Raises
        `RequestError`."""
        return (await self.describe(plan_id)).typed_search_attributes.get(VENUE) or ""

    async def plan(self, plan_id: str) -> PlanView:
        """The plan as it stands; its last recorded state, marked `stale`, when no worker can be asked, and as ended
        when its workflow has failed or was ended by hand. Raises `RequestError`: not_found, service_unavailable."""
        description = await self.describe(plan_id)
        handle = self._handle(plan_id)
        if description.status is WorkflowExecutionStatus.COMPLETED:
            return PlanView(plan=await bounded(handle.result(rpc_timeout=QUICK), 2))
        if description.status is WorkflowExecutionStatus.RUNNING:
            try:
                asking = unbuffered(lambda: handle.query(PlanWorkflow.plan, rpc_timeout=QUICK))
                found = await bounded(asking, _LOOK_WITHIN)
                _UNASKED.worked()
                return found
            except (RequestError, WorkflowQueryFailedError) as error:
                _UNASKED.failed(type(error).__name__)
        recorded = await description.memo_value("plan", default=None, type_hint=ExecutionPlan)
        if recorded is None:
            raise UnansweredError("worker")
        if description.status in _CUT_OFF:
            # Without it the plan is shown as it was published last, and its notice says what that may leave out.
            with contextlib.suppress(RequestError, KeyringError):
                if cut_off_at_work(recorded):
                    recorded = await self.as_left(plan_id, recorded, _HISTORY_WITHIN)
            return PlanView(plan=_ended(recorded, description.close_time or datetime.now(UTC)))
        return PlanView(plan=recorded.model_copy(update={"stale": True}))

    async def as_left(self, plan_id: str, plan: ExecutionPlan, within: float) -> ExecutionPlan:
        """A plan that was cut off, with each step as its history tells. Raises `RequestError`, `KeyringError`."""
        events = await self.history(plan_id, within)
        return await as_history_tells(self.client.data_converter, events, plan)

    async def history(self, plan_id: str, within: float) -> list[HistoryEvent]:
        """All that Temporal has recorded of a plan. Raises `RequestError`."""

        async def all_of_it() -> list[HistoryEvent]:
            events = self._handle(plan_id).fetch_history_events(rpc_timeout=timedelta(seconds=within))
            return [event async for event in events]

        return await bounded(all_of_it(), within, part="temporal")

    async def events(self, plan_id: str, after: int) -> EventsView:
        """What is told of a plan after a number; of one whose workflow was cut off, how it stands. Raises
        `RequestError`: not_found, service_unavailable."""
        handle = self._handle(plan_id)
        try:
            asking = unbuffered(lambda: handle.query(PlanWorkflow.events, after, rpc_timeout=_EVENTS))
            return await bounded(asking, _EVENTS_WITHIN)
        except WorkflowQueryFailedError:
            raise UnansweredError("worker") from None

    async def cut_off(self, plan_id: str) -> ExecutionPlan | None:
        """The plan as it is shown when its workflow failed or was ended by hand; None while all is well. Raises
        `RequestError`."""
        description = await self.describe(plan_id)
        if description.status not in _CUT_OFF:
            return None
        recorded = await description.memo_value("plan", default=None, type_hint=ExecutionPlan)
        return None if recorded is None else _ended(recorded, description.close_time or datetime.now(UTC))

    async def never_began(self, plan_id: str) -> PlanStart | None:
        """What a plan was started with whose workflow was ended before a worker took it up, so that it told nothing
        and never can; None of any other. Raises `RequestError`."""
        return await bounded(self._untaken(plan_id), _EVENTS_WITHIN, part="temporal")

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
        """The service's own knowledge of a plan. Raises `RequestError`."""
        # Temporal answers this by itself, without any worker.
        return await bounded(self._handle(plan_id).describe(rpc_timeout=QUICK), 1.0, part="temporal")

    async def confirm(self, plan_id: str, request: ConfirmRequest, within: float) -> PlanView:
        """Confirm a plan, waiting so many seconds; so do the other words."""
        update = self._handle(plan_id).execute_update(PlanWorkflow.confirm, request, rpc_timeout=_beyond(within))
        return await bounded(update, within)

    async def cancel(self, plan_id: str, request: CancelRequest, within: float) -> PlanView:
        """Cancel a plan."""
        update = self._handle(plan_id).execute_update(PlanWorkflow.cancel, request, rpc_timeout=_beyond(within))
        return await bounded(update, within)

    async def skip(self, plan_id: str, request: SkipStep, within: float) -> PlanView:
        """Leave out a step."""
        update = self._handle(plan_id).execute_update(PlanWorkflow.skip_step, request, rpc_timeout=_beyond(within))
        return await bounded(update, within)

    async def undo(self, plan_id: str, request: UndoPlan, accepted_within: float, within: float) -> PlanView:
        """Undo a completed plan, which takes its time once a worker has accepted it."""
        accepting = self._handle(plan_id).start_update(
            PlanWorkflow.undo,
            request,
            wait_for_stage=WorkflowUpdateStage.ACCEPTED,
            rpc_timeout=_beyond(accepted_within),
        )
        update = await bounded(accepting, accepted_within)
        return await bounded(update.result(rpc_timeout=_beyond(within)), within)

    async def signed_in(self, plan_id: str, message: SignedIn) -> None:
        """Hand a plan a token that the venue has accepted."""
        await bounded(self._handle(plan_id).signal(PlanWorkflow.signed_in, message, rpc_timeout=QUICK), 1.5)

    async def answer(self, plan_id: str, answer: Answer) -> None:
        """Signal an answer."""
        await bounded(self._handle(plan_id).signal(PlanWorkflow.answer, answer, rpc_timeout=QUICK), 1.5)

    def _handle(self, plan_id: str) -> WorkflowHandle[PlanWorkflow, ExecutionPlan]:
        return self.client.get_workflow_handle_for(PlanWorkflow.run, plan_workflow(plan_id))

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
    notice = say("plan.cut_off" if cut_off_at_work(plan) else "plan.ended_unexpectedly")
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


def _beyond(within: float) -> timedelta:
    # A little longer than the wait around the call, which is the one to end first.
    return timedelta(seconds=within + 1)
