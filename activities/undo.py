"""Reverses one step: reads it first (`activities/step_undo.py`), then sends the compensation once.

A retry only reads once nothing that an earlier attempt sent can still be applied. It takes that attempt's outcome from
the record, so it never reverses twice.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.dispatch import WriteSender
from activities.recorded_outcomes import Outcomes
from activities.step_undo import MAY_PASS, Compensation, StepUndo
from activities.steps import lock_names
from clients.venue.client import VenueClient
from clients.venue.errors import HeldBackError, VenueError, malformed_response_error, store_unavailable_error
from clients.venue.reads import SnapshotReader
from contracts.enums import StepRollbackOutcome
from contracts.errors import VenueFailure
from contracts.persisted_names import NOTHING_SENT, NOTHING_UNDER_WAY, Activity
from contracts.step_activities import StepUndoRequest, StepUndoResult
from infra.config.settings import Settings
from infra.errors import DependencyUnavailableError
from infra.stores.booking_locks import Locks, LockTimeoutError, lock_name
from infra.temporal.heartbeat import heartbeating
from language.messages.catalogue import activate_locale
from reasoning import error_messages
from registry import TemplateRenderError

log = logging.getLogger(__name__)

_LOOKS = 3
"""Further looks, until two in a row show the same."""

_TURN_WITHIN = 10.0
"""Seconds that a reversal waits for another plan's lock; it is retried after that."""


_Found = StepUndoResult | Compensation
_Look = Callable[[], Awaitable[_Found]]


class UndoActivity:
    """Runs compensations."""

    def __init__(self, settings: Settings, venues: VenueClient, locks: Locks, outcomes: Outcomes) -> None:
        self._venues = venues
        self._locks = locks
        self._outcomes = outcomes
        self._timeout = settings.call_timeout
        self._look_every = settings.look_every

    @activity.defn(name=Activity.UNDO_STEP)
    async def undo_step(self, request: StepUndoRequest) -> StepUndoResult:
        """See `signatures.undo_step`. Raises a retryable `ApplicationError` for transient failures: 429, 5xx,
        timeouts."""
        step, action = request.scope, request.scope.action
        activate_locale(step.profile.locale, step.profile.words, step.action.thing)
        tried, last_word = activity.info().attempt > 1, list(activity.info().heartbeat_details)
        async with heartbeating():
            if tried and not request.look_only and not {NOTHING_SENT, NOTHING_UNDER_WAY} & set(last_word):
                await asyncio.sleep(self._timeout + step.profile.settle_seconds)
            if (tried or request.sent) and (known := await self._outcomes.find(_key(request), StepUndoResult)):
                return known
            reversal = StepUndo(request, self._look_every, sent=tried and NOTHING_SENT not in last_word)
            try:
                token = await self._venues.get_token(step.token_ref, action=action)
                reversal.reader = SnapshotReader(self._venues, step.token_ref, step.trace_id, token=token)
                if request.look_only:
                    return reversal.reply_of(await self._found(reversal, _at_once))
                reply = await self._locked(reversal, token, lock_names(step))
                # What the step created is locked only once a read has named it, because another plan may be working on
                # it.
                if reply is None:
                    reply = await self._locked(reversal, token, [*lock_names(step), *_made_names(reversal)])
                if reply is None:
                    raise LockTimeoutError
                return reply
            except HeldBackError:
                raise _once_more(reversal, error_messages.held_back(), "busy") from None
            except VenueError as refused:
                return _gave_up(reversal, reversal.in_words(refused.failure), reversal.not_undone)
            except TemplateRenderError as fault:
                log.error("the compensation of %s does not fit: %s", action.name, fault.where)
                return reversal.failed("undo.failed_automatic").model_copy(update={"seen": False})
            except LockTimeoutError:
                raise _once_more(reversal, error_messages.lock_error(), "busy") from None
            except DependencyUnavailableError:
                raise _once_more(reversal, store_unavailable_error().failure, "busy") from None

    async def _locked(self, reversal: StepUndo, token: str, names: list[str]) -> StepUndoResult | None:
        """Read, and send if there is something to undo. Returns None if that needs a lock that is not in `names`.
        Raises like `_sent`, and `LockTimeoutError`."""
        step = reversal.step
        async with self._locks.held(names, _TURN_WITHIN) as hold:
            lands_within = self._timeout + step.profile.settle_seconds
            leaving = WriteSender(hold, step.profile.read_max_age_seconds, lands_within)
            try:
                undo = await self._found(reversal, leaving.read)
            except VenueError as unread:
                return _gave_up(reversal, unread.failure, reversal.unread)
            if isinstance(undo, StepUndoResult):
                return undo
            if not set(_made_names(reversal)) <= set(names):
                return None
            return await self._sent(reversal, undo, token, leaving)

    async def _found(self, reversal: StepUndo, read: Callable[[_Look], Awaitable[_Found]]) -> _Found:
        """Return what the state asks for, by `read`: where one look alone proves too little, only once two in a row
        show the same. Raises like `StepUndo.look`."""

        async def look() -> _Found:
            try:
                return await reversal.look()
            except TemplateRenderError:
                # The read may lack a part that it has a moment later.
                await asyncio.sleep(self._look_every)
                return await reversal.look()

        found = await read(look)
        for _ in range(_LOOKS):
            if not reversal.needs_two_looks(found):
                return found
            shown = reversal.shown
            await asyncio.sleep(self._look_every)
            found = await read(look)
            if reversal.shown == shown:
                return found
        if reversal.needs_two_looks(found):
            raise malformed_response_error("the same twice")
        return found

    async def _checked(self, reversal: StepUndo, undo: Compensation) -> StepUndoResult:
        """Return the result of an accepted compensation. Transient read failures are retried; a permanent read failure
        proves neither success nor failure."""
        try:
            return await reversal.check(undo)
        except VenueError as refused:
            if refused.failure.error_type in MAY_PASS:
                raise
        except TemplateRenderError as fault:
            log.warning("the undoing of %s cannot be looked at: %s", reversal.step.action.name, fault.where)
        return reversal.reply("accepted").model_copy(update={"seen": False})

    async def _sent(self, reversal: StepUndo, undo: Compensation, token: str, leaving: WriteSender) -> StepUndoResult:
        """Send the compensation once and read its effect, whatever the answer is. Raises `VenueError` if the reads show
        no effect."""
        step, hold = reversal.step, leaving.hold
        outgoing = reversal.outgoing
        sent = outgoing.compensation(own_part=undo.own_part)
        # Also if this attempt is aborted during the call, because the sent request may still be applied.
        hold.keep_for = leaving.lands_within
        reply: StepUndoResult | None = None
        try:
            await self._venues.send_with_token(
                step.profile.base_url, sent, token,
                action=outgoing.action, trace_id=step.trace_id, write=leaving.write,
            )  # fmt: skip
        except VenueError as refused:
            reversal.sent = reversal.sent or refused.sent
            hold.keep_for = step.profile.settle_seconds if refused.may_have_landed else 0
            if refused.sent:
                reply = await reversal.refused_but_done(undo, refused, hold.keep_for)
            if reply is None:
                hold.keep_for = 0
                raise
            return reply.model_copy(update={"sent": reversal.sent})
        reversal.sent = True
        hold.keep_for = step.profile.settle_seconds
        reply = (await self._checked(reversal, undo)).model_copy(update={"sent": True})
        if reply.outcome is StepRollbackOutcome.REVERSED and reply.seen:
            hold.keep_for = 0 if await self._outcomes.keep(_key(reversal.request), reply) else leaving.lands_within
        return reply


async def _at_once(look: _Look) -> _Found:
    return await look()


def _made_names(reversal: StepUndo) -> list[str]:
    """Return the locks of what the step created."""
    return [lock_name(reversal.step.profile.base_url, key) for key in reversal.made]


def _key(request: StepUndoRequest) -> str:
    return f"{request.scope.idempotency_key}-undo"


def _gave_up(
    reversal: StepUndo, failure: VenueFailure, otherwise: Callable[[VenueFailure], StepUndoResult]
) -> StepUndoResult:
    if failure.error_type in MAY_PASS:
        raise _once_more(reversal, failure, failure.error_type.value)
    return otherwise(failure).model_copy(update={"failure": failure, "sent": reversal.sent})


def _once_more(reversal: StepUndo, failure: VenueFailure, kind: str) -> ApplicationError:
    """Return the error that makes Temporal retry a reversal. If this was the last attempt, the plan reads the known
    state from its details."""
    _ended(reversal)
    wait = failure.retry_after_seconds
    last = reversal.failed("undo.failed", why=failure.message)
    return ApplicationError(
        kind,
        last.model_copy(update={"failure": failure, "sent": reversal.sent}),
        type=kind,
        next_retry_delay=timedelta(seconds=wait) if wait else None,
    )


def _ended(reversal: StepUndo) -> None:
    """Leave the state for the next attempt."""
    activity.heartbeat(NOTHING_UNDER_WAY if reversal.sent else NOTHING_SENT)
