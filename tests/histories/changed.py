"""Plans that deviate from every recorded one: a replay must report them."""

import asyncio
from datetime import timedelta

from temporalio import workflow

from contracts.chat_messages import PlanStart
from contracts.plan import ExecutionPlan
from workflows.plan.workflow import PlanWorkflow


@workflow.defn(name="Plan")
class PlanThatCallsFirst(PlanWorkflow):
    """A plan with one activity too many."""

    @workflow.init
    def __init__(self, start: PlanStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: PlanStart) -> ExecutionPlan:
        """Call an activity, then run as the real one does."""
        await workflow.execute_activity("nothing_like_it", start_to_close_timeout=timedelta(seconds=1))
        return await super().run(start)


@workflow.defn(name="Plan")
class PlanThatSleepsFirst(PlanWorkflow):
    """A plan with a timer before the first one: Temporal's own replay confuses the two."""

    @workflow.init
    def __init__(self, start: PlanStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: PlanStart) -> ExecutionPlan:
        """Sleep, then run as the real one does."""
        await asyncio.sleep(3600)
        return await super().run(start)


@workflow.defn(name="Plan")
class PlanThatRemindsItself(PlanWorkflow):
    """A plan with one more timer, after all that was recorded."""

    @workflow.init
    def __init__(self, start: PlanStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: PlanStart) -> ExecutionPlan:
        """Run as the real one does, and wake up once in between."""
        reminder = asyncio.create_task(self._remind())
        try:
            return await super().run(start)
        finally:
            reminder.cancel()

    async def _remind(self) -> None:
        # After the plan's own timer, which is set in the same task.
        for _ in range(50):
            await asyncio.sleep(0)
        await asyncio.sleep(77)
