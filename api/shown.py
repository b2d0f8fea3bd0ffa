"""What this facade showed last: when Temporal is away, the last known state is better than none, and a bare yes is
meant for what its operator has seen. The plans are kept in memory only, the most recent ones, each for the user whose
plan it is; which one was offered last, every facade knows."""

from collections import OrderedDict

from contracts.enums import PlanStatus
from contracts.plan import ExecutionPlan
from infra.offers import Offers
from workflows.ids import chat_workflow

_PLANS = 500


class Shown:
    """The plans shown last, and for each chat the one that its operator was asked to confirm last."""

    def __init__(self, offers: Offers) -> None:
        self._plans: OrderedDict[tuple[str, str], ExecutionPlan] = OrderedDict()
        self._offers = offers

    async def keep(self, plan: ExecutionPlan) -> ExecutionPlan:
        """Remember a plan that is shown to its owner, and hand it on. One that waits is what its chat showed last."""
        self._remember(plan)
        if plan.status is PlanStatus.PENDING_CONFIRMATION:
            await self._offers.put(chat_workflow(plan.venue_id, plan.session_id), plan.user_id, plan.plan_id)
        return plan

    async def offer(self, conversation: str, plan: ExecutionPlan) -> None:
        """Remember a plan as the one that a chat has just shown."""
        self._remember(plan)
        await self._offers.put(conversation, plan.user_id, plan.plan_id)

    async def lose(self, conversation: str, user_id: str) -> None:
        """A plan may wait in this chat that was never shown."""
        await self._offers.put(conversation, user_id, "")

    def plan(self, plan_id: str, user_id: str) -> ExecutionPlan | None:
        """The plan as this user was shown it last, marked `stale`."""
        found = self._plans.get((plan_id, user_id))
        return found.model_copy(update={"stale": True, "notice": None}) if found else None

    async def offered(self, conversation: str, user_id: str) -> str | None:
        """The id of the plan that a chat showed this user last; empty when another one may wait, None when nothing is
        known."""
        return await self._offers.get(conversation, user_id)

    def _remember(self, plan: ExecutionPlan) -> None:
        self._plans[plan.plan_id, plan.user_id] = plan
        self._plans.move_to_end((plan.plan_id, plan.user_id))
        while len(self._plans) > _PLANS:
            self._plans.popitem(last=False)
