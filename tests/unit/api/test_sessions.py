"""The plans of a chat after a reload of the page: its last fifty, and older ones only where they may still change."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from temporalio.client import WorkflowExecutionStatus

from api.routes import sessions
from contracts.chat_messages import PlanReference, SessionView, TranscriptView
from contracts.plan import ExecutionPlan
from contracts.step_activities import DraftedStep
from reasoning.drafting.plan import plan_of
from tests.unit.reasoning.actions import an_action

NOW = datetime.now(UTC)
STEP = DraftedStep(action=an_action(), parameters={})


class Plans:
    """Each plan is known; those that run are `running`."""

    def __init__(self, *running: str) -> None:
        self._running = running

    async def plan(self, plan_id: str) -> Any:
        """Return the plan as it was drafted."""
        known = {"session_id": "s", "user_id": "u", "venue_id": "v", "now": NOW, "confirm_timeout": 900}
        plan: ExecutionPlan = plan_of((STEP,), plan_id=plan_id, **known)
        return SimpleNamespace(plan=plan)

    async def describe(self, plan_id: str) -> Any:
        """Return whether its workflow runs."""
        runs = plan_id in self._running
        return SimpleNamespace(status=WorkflowExecutionStatus.RUNNING if runs else WorkflowExecutionStatus.COMPLETED)


class Chats:
    """One chat that has named sixty plans."""

    async def session(self, _: str) -> SessionView:
        """Return a session without pending work."""
        return SessionView(owner="u", pending_plan_id=None, prompt_plan_id=None)

    async def transcript(self, _: str, __: int) -> TranscriptView:
        """Return no entries, and all the plans."""
        named = tuple(PlanReference(plan_id=f"p-{n}", number=n, at=NOW) for n in range(1, 61))
        return TranscriptView(owner="u", last=60, plan_references=named)


@pytest.mark.parametrize(("running", "first"), [((), []), (("p-3",), ["p-3"])])
async def test_the_last_fifty_plans_are_there(running: tuple[str, ...], first: list[str]) -> None:
    chats: Any = Chats()
    plans: Any = Plans(*running)
    seen = await sessions.get_session(sessions.SessionAccess("s", "v", "u", chats), plans)
    assert [plan.plan_id for plan in seen.plans] == [*first, *(f"p-{n}" for n in range(11, 61))]
