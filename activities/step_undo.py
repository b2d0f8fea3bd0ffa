"""The reversal of one step: reads its state, decides what to send, and builds the report.

A read has one of three results (`registry/verification/undo_state.py`): unchanged, as planned, or changed since. Later
changes by staff or other plans are never overwritten.
"""

import asyncio
import logging
import time

from activities.dispatch import bind
from clients.venue.errors import VenueError
from clients.venue.reads import Snapshot, SnapshotReader, read_key
from contracts.action import AtomicAction
from contracts.base import Answer
from contracts.enums import ErrorType, StepRollbackOutcome
from contracts.errors import VenueFailure
from contracts.step_activities import FoundBefore, StepUndoRequest, StepUndoResult
from language.messages.catalogue import translate
from reasoning import error_messages
from registry import BoundAction, TemplateRenderError
from registry.presentation.error_rules import undo_rule
from registry.verification.undo_state import UndoCheck, UndoState


def manual_steps(bound: BoundAction, *, only_changed: bool = False) -> list[str]:
    """Return each value as it was, as the plan set it and as it is now. `only_changed` omits unchanged values."""
    return [
        translate("undo.line", field=field, before=before, after=after, now=now)
        for field, before, after, now in bound.state_lines()
        if not only_changed or before != after or after != now
    ]


def before_the_plan(snapshot: Snapshot, bound: BoundAction, earlier: FoundBefore | None) -> Answer:
    """Return the state before the plan: what the step's snapshot found, with the result of an `earlier` step for reads
    that both made. Raises `TemplateRenderError`."""
    document = bound.before
    if earlier is None:
        return document
    known = _answers(earlier)
    for name, key, _ in snapshot.answers:
        if key in known:
            document = {**(document if isinstance(document, dict) else {}), name: known[key]} if name else known[key]
    return document


def _answers(earlier: FoundBefore) -> dict[str, Answer]:
    """Return the answer of each read of a step, by its key."""
    bound, found = bind(earlier.scope).with_(before=earlier.before), earlier.before
    inner = found if isinstance(found, dict) else {}
    reads = bound.action.snapshot.reads if bound.action.snapshot else ()
    return {read_key(bound.read(read)): inner.get(read.name) if read.name else found for read in reads}


log = logging.getLogger(__name__)

MAY_PASS = frozenset({ErrorType.RATE_LIMITED, ErrorType.SERVER_ERROR, ErrorType.TIMEOUT, ErrorType.NETWORK})
"""Transient failures, which are retried."""

_BEFORE_LOOKS = (0.0, 0.2, 0.5, 1.0)
"""Pauses before the first reads after a compensation, as multiples of `Settings.look_every`, because some venues show a
change a moment later. Later reads follow at the last pause for as long as the compensation may still be applied."""


class Compensation:
    """What to send: the whole compensation, or only the part that reverts the plan's own change."""

    def __init__(self, *, own_part: bool, message: str = "reversed") -> None:
        self.own_part = own_part
        self.message = message


class StepUndo:
    """The reversal of one step."""

    reader: SnapshotReader

    def __init__(self, request: StepUndoRequest, look_every: float, *, sent: bool) -> None:
        """`sent`: whether an earlier attempt may have sent the compensation."""
        self._look_every = look_every
        self.step = step = request.scope
        self.request = request
        self.sent = sent or request.sent
        """Whether this or an earlier attempt may have sent the compensation."""
        self._action: AtomicAction = step.action
        found = BoundAction.of(step.action, step.parameters, step.profile, step.idempotency_key)
        self.bound = found.with_(before=request.before, left=request.left, response=request.output)
        self._stood = False
        self._there = False
        self.made: list[str] = []
        """The keys of what the step created, as the last read found them."""
        self._prior: Answer = None
        self._rest_may_differ = request.later is not None
        self._known = request.left_digest
        """The hash of the current state, if only this plan changed it."""
        self._if_done = self.bound.manual_instruction()

    @property
    def outgoing(self) -> BoundAction:
        """Return the action as its compensation is sent."""
        return self.bound.compensating(self.step.idempotency_key)

    @property
    def _undo_check(self) -> UndoCheck:
        return self.bound.undo_check(self.request.left_digest, self.request.left_whole)

    @property
    def manual(self) -> str:
        """Return the manual instructions for staff. For a step with unknown outcome they start with a check, because
        undoing a write that was never applied does harm. If a concurrent change is possible, they revert the plan's own
        part only."""
        now, lines = self.bound.now, list[str]()
        as_known = now is None or self.bound.left_digest(now) == self._known
        if not as_known:
            lines = manual_steps(self.bound, only_changed=True)
        if not self.request.applied:
            return _say("undo.check", self._action, manual=self._if_done, lines=lines)
        return self._if_done if as_known else _say("undo.only_own", self._action, manual=self._if_done, lines=lines)

    def not_undone(self, failure: VenueFailure) -> StepUndoResult:
        """Return the result for a compensation that was rejected or could not be sent."""
        return self.failed("undo.failed", why=failure.message)

    def unread(self, failure: VenueFailure) -> StepUndoResult:
        """Return the result for a booking that could not be read. This attempt has sent nothing; an earlier one may
        have."""
        if not self._action.reversible:
            return self._irreversible()
        reply = self.failed("undo.not_looked", why=failure.message)
        if not self.sent:
            return reply
        return reply.model_copy(update={"manual": _say("undo.perhaps", self._action, manual=self.manual)})

    def in_words(self, failure: VenueFailure) -> VenueFailure:
        """Return the failure with the reason for the rejection in the overlay's text, if the overlay has one."""
        return failure.model_copy(update={"message": self._refused(failure)})

    def _refused(self, failure: VenueFailure) -> str:
        if failure.error_type is ErrorType.NOT_FOUND and self._there:
            return error_messages.refused_though_there().message
        rule = undo_rule(self._action, failure.status, failure.code)
        try:
            return (rule and self.bound.rule_message(rule)) or failure.message
        except TemplateRenderError as fault:
            log.warning("no words for the refused undo of %s: %s", self._action.name, fault.where)
            return failure.message

    async def look(self) -> StepUndoResult | Compensation:
        """Read the state and return what to send, or the result if nothing is to be sent. Raises `VenueError`,
        `TemplateRenderError`."""
        if not self.bound.can_be_read:
            return self._irreversible()  # The loader ensures that every reversible step can be read.
        try:
            snapshot = await self.reader.read_back(self.bound)
        except TemplateRenderError:
            if self.request.applied:
                raise
            return self._somebody_else()  # The read needs an answer that was never received.
        self.bound, self.made = self.bound.with_(now=snapshot.document), snapshot.made
        if self.request.undone_with:
            return self._went_back(snapshot)
        found = self._judged(as_expected=self._is_as_expected(snapshot))
        if isinstance(found, Compensation):
            self._prior = self.bound.now
            whole, as_left = not found.own_part, found.message == "reversed"
            self._known = self.bound.left_digest(self._prior) if whole else self._known if as_left else None
        return found

    @property
    def shown(self) -> str | None:
        """Return the hash of what the last look showed."""
        return self.bound.left_digest(self.bound.now)

    def needs_two_looks(self, found: StepUndoResult | Compensation) -> bool:
        """Return whether a single look is the only evidence that the state is as before, or that another writer has
        changed it. A read may come from a cache or a lagging replica, or lack a part. A preview that allows the undo
        needs none, because the undo looks again."""
        if isinstance(found, Compensation):
            return found.message == "own_part" and not self.request.look_only
        if found.outcome is StepRollbackOutcome.FAILED or self.request.undone_with:
            return True
        return found.outcome is not StepRollbackOutcome.IRREVERSIBLE and not self.request.look_only

    def _went_back(self, snapshot: Snapshot) -> StepUndoResult:
        """Return whether undoing an earlier step also undid this one. The manual instructions use the state before the
        plan."""
        self.bound = self.bound.with_(before=before_the_plan(snapshot, self.bound, self.request.earlier))
        self._if_done = self.bound.manual_instruction()
        if not self._is_as_expected(snapshot):
            return self._somebody_else()
        # The fingerprint says nothing about what the step created.
        if self.bound.creates and self._undo_check.state is not UndoState.UNCHANGED:
            return self.failed("undo.looks_different") if self.request.applied else self._somebody_else()
        if not self.request.applied:
            return self._nothing_to_do()
        # The step's own compensation may have been applied after all.
        return self.reply("reversed" if self.sent else "with_earlier")

    def _judged(self, *, as_expected: bool) -> StepUndoResult | Compensation:
        check = self._undo_check
        self._stood = check.shows_write
        if as_expected and self._may_be_the_plans_own() and check.is_whole:
            return Compensation(own_part=False)
        state = check.state
        if state is UndoState.UNCHANGED:
            return self._nothing_to_do()
        if self.sent and check.is_undone:
            return self.reply("reversed")  # An earlier attempt was applied, and the compensation created a new item.
        if self.sent and self.request.applied and self.bound.creates and check.own_part_removed:
            return self.reply("reversed")  # What this step removed exists again under another id.
        if not self._action.reversible:
            return self._irreversible()
        if check.is_certainly_ours(applied=self.request.applied):
            return self._own_way(state)
        if self.request.applied and check.is_ours:
            manual = _say("undo.whose_first", self._action, manual=self._if_done)
            return self.failed("undo.whose").model_copy(update={"seen": False, "manual": manual})
        return self._somebody_else()

    def _own_way(self, state: UndoState) -> StepUndoResult | Compensation:
        """Return how to revert what is certainly this step's own change, if it can be separated."""
        if self._undo_check.own_part_separable:
            # The smaller undo is also used if nothing else has changed. The state after the plan may include a
            # concurrent change made before the first read, and the smaller undo cannot revert that.
            return Compensation(own_part=True, message="reversed" if state is UndoState.AS_PLANNED else "own_part")
        seen = not (self.request.otherwise and self.request.left_digest is None)
        if state is UndoState.AS_PLANNED and seen and self._undo_check.is_whole:
            return Compensation(own_part=False)
        return self._somebody_else()

    def _perhaps_undone(self) -> StepUndoResult:
        """Return the result for an uncertain reversal. An earlier attempt may have sent the compensation, and the
        booking is neither as planned nor unchanged: it was undone and then changed, or only changed, by another plan or
        by staff."""
        reply = self.failed("undo.not_certain", why=translate("undo.changed_meanwhile"))
        lines = manual_steps(self.bound, only_changed=True)
        own = _say("undo.only_own", self._action, manual=self._if_done, lines=lines)
        return reply.model_copy(update={"manual": _say("undo.perhaps", self._action, manual=own)})

    def _is_as_expected(self, snapshot: Snapshot) -> bool:
        expected = self.request.expected
        return bool(expected) and all(e.digest and snapshot.digest_of(e) == e.digest for e in expected)

    def _may_be_the_plans_own(self) -> bool:
        """Return whether the state left by the plan's later steps shows that only this plan changed it. In a preview,
        those steps will be undone first. In a rollback they could not be undone, and still count as the plan's own."""
        left = self.request.left_digest
        # If the hashed values do not show this change, they cannot show a concurrent change either.
        return not self.bound.creates and (left is None or left != self.bound.left_digest(self.bound.before))

    async def refused_but_done(self, undo: Compensation, refused: VenueError, settles: float) -> StepUndoResult | None:
        """Return the reply to a compensation that the venue rejected, if two reads in a row within `settles` seconds
        show that it was applied, or if no read succeeded; None if the reads show no effect."""
        until, looked, otherwise, shows = time.monotonic() + settles, False, False, 0
        while True:
            last = time.monotonic() >= until
            try:
                self.bound = self.bound.with_(now=(await self.reader.read_back(self.bound)).document)
                shows = shows + 1 if self._is_undone(undo) else 0
                if shows > 1:
                    return self.reply(undo.message)
                looked = self._there = True
                # Changed concurrently, perhaps after the compensation was applied.
                otherwise = not undo.own_part and self.bound.left_digest(self.bound.now) != self._known
            except (VenueError, TemplateRenderError) as error:
                log.warning("the undoing of %s cannot be looked at: %s", self._action.name, type(error).__name__)
                looked, shows = False, 0
            if last and not shows:
                may_pass = refused.failure.error_type in MAY_PASS
                if looked and otherwise:
                    return self._perhaps_undone()
                return None if looked or may_pass else self._perhaps(refused)
            await asyncio.sleep(self._look_every if last else min(self._look_every, max(0.0, until - time.monotonic())))

    def _perhaps(self, refused: VenueError) -> StepUndoResult:
        """Return the result for a compensation that was rejected and could not be checked: it may have been applied."""
        manual = _say("undo.perhaps", self._action, manual=self.manual)
        failed = self.failed("undo.not_certain", why=self._refused(refused.failure))
        return failed.model_copy(update={"manual": manual, "seen": False, "failure": refused.failure})

    def _is_undone(self, undo: Compensation) -> bool:
        check = self._undo_check
        if undo.own_part:
            # If the state was as planned, nothing else may differ either. A re-created item has another id.
            alone = self.request.left_digest is not None and not self._rest_may_differ
            whole = undo.message == "reversed" and alone and not self.bound.creates
            return check.own_part_removed and (not whole or self.bound.unchanged(undone=True))
        if check.is_undone:
            return True
        # A later step that could not be undone may prevent the rest from being as before.
        gone = self._rest_may_differ and self._stood and not check.shows_write
        return gone and check.some_is_back(self._prior)

    async def check(self, undo: Compensation) -> StepUndoResult:
        """Return whether the accepted compensation is visible within `settle_seconds`. Raises `VenueError`,
        `TemplateRenderError`."""
        until, pauses = (
            time.monotonic() + self.step.profile.settle_seconds,
            [pause * self._look_every for pause in _BEFORE_LOOKS],
        )
        while pauses or time.monotonic() < until:
            await asyncio.sleep(pauses.pop(0) if pauses else self._look_every)
            self.bound = self.bound.with_(now=(await self.reader.read_back(self.bound)).document)
            if self._is_undone(undo):
                return self.reply(undo.message)
        if not undo.own_part and self.bound.creates and self._undo_check.is_gone:
            # The created item is gone, but its source is not as before, and the overlay declares no read that could
            # confirm the undo.
            return self.reply("accepted").model_copy(update={"seen": False})
        manual = _say("undo.look_first", self._action, manual=self.manual)
        return self.failed("undo.looks_different").model_copy(update={"manual": manual})

    def _nothing_to_do(self) -> StepUndoResult:
        """Return the result for an unchanged state: an earlier attempt was applied, staff or another plan undid it
        first, or the step was never applied."""
        if self.request.accepted and not self.request.applied:
            return self._somebody_else()
        if self.request.applied and self._action.reversible:
            return self.reply("reversed")
        message = _say("undo.no_effect", self._action)
        return StepUndoResult(outcome=StepRollbackOutcome.NOT_NEEDED, message=message)

    def _irreversible(self) -> StepUndoResult:
        key = "undo.irreversible" if self.request.applied else "undo.irreversible_uncertain"
        message = _say(key, self._action)
        return StepUndoResult(outcome=StepRollbackOutcome.IRREVERSIBLE, message=message, manual=self.manual)

    def _somebody_else(self) -> StepUndoResult:
        """Return the result for a state changed by staff or another plan. Nothing is sent on a guess: the report lists
        the state before, the plan's change and the current state."""
        if self.sent and self.request.applied:
            return self._perhaps_undone()
        known, later = self.request.left_digest is not None, self.request.later
        key = "uncertain" if not self.request.applied else "changed_since" if known else "not_told_apart"
        if self.request.applied and later is not None:
            key = "changed_with_later"
        lines = manual_steps(self.bound, only_changed=self.request.applied)
        check = "undo.only_own" if self.request.applied else "undo.check"
        return StepUndoResult(
            outcome=StepRollbackOutcome.FAILED,
            message=_say(f"undo.{key}", self._action, later=later and later.step, other=later and later.title),
            manual=_say(check, self._action, manual=self._if_done, lines=lines),
        )

    def reply_of(self, found: "StepUndoResult | Compensation") -> StepUndoResult:
        """Return the reply that reports what a read found."""
        return found if isinstance(found, StepUndoResult) else self.reply("reversed")

    def reply(self, key: str) -> StepUndoResult:
        """Return a result for a step that is, or would be, undone."""
        message = _say(f"undo.{key}", self._action)
        return StepUndoResult(outcome=StepRollbackOutcome.REVERSED, message=message, sent=self.sent)

    def failed(self, key: str, **values: object) -> StepUndoResult:
        """Return a result for a step that is not undone and needs manual work."""
        return StepUndoResult(
            outcome=StepRollbackOutcome.FAILED, message=_say(key, self._action, **values), manual=self.manual
        )


def _say(key: str, action: AtomicAction, **values: object) -> str:
    return translate(key, title=action.title, **values)
