"""A write of `iq actions try`, and its undo. Each is sent once; what became of it is what looks show, whatever the
answer was (`docs/saga.md`)."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from cli.printed import show, show_request
from clients.reads import Reader
from clients.venue import Answered, VenueError
from contracts.action import AtomicAction, HttpRequest
from contracts.base import Value
from contracts.effects import Landing
from contracts.errors import VenueFailure
from reasoning import wording
from registry import (
    Scope,
    Standing,
    UnrenderableError,
    compensating,
    compensation_request,
    error_rule,
    left_digest,
    manual_step,
    rule_message,
    standing,
    undone,
    with_undo_key,
)
from registry.landing import told
from registry.snapshot import landed

_BEFORE_LOOKS = (0.0, 0.2, 0.5, 1.0, 2.0)
"""Seconds before each look at what was accepted: some venues show it a moment later."""
_LOOK_EVERY = 1.0
_LOOK = "Look in the venue's system"
_HELD_BEFORE = "not known: `verify` holds before anything was done: it tells nothing"
_STANDS_STILL = "NO: nothing was sent to undo it. It stands"
_STANDS = frozenset({Landing.APPLIED, Landing.OTHERWISE})


def tell_refusal(action: AtomicAction, scope: Scope, failure: VenueFailure) -> None:
    """Print what a call came to that was refused, and what an operator would be told of it."""
    show("Refused", _answered(failure))
    _tell(action, scope, failure)


def _answered(failure: VenueFailure) -> str:
    code = f" {failure.code}" if failure.code else ""
    return f"{failure.status or failure.error_type.value}{code} {failure.detail}".strip()


def _tell(action: AtomicAction, scope: Scope, failure: VenueFailure, *, not_shown: bool = False) -> None:
    rule = error_rule(action, failure.status, failure.code, undo=None) if failure.status else None
    message = rule_message(action, rule, scope) if rule is not None else None
    failure = failure.model_copy(update={"message": message or failure.message})
    show("It is told", (wording.not_shown(failure) if not_shown else failure).message)
    if rule is None and failure.status:
        print("  (no entry of `errors` fits: one would say it in the venue's own words)")


class TriedWrite:
    """One write, and its way back."""

    def __init__(
        self,
        action: AtomicAction,
        scope: Scope,
        reader: Reader,
        send: Callable[[HttpRequest, AtomicAction], Awaitable[Answered]],
        *,
        key: str,
        settles: float,
    ) -> None:
        """`settles`: seconds within which what was sent may still take effect."""
        self._action, self._scope, self._reader, self._send = action, scope, reader, send
        self._key, self._settles = key, settles
        self._unread: Exception | None = None
        self.sample: dict[str, Value] = {}
        """What of it belongs into the overlay's sample."""

    async def run(self, request: HttpRequest, *, undo: bool) -> bool:
        """Send it, look, and take it back where that is asked for and it shows; whether all went as it should."""
        print()
        sent = await self._sent(request, self._action)
        refused = sent if isinstance(sent, VenueError) else None
        if refused is not None and not refused.sent:
            print("\nNothing was sent.")
            return False
        if isinstance(sent, Answered):
            self._scope = self._scope.with_(response=sent.body)
            if sent.body is not None and self._makes():
                self.sample["response"] = sent.body
        if self._action.snapshot is None and not self._makes():
            return self._nothing_read_back(refused)
        accepted = refused is None
        found = await self._looked(lambda last: told(self._action, self._scope, accepted=accepted, last=last), refused)
        tells = self._tell_landing(found, refused)
        if found not in _STANDS:
            show("If it was done after all", manual_step(self._action, self._scope))
            return False
        return await self._undo(asked=undo) and found is Landing.APPLIED and tells

    def _makes(self) -> bool:
        return self._action.verify is not None and bool(self._action.verify.reads)

    async def _sent(self, request: HttpRequest, action: AtomicAction) -> Answered | VenueError:
        try:
            answer = await self._send(request, action)
        except VenueError as error:
            if error.sent:
                show("Answer" if error.failure.status else "No answer", _answered(error.failure))
            else:
                tell_refusal(action, self._scope, error.failure)
            return error
        show("Answer", answer.body, f"{answer.status} ")
        return answer

    def _nothing_read_back(self, refused: VenueError | None) -> bool:
        nothing = "nothing is read back (no `snapshot`, no `verify.reads`)"
        if refused is None:
            show("Worked", f"the venue said yes; {nothing}")
            return True
        if refused.may_have_landed:
            show("Worked", f"not known: {nothing}. {_LOOK}")
            show("If it was done after all", manual_step(self._action, self._scope))
        else:
            show("Worked", "NO: the venue refuses it so before it does anything (`unprocessed`)")
        _tell(self._action, self._scope, refused.failure)
        return False

    async def _looked(self, tells: Callable[[bool], Landing | None], refused: VenueError | None) -> Landing:
        """What looks tell, for as long as what was sent may still take effect. `tells` hears whether a look is the
        last one. A look that fails is no answer: why is kept."""
        until = time.monotonic() + (self._settles if refused is None or refused.may_have_landed else 0)
        pauses = list(_BEFORE_LOOKS if refused is None else _BEFORE_LOOKS[:1])
        while True:
            await asyncio.sleep(pauses.pop(0) if pauses else min(_LOOK_EVERY, max(0.0, until - time.monotonic())))
            last = not pauses and time.monotonic() >= until
            found: Landing | None = None
            try:
                self._scope = self._scope.with_(now=(await self._reader.after(self._action, self._scope)).document)
                found, self._unread = tells(last), None
            except (VenueError, UnrenderableError) as error:
                self._unread = error
            if found is not None or last:
                return found or Landing.UNKNOWN

    def _tell_landing(self, found: Landing, refused: VenueError | None) -> bool:
        """Print it; whether it tells anything at all."""
        if self._unread is None:
            show("After", self._scope.now)
            self.sample["after"] = self._scope.now
        tells = not (found is Landing.APPLIED and self._held_before())
        show("Worked", self._in_words(found) if tells else _HELD_BEFORE)
        if refused is not None and found not in _STANDS:
            _tell(self._action, self._scope, refused.failure, not_shown=found is Landing.NOT_APPLIED)
        return tells

    def _in_words(self, found: Landing) -> str:
        if found is Landing.APPLIED:
            return "yes, a new read shows it" if self._action.verify else "not known: there is no `verify`"
        if found is Landing.OTHERWISE:
            return "NO: something changed, and not as asked (`verify` does not hold)"
        if found is Landing.NOT_APPLIED:
            return "NO: a new read does not show it so far"
        if self._unread is not None:
            return f"not known: it could not be read back ({self._unread}). {_LOOK}"
        return (
            "not known: it does not show (`verify` does not hold), and may have been done. Look in the venue's system"
        )

    def _held_before(self) -> bool:
        """Whether `verify` holds on what was there before: then it holds whether or not anything was done."""
        action = self._action
        if action.snapshot is None or action.verify is None or action.verify.reads:
            return False
        try:
            return landed(action, self._scope.with_(now=self._scope.before)) is True
        except UnrenderableError:
            return False  # it cannot be read on what was there, so it does not hold there

    async def _undo(self, *, asked: bool) -> bool:
        action = self._action
        if not action.reversible:
            show("Way back", manual_step(action, self._scope))
            return True
        self._scope = self._scope.with_(left=self._scope.now)
        left = left_digest(action, self._scope.now)
        try:
            back = compensation_request(action, with_undo_key(action, self._scope, self._key))
            as_left = standing(action, self._scope, left) is Standing.AS_LEFT
        except UnrenderableError as fault:
            show("Way back", f"it cannot be made: {fault}")
            return self._not_undone(_STANDS_STILL)
        show_request("Way back", back)
        if not asked:
            print("\nIt stands. --undo takes it back as well.")
            return True
        if not as_left:
            return self._not_undone("not tried: what is there is not what the write left")
        sent = await self._sent(back, compensating(action))
        refused = sent if isinstance(sent, VenueError) else None
        if refused is not None and not refused.sent:
            return self._not_undone(_STANDS_STILL)
        if await self._looked(lambda _: Landing.APPLIED if undone(action, self._scope) else None, refused) in _STANDS:
            show("Undone", "yes, it is as before")
            return True
        return self._not_seen_undone(refused, left)

    def _not_seen_undone(self, refused: VenueError | None, left: str | None) -> bool:
        if self._unread is not None:
            words = f"not known: it could not be read back ({self._unread}). {_LOOK}"
        elif refused is not None and left_digest(self._action, self._scope.now) != left:
            words = f"not known: it is neither as before nor as the write left it. {_LOOK}"
        else:
            words = "NO: it is not as before" if refused is None else "NO: it is not as before so far"
        self._not_undone(words)
        if self._unread is None:
            show("Now", self._scope.now)
        if refused is not None:
            _tell(compensating(self._action), self._scope, refused.failure)
        return False

    def _not_undone(self, words: str) -> bool:
        show("Undone", words)
        show("By hand", manual_step(self._action, self._scope))
        return False
