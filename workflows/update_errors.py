"""Errors of rejected updates: typed `ApplicationError`s, so that a handler never blocks its workflow and the API can
map each to an HTTP status."""

from datetime import datetime

from temporalio import workflow
from temporalio.exceptions import ApplicationError

with workflow.unsafe.imports_passed_through():
    from contracts.enums import PlanStatus, ServiceErrorType
    from contracts.plan import ExecutionPlan
    from language.messages.catalogue import translate
    from reasoning import error_messages
    from reasoning.drafting import step_order

_UNDER_WAY = (PlanStatus.PENDING_CONFIRMATION, PlanStatus.CONFIRMED, PlanStatus.EXECUTING)


def refusal(kind: ServiceErrorType, message: str, *suggestions: str) -> ApplicationError:
    """Return an error that the API maps by its type. Personal data goes into the suggestions only, because the message
    is logged."""
    return ApplicationError(message, *suggestions, type=kind.value, non_retryable=True)


def require_owner(plan: ExecutionPlan, user_id: str) -> None:
    """Raise `forbidden` unless the plan belongs to the user."""
    if user_id != plan.user_id:
        raise refusal(ServiceErrorType.FORBIDDEN, translate("refuse.foreign_plan"))


def require_in_time(deadline: datetime) -> None:
    """Raise `service_unavailable` if the caller's wait has already ended: an update waits in the server while no worker
    polls."""
    if workflow.now() > deadline:
        raise refusal(ServiceErrorType.SERVICE_UNAVAILABLE, translate("refuse.too_late"))


def require_skippable(plan: ExecutionPlan, step: int) -> None:
    """Raise `not_found` for an unknown step, `conflict` for one that cannot be skipped (any more)."""
    action = next((a for a in plan.actions if a.step == step), None)
    if action is None:
        raise refusal(ServiceErrorType.NOT_FOUND, translate("refuse.no_step", step=step, count=len(plan.actions)))
    if plan.status not in _UNDER_WAY:
        raise refusal(ServiceErrorType.CONFLICT, error_messages.already_text(plan.status))
    if (why := step_order.skip_refusal(action, plan.actions)) is not None:
        raise refusal(ServiceErrorType.CONFLICT, translate(why, step=step, title=action.title))
