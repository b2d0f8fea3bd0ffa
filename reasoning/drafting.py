"""From frozen steps to the plan an operator sees. Pure: ids and the clock are given."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from contracts.drafting import MadeLook
from contracts.effects import DraftedStep
from contracts.enums import ParameterRole, PlanStatus, SafetyTier, StepStatus
from contracts.plan import ActionResult, ExecutionPlan, PlannedAction
from language.catalogue import say
from reasoning.knowable import name_of


def planned(steps: Sequence[DraftedStep], looks: Sequence[MadeLook] = ()) -> list[PlannedAction]:
    """The steps' public face, counted from 1, behind the looks that were made for them."""
    moved, behind = _moved(steps), len(looks)
    made = [_looked(number, look) for number, look in enumerate(looks, 1)]
    return made + [
        PlannedAction(
            step=behind + number,
            action_id=step.action.name,
            title=step.action.title,
            parameters=step.parameters,
            labels={p.name: p.label for p in step.action.parameters if p.label and p.name in step.parameters},
            safety_tier=step.action.safety,
            reversible=step.action.reversible,
            preview=list(step.preview),
            confirm_label=step.confirm_label,
            whom=_whom(step, moved) or None,
            whom_after=name_of(step.booking.model_copy(update={"label": ""})) if step.booking is not None else None,
            day=step.booking.date if step.booking is not None else None,
            required=step.required,
            depends_on=tuple(behind + earlier for earlier in step.depends_on),
            when=step.when.model_copy(update={"step": behind + step.when.step}) if step.when is not None else None,
        )
        for number, step in enumerate(steps, 1)
    ]


def _looked(number: int, look: MadeLook) -> PlannedAction:
    return PlannedAction(
        step=number,
        action_id=look.name,
        title=look.title,
        parameters={},
        safety_tier=SafetyTier.NORMAL,
        reversible=True,
        read_only=True,
        required=look.error_type is None,
        status=_ended(look),
    )


def _ended(look: MadeLook) -> StepStatus:
    return StepStatus.COMPLETED if look.error_type is None else StepStatus.FAILED


def _results(looks: Sequence[MadeLook]) -> list[ActionResult]:
    return [
        ActionResult(
            step=number,
            action_id=look.name,
            status=_ended(look),
            message=look.result,
            error_type=look.error_type,
            started_at=look.started_at,
            finished_at=look.finished_at,
        )
        for number, look in enumerate(looks, 1)
        if look.result is not None and look.started_at is not None and look.finished_at is not None
    ]


def intent_of(steps: Sequence[DraftedStep], behind: int = 0, left_out: Collection[int] = ()) -> str:
    """One line that says what the plan is for, step by step, which are told `behind` so many looks. Nothing is said of
    steps that are `left_out`. A booking that is moved is named without its day: the changes say it."""
    moved = _moved(steps)
    parts = []
    alternatives = {s.when.step for s in steps if s.when is not None and s.when.ended == "failed"}
    for number, step in enumerate(steps, 1):
        if number in left_out:
            continue
        whom = _whom(step, moved)
        changes = [
            say("intent.change", field=line.field, before=line.before, after=line.after) for line in step.preview
        ]
        part = say("intent.step", title=step.action.title, whom=whom, changes=changes)
        if step.when is not None:
            part = say(f"intent.if_{step.when.refused or step.when.ended}", step=behind + step.when.step, part=part)
        elif not step.required and number not in alternatives:
            part = say("intent.if_possible", part=part)
        parts.append(part)
    return ". ".join(parts)


def _whom(step: DraftedStep, moved: set[str]) -> str:
    booking = step.booking
    if booking is None:
        return ""
    if booking.booking_id in moved or not booking.label:
        return name_of(booking)
    # The step has been drafted on a read of its own since.
    return booking.label.removesuffix(say("booking.unread", label="")) if booking.cancelled is None else booking.label


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
    looks: Sequence[MadeLook] = (),
) -> ExecutionPlan:
    """A plan that waits for its confirmation; `confirm_within` in seconds. Its first steps are the looks."""
    return ExecutionPlan(
        plan_id=plan_id,
        session_id=session_id,
        user_id=user_id,
        venue_id=venue_id,
        status=PlanStatus.PENDING_CONFIRMATION,
        intent=intent_of(steps, len(looks)),
        actions=planned(steps, looks),
        results=_results(looks),
        created_at=now,
        expires_at=now + timedelta(seconds=confirm_within),
    )
