"""A write of `iq actions try`, and its undo. Each is sent once; reads show its outcome, whatever the response was
(`docs/saga.md`)."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from authoring.try_action.printing import show, show_request
from clients.venue.client import VenueResponse
from clients.venue.errors import VenueError
from clients.venue.reads import SnapshotReader
from contracts.action import AtomicAction
from contracts.base import Value
from contracts.credentials import HttpRequest
from contracts.errors import VenueFailure
from contracts.step_activities import WriteOutcome
from reasoning import error_messages
from registry import BoundAction, TemplateRenderError
from registry.presentation.error_rules import error_rule
from registry.verification.undo_state import UndoState

_BEFORE_LOOKS = (0.0, 0.2, 0.5, 1.0, 2.0)
"""Seconds before each look at an accepted write, because some venues show it a moment later."""
_LOOK_EVERY = 1.0
_LOOK = "Look in the venue's system"
_HELD_BEFORE = "not known: `verify` holds before anything was done: it proves nothing"
_STANDS_STILL = "NO: nothing was sent to undo it. The change stays"
_STANDS = frozenset({WriteOutcome.APPLIED, WriteOutcome.MISAPPLIED})


def tell_refusal(bound: BoundAction, failure: VenueFailure) -> None:
    """Print the result of a rejected call, and the operator's message for it."""
    show("Refused", _answered(failure))
    _tell(bound, failure)


def _answered(failure: VenueFailure) -> str:
    code = f" {failure.code}" if failure.code else ""
    return f"{failure.status or failure.error_type.value}{code} {failure.detail}".strip()


def _tell(bound: BoundAction, failure: VenueFailure, *, not_shown: bool = False) -> None:
    rule = error_rule(bound.action, failure.status, failure.code, undo=None) if failure.status else None
    message = bound.rule_message(rule) if rule is not None else None
    failure = failure.model_copy(update={"message": message or failure.message})
    show("Operator sees", (error_messages.not_shown(failure) if not_shown else failure).message)
    if rule is None and failure.status:
        print("  (no entry of `errors` fits: one would say it in the venue's own words)")


class TriedWrite:
    """One write, and its undo."""

    def __init__(
        self,
        bound: BoundAction,
        reader: SnapshotReader,
        send: Callable[[HttpRequest, AtomicAction], Awaitable[VenueResponse]],
        *,
        key: str,
        settles: float,
    ) -> None:
        """Use `settles` as the seconds within which a sent request may still take effect."""
        self._action, self._bound, self._reader, self._send = bound.action, bound, reader, send
        self._key, self._settles = key, settles
        self._unread: Exception | None = None
        self.sample: dict[str, Value] = {}
        """The part of the overlay's sample that the write gives."""

    async def run(self, *, undo: bool) -> bool:
        """Send it, read the outcome, and undo it if requested and applied. Return whether everything worked."""
        print()
        sent = await self._sent(self._bound.request(), self._action)
        refused = sent if isinstance(sent, VenueError) else None
        if refused is not None and not refused.sent:
            print("\nNothing was sent.")
            return False
        if isinstance(sent, VenueResponse):
            self._bound = self._bound.with_(response=sent.body)
            if sent.body is not None and self._bound.creates:
                self.sample["response"] = sent.body
        if not self._bound.can_be_read:
            return self._nothing_read_back(refused)
        accepted = refused is None
        found = await self._looked(lambda last: self._bound.outcome(accepted=accepted, last=last), refused)
        tells = self._tell_landing(found, refused)
        if found not in _STANDS:
            show("If it was done after all", self._bound.manual_instruction())
            return False
        return await self._undo(asked=undo) and found is WriteOutcome.APPLIED and tells

    async def _sent(self, request: HttpRequest, action: AtomicAction) -> VenueResponse | VenueError:
        try:
            answer = await self._send(request, action)
        except VenueError as error:
            if error.sent:
                show("Answer" if error.failure.status else "No answer", _answered(error.failure))
            else:
                tell_refusal(self._bound.with_(action=action), error.failure)
            return error
        show("Answer", answer.body, f"{answer.status} ")
        return answer

    def _nothing_read_back(self, refused: VenueError | None) -> bool:
        nothing = "nothing is read back (no `snapshot`, no `verify.reads`)"
        if refused is None:
            show("Worked", f"the venue accepted it; {nothing}")
            return True
        if refused.may_have_landed:
            show("Worked", f"not known: {nothing}. {_LOOK}")
            show("If it was done after all", self._bound.manual_instruction())
        else:
            show("Worked", "NO: the venue refuses it so before it does anything (`unprocessed`)")
        _tell(self._bound, refused.failure)
        return False

    async def _looked(self, tells: Callable[[bool], WriteOutcome | None], refused: VenueError | None) -> WriteOutcome:
        """Return the outcome by looks, repeated while the sent request may still take effect. `tells` gets whether a
        look is the last one. A failed look counts as no answer; its reason is kept."""
        until = time.monotonic() + (self._settles if refused is None or refused.may_have_landed else 0)
        pauses = list(_BEFORE_LOOKS if refused is None else _BEFORE_LOOKS[:1])
        while True:
            await asyncio.sleep(pauses.pop(0) if pauses else min(_LOOK_EVERY, max(0.0, until - time.monotonic())))
            last = not pauses and time.monotonic() >= until
            found: WriteOutcome | None = None
            try:
                self._bound = self._bound.with_(now=(await self._reader.read_back(self._bound)).document)
                found, self._unread = tells(last), None
            except (VenueError, TemplateRenderError) as error:
                self._unread = error
            if found is not None or last:
                return found or WriteOutcome.UNKNOWN

    def _tell_landing(self, found: WriteOutcome, refused: VenueError | None) -> bool:
        """Print the outcome. Return False if `verify` held before the write and so proves nothing."""
        if self._unread is None:
            show("After", self._bound.now)
            self.sample["after"] = self._bound.now
        tells = not (found is WriteOutcome.APPLIED and self._held_before())
        show("Worked", self._in_words(found) if tells else _HELD_BEFORE)
        if refused is not None and found not in _STANDS:
            _tell(self._bound, refused.failure, not_shown=found is WriteOutcome.NOT_APPLIED)
        return tells

    def _in_words(self, found: WriteOutcome) -> str:
        if found is WriteOutcome.APPLIED:
            return "yes, a new read shows it" if self._action.verify else "not known: there is no `verify`"
        if found is WriteOutcome.MISAPPLIED:
            return "NO: something changed, and not as asked (`verify` does not hold)"
        if found is WriteOutcome.NOT_APPLIED:
            return "NO: a new read does not show it so far"
        if self._unread is not None:
            return f"not known: it could not be read back ({self._unread}). {_LOOK}"
        return (
            "not known: it does not show (`verify` does not hold), and may have been done. Look in the venue's system"
        )

    def _held_before(self) -> bool:
        """Return whether `verify` holds before the write: then it proves nothing."""
        action = self._action
        if action.snapshot is None or action.verify is None or action.verify.reads:
            return False
        try:
            return self._bound.with_(now=self._bound.before).matches_request() is True
        except TemplateRenderError:
            return False  # it cannot be evaluated on the state before, so it does not hold there

    async def _undo(self, *, asked: bool) -> bool:
        action = self._action
        if not action.reversible:
            show("Way back", self._bound.manual_instruction())
            return True
        self._bound = self._bound.with_(left=self._bound.now)
        left = self._bound.left_digest(self._bound.now)
        outgoing = self._bound.compensating(self._key)
        try:
            back = outgoing.compensation()
            as_left = self._bound.undo_check(left).state is UndoState.AS_PLANNED
        except TemplateRenderError as fault:
            show("Way back", f"it cannot be made: {fault}")
            return self._not_undone(_STANDS_STILL)
        show_request("Way back", back)
        if not asked:
            print("\nThe change stays. --undo takes it back as well.")
            return True
        if not as_left:
            return self._not_undone("not tried: what is there is not what the write left")
        sent = await self._sent(back, outgoing.action)
        refused = sent if isinstance(sent, VenueError) else None
        if refused is not None and not refused.sent:
            return self._not_undone(_STANDS_STILL)
        if (
            await self._looked(lambda _: WriteOutcome.APPLIED if self._bound.undo_check().is_undone else None, refused)
            in _STANDS
        ):
            show("Undone", "yes, it is as before")
            return True
        return self._not_seen_undone(refused, left, outgoing.action)

    def _not_seen_undone(self, refused: VenueError | None, left: str | None, undo: AtomicAction) -> bool:
        if self._unread is not None:
            words = f"not known: it could not be read back ({self._unread}). {_LOOK}"
        elif refused is not None and self._bound.left_digest(self._bound.now) != left:
            words = f"not known: it is neither as before nor as the write left it. {_LOOK}"
        else:
            words = "NO: it is not as before" if refused is None else "NO: it is not as before so far"
        self._not_undone(words)
        if self._unread is None:
            show("Now", self._bound.now)
        if refused is not None:
            _tell(self._bound.with_(action=undo), refused.failure)
        return False

    def _not_undone(self, words: str) -> bool:
        show("Undone", words)
        show("By hand", self._bound.manual_instruction())
        return False
