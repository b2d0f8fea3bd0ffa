"""A plan that takes another way than any recorded one: what a replay must not let pass."""

import asyncio
from datetime import timedelta

from temporalio import workflow

from contracts.chat_messages import PlanStart
from contracts.plan import ExecutionPlan
from workflows.plan.workflow import PlanWorkflow


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


@workflow.defn(name="Plan")
class PlanThatSleepsFirst(PlanWorkflow):
    """A timer before the first one: Temporal's own replay takes it for that."""

    @workflow.init
    def __init__(self, start: PlanStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: PlanStart) -> ExecutionPlan:
        """Sleep, then do as the real one does."""
        await asyncio.sleep(3600)
        return await super().run(start)


@workflow.defn(name="Plan")
class PlanThatRemindsItself(PlanWorkflow):
    """One timer more, behind all that was recorded."""

    @workflow.init
    def __init__(self, start: PlanStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: PlanStart) -> ExecutionPlan:
        """Do as the real one does, and wake up once in between."""
        reminder = asyncio.create_task(self._remind())
        try:
            return await super().run(start)
        finally:
            reminder.cancel()

    async def _remind(self) -> None:
        # Behind the plan's own timer, which is set in the same task.
        for _ in range(50):
            await asyncio.sleep(0)
        await asyncio.sleep(77)
