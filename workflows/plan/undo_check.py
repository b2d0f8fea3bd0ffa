"""Checks whether a completed plan can be undone as a whole before its undo takes effect, because a partial undo is
worse than none and the operator waits for the answer."""

import asyncio
from collections.abc import Sequence

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from contracts.enums import ErrorType, ServiceErrorType, StepRollbackOutcome
    from contracts.errors import VenueFailure
    from contracts.step_activities import StepUndoResult
    from language.messages.catalogue import translate
    from workflows.plan.execution import PlanExecution
    from workflows.plan.saga import Saga, last_attempt
    from workflows.plan.step import StepState
    from workflows.update_errors import refusal

_LOOK = 6.0
"""Seconds in which an undo must have read every booking. The operator waits for it, and the API waits a little longer
(`clients.commands`)."""


async def check_undoable(saga: Saga, execution: PlanExecution, token_ref: str) -> None:
    """Check every booking in parallel. Raises the first rejection."""
    try:
        found = await asyncio.wait_for(saga.preview_undo(execution.preconditions.after_plan, token_ref), _LOOK)
    except TimeoutError:
        raise _not_looked() from None
    except ActivityError as error:
        raise _not_looked(error) from None
    for run, result in found:
        if result.failure is not None:
            raise _cannot(result.failure, run)
    _refuse_if_not_undoable(found)


def _not_looked(error: ActivityError | None = None) -> ApplicationError:
    """Return the error for a check that could not read: the last attempt's failure, else that no answer came
    in time."""
    why = translate("refuse.not_looked")
    suggestions: tuple[str, ...] = ()
    failure = last_attempt(error).failure if error is not None else None
    if failure is not None:
        why, suggestions = failure.message, failure.suggestions
    return refusal(ServiceErrorType.SERVICE_UNAVAILABLE, f"{why} {translate('word.undo_refused')}", *suggestions)


def _cannot(failure: VenueFailure, run: StepState) -> ApplicationError:
    """Return the error for a check that the venue rejected: the operator has to sign in again, or the plan cannot be
    undone."""
    if failure.error_type is ErrorType.UNAUTHORIZED:
        if failure.status is None:
            return refusal(ServiceErrorType.UNAUTHORIZED, failure.message, translate("refuse.sign_in_rejected_next"))
        return refusal(
            ServiceErrorType.UNAUTHORIZED,
            translate("refuse.sign_in_rejected"),
            translate("refuse.sign_in_rejected_next"),
        )
    why = f"{_which(run)}: {failure.message}"
    return refusal(ServiceErrorType.CONFLICT, translate("refuse.cannot_undo_because", why=why), *failure.suggestions)


def _which(run: StepState) -> str:
    booking = run.drafted.booking
    return translate("undo.which", title=run.action.title, whom=booking.reference if booking else "")


def _refuse_if_not_undoable(found: Sequence[tuple[StepState, StepUndoResult]]) -> None:
    not_undoable = [(run, result) for run, result in found if result.outcome is StepRollbackOutcome.FAILED]
    unseen = [look.message for _, look in not_undoable if not look.seen]
    by_hand = [translate("next.by_hand", manual=look.manual) for _, look in not_undoable if look.manual]
    if unseen:
        raise refusal(
            ServiceErrorType.CONFLICT, translate("refuse.cannot_undo_because", why=" ".join(unseen)), *by_hand
        )
    if not_undoable:
        which = [_which(run) for run, _ in not_undoable]
        raise refusal(ServiceErrorType.CONFLICT, translate("refuse.undo_changed", which=which), *by_hand)
