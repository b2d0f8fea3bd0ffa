"""Why an update is refused: typed `ApplicationError`s, so that a handler never jams its workflow and the facade knows
which HTTP status each one is."""

from datetime import datetime

from temporalio import workflow
from temporalio.exceptions import ApplicationError

with workflow.unsafe.imports_passed_through():
    from contracts.enums import PlanStatus, ServiceErrorType
    from contracts.plan import ExecutionPlan
    from language.catalogue import say
    from reasoning import arranging, wording

_UNDER_WAY = (PlanStatus.PENDING_CONFIRMATION, PlanStatus.CONFIRMED, PlanStatus.EXECUTING)


def refusal(kind: ServiceErrorType, message: str, *suggestions: str) -> ApplicationError:
    """An error that the facade maps by its type. What tells of a guest goes into the suggestions: a message stands in
    logs."""
    return ApplicationError(message, *suggestions, type=kind.value, non_retryable=True)


def refuse_stranger(plan: ExecutionPlan, user_id: str) -> None:
    """Raises `forbidden` unless the plan belongs to the user."""
    if user_id != plan.user_id:
        raise refusal(ServiceErrorType.FORBIDDEN, say("refuse.foreign_plan"))


def refuse_late(deadline: datetime, attempt: str = "") -> None:
    """Raises `service_unavailable` when the caller has already been told that it failed: an update waits in the
    server while no worker polls. A word that is claimed before it takes effect needs no such judgement, which compares
    two machines' clocks."""
    if not attempt and workflow.now() > deadline:
        raise refusal(ServiceErrorType.SERVICE_UNAVAILABLE, say("refuse.too_late"))


def refuse_skip(plan: ExecutionPlan, step: int) -> None:
    """Raises `not_found` for a step that there is not, `conflict` for one that cannot be left out (any more)."""
    action = next((a for a in plan.actions if a.step == step), None)
    if action is None:
        raise refusal(ServiceErrorType.NOT_FOUND, say("refuse.no_step", step=step, count=len(plan.actions)))
    if plan.status not in _UNDER_WAY:
        raise refusal(ServiceErrorType.CONFLICT, wording.already(plan.status))
    if (why := arranging.may_skip(action, plan.actions)) is not None:
        raise refusal(ServiceErrorType.CONFLICT, say(why, step=step, title=action.title))
