"""From frozen steps to the plan an operator sees. Pure: ids and the clock are given."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from contracts.effects import DraftedStep
from contracts.enums import ParameterRole, PlanStatus
from contracts.plan import ExecutionPlan, PlannedAction
from language.catalogue import say
from reasoning.knowable import name_of


def planned(steps: Sequence[DraftedStep]) -> list[PlannedAction]:
    """The steps' public face, counted from 1."""
    moved = _moved(steps)
    return [
        PlannedAction(
            step=number,
            action_id=step.action.name,
            title=step.action.title,
            parameters=step.parameters,
            safety_tier=step.action.safety,
            reversible=step.action.reversible,
            preview=list(step.preview),
            confirm_label=step.confirm_label,
            whom=_whom(step, moved) or None,
            day=step.booking.date if step.booking is not None else None,
            required=step.required,
            depends_on=step.depends_on,
            when=step.when,
        )
        for number, step in enumerate(steps, 1)
    ]


def intent_of(steps: Sequence[DraftedStep]) -> str:
    """One line that says what the plan is for, step by step. A booking that is moved is named without its day: the
    changes say it."""
    moved = _moved(steps)
    parts = []
    alternatives = {s.when.step for s in steps if s.when is not None and s.when.ended == "failed"}
    for number, step in enumerate(steps, 1):
        whom = _whom(step, moved)
        changes = [
            say("intent.change", field=line.field, before=line.before, after=line.after) for line in step.preview
        ]
        part = say("intent.step", title=step.action.title, whom=whom, changes=changes)
        if step.when is not None:
            part = say(f"intent.if_{step.when.ended}", step=step.when.step, part=part)
        elif not step.required and number not in alternatives:
            part = say("intent.if_possible", part=part)
        parts.append(part)
    return ". ".join(parts)


def _whom(step: DraftedStep, moved: set[str]) -> str:
    booking = step.booking
    if booking is None:
        return ""
    return name_of(booking) if booking.booking_id in moved or not booking.label else booking.label


def _moved(steps: Sequence[DraftedStep]) -> set[str]:
    return {s.booking.booking_id for s in steps if s.booking is not None and _moves(s)}


def _moves(step: DraftedStep) -> bool:
    roles = (ParameterRole.DATE, ParameterRole.TIME)
    return any(step.parameters.get(p.name) is not None for role in roles for p in step.action.with_role(role))


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
