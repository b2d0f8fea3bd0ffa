"""From frozen steps to the plan an operator sees. Pure: ids and the clock are given."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from contracts.effects import DraftedStep
from contracts.enums import PlanStatus
from contracts.plan import ExecutionPlan, PlannedAction
from language.catalogue import say


def planned(steps: Sequence[DraftedStep]) -> list[PlannedAction]:
    """The steps' public face, counted from 1."""
    return [
        PlannedAction(
            step=number,
            action_id=step.action.name,
            title=step.action.title,
            parameters=step.parameters,
            safety_tier=step.action.safety,
            reversible=step.action.reversible,
            preview=list(step.preview),
        )
        for number, step in enumerate(steps, 1)
    ]


def intent_of(steps: Sequence[DraftedStep]) -> str:
    """One line that says what the plan is for, step by step."""
    parts = []
    for step in steps:
        whom = step.booking.label or step.booking.guest_name or step.booking.reference if step.booking else ""
        changes = [
            say("intent.change", field=line.field, before=line.before, after=line.after) for line in step.preview
        ]
        parts.append(say("intent.step", title=step.action.title, whom=whom, changes=changes))
    return ". ".join(parts)


def plan_of(
    steps: Sequence[DraftedStep],
    *,
    plan_id: str,
    session_id: str,
    user_id: str,
    venue_id: str,
    now: datetime,
    confirm_within: float,
) -> ExecutionPlan:
    """A plan that waits for its confirmation; `confirm_within` in seconds."""
    return ExecutionPlan(
        plan_id=plan_id,
        session_id=session_id,
        user_id=user_id,
        venue_id=venue_id,
        status=PlanStatus.PENDING_CONFIRMATION,
        intent=intent_of(steps),
        actions=planned(steps),
        created_at=now,
        expires_at=now + timedelta(seconds=confirm_within),
    )
