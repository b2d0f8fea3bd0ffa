"""The reversal of one step: what a look shows of it, what is sent, and what the report says.

A look has one of three results (`registry/standing.py`): as before, as the plan left it, or otherwise. Other people's
changes since are never overwritten.
"""

import asyncio
import logging
import time

from activities import by_hand
from clients.reads import Reader, Seen
from clients.venue import VenueError
from contracts.action import AtomicAction, ErrorRule
from contracts.base import Answer
from contracts.effects import UndoReply, UndoRequest
from contracts.enums import ErrorType, StepRollbackOutcome
from contracts.errors import VenueFailure
from language.catalogue import say
from reasoning import wording
from registry import (
    Scope,
    Standing,
    UnrenderableError,
    error_rule,
    is_gone,
    is_ours,
    left_digest,
    looks_for_new,
    manual_step,
    marked,
    named_by_answer,
    own_part_gone,
    own_part_stands,
    rule_message,
    shows,
    some_is_back,
    standing,
    unchanged,
    undone,
    with_undo_key,
)

log = logging.getLogger(__name__)

MAY_PASS = frozenset({ErrorType.RATE_LIMITED, ErrorType.SERVER_ERROR, ErrorType.TIMEOUT, ErrorType.NETWORK})
"""Failures that are worth another try."""

_BEFORE_LOOKS = (0.0, 0.2, 0.5, 1.0)
"""Pauses, in parts of `Settings.look_every`, before the first looks at what a compensation did: some venues show it a
moment later. Later looks follow at that pause, for as long as the compensation may still take effect."""


class Undoing:
    """What is to be sent: the whole compensation, or only what takes out the plan's own part."""

    def __init__(self, *, own_part: bool, message: str = "reversed") -> None:
        self.own_part = own_part
        self.message = message


class Reversal:
    """One step's way back."""

    reader: Reader

    def __init__(self, request: UndoRequest, look_every: float, *, sent: bool) -> None:
        """`sent`: whether an earlier try may have sent the compensation."""
        self._look_every = look_every
        self.step = step = request.scope
        self.request = request
        self.sent = sent or request.sent
        """Whether this or an earlier try may have sent the compensation."""
        self._action: AtomicAction = step.action
        found = Scope.of(step.action, step.parameters, step.profile, step.idempotency_key)
        self.scope = found.with_(before=request.before, left=request.left, response=request.output)
        self._stood = False
        self._there = False
        self.made: list[str] = []
        """The keys of what the step made anew, as the last look found it."""
        self._prior: Answer = None
        self._rest_may_differ = request.later is not None
        self._known = request.left_digest
        """The hash of what is there where only this plan changed it."""
        self._if_done = manual_step(step.action, self.scope)

    @property
    def outgoing(self) -> Scope:
        """What the compensation is rendered with: it has an idempotency key of its own."""
        return with_undo_key(self._action, self.scope, self.step.idempotency_key)

    @property
    def manual(self) -> str:
        """What a person would do. Of a step that may never have landed they look first: what puts back what was never
        done does harm. Where somebody else may have changed something, they take back the plan's own part only."""
        now, lines = self.scope.now, list[str]()
        as_known = now is None or left_digest(self._action, now) == self._known
        if not as_known:
            lines = by_hand.lines(self._action, self.scope, only_changed=True)
        if not self.request.applied:
            return _say("undo.check", self._action, manual=self._if_done, lines=lines)
        return self._if_done if as_known else _say("undo.only_own", self._action, manual=self._if_done, lines=lines)

    def not_undone(self, failure: VenueFailure) -> UndoReply:
        """The compensation was refused, or could not be sent."""
        return self.failed("undo.failed", why=failure.message)

    def unread(self, failure: VenueFailure) -> UndoReply:
        """The booking could not be read. This try has sent nothing; an earlier one may have."""
        if not self._action.reversible:
            return self._irreversible()
        reply = self.failed("undo.not_looked", why=failure.message)
        if not self.sent:
            return reply
        return reply.model_copy(update={"manual": _say("undo.perhaps", self._action, manual=self.manual)})

    def in_words(self, failure: VenueFailure) -> VenueFailure:
        """Why the compensation was refused: in the overlay's words where it has some for that."""
        return failure.model_copy(update={"message": self._refused(failure)})

    def _refused(self, failure: VenueFailure) -> str:
        if failure.error_type is ErrorType.NOT_FOUND and self._there:
            return wording.refused_though_there().message
        rule = error_rule(self._action, failure.status, failure.code, undo=True) or self._linked_rule(failure)
        try:
            return (rule and rule_message(self._action, rule, self.scope)) or failure.message
        except UnrenderableError as fault:
            log.warning("no words for the refused undo of %s: %s", self._action.name, fault.where)
            return failure.message

    def _linked_rule(self, failure: VenueFailure) -> ErrorRule | None:
        undo = self._action.compensation
        linked = self._action.model_copy(update={"errors": undo.errors if undo is not None else ()})
        return error_rule(linked, failure.status, failure.code)

    async def look(self) -> UndoReply | Undoing:
        """What is to be done, or what became of it when there is nothing to do. Raises `VenueError`,
        `UnrenderableError`."""
        if not (self._action.snapshot or (self._action.verify and self._action.verify.reads)):
            return self._irreversible()  # What can be undone can be looked at: the loader sees to that.
        try:
            seen = await self.reader.after(self._action, self.scope)
        except UnrenderableError:
            if self.request.applied:
                raise
            return self._somebody_else()  # It would be looked for by an answer that was never heard.
        self.scope, self.made = self.scope.with_(now=seen.document), seen.made
        if self.request.undone_with:
            return self._went_back(seen)
        found = self._judged(as_expected=self._is_as_expected(seen))
        if isinstance(found, Undoing):
            self._prior = self.scope.now
            whole, as_left = not found.own_part, found.message == "reversed"
            self._known = left_digest(self._action, self.scope.now) if whole else self._known if as_left else None
        return found

    def trusts_one_look(self, reply: UndoReply) -> bool:
        """Whether a single look is all that tells that what was done is as before: a read may come from a cache or a
        replica that lags behind."""
        return self.request.applied and not self.sent and reply.outcome is StepRollbackOutcome.REVERSED

    def _went_back(self, seen: Seen) -> UndoReply:
        """Whether this step went back with an earlier one. What a person would do is by what was there before that."""
        self.scope = self.scope.with_(before=by_hand.before_the_plan(seen, self.scope, self.request.earlier))
        self._if_done = manual_step(self._action, self.scope)
        if not self._is_as_expected(seen):
            return self._somebody_else()
        if self._makes():
            # What it stands on tells nothing of a thing that it made.
            stands = standing(self._action, self.scope, self.request.left_digest, self.request.left_whole)
            if stands is not Standing.AS_BEFORE:
                return self.failed("undo.looks_different") if self.request.applied else self._somebody_else()
        if not self.request.applied:
            return self._nothing_to_do()
        # Its own compensation may have taken effect after all.
        return self.reply("reversed" if self.sent else "with_earlier")

    def _judged(self, *, as_expected: bool) -> UndoReply | Undoing:
        self._stood = shows(self._action, self.scope)
        if as_expected and self._may_be_the_plans_own():
            return Undoing(own_part=False)
        stands = standing(self._action, self.scope, self.request.left_digest, self.request.left_whole)
        if stands is Standing.AS_BEFORE:
            return self._nothing_to_do()
        if self.sent and undone(self._action, self.scope):
            return self.reply("reversed")  # An earlier try took effect, and what puts it back made something new.
        if self.sent and self.request.applied and self._makes() and own_part_gone(self._action, self.scope):
            return self.reply("reversed")  # What this step took away is there again, under another id.
        if not self._action.reversible:
            return self._irreversible()
        if self._is_ours():
            return self._own_way(stands)
        if self.request.applied and is_ours(self._action, self.scope):
            manual = _say("undo.whose_first", self._action, manual=self._if_done)
            return self.failed("undo.whose").model_copy(update={"seen": False, "manual": manual})
        return self._somebody_else()

    def _own_way(self, stands: Standing) -> UndoReply | Undoing:
        """How what is surely this step's own is taken back, where it can be told apart."""
        own_part = own_part_stands(self._action, self.scope)
        if own_part:
            # Also where nothing else has changed: what the plan left may hold somebody else's change, made before
            # anybody looked, and the smaller undo is the safer one.
            return Undoing(own_part=True, message="reversed" if stands is Standing.AS_LEFT else "own_part")
        if stands is Standing.AS_LEFT and not (self.request.otherwise and self.request.left_digest is None):
            return Undoing(own_part=False)
        return self._somebody_else()

    def _perhaps_undone(self) -> UndoReply:
        """An earlier try may have sent the compensation, and the booking is neither as the plan left it nor as before:
        it was undone and then changed, or only changed, by another plan or by staff."""
        reply = self.failed("undo.not_certain", why=say("undo.changed_meanwhile"))
        lines = by_hand.lines(self._action, self.scope, only_changed=True)
        own = _say("undo.only_own", self._action, manual=self._if_done, lines=lines)
        return reply.model_copy(update={"manual": _say("undo.perhaps", self._action, manual=own)})

    def _is_ours(self) -> bool:
        """Whether what the compensation would name is what this step made: an id in an answer alone proves nothing.
        Without a marker, only a call that the venue took, and whose answer names what is found, made it: an equal thing
        may be somebody else's."""
        if not self._makes():
            # What shows may be an equal change by another call, whose marker it then carries.
            return self.request.applied or marked(self._action, self.scope) is not False
        if (ours := marked(self._action, self.scope)) is not None:
            return ours
        if not looks_for_new(self._action):
            return is_ours(self._action, self.scope)
        answered = self.request.applied and self.scope.response is not None
        return answered and is_ours(self._action, self.scope) and named_by_answer(self._action, self.scope)

    def _is_as_expected(self, seen: Seen) -> bool:
        expected = self.request.expected
        return bool(expected) and all(e.digest and seen.digest_of(e) == e.digest for e in expected)

    def _may_be_the_plans_own(self) -> bool:
        """Whether what the plan's later steps left shows that only this plan changed it. In a look they will be undone
        first; in a rollback they could not be undone, and are the plan's own all the same."""
        left = self.request.left_digest
        # What matters may not show the change: then it cannot show anybody else's.
        return not self._makes() and (left is None or left != left_digest(self._action, self.scope.before))

    async def refused_but_done(self, undo: Undoing, refused: VenueError, settles: float) -> UndoReply | None:
        """The reply to a compensation that the venue refused, where a look within `settles` seconds shows that it took
        effect, or where no look worked; None where it shows nothing."""
        until, looked, otherwise = time.monotonic() + settles, False, False
        while True:
            last = time.monotonic() >= until
            try:
                self.scope = self.scope.with_(now=(await self.reader.after(self._action, self.scope)).document)
                if self._is_undone(undo):
                    return self.reply(undo.message)
                looked = self._there = True
                # Changed by somebody else, perhaps after it took effect.
                otherwise = not undo.own_part and left_digest(self._action, self.scope.now) != self._known
            except (VenueError, UnrenderableError) as error:
                log.warning("the undoing of %s cannot be looked at: %s", self._action.name, type(error).__name__)
                looked = False
            if last:
                may_pass = refused.failure.error_type in MAY_PASS
                if looked and otherwise:
                    return self._perhaps_undone()
                return None if looked or may_pass else self._perhaps(refused)
            await asyncio.sleep(min(self._look_every, max(0.0, until - time.monotonic())))

    def _perhaps(self, refused: VenueError) -> UndoReply:
        """It was sent and refused, and no look worked, so it may have taken effect all the same."""
        manual = _say("undo.perhaps", self._action, manual=self.manual)
        failed = self.failed("undo.not_certain", why=self._refused(refused.failure))
        return failed.model_copy(update={"manual": manual, "seen": False, "failure": refused.failure})

    def _is_undone(self, undo: Undoing) -> bool:
        if undo.own_part:
            # Where it was as the plan left it, nothing else may differ either; what is made again has another id.
            alone = self.request.left_digest is not None and not self._rest_may_differ
            whole = undo.message == "reversed" and alone and not self._makes()
            return own_part_gone(self._action, self.scope) and (not whole or unchanged(self._action, self.scope))
        if undone(self._action, self.scope):
            return True
        # A later step that could not be undone may keep the rest from being as before.
        gone = self._rest_may_differ and self._stood and not shows(self._action, self.scope)
        return gone and some_is_back(self._action, self.scope, self._prior)

    async def check(self, undo: Undoing) -> UndoReply:
        """Whether the accepted compensation shows within `settle_seconds`. Raises `VenueError`, `UnrenderableError`."""
        until, pauses = (
            time.monotonic() + self.step.profile.settle_seconds,
            [pause * self._look_every for pause in _BEFORE_LOOKS],
        )
        while pauses or time.monotonic() < until:
            await asyncio.sleep(pauses.pop(0) if pauses else self._look_every)
            self.scope = self.scope.with_(now=(await self.reader.after(self._action, self.scope)).document)
            if self._is_undone(undo):
                return self.reply(undo.message)
        if not undo.own_part and self._makes() and is_gone(self._action, self.scope):
            # What was made is gone, and what it was made of is not as it was: a read that would tell is not declared.
            return self.reply("accepted").model_copy(update={"seen": False})
        manual = _say("undo.look_first", self._action, manual=self.manual)
        return self.failed("undo.looks_different").model_copy(update={"manual": manual})

    def _makes(self) -> bool:
        return self._action.verify is not None and bool(self._action.verify.reads)

    def _nothing_to_do(self) -> UndoReply:
        """It is as before: an earlier try got through, somebody was quicker, or it never took effect."""
        if self.request.accepted and not self.request.applied:
            return self._somebody_else()
        if self.request.applied and self._action.reversible:
            return self.reply("reversed")
        message = _say("undo.no_effect", self._action)
        return UndoReply(outcome=StepRollbackOutcome.NOT_NEEDED, message=message)

    def _irreversible(self) -> UndoReply:
        key = "undo.irreversible" if self.request.applied else "undo.irreversible_uncertain"
        message = _say(key, self._action)
        return UndoReply(outcome=StepRollbackOutcome.IRREVERSIBLE, message=message, manual=self.manual)

    def _somebody_else(self) -> UndoReply:
        """Nothing is sent on a guess: the report names what was, what the plan made of it, and what is there now."""
        if self.sent and self.request.applied:
            return self._perhaps_undone()
        known, later = self.request.left_digest is not None, self.request.later
        key = "uncertain" if not self.request.applied else "changed_since" if known else "not_told_apart"
        if self.request.applied and later is not None:
            key = "changed_with_later"
        lines = by_hand.lines(self._action, self.scope, only_changed=self.request.applied)
        check = "undo.only_own" if self.request.applied else "undo.check"
        return UndoReply(
            outcome=StepRollbackOutcome.FAILED,
            message=_say(f"undo.{key}", self._action, later=later and later.step, other=later and later.title),
            manual=_say(check, self._action, manual=self._if_done, lines=lines),
        )

    def reply_of(self, found: "UndoReply | Undoing") -> UndoReply:
        """The reply that tells what a look found."""
        return found if isinstance(found, UndoReply) else self.reply("reversed")

    def reply(self, key: str) -> UndoReply:
        """It is undone, or would be."""
        message = _say(f"undo.{key}", self._action)
        return UndoReply(outcome=StepRollbackOutcome.REVERSED, message=message, sent=self.sent)

    def failed(self, key: str, **values: object) -> UndoReply:
        """It is not undone: a person must."""
        return UndoReply(
            outcome=StepRollbackOutcome.FAILED, message=_say(key, self._action, **values), manual=self.manual
        )


def _say(key: str, action: AtomicAction, **values: object) -> str:
    return say(key, title=action.title, **values)
