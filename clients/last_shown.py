"""The plans that were shown last. While Temporal is unavailable, the last known state is better than none. A bare yes
confirms the plan that a chat's operator was last asked to confirm, whichever API process receives it: all of them share
that plan's id. The plans themselves are kept in this process's memory, the most recent ones, each for its owner."""

import hashlib
import logging

from cachetools import LRUCache

from contracts.enums import PlanStatus
from contracts.plan import ExecutionPlan
from infra.errors import DependencyUnavailableError
from infra.observability.logging import OutageLog
from infra.stores.store import Store, answer_within
from workflows.workflow_ids import chat_workflow

log = logging.getLogger(__name__)

_KEPT = 24 * 3600
"""Seconds: longer than any plan waits for its confirmation."""
_ANSWER_WITHIN = 0.5
_CHATS = 10_000
_PLANS = 500

_AWAY = OutageLog(
    log,
    "asking Redis which plan was shown last",
    "a bare yes counts for what this facade itself has shown, or asks again",
)


class LastShown:
    """The plans shown last, and the id of the last one by chat and user. This process's own record of ids is used while
    the store is unavailable."""

    _PREFIX = "iq:offer:"

    def __init__(self, store: Store) -> None:
        self._redis = store.redis
        self._own: LRUCache[str, str] = LRUCache(_CHATS)
        self._plans: LRUCache[tuple[str, str], ExecutionPlan] = LRUCache(_PLANS)

    async def put(self, plan: ExecutionPlan) -> ExecutionPlan:
        """Record a plan that is shown to its owner, and return it. A waiting plan becomes the last one that its chat
        showed."""
        self._plans[plan.plan_id, plan.user_id] = plan
        if plan.status is PlanStatus.PENDING_CONFIRMATION:
            await self.note(chat_workflow(plan.venue_id, plan.session_id), plan.user_id, plan.plan_id)
        return plan

    async def offer(self, chat: str, plan: ExecutionPlan) -> None:
        """Record a plan as the one that a chat has just shown."""
        self._plans[plan.plan_id, plan.user_id] = plan
        await self.note(chat, plan.user_id, plan.plan_id)

    def plan(self, plan_id: str, user_id: str) -> ExecutionPlan | None:
        """Return the plan as this user last saw it, marked `stale`."""
        found = self._plans.get((plan_id, user_id))
        return found.model_copy(update={"stale": True, "notice": None}) if found else None

    async def note(self, chat: str, user: str, plan_id: str) -> None:
        """Record the id of the plan that a chat has shown; "" if a plan may wait that was never shown. Never raises:
        while the store is unavailable, another API process may return an older plan."""
        key = self._key(chat, user)
        self._own[key] = plan_id
        try:
            async with answer_within(_ANSWER_WITHIN):
                await self._redis.set(key, plan_id, ex=_KEPT)
        except DependencyUnavailableError as away:
            log.warning("the plan that was shown could not be noted for other facades: %s", away)

    async def last_offered(self, chat: str, user: str) -> str | None:
        """Return the id of the plan that a chat showed this user last; "" if another one may wait, None if unknown.
        Never raises."""
        key, found = self._key(chat, user), None
        try:
            async with answer_within(_ANSWER_WITHIN):
                found = await self._redis.get(key)
            _AWAY.success()
        except DependencyUnavailableError as away:
            _AWAY.failure(str(away))
        return self._own.get(key) if found is None else str(found)

    def _key(self, chat: str, user: str) -> str:
        return self._PREFIX + hashlib.sha256(f"{chat}\n{user}".encode()).hexdigest()
