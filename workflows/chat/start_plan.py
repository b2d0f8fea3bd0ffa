"""Starts the plan that a chat has drafted, as a workflow of its own that outlives the chat."""

from datetime import timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributePair, TypedSearchAttributes, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.chat_messages import PlanStart
    from contracts.plan import ExecutionPlan
    from contracts.step_activities import OwnerLabel, OwnerLabelRequest
    from infra.temporal.search_attributes import PHASE, SINCE, STATUS, USER, VENUE
    from workflows.chat.history import answered_before
    from workflows.chat.turn_result import TurnRejectedError
    from workflows.ids import plan_workflow
    from workflows.plan.activities import WORKFLOW_TASK
    from workflows.plan.workflow import PlanWorkflow

_MARK = timedelta(seconds=2)
"""Computing a hash takes no time, and an operator waits."""


async def start_plan(start: PlanStart) -> None:
    """Start the plan as pending. Raises `TurnRejectedError` if this plan already exists, and `ActivityError`."""
    plan = start.plan
    labels: list[SearchAttributePair[Any]] = [
        SearchAttributePair(STATUS, plan.status.value),
        SearchAttributePair(PHASE, plan.status.value),
        SearchAttributePair(VENUE, plan.venue_id),
        SearchAttributePair(USER, (await _mark_of(plan)).mark),
        SearchAttributePair(SINCE, plan.created_at),
    ]
    try:
        await workflow.start_child_workflow(
            PlanWorkflow.run,
            start,
            id=plan_workflow(plan.plan_id),
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            parent_close_policy=workflow.ParentClosePolicy.ABANDON,
            task_timeout=WORKFLOW_TASK,
            memo={"plan": plan},
            search_attributes=TypedSearchAttributes(labels),
            static_summary=", ".join(a.title for a in plan.actions),
        )
    except WorkflowAlreadyStartedError:
        raise TurnRejectedError(answered_before()) from None


async def _mark_of(plan: ExecutionPlan) -> OwnerLabel:
    """Return the label by which its user finds the plan. Raises `ActivityError`."""
    return await workflow.execute_local_activity(
        signatures.owner_label,
        OwnerLabelRequest(venue_id=plan.venue_id, user_id=plan.user_id),
        schedule_to_close_timeout=_MARK,
        retry_policy=RetryPolicy(maximum_attempts=3),
    )
