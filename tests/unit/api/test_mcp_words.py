"""What MCP's tools say of a plan that has a question: it waits for an answer for as long as one would be taken. Once
the time of the question is up, the plan is under way, also while it still shows the question."""

from datetime import UTC, datetime, timedelta

import pytest

from api.mcp.told import waiting, words_of
from contracts.enums import PlanStatus, SafetyTier
from contracts.plan import BlockingPrompt, ExecutionPlan, PlannedAction


def asking(seconds_left: float) -> ExecutionPlan:
    """A plan under way whose question has so much time left."""
    now = datetime.now(UTC)
    step = PlannedAction(
        step=1, action_id="move", title="Move", parameters={}, safety_tier=SafetyTier.NORMAL, reversible=True
    )
    prompt = BlockingPrompt(prompt_id="q-1", question="Which phone?", expires_at=now + timedelta(seconds=seconds_left))
    return ExecutionPlan(
        plan_id="p-1", session_id="s-1", user_id="u-1", venue_id="v-1", intent="Move it", actions=(step,),
        created_at=now, expires_at=now + timedelta(minutes=15), confirmed_at=now, status=PlanStatus.EXECUTING,
        blocking_prompt=prompt,
    )  # fmt: skip


@pytest.mark.parametrize(("seconds_left", "waits"), [(3600, True), (-1, False)])
def test_a_plan_waits_for_an_answer_until_the_time_of_its_question_is_up(seconds_left: float, waits: bool) -> None:
    plan = asking(seconds_left)
    assert (waiting(plan) == "answer") is waits
    assert ("Which phone?" in words_of(plan, "here")) is waits
