"""How a chat starts the plan that it has drafted: a workflow of its own, which outlives the chat."""

from datetime import timedelta

from temporalio import workflow
from temporalio.common import SearchAttributePair, TypedSearchAttributes, WorkflowIDReusePolicy

with workflow.unsafe.imports_passed_through():
    from contracts.messages import PlanStart
    from infra.search_attributes import PHASE, STATUS, VENUE
    from workflows.ids import plan_workflow
    from workflows.plan import PlanWorkflow

_WORKFLOW_TASK = timedelta(seconds=5)
"""How long a plan waits for a worker that died in the middle of a task. A task itself takes milliseconds, but a busy
machine may hold one up for a second or two, and one that is timed out is only done again. Nobody's safety hangs on it:
a word takes effect by its claim, not by how fast it is taken up."""


async def start_plan(start: PlanStart) -> None:
    """Start it, pending."""
    plan = start.plan
    await workflow.start_child_workflow(
        PlanWorkflow.run,
        start,
        id=plan_workflow(plan.plan_id),
        id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
        parent_close_policy=workflow.ParentClosePolicy.ABANDON,
        task_timeout=_WORKFLOW_TASK,
        memo={"plan": plan},
        search_attributes=TypedSearchAttributes(
            [
                SearchAttributePair(STATUS, plan.status.value),
                SearchAttributePair(PHASE, plan.status.value),
                SearchAttributePair(VENUE, plan.venue_id),
            ]
        ),
        static_summary=", ".join(a.title for a in plan.actions),
    )
