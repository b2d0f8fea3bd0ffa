"""Reversing one step. Reads first: what is already as it was needs no reversal, so a retry never reverses twice."""

import logging
from datetime import timedelta

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.heartbeat import beating
from activities.reads import read_snapshot
from activities.steps import shows
from activities.venue_client import VenueClient, VenueRefused
from contracts.action import AtomicAction
from contracts.effects import UndoReply, UndoRequest
from contracts.enums import ErrorType, StepRollbackOutcome
from contracts.errors import VenueFailure
from registry import Scope, TemplateFault, build_request, compensation_request, covered, manual_step

log = logging.getLogger(__name__)

_WORTH_ANOTHER_TRY = frozenset({ErrorType.RATE_LIMITED, ErrorType.SERVER_ERROR, ErrorType.TIMEOUT, ErrorType.NETWORK})


class Undo:
    """Compensations."""

    def __init__(self, venues: VenueClient) -> None:
        self._venues = venues

    @activity.defn(name="undo_step")
    async def undo_step(self, request: UndoRequest) -> UndoReply:
        """See `signatures.undo_step`. Raises a retryable `ApplicationError` for what may pass: 429, 5xx, time-outs."""
        step, action = request.scope, request.scope.action
        scope = Scope.of(action, step.parameters, step.profile, f"{step.idempotency_key}-undo").with_(
            before=request.before, response=request.output
        )
        manual = manual_step(action, scope)
        async with beating():
            try:
                return await self._reverse(request, action, scope, manual)
            except VenueRefused as refused:
                return _gave_up(action, refused.failure, manual)
            except TemplateFault as fault:
                log.error("the compensation of %s does not fit: %s", action.name, fault)
                return UndoReply(
                    outcome=StepRollbackOutcome.FAILED,
                    message=f"“{action.title}” could not be undone automatically.",
                    manual=manual,
                )

    async def _reverse(self, request: UndoRequest, action: AtomicAction, scope: Scope, manual: str) -> UndoReply:
        step = request.scope
        if action.snapshot is not None:
            now, _ = await read_snapshot(self._venues, action, scope, step.token_ref, step.trace_id)
            scope = scope.with_(now=now)
        if not action.reversible:
            same = action.snapshot is not None and _as_before(action, scope)
            return UndoReply(
                outcome=StepRollbackOutcome.NOT_NEEDED if same else StepRollbackOutcome.IRREVERSIBLE,
                message=f"“{action.title}” {'did not take effect' if same else 'cannot be undone automatically'}.",
                manual="" if same else manual,
            )
        if not request.applied:
            tried = scope.with_(marker=step.idempotency_key)
            if not shows(action, tried.with_(request=build_request(action, tried))):
                return _not_shown(action, scope, manual)
        undo = compensation_request(action, scope)
        if undo is None:
            return UndoReply(
                outcome=StepRollbackOutcome.NOT_NEEDED, message=f"“{action.title}” needed no undoing: nothing differs."
            )
        await self._venues.send(step.profile.base_url, undo, step.token_ref, action=action, trace_id=step.trace_id)
        if action.snapshot is not None:
            now, _ = await read_snapshot(self._venues, action, scope, step.token_ref, step.trace_id)
            if not _as_before(action, scope.with_(now=now)):
                return UndoReply(
                    outcome=StepRollbackOutcome.FAILED,
                    message=f"“{action.title}” was undone, but the booking does not look as it did before.",
                    manual=manual,
                )
        return UndoReply(outcome=StepRollbackOutcome.REVERSED, message=f"“{action.title}” was undone.")


def _as_before(action: AtomicAction, scope: Scope) -> bool:
    assert action.snapshot is not None
    rules = (action.snapshot.covers, action.snapshot.ignore)
    return bool(covered(scope.now, *rules) == covered(scope.before, *rules))


def _not_shown(action: AtomicAction, scope: Scope, manual: str) -> UndoReply:
    """A write of unknown outcome that the booking does not show. Nothing is sent on a guess."""
    if action.snapshot is not None and _as_before(action, scope):
        return UndoReply(
            outcome=StepRollbackOutcome.NOT_NEEDED, message=f"“{action.title}” did not take effect: nothing differs."
        )
    return UndoReply(
        outcome=StepRollbackOutcome.FAILED,
        message=f"It is not certain whether “{action.title}” took effect: a person has to look.",
        manual=f"Check whether this was done: {action.title}. If it was: {manual}",
    )


def _gave_up(action: AtomicAction, failure: VenueFailure, manual: str) -> UndoReply:
    if failure.error_type in _WORTH_ANOTHER_TRY:
        wait = failure.retry_after_seconds
        raise ApplicationError(
            f"{action.name}: {failure.error_type}",
            type=failure.error_type.value,
            next_retry_delay=timedelta(seconds=wait) if wait else None,
        )
    return UndoReply(
        outcome=StepRollbackOutcome.FAILED,
        message=f"“{action.title}” could not be undone: {failure.message}",
        manual=manual,
        failure=failure,
    )
