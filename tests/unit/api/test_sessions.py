"""What a page shows of a chat after a reload: its last fifty plans, and older ones only where they may still move."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from temporalio.client import WorkflowExecutionStatus

from api import sessions
from contracts.effects import DraftedStep
from contracts.messages import NamedPlan, SessionView, ShownView
from contracts.plan import ExecutionPlan
from reasoning.drafting import plan_of
from tests.unit.reasoning.actions import an_action

NOW = datetime.now(UTC)
STEP = DraftedStep(action=an_action(), parameters={}, subject="b-1", digest="d")


class Plans:
    """Each plan is known; those that run are `running`."""

    def __init__(self, *running: str) -> None:
        self._running = running

    async def plan(self, plan_id: str) -> Any:
        """The plan as it was drafted."""
        known = {"session_id": "s", "user_id": "u", "venue_id": "v", "now": NOW, "confirm_within": 900}
        plan: ExecutionPlan = plan_of((STEP,), plan_id=plan_id, **known)
        return SimpleNamespace(plan=plan)

    async def describe(self, plan_id: str) -> Any:
        """Whether its workflow runs."""
        runs = plan_id in self._running
        return SimpleNamespace(status=WorkflowExecutionStatus.RUNNING if runs else WorkflowExecutionStatus.COMPLETED)


class Chats:
    """One chat that has named sixty plans."""

    async def session(self, _: str) -> SessionView:
        """Nothing waits in it."""
        return SessionView(owner="u", pending_plan_id=None, prompt_plan_id=None)

    async def shown(self, _: str, __: int) -> ShownView:
        """No entries are left, and all the plans."""
        named = tuple(NamedPlan(plan_id=f"p-{n}", number=n, at=NOW) for n in range(1, 61))
        return ShownView(owner="u", last=60, named=named)


@pytest.mark.parametrize(("running", "first"), [((), []), (("p-3",), ["p-3"])])
async def test_the_last_fifty_plans_are_there(running: tuple[str, ...], first: list[str]) -> None:
    chats: Any = Chats()
    plans: Any = Plans(*running)
    seen = await sessions.look(sessions.Asked("s", "v", "u", chats), plans)
    assert [plan.plan_id for plan in seen.plans] == [*first, *(f"p-{n}" for n in range(11, 61))]
