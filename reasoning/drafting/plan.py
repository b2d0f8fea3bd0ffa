"""Converts frozen steps to the plan an operator sees. Pure: ids and the clock are parameters."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from contracts.drafting import CompletedRead
from contracts.enums import ParameterRole, PlanStatus, SafetyTier, StepStatus
from contracts.plan import ActionResult, ExecutionPlan, PlannedAction
from contracts.step_activities import DraftedStep
from language.messages.catalogue import translate
from reasoning.drafting.preflight import booking_label


def planned(steps: Sequence[DraftedStep], reads: Sequence[CompletedRead] = ()) -> list[PlannedAction]:
    """Return the public form of the steps, counted from 1 after the look-ups that were made for them."""
    moved, offset = _moved(steps), len(reads)
    made = [_looked(number, read) for number, read in enumerate(reads, 1)]
    return made + [
        PlannedAction(
            step=offset + number,
            action_id=step.action.name,
            title=step.action.title,
            parameters=step.parameters,
            labels={p.name: p.label for p in step.action.parameters if p.label and p.name in step.parameters},
            safety_tier=step.action.safety,
            reversible=step.action.reversible,
            preview=list(step.preview),
            confirm_label=step.confirm_label,
            whom=_whom(step, moved) or None,
            whom_after=booking_label(step.booking.model_copy(update={"label": ""}))
            if step.booking is not None
            else None,
            day=step.booking.date if step.booking is not None else None,
            required=step.required,
            depends_on=tuple(offset + earlier for earlier in step.depends_on),
            when=step.when.model_copy(update={"step": offset + step.when.step}) if step.when is not None else None,
        )
        for number, step in enumerate(steps, 1)
    ]


def _looked(number: int, read: CompletedRead) -> PlannedAction:
    return PlannedAction(
        step=number,
        action_id=read.name,
        title=read.title,
        parameters={},
        safety_tier=SafetyTier.NORMAL,
        reversible=True,
        read_only=True,
        required=read.error_type is None,
        status=_ended(read),
    )


def _ended(read: CompletedRead) -> StepStatus:
    return StepStatus.COMPLETED if read.error_type is None else StepStatus.FAILED


def _results(reads: Sequence[CompletedRead]) -> list[ActionResult]:
    return [
        ActionResult(
            step=number,
            action_id=read.name,
            status=_ended(read),
            message=read.result,
            error_type=read.error_type,
            started_at=read.started_at,
            finished_at=read.finished_at,
        )
        for number, read in enumerate(reads, 1)
        if read.result is not None and read.started_at is not None and read.finished_at is not None
    ]


def intent_of(steps: Sequence[DraftedStep], offset: int = 0, left_out: Collection[int] = ()) -> str:
    """Return one line with the purpose of the plan, step by step. Step numbers are shown `offset` higher because of the
    look-ups. Steps in `left_out` are omitted. A moved booking is named without its day, because the changes show it."""
    moved = _moved(steps)
    parts = []
    alternatives = {s.when.step for s in steps if s.when is not None and s.when.ended == "failed"}
    for number, step in enumerate(steps, 1):
        if number in left_out:
            continue
        whom = _whom(step, moved)
        changes = [
            translate("intent.change", field=line.field, before=line.before, after=line.after) for line in step.preview
        ]
        part = translate("intent.step", title=step.action.title, whom=whom, changes=changes)
        if step.when is not None:
            part = translate(
                f"intent.if_{step.when.refused or step.when.ended}", step=offset + step.when.step, part=part
            )
        elif not step.required and number not in alternatives:
            part = translate("intent.if_possible", part=part)
        parts.append(part)
    return ". ".join(parts)


def _whom(step: DraftedStep, moved: set[str]) -> str:
    booking = step.booking
    if booking is None:
        return ""
    if booking.booking_id in moved or not booking.label:
        return booking_label(booking)
    # The step has been drafted on its own read since.
    return (
        booking.label.removesuffix(translate("booking.unread", label=""))
        if booking.cancelled is None
        else booking.label
    )


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
    confirm_timeout: float,
    reads: Sequence[CompletedRead] = (),
) -> ExecutionPlan:
    """Return a plan that waits for its confirmation; `confirm_timeout` in seconds. Its first steps are the look-ups."""
    return ExecutionPlan(
        plan_id=plan_id,
        session_id=session_id,
        user_id=user_id,
        venue_id=venue_id,
        status=PlanStatus.PENDING_CONFIRMATION,
        intent=intent_of(steps, len(reads)),
        actions=planned(steps, reads),
        results=_results(reads),
        created_at=now,
        expires_at=now + timedelta(seconds=confirm_timeout),
    )
