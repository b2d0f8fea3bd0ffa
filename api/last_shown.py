"""The plans that this API process showed last. While Temporal is unavailable, the last known state is better than none,
and a bare yes confirms the plan that its operator saw. The most recent plans are kept in memory, each for its owner.
Which plan a chat offered last is shared by all API processes."""

from collections import OrderedDict

from contracts.enums import PlanStatus
from contracts.plan import ExecutionPlan
from infra.stores.last_shown_plan import LastShownPlans
from workflows.ids import chat_workflow

_PLANS = 500


class LastShown:
    """The plans shown last, and for each chat the plan that its operator was last asked to confirm."""

    def __init__(self, offers: LastShownPlans) -> None:
        self._plans: OrderedDict[tuple[str, str], ExecutionPlan] = OrderedDict()
        self._offers = offers

    async def put(self, plan: ExecutionPlan) -> ExecutionPlan:
        """Record a plan that is shown to its owner, and return it. A waiting plan becomes the last one that its chat
        showed."""
        self._remember(plan)
        if plan.status is PlanStatus.PENDING_CONFIRMATION:
            await self._offers.put(chat_workflow(plan.venue_id, plan.session_id), plan.user_id, plan.plan_id)
        return plan

    async def offer(self, conversation: str, plan: ExecutionPlan) -> None:
        """Record a plan as the one that a chat has just shown."""
        self._remember(plan)
        await self._offers.put(conversation, plan.user_id, plan.plan_id)

    async def invalidate(self, conversation: str, user_id: str) -> None:
        """Record that a plan may wait in this chat that was never shown."""
        await self._offers.put(conversation, user_id, "")

    def plan(self, plan_id: str, user_id: str) -> ExecutionPlan | None:
        """Return the plan as this user last saw it, marked `stale`."""
        found = self._plans.get((plan_id, user_id))
        return found.model_copy(update={"stale": True, "notice": None}) if found else None

    async def last_offered(self, conversation: str, user_id: str) -> str | None:
        """Return the id of the plan that a chat last showed this user; "" if another one may wait, None if unknown."""
        return await self._offers.get(conversation, user_id)

    def _remember(self, plan: ExecutionPlan) -> None:
        self._plans[plan.plan_id, plan.user_id] = plan
        self._plans.move_to_end((plan.plan_id, plan.user_id))
        while len(self._plans) > _PLANS:
            self._plans.popitem(last=False)
