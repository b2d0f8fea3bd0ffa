"""The workflows as workers with a build id (`IQ_BUILD_ID`) run them: each says whether it stays with the code that it
began on. Temporal refuses that from workers without versions, so those run them as they are.

A plan is pinned: it ends on the code that it began on. It lasts for its confirmation, its run and its undo window, and
so long the workers of its version are kept. A chat may go on for weeks and an escalation wait for one: both go over to
new code, which replays what recorded histories and `patched` allow.
"""

from temporalio import workflow
from temporalio.common import VersioningBehavior

with workflow.unsafe.imports_passed_through():
    from contracts.escalation import EscalationStart, EscalationView
    from contracts.messages import ChatMemory, ChatStart, PlanStart
    from contracts.plan import ExecutionPlan
    from workflows.conversation import ConversationWorkflow
    from workflows.escalation import EscalationWorkflow
    from workflows.plan import PlanWorkflow


@workflow.defn(name="Plan", versioning_behavior=VersioningBehavior.PINNED)
class PinnedPlanWorkflow(PlanWorkflow):
    """See `PlanWorkflow`."""

    @workflow.init
    def __init__(self, start: PlanStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: PlanStart) -> ExecutionPlan:
        """See `PlanWorkflow.run`."""
        return await super().run(start)


@workflow.defn(name="Conversation", versioning_behavior=VersioningBehavior.AUTO_UPGRADE)
class UpgradedConversationWorkflow(ConversationWorkflow):
    """See `ConversationWorkflow`."""

    @workflow.init
    def __init__(self, start: ChatStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: ChatStart) -> ChatMemory:
        """See `ConversationWorkflow.run`."""
        return await super().run(start)


@workflow.defn(name="Escalation", versioning_behavior=VersioningBehavior.AUTO_UPGRADE)
class UpgradedEscalationWorkflow(EscalationWorkflow):
    """See `EscalationWorkflow`."""

    @workflow.init
    def __init__(self, start: EscalationStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: EscalationStart) -> EscalationView:
        """See `EscalationWorkflow.run`."""
        return await super().run(start)
