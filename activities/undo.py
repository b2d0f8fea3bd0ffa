"""Reversing one step: it is read first (`activities/reversal.py`), and the compensation is sent once.

A retry looks only when nothing that an earlier try sent can still land, and takes what that try had seen from the
record, so it never reverses twice.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.leaving import Leaving
from activities.recorded import Outcomes
from activities.reversal import MAY_PASS, Reversal, Undoing
from activities.steps import lock_names
from clients.reads import Reader
from clients.venue import HeldBackError, VenueClient, VenueError, store_away
from contracts import signatures
from contracts.effects import UndoReply, UndoRequest
from contracts.enums import StepRollbackOutcome
from contracts.errors import VenueFailure
from infra.heartbeat import beating
from infra.locks import BusyError, Locks, LocksAwayError, name_of
from infra.settings import Settings
from language.catalogue import speak
from reasoning import wording
from registry import UnrenderableError, compensating, compensation_request

log = logging.getLogger(__name__)

_TURN_WITHIN = 10.0
"""Seconds that a reversal waits while another plan writes to the same thing; it is tried again after that."""

_NOTHING_SENT, _NOTHING_UNDER_WAY = signatures.NOTHING_SENT, signatures.NOTHING_UNDER_WAY
"""The last heartbeat of a try that ended by itself: the next try need not wait. Behind the first, no try has sent the
compensation yet. A try that was lost with its worker leaves neither, so the next one waits until nothing can land any
more."""


class Undo:
    """Compensations."""

    def __init__(self, settings: Settings, venues: VenueClient, locks: Locks, outcomes: Outcomes) -> None:
        self._venues = venues
        self._locks = locks
        self._outcomes = outcomes
        self._timeout = settings.call_timeout
        self._look_every = settings.look_every

    @activity.defn(name="undo_step")
    async def undo_step(self, request: UndoRequest) -> UndoReply:
        """See `signatures.undo_step`. Raises a retryable `ApplicationError` for what may pass: 429, 5xx, time-outs."""
        step, action = request.scope, request.scope.action
        speak(step.profile.locale, step.profile.words, step.action.thing)
        tried, last_word = activity.info().attempt > 1, list(activity.info().heartbeat_details)
        async with beating():
            if tried and not request.look_only and not {_NOTHING_SENT, _NOTHING_UNDER_WAY} & set(last_word):
                await asyncio.sleep(self._timeout + step.profile.settle_seconds)
            if (tried or request.sent) and (known := await self._outcomes.find(_key(request), UndoReply)):
                return known
            reversal = Reversal(request, self._look_every, sent=tried and _NOTHING_SENT not in last_word)
            try:
                token = await self._venues.token_of(step.token_ref, action=action)
                reversal.reader = Reader(self._venues, step.token_ref, step.trace_id, token=token)
                if request.look_only:
                    return reversal.reply_of(await reversal.look())
                reply = await self._locked(reversal, token, lock_names(step))
                # What the step made is locked only once a look has named it: another plan may be at work on it.
                if reply is None:
                    reply = await self._locked(reversal, token, [*lock_names(step), *_made_names(reversal)])
                if reply is None:
                    raise BusyError
                return reply
            except HeldBackError:
                raise _once_more(reversal, wording.held_back(), "busy") from None
            except VenueError as refused:
                return _gave_up(reversal, reversal.in_words(refused.failure), reversal.not_undone)
            except UnrenderableError as fault:
                log.error("the compensation of %s does not fit: %s", action.name, fault.where)
                return reversal.failed("undo.failed_automatic").model_copy(update={"seen": False})
            except BusyError:
                raise _once_more(reversal, wording.busy(), "busy") from None
            except LocksAwayError:
                raise _once_more(reversal, store_away().failure, "busy") from None

    async def _locked(self, reversal: Reversal, token: str, names: list[str]) -> UndoReply | None:
        """Look, and send where there is something to undo; None where that is under a lock that is not among `names`.
        Raises as `_sent` does, and `BusyError`."""
        step = reversal.step
        async with self._locks.held(names, _TURN_WITHIN) as hold:
            lands_within = self._timeout + step.profile.settle_seconds
            leaving = Leaving(hold, step.profile.read_max_age_seconds, lands_within)
            try:
                undo = await leaving.read(reversal.look)
                if isinstance(undo, UndoReply) and reversal.trusts_one_look(undo):
                    await asyncio.sleep(self._look_every)
                    undo = await leaving.read(reversal.look)
            except VenueError as unread:
                return _gave_up(reversal, unread.failure, reversal.unread)
            if isinstance(undo, UndoReply):
                return undo
            if not set(_made_names(reversal)) <= set(names):
                return None
            return await self._sent(reversal, undo, token, leaving)

    async def _checked(self, reversal: Reversal, undo: Undoing) -> UndoReply:
        """What the compensation that was accepted shows. What may pass is looked at again; what stays unreadable does
        not make it undone, nor not."""
        try:
            return await reversal.check(undo)
        except VenueError as refused:
            if refused.failure.error_type in MAY_PASS:
                raise
        except UnrenderableError as fault:
            log.warning("the undoing of %s cannot be looked at: %s", reversal.step.action.name, fault.where)
        return reversal.reply("accepted").model_copy(update={"seen": False})

    async def _sent(self, reversal: Reversal, undo: Undoing, token: str, leaving: Leaving) -> UndoReply:
        """Send the compensation once, and look at what it did, whatever the answer is. Raises `VenueError` where the
        looks show nothing of it."""
        step, hold = reversal.step, leaving.hold
        sent = compensation_request(step.action, reversal.outgoing, own_part=undo.own_part)
        # Also when this try is broken off in mid-call: what it has sent may still land.
        hold.keep_for = leaving.lands_within
        reply: UndoReply | None = None
        try:
            await self._venues.send_with_token(
                step.profile.base_url, sent, token,
                action=compensating(step.action), trace_id=step.trace_id, write=leaving.write,
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


def _made_names(reversal: Reversal) -> list[str]:
    """The locks of what the step made anew."""
    return [name_of(reversal.step.profile.base_url, key) for key in reversal.made]


def _key(request: UndoRequest) -> str:
    return f"{request.scope.idempotency_key}-undo"


def _gave_up(reversal: Reversal, failure: VenueFailure, otherwise: Callable[[VenueFailure], UndoReply]) -> UndoReply:
    if failure.error_type in MAY_PASS:
        raise _once_more(reversal, failure, failure.error_type.value)
    return otherwise(failure).model_copy(update={"failure": failure, "sent": reversal.sent})


def _once_more(reversal: Reversal, failure: VenueFailure, kind: str) -> ApplicationError:
    """The error that has a reversal tried again. Where no try comes after this one, the plan tells by its details what
    is known."""
    _ended(reversal)
    wait = failure.retry_after_seconds
    last = reversal.failed("undo.failed", why=failure.message)
    return ApplicationError(
        kind,
        last.model_copy(update={"failure": failure, "sent": reversal.sent}),
        type=kind,
        next_retry_delay=timedelta(seconds=wait) if wait else None,
    )


def _ended(reversal: Reversal) -> None:
    """Leave word for the next try."""
    activity.heartbeat(_NOTHING_UNDER_WAY if reversal.sent else _NOTHING_SENT)
