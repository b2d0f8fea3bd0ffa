"""Reversing one step. Reads first, and looks three ways (`registry/standing.py`): as before, as the plan left it, or
otherwise. What somebody else has changed meanwhile is never overwritten.

A retry looks only when nothing that an earlier try sent can still land, so it never reverses twice.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import timedelta

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities import by_hand
from activities.leaving import Leaving
from activities.steps import lock_names
from clients.reads import Reader, Seen
from clients.venue import HeldBackError, VenueClient, VenueError, Write
from contracts.action import AtomicAction
from contracts.effects import UndoReply, UndoRequest
from contracts.enums import ErrorType, StepRollbackOutcome
from contracts.errors import VenueFailure
from infra.heartbeat import beating
from infra.locks import BusyError, Hold, Locks, LocksAwayError
from infra.settings import Settings
from language.catalogue import say, speak
from reasoning import wording
from registry import (
    Scope,
    Standing,
    UnrenderableError,
    compensation_request,
    error_rule,
    is_gone,
    is_ours,
    left_digest,
    looks_for_new,
    manual_step,
    marked,
    marker_of,
    own_part_gone,
    own_part_stands,
    rule_message,
    shows,
    standing,
    undone,
)

log = logging.getLogger(__name__)

_WORTH_ANOTHER_TRY = frozenset({ErrorType.RATE_LIMITED, ErrorType.SERVER_ERROR, ErrorType.TIMEOUT, ErrorType.NETWORK})

_SHOWS_WITHIN = (0.0, 0.2, 0.5, 1.0)
"""Pauses, in seconds, between the first looks at what a compensation did: some venues show it a moment later."""

_LOOK_EVERY = 1.0
"""Seconds between later looks, for as long as a compensation may still take effect."""

_TURN_WITHIN = 10.0
"""Seconds that a reversal waits while another plan writes to the same thing; it is tried again after that."""

_NOTHING_UNDER_WAY = "nothing under way"
"""The last heartbeat of a try that ended by itself: the next try need not wait. A try that was lost with its worker
has not sent it, so the next one waits until nothing can land any more."""


class Undo:
    """Compensations."""

    def __init__(self, settings: Settings, venues: VenueClient, locks: Locks) -> None:
        self._venues = venues
        self._locks = locks
        self._timeout = settings.call_timeout

    @activity.defn(name="undo_step")
    async def undo_step(self, request: UndoRequest) -> UndoReply:
        """See `signatures.undo_step`. Raises a retryable `ApplicationError` for what may pass: 429, 5xx, time-outs."""
        step, action = request.scope, request.scope.action
        speak(step.profile.locale, step.profile.words, step.action.thing)
        tried, last_word = activity.info().attempt > 1, list(activity.info().heartbeat_details)
        async with beating():
            if tried and not request.look_only and _NOTHING_UNDER_WAY not in last_word:
                await asyncio.sleep(self._timeout + step.profile.settle_seconds)
            reversal = _Reversal(request, again=tried)
            try:
                token = await self._venues.token_of(step.token_ref, action=action)
                reversal.reader = Reader(self._venues, step.token_ref, step.trace_id, token=token)
                if request.look_only:
                    return reversal.told(await reversal.look())
                async with self._locks.held(lock_names(step), _TURN_WITHIN) as hold:
                    leaving = Leaving(hold, step.profile.read_max_age_seconds)
                    try:
                        undo = await leaving.read(reversal.look)
                    except VenueError as unread:
                        return _gave_up(reversal, unread, reversal.unread)
                    if isinstance(undo, UndoReply):
                        return undo
                    return await self._sent(reversal, undo, token, leaving.write, hold)
            except HeldBackError:
                activity.heartbeat(_NOTHING_UNDER_WAY)
                raise ApplicationError("it had waited for too long", type="busy") from None
            except VenueError as refused:
                return _gave_up(reversal, refused, reversal.not_undone)
            except UnrenderableError as fault:
                log.error("the compensation of %s does not fit: %s", action.name, fault.where)
                return reversal.failed("undo.failed_automatic").model_copy(update={"seen": False})
            except (BusyError, LocksAwayError) as error:
                activity.heartbeat(_NOTHING_UNDER_WAY)
                raise ApplicationError(type(error).__name__, type="busy") from None

    async def _checked(self, reversal: "_Reversal", undo: "_Undoing") -> UndoReply:
        """What the compensation that was accepted shows. What may pass is looked at again; what stays unreadable does
        not make it undone, nor not."""
        try:
            return await reversal.check(undo)
        except VenueError as refused:
            if refused.failure.error_type in _WORTH_ANOTHER_TRY:
                raise
        except UnrenderableError as fault:
            log.warning("the undoing of %s cannot be looked at: %s", reversal.step.action.name, fault.where)
        return reversal.reply("accepted").model_copy(update={"seen": False})

    async def _sent(self, reversal: "_Reversal", undo: "_Undoing", token: str, write: Write, hold: Hold) -> UndoReply:
        """Send the compensation once, and look at what it did, whatever the answer is. Raises `VenueError` where the
        looks show nothing of it."""
        step = reversal.step
        sent = compensation_request(step.action, reversal.outgoing, own_part=undo.own_part)
        # Also when this try is broken off in mid-call: what it has sent may still land.
        hold.keep_for = step.profile.settle_seconds
        try:
            await self._venues.send_with_token(
                step.profile.base_url, sent, token, action=step.action, trace_id=step.trace_id, write=write
            )
        except VenueError as refused:
            if refused.sent:
                settles = step.profile.settle_seconds if refused.may_have_landed else 0
                reply = await reversal.refused_but_done(undo, refused, settles)
                if reply is not None:
                    return reply
            hold.keep_for = 0
            raise
        reply = await self._checked(reversal, undo)
        hold.keep_for = 0 if reply.outcome is StepRollbackOutcome.REVERSED and reply.seen else hold.keep_for
        return reply


class _Undoing:
    """What is to be sent: the whole compensation, or only what takes out the plan's own part."""

    def __init__(self, *, own_part: bool, told: str = "reversed") -> None:
        self.own_part = own_part
        self.told = told


class _Reversal:
    """One step's way back."""

    reader: Reader

    def __init__(self, request: UndoRequest, *, again: bool) -> None:
        self.step = step = request.scope
        self._request = request
        self._again = again or request.again
        self._action: AtomicAction = step.action
        found = Scope.of(step.action, step.parameters, step.profile, step.idempotency_key)
        self.scope = found.with_(before=request.before, left=request.left, response=request.output)
        self._stood = False
        self._there = False
        self._known = request.left_digest
        """The hash of what is there where only this plan changed it."""
        self._if_done = manual_step(step.action, self.scope)

    @property
    def outgoing(self) -> Scope:
        """What the compensation is rendered with: it has an idempotency key of its own."""
        return self.scope.with_(marker=marker_of(self._action, f"{self.step.idempotency_key}-undo"))

    @property
    def manual(self) -> str:
        """What a person would do. Of a step that may never have landed they look first: what puts back what was never
        done does harm. Where somebody else may have changed something, they take back the plan's own part only."""
        now, lines = self.scope.now, list[str]()
        as_known = now is None or left_digest(self._action, now) == self._known
        if not as_known:
            lines = by_hand.lines(self._action, self.scope, only_changed=True)
        if not self._request.applied:
            return _say("undo.check", self._action, manual=self._if_done, lines=lines)
        return self._if_done if as_known else _say("undo.only_own", self._action, manual=self._if_done, lines=lines)

    def not_undone(self, failure: VenueFailure) -> UndoReply:
        """The compensation was refused, or could not be sent."""
        return self.failed("undo.failed", why=self._refused(failure))

    def unread(self, failure: VenueFailure) -> UndoReply:
        """The booking could not be read. This try has sent nothing; an earlier one may have."""
        reply = self.failed("undo.not_looked", why=failure.message)
        if not self._again:
            return reply
        return reply.model_copy(update={"manual": _say("undo.perhaps", self._action, manual=self.manual)})

    def _refused(self, failure: VenueFailure) -> str:
        """Why the compensation was refused: in the overlay's words where it has some for that."""
        if failure.error_type is ErrorType.NOT_FOUND and self._there:
            return wording.refused_though_there().message
        rule = error_rule(self._action, failure.status, failure.code, undo=True)
        try:
            return (rule and rule_message(self._action, rule, self.scope)) or failure.message
        except UnrenderableError as fault:
            log.warning("no words for the refused undo of %s: %s", self._action.name, fault.where)
            return failure.message

    async def look(self) -> UndoReply | _Undoing:
        """What is to be done, or what became of it when there is nothing to do. Raises `VenueError`,
        `UnrenderableError`."""
        if not (self._action.snapshot or (self._action.verify and self._action.verify.reads)):
            return self._irreversible()  # What can be undone can be looked at: the loader sees to that.
        try:
            seen = await self.reader.after(self._action, self.scope)
        except UnrenderableError:
            if self._request.applied:
                raise
            return self._somebody_else()  # It would be looked for by an answer that was never heard.
        self.scope = self.scope.with_(now=seen.document)
        if self._request.undone_with:
            return self._went_back(seen)
        found = self._judged(as_expected=self._is_as_expected(seen))
        if isinstance(found, _Undoing):
            whole, as_left = not found.own_part, found.told == "reversed"
            self._known = left_digest(self._action, self.scope.now) if whole else self._known if as_left else None
        return found

    def _went_back(self, seen: Seen) -> UndoReply:
        """Whether this step went back with an earlier one. What a person would do is by what was there before that."""
        self.scope = self.scope.with_(before=by_hand.before_the_plan(seen, self.scope, self._request.earlier))
        self._if_done = manual_step(self._action, self.scope)
        if not self._is_as_expected(seen):
            return self._somebody_else()
        return self.reply("with_earlier") if self._request.applied else self._nothing_to_do()

    def _judged(self, *, as_expected: bool) -> UndoReply | _Undoing:
        self._stood = shows(self._action, self.scope)
        if as_expected and self._may_be_the_plans_own():
            return _Undoing(own_part=False)
        stands = standing(self._action, self.scope, self._request.left_digest, self._request.left_whole)
        if stands is Standing.AS_BEFORE:
            return self._nothing_to_do()
        if self._again and undone(self._action, self.scope):
            return self.reply("reversed")  # An earlier try took effect, and what puts it back made something new.
        if not self._action.reversible:
            return self._irreversible()
        if self._is_ours():
            return self._own_way(stands)
        if self._request.applied and is_ours(self._action, self.scope):
            return self.failed("undo.whose").model_copy(update={"seen": False})
        return self._somebody_else()

    def _own_way(self, stands: Standing) -> UndoReply | _Undoing:
        """How what is surely this step's own is taken back, where it can be told apart."""
        own_part = own_part_stands(self._action, self.scope)
        if own_part:
            # Also where nothing else has changed: what the plan left may hold somebody else's change, made before
            # anybody looked, and the smaller undo is the safer one.
            return _Undoing(own_part=True, told="reversed" if stands is Standing.AS_LEFT else "own_part")
        if stands is Standing.AS_LEFT and not (self._request.otherwise and self._request.left_digest is None):
            return _Undoing(own_part=False)
        # An earlier try may have taken the plan's part out and been lost before it could report that.
        taken_out = self._again and own_part_gone(self._action, self.scope)
        return self.reply("own_part") if taken_out else self._somebody_else()

    def _is_ours(self) -> bool:
        """Whether what the compensation would name is what this step made: an id in an answer alone proves nothing.
        Without a marker, only a call that the venue took made what is found: an equal thing may be somebody else's."""
        if not self._makes():
            return True
        if (ours := marked(self._action, self.scope)) is not None:
            return ours
        taken = self._request.applied and self.scope.response is not None
        return is_ours(self._action, self.scope) and (taken or not looks_for_new(self._action))

    def _is_as_expected(self, seen: Seen) -> bool:
        expected = self._request.expected
        return bool(expected) and all(e.digest and seen.digest_of(e) == e.digest for e in expected)

    def _may_be_the_plans_own(self) -> bool:
        """Whether what the plan's later steps left shows that only this plan changed it. In a look they will be undone
        first; in a rollback they could not be undone, and are the plan's own all the same."""
        left = self._request.left_digest
        # What matters may not show the change: then it cannot show anybody else's.
        return not self._makes() and (left is None or left != left_digest(self._action, self.scope.before))

    async def refused_but_done(self, undo: _Undoing, refused: VenueError, settles: float) -> UndoReply | None:
        """The reply to a compensation that the venue refused, where a look within `settles` seconds shows that it took
        effect, or where no look worked; None where it shows nothing."""
        until, looked = time.monotonic() + settles, False
        while True:
            last = time.monotonic() >= until
            try:
                self.scope = self.scope.with_(now=(await self.reader.after(self._action, self.scope)).document)
                if self._is_undone(undo):
                    return self.reply(undo.told)
                looked = self._there = True
            except (VenueError, UnrenderableError) as error:
                log.warning("the undoing of %s cannot be looked at: %s", self._action.name, type(error).__name__)
                looked = False
            if last:
                may_pass = refused.failure.error_type in _WORTH_ANOTHER_TRY
                return None if looked or may_pass else self._perhaps(refused)
            await asyncio.sleep(min(_LOOK_EVERY, max(0.0, until - time.monotonic())))

    def _perhaps(self, refused: VenueError) -> UndoReply:
        """It was sent and refused, and no look worked, so it may have taken effect all the same."""
        manual = _say("undo.perhaps", self._action, manual=self.manual)
        failed = self.failed("undo.not_certain", why=self._refused(refused.failure))
        return failed.model_copy(update={"manual": manual, "seen": False, "failure": refused.failure})

    def _is_undone(self, undo: _Undoing) -> bool:
        if undo.own_part:
            return own_part_gone(self._action, self.scope)
        if undone(self._action, self.scope):
            return True
        # A later step that could not be undone may keep the rest from being as before.
        return self._request.later is not None and self._stood and not shows(self._action, self.scope)

    async def check(self, undo: _Undoing) -> UndoReply:
        """Whether the accepted compensation shows within `settle_seconds`. Raises `VenueError`, `UnrenderableError`."""
        until, pauses = time.monotonic() + self.step.profile.settle_seconds, list(_SHOWS_WITHIN)
        while pauses or time.monotonic() < until:
            await asyncio.sleep(pauses.pop(0) if pauses else _LOOK_EVERY)
            self.scope = self.scope.with_(now=(await self.reader.after(self._action, self.scope)).document)
            if self._is_undone(undo):
                return self.reply(undo.told)
        if not undo.own_part and self._makes() and is_gone(self._action, self.scope):
            # What was made is gone, and what it was made of is not as it was: a read that would tell is not declared.
            return self.reply("accepted").model_copy(update={"seen": False})
        manual = _say("undo.look_first", self._action, manual=self.manual)
        return self.failed("undo.looks_different").model_copy(update={"manual": manual})

    def _makes(self) -> bool:
        return self._action.verify is not None and bool(self._action.verify.reads)

    def _nothing_to_do(self) -> UndoReply:
        """It is as before: an earlier try got through, somebody was quicker, or it never took effect."""
        if self._request.accepted and not self._request.applied:
            return self._somebody_else()
        if self._request.applied and self._action.reversible:
            return self.reply("reversed")
        message = _say("undo.no_effect", self._action)
        return UndoReply(outcome=StepRollbackOutcome.NOT_NEEDED, message=message)

    def _irreversible(self) -> UndoReply:
        key = "undo.irreversible" if self._request.applied else "undo.irreversible_uncertain"
        message = _say(key, self._action)
        return UndoReply(outcome=StepRollbackOutcome.IRREVERSIBLE, message=message, manual=self.manual)

    def _somebody_else(self) -> UndoReply:
        """Nothing is sent on a guess: a person is told what was, what the plan made of it, and what is there now."""
        known, later = self._request.left_digest is not None, self._request.later
        key = "uncertain" if not self._request.applied else "changed_since" if known else "not_told_apart"
        if self._request.applied and later is not None:
            key = "changed_with_later"
        lines = by_hand.lines(self._action, self.scope, only_changed=self._request.applied)
        check = "undo.only_own" if self._request.applied else "undo.check"
        return UndoReply(
            outcome=StepRollbackOutcome.FAILED,
            message=_say(f"undo.{key}", self._action, later=later and later.step, other=later and later.title),
            manual=_say(check, self._action, manual=self._if_done, lines=lines),
        )

    def told(self, found: "UndoReply | _Undoing") -> UndoReply:
        """What a look found."""
        return found if isinstance(found, UndoReply) else self.reply("reversed")

    def reply(self, key: str) -> UndoReply:
        """It is undone, or would be."""
        return UndoReply(outcome=StepRollbackOutcome.REVERSED, message=_say(f"undo.{key}", self._action))

    def failed(self, key: str, **values: object) -> UndoReply:
        """It is not undone: a person must."""
        return UndoReply(
            outcome=StepRollbackOutcome.FAILED, message=_say(key, self._action, **values), manual=self.manual
        )


def _gave_up(reversal: _Reversal, refused: VenueError, otherwise: Callable[[VenueFailure], UndoReply]) -> UndoReply:
    failure = refused.failure
    if failure.error_type in _WORTH_ANOTHER_TRY:
        wait = failure.retry_after_seconds
        activity.heartbeat(_NOTHING_UNDER_WAY)
        raise ApplicationError(
            failure.error_type.value,
            type=failure.error_type.value,
            next_retry_delay=timedelta(seconds=wait) if wait else None,
        )
    return otherwise(failure).model_copy(update={"failure": failure})


def _say(key: str, action: AtomicAction, **values: object) -> str:
    return say(key, title=action.title, **values)
