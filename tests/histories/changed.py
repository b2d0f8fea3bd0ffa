"""A plan that takes another way than any recorded one: what a replay must not let pass."""

from datetime import timedelta

from temporalio import workflow

from contracts.messages import PlanStart
from contracts.plan import ExecutionPlan
from workflows.plan import PlanWorkflow


@workflow.defn(name="Plan")
class PlanThatCallsFirst(PlanWorkflow):
    """One activity too many."""

    @workflow.init
    def __init__(self, start: PlanStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: PlanStart) -> ExecutionPlan:
        """Call something, then do as the real one does."""
        await workflow.execute_activity("nothing_like_it", start_to_close_timeout=timedelta(seconds=1))
        return await super().run(start)
