"""How a chat starts the plan that it has drafted: a workflow of its own, which outlives the chat."""

from datetime import timedelta
from typing import Any

from temporalio import workflow
from temporalio.common import RetryPolicy, SearchAttributePair, TypedSearchAttributes, WorkflowIDReusePolicy
from temporalio.exceptions import ActivityError, WorkflowAlreadyStartedError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.effects import MarkCall, MarkReply
    from contracts.messages import PlanStart
    from contracts.plan import ExecutionPlan
    from infra.search_attributes import PHASE, SINCE, STATUS, USER, VENUE
    from workflows.calls import WORKFLOW_TASK
    from workflows.ids import plan_workflow
    from workflows.outcome import RefusedError
    from workflows.plan import PlanWorkflow
    from workflows.remembered import answered_before

_MARK = timedelta(seconds=2)
"""A hash, and once in a process's life a question to Temporal. An operator waits."""


async def start_plan(start: PlanStart) -> None:
    """Start it, pending. Raises `RefusedError` where there has been this plan already."""
    plan = start.plan
    labels: list[SearchAttributePair[Any]] = [
        SearchAttributePair(STATUS, plan.status.value),
        SearchAttributePair(PHASE, plan.status.value),
        SearchAttributePair(VENUE, plan.venue_id),
    ]
    marked = await _mark_of(plan)
    if marked.mark is not None:
        labels.append(SearchAttributePair(USER, marked.mark))
    if marked.since_is_known:
        labels.append(SearchAttributePair(SINCE, plan.created_at))
        start = start.model_copy(update={"since_is_known": True})
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
        raise RefusedError(answered_before()) from None


async def _mark_of(plan: ExecutionPlan) -> MarkReply:
    """By what its user finds it again; without it, it is in no list of theirs, and no plan fails for that."""
    if not workflow.patched("plan-of-a-user"):
        return MarkReply()
    try:
        return await workflow.execute_local_activity(
            signatures.mark_user,
            MarkCall(venue_id=plan.venue_id, user_id=plan.user_id),
            schedule_to_close_timeout=_MARK,
            retry_policy=RetryPolicy(maximum_attempts=1),
        )
    except ActivityError:
        return MarkReply()
