"""Whether a completed plan can be undone as a whole, asked before its undo takes effect: half an undo is worse than
none, and the operator waits for the answer."""

import asyncio

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from contracts.effects import Expectation, SnapshotRequest
    from contracts.enums import ErrorType, ServiceErrorType, StepRollbackOutcome
    from contracts.errors import VenueFailure
    from language.catalogue import say
    from workflows.calls import Calls
    from workflows.execution import Execution
    from workflows.last_try import last_try
    from workflows.refusals import refusal
    from workflows.saga import Saga
    from workflows.step_run import StepRun

_LOOK = 6.0
"""Seconds in which an undo must have looked at every booking. The operator waits for it, and so does the facade, a
little longer (`clients.words`)."""


async def look_before_undo(calls: Calls, saga: Saga, execution: Execution, token_ref: str) -> None:
    """Look at every booking at once. Raises the first refusal."""
    looks = [refuse_if_changed_since(calls, run, left, token_ref) for run, left in execution.as_left()]
    looks.append(_refuse_if_some_would_stand(saga, execution, token_ref))
    try:
        found = await asyncio.wait_for(asyncio.gather(*looks, return_exceptions=True), _LOOK)
    except TimeoutError:
        raise _not_looked() from None
    for refused in found:
        if refused is not None:
            raise refused


def _not_looked(error: ActivityError | None = None) -> ApplicationError:
    """Why nobody could look: what the last try met with, else that nothing answered in time."""
    why = say("refuse.not_looked")
    suggestions: tuple[str, ...] = ()
    failure = last_try(error).failure if error is not None else None
    if failure is not None:
        why, suggestions = failure.message, failure.suggestions
    return refusal(ServiceErrorType.SERVICE_UNAVAILABLE, f"{why} {say('word.undo_refused')}", *suggestions)


def _cannot(failure: VenueFailure, run: StepRun) -> ApplicationError:
    """Why the venue refuses the look at a step: the operator is to sign in again, or the plan cannot be undone."""
    if failure.error_type is ErrorType.UNAUTHORIZED:
        if failure.status is None:
            return refusal(ServiceErrorType.UNAUTHORIZED, failure.message, say("refuse.sign_in_rejected_next"))
        return refusal(
            ServiceErrorType.UNAUTHORIZED, say("refuse.sign_in_rejected"), say("refuse.sign_in_rejected_next")
        )
    why = f"{_which(run)}: {failure.message}"
    return refusal(ServiceErrorType.CONFLICT, say("refuse.cannot_undo_because", why=why), *failure.suggestions)


def _which(run: StepRun) -> str:
    booking = run.drafted.booking
    return say("undo.which", title=run.action.title, whom=booking.reference if booking else "")


async def _refuse_if_some_would_stand(saga: Saga, execution: Execution, token_ref: str) -> None:
    try:
        found = await saga.would_undo(execution.grounds.left_by, token_ref)
    except ActivityError as error:
        raise _not_looked(error) from None
    for run, look in found:
        if look.failure is not None:
            raise _cannot(look.failure, run)
    stands = [(run, look) for run, look in found if look.outcome is StepRollbackOutcome.FAILED]
    unseen = [look.message for _, look in stands if not look.seen]
    by_hand = [say("next.by_hand", manual=look.manual) for _, look in stands if look.manual]
    if unseen:
        raise refusal(ServiceErrorType.CONFLICT, say("refuse.cannot_undo_because", why=" ".join(unseen)), *by_hand)
    if stands:
        which = [_which(run) for run, _ in stands]
        raise refusal(ServiceErrorType.CONFLICT, say("refuse.undo_changed", which=which), *by_hand)


async def refuse_if_changed_since(
    calls: Calls, run: StepRun, expectations: tuple[Expectation, ...], token_ref: str
) -> None:
    """The same for plans from before, which know only what each booking hashed to."""
    if run.scope is None:
        return
    request = SnapshotRequest(scope=run.scope.model_copy(update={"token_ref": token_ref}), expectations=expectations)
    try:
        reply = await calls.snapshot(request)
    except ActivityError:
        raise _not_looked() from None
    if reply.failure is not None:
        raise _cannot(reply.failure, run)
    if reply.drifted:
        raise refusal(ServiceErrorType.CONFLICT, say("refuse.undo_changed", which=[_which(run)]))
