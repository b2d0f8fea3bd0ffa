"""The workflows for workers with a build id (`IQ_BUILD_ID`): each declares whether it stays on the code that it started
on. Temporal rejects that from workers without versions, so those run the plain workflows.

A plan is pinned: it ends on the code that it started on. Workers of its version are kept for its confirmation, its run
and its undo window. A chat may run for weeks and an escalation may wait for one: both move to new code, which replays
what recorded histories and `patched` allow.
"""

from temporalio import workflow
from temporalio.common import VersioningBehavior

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import ChatMemory, ChatStart, PlanStart
    from contracts.escalation import EscalationStart, EscalationView
    from contracts.persisted_names import WorkflowType
    from contracts.plan import ExecutionPlan
    from workflows.chat.workflow import ConversationWorkflow
    from workflows.escalation.workflow import EscalationWorkflow
    from workflows.plan.workflow import PlanWorkflow


@workflow.defn(name=WorkflowType.PLAN, versioning_behavior=VersioningBehavior.PINNED)
class PinnedPlanWorkflow(PlanWorkflow):
    """See `PlanWorkflow`."""

    @workflow.init
    def __init__(self, start: PlanStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: PlanStart) -> ExecutionPlan:
        """See `PlanWorkflow.run`."""
        return await super().run(start)


@workflow.defn(name=WorkflowType.CONVERSATION, versioning_behavior=VersioningBehavior.AUTO_UPGRADE)
class UpgradedConversationWorkflow(ConversationWorkflow):
    """See `ConversationWorkflow`."""

    @workflow.init
    def __init__(self, start: ChatStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: ChatStart) -> ChatMemory:
        """See `ConversationWorkflow.run`."""
        return await super().run(start)


@workflow.defn(name=WorkflowType.ESCALATION, versioning_behavior=VersioningBehavior.AUTO_UPGRADE)
class UpgradedEscalationWorkflow(EscalationWorkflow):
    """See `EscalationWorkflow`."""

    @workflow.init
    def __init__(self, start: EscalationStart) -> None:
        super().__init__(start)

    @workflow.run
    async def run(self, start: EscalationStart) -> EscalationView:
        """See `EscalationWorkflow.run`."""
        return await super().run(start)
