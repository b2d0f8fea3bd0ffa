"""What this facade showed last: when Temporal is away, the last known state is better than none, and a bare yes is
meant for what its operator has seen. Kept in memory only, for the most recent plans, each for the user whose plan it
is."""

from collections import OrderedDict
from typing import Generic, TypeVar

from activities.chats import conversation_id
from contracts.enums import PlanStatus
from contracts.plan import ExecutionPlan

T = TypeVar("T")

_PLANS = 500
_CHATS = 500


class _Recent(OrderedDict[tuple[str, ...], T], Generic[T]):
    """A mapping that forgets what was put longest ago."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def put(self, key: tuple[str, ...], value: T) -> None:
        """Keep a value, as the most recent one."""
        self[key] = value
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)


class Shown:
    """The plans shown last, and for each chat the one that its operator was asked to confirm last."""

    def __init__(self) -> None:
        self._plans: _Recent[ExecutionPlan] = _Recent(_PLANS)
        self._offered: _Recent[str] = _Recent(_CHATS)

    def keep(self, plan: ExecutionPlan) -> ExecutionPlan:
        """Remember a plan that is shown to its owner, and hand it on. One that waits is what its chat showed last."""
        self._plans.put((plan.plan_id, plan.user_id), plan)
        if plan.status is PlanStatus.PENDING_CONFIRMATION:
            self._offered.put((conversation_id(plan.venue_id, plan.session_id), plan.user_id), plan.plan_id)
        return plan

    def offer(self, conversation: str, plan: ExecutionPlan) -> None:
        """Remember a plan as the one that a chat has just shown."""
        self._offered.put((conversation, plan.user_id), self.keep(plan).plan_id)

    def lose(self, conversation: str, user_id: str) -> None:
        """A plan may wait in this chat that was never shown."""
        self._offered.put((conversation, user_id), "")

    def plan(self, plan_id: str, user_id: str) -> ExecutionPlan | None:
        """The plan as this user was shown it last, marked `stale`."""
        found = self._plans.get((plan_id, user_id))
        return found.model_copy(update={"stale": True, "notice": None}) if found else None

    def offered(self, conversation: str, user_id: str) -> str | None:
        """The id of the plan that a chat showed this user last; empty when another one may wait, None when nothing is
        known."""
        return self._offered.get((conversation, user_id))
