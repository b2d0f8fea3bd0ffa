"""Reversing one step. Reads first: what is already as it was needs no reversal, so a retry never reverses twice. A
retry therefore looks only when nothing that an earlier try sent can still land."""

import asyncio
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
from infra.settings import Settings
from language.catalogue import say, speak, spoken
from registry import Scope, TemplateFault, build_request, compensation_request, covered, manual_step

log = logging.getLogger(__name__)

_WORTH_ANOTHER_TRY = frozenset({ErrorType.RATE_LIMITED, ErrorType.SERVER_ERROR, ErrorType.TIMEOUT, ErrorType.NETWORK})


_NOTHING_UNDER_WAY = "nothing under way"
"""The last heartbeat of a try that ended by itself: the next one need not wait. A lost worker leaves no such word."""


class Undo:
    """Compensations."""

    def __init__(self, settings: Settings, venues: VenueClient) -> None:
        self._venues = venues
        self._timeout = settings.call_timeout

    @activity.defn(name="undo_step")
    async def undo_step(self, request: UndoRequest) -> UndoReply:
        """See `signatures.undo_step`. Raises a retryable `ApplicationError` for what may pass: 429, 5xx, time-outs."""
        step, action = request.scope, request.scope.action
        speak(step.profile.locale)
        scope = Scope.of(action, step.parameters, step.profile, f"{step.idempotency_key}-undo").with_(
            before=request.before, response=request.output
        )
        manual = manual_step(action, scope)
        tried, last_word = activity.info().attempt > 1, list(activity.info().heartbeat_details)
        async with beating():
            if tried and _NOTHING_UNDER_WAY not in last_word:
                await asyncio.sleep(self._timeout + step.profile.settle_seconds)
            try:
                return await self._reverse(request, action, scope, manual)
            except VenueRefused as refused:
                return _gave_up(action, refused, step.profile.settle_seconds, manual)
            except TemplateFault as fault:
                log.error("the compensation of %s does not fit: %s", action.name, fault)
                return UndoReply(
                    outcome=StepRollbackOutcome.FAILED,
                    message=_say("undo.failed_automatic", action),
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
                message=_say("undo.no_effect" if same else "undo.irreversible", action),
                manual="" if same else manual,
            )
        if not request.applied:
            tried = scope.with_(marker=step.idempotency_key)
            if not shows(action, tried.with_(request=build_request(action, tried))):
                return _not_shown(action, scope, manual)
        undo = compensation_request(action, scope)
        if undo is None:
            # It was applied and shows no more: an earlier try of this reversal got through, or somebody was quicker.
            outcome = StepRollbackOutcome.REVERSED if request.applied else StepRollbackOutcome.NOT_NEEDED
            return UndoReply(
                outcome=outcome, message=_say("undo.reversed" if request.applied else "undo.not_needed", action)
            )
        await self._venues.send(step.profile.base_url, undo, step.token_ref, action=action, trace_id=step.trace_id)
        if action.snapshot is not None:
            now, _ = await read_snapshot(self._venues, action, scope, step.token_ref, step.trace_id)
            if not _as_before(action, scope.with_(now=now)):
                return UndoReply(
                    outcome=StepRollbackOutcome.FAILED,
                    message=_say("undo.looks_different", action),
                    manual=manual,
                )
        return UndoReply(outcome=StepRollbackOutcome.REVERSED, message=_say("undo.reversed", action))


def _as_before(action: AtomicAction, scope: Scope) -> bool:
    assert action.snapshot is not None
    rules = (action.snapshot.covers, action.snapshot.ignore)
    return bool(covered(scope.now, *rules) == covered(scope.before, *rules))


def _not_shown(action: AtomicAction, scope: Scope, manual: str) -> UndoReply:
    """A write of unknown outcome that the booking does not show. Nothing is sent on a guess."""
    if action.snapshot is not None and _as_before(action, scope):
        return UndoReply(outcome=StepRollbackOutcome.NOT_NEEDED, message=_say("undo.no_effect", action))
    return UndoReply(
        outcome=StepRollbackOutcome.FAILED,
        message=_say("undo.uncertain", action),
        manual=_say("undo.check", action, manual=manual),
    )


def _gave_up(action: AtomicAction, refused: VenueRefused, settle: float, manual: str) -> UndoReply:
    failure = refused.failure
    if failure.error_type in _WORTH_ANOTHER_TRY:
        # What got no clear answer may still land for as long as the venue takes to settle.
        wait = failure.retry_after_seconds or (0 if refused.final else settle)
        activity.heartbeat(_NOTHING_UNDER_WAY)
        raise ApplicationError(
            f"{action.name}: {failure.error_type}",
            type=failure.error_type.value,
            next_retry_delay=timedelta(seconds=wait) if wait else None,
        )
    return UndoReply(
        outcome=StepRollbackOutcome.FAILED,
        message=_say("undo.failed", action, why=failure.message),
        manual=manual,
        failure=failure,
    )


def _say(key: str, action: AtomicAction, **values: object) -> str:
    return say(key, spoken(), title=action.title, **values)
