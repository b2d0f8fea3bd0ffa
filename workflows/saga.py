"""The saga: what has been done, and how it is undone in reverse.

A compensation is registered before its step acts, so a crash between the two loses nothing; it therefore tolerates a
step that never took effect. When one reversal fails the others are still attempted, and the report says exactly what
stands (`docs/saga.md`).
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts.base import Json
    from contracts.effects import (
        ActReply,
        DraftedStep,
        Expectation,
        Landing,
        SnapshotReply,
        StepScope,
        UndoReply,
        UndoRequest,
    )
    from contracts.enums import ErrorType, RollbackOutcome, RollbackTrigger, StepRollbackOutcome
    from contracts.plan import RollbackReport, StepRollback
    from language.catalogue import say
    from workflows.calls import Calls
    from workflows.credentials import Credentials

_DONE = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)


@dataclass(slots=True)
class Compensation:
    """How one step is undone, kept from before it acted."""

    step: int
    scope: StepScope
    before: Json
    manual: str
    landing: Landing = Landing.UNKNOWN
    output: Json = None
    left: Json = None
    left_digest: str | None = None
    left_whole: str | None = None
    accepted: bool = False
    looked_after: bool = False

    def request(self, token_ref: str, *, again: bool = False) -> UndoRequest:
        """What reversing it takes."""
        return UndoRequest(
            scope=self.scope.model_copy(update={"token_ref": token_ref}),
            before=self.before,
            output=self.output,
            applied=self.landing in (Landing.APPLIED, Landing.OTHERWISE),
            otherwise=self.landing is Landing.OTHERWISE,
            left=self.left,
            left_digest=self.left_digest,
            left_whole=self.left_whole,
            accepted=self.accepted,
            again=again,
        )

    def look(self, token_ref: str, expected: tuple[Expectation, ...]) -> UndoRequest:
        """What looking takes, whether it could be reversed."""
        return self.request(token_ref).model_copy(update={"look_only": True, "expected": expected})


class Saga:
    """The compensations of one plan, in the order their steps acted."""

    def __init__(self, calls: Calls, credentials: Credentials, steps: Sequence[DraftedStep] = ()) -> None:
        self._calls = calls
        self._credentials = credentials
        self._steps = dict(enumerate(steps, 1))
        self._registered: list[Compensation] = []
        self.all_seen = True
        """Whether every reversal could be looked at afterwards."""
        self.lasting = False
        """Whether something stays that no reversal brings back."""

    def register(self, step: int, scope: StepScope, before: SnapshotReply) -> None:
        """Remember how to undo a step that is about to act."""
        looked_after = bool(before.grounds) or before.subject is None
        self._registered.append(Compensation(step, scope, before.before, before.manual, looked_after=looked_after))

    def settle(self, step: int, reply: ActReply) -> None:
        """Say what became of a registered step; one that was not applied needs no undoing."""
        entry = next(c for c in reversed(self._registered) if c.step == step)
        entry.landing, entry.accepted = reply.landing, reply.accepted
        entry.left, entry.left_digest, entry.left_whole = reply.left, reply.left_digest, reply.left_whole
        entry.output = reply.response if reply.response is not None else reply.output
        if reply.landing is Landing.NOT_APPLIED:
            self._registered.remove(entry)

    def scope_of(self, step: int) -> StepScope | None:
        """What a registered step acted with, or None."""
        return next((c.scope for c in self._registered if c.step == step), None)

    @property
    def may_stand(self) -> frozenset[int]:
        """The steps that were, or may have been, applied."""
        return frozenset(c.step for c in self._registered)

    @property
    def reversible(self) -> bool:
        """Whether an undo would have something to reverse."""
        return any(c.scope.action.reversible for c in self._registered)

    async def roll_back(
        self, trigger: RollbackTrigger, notify: Callable[[StepRollback], None], waiting: Callable[[bool], None]
    ) -> RollbackReport:
        """Undo everything registered, last first. `notify` hears of each step as it is settled, `waiting` when the
        operator has to sign in again first."""
        rows: list[StepRollback] = []
        manual: list[str] = []
        for entry in reversed(self._registered):
            reply = await self._undo(entry, waiting)
            row = StepRollback(
                step=entry.step, action_id=entry.scope.action.name, outcome=reply.outcome, message=reply.message
            )
            rows.append(row)
            self.all_seen = self.all_seen and reply.seen
            notify(row)
            if reply.outcome not in _DONE:
                manual.append(reply.manual or entry.manual)
            elif reply.outcome is StepRollbackOutcome.REVERSED and (lasting := self._lasting(entry)):
                self.lasting = True
                manual.append(lasting)
        self._registered.clear()
        whole = all(r.outcome in _DONE for r in rows)
        return RollbackReport(
            outcome=RollbackOutcome.COMPLETE if whole else RollbackOutcome.PARTIAL,
            trigger=trigger,
            steps=tuple(rows),
            manual_steps=tuple(manual),
        )

    def _lasting(self, entry: Compensation) -> str:
        """What no undo of the step brings back, as the operator was told of it beforehand; "" when there is nothing."""
        step, title, locale = self._steps.get(entry.step), entry.scope.action.title, entry.scope.profile.locale
        told = [line for line in step.preview if line.lasting] if step else []
        if step is None or not told:
            return ""
        whom = step.booking.reference if step.booking else ""
        lines = [f"{line.field}: {line.after}" for line in told]
        return say("undo.lasting", locale, title=title, whom=whom, lines=lines)

    async def would_undo(self, expected: Callable[[int], tuple[Expectation, ...]], token_ref: str) -> list[UndoReply]:
        """What would become of each reversal, last first; nothing is sent. `expected` is how the plan as a whole left
        what a step stands on. Raises `ActivityError`.

        Steps from before know nothing of what they left, and are not looked at."""
        looks = [
            self._calls.undo(entry.look(token_ref, expected(entry.step)))
            for entry in reversed(self._registered)
            if entry.scope.action.reversible and entry.looked_after
        ]
        return list(await asyncio.gather(*looks))

    async def _undo(self, entry: Compensation, waiting: Callable[[bool], None]) -> UndoReply:
        again = False
        while True:
            used = self._credentials.current
            reply = await self._try_undo(entry, again)
            again = True
            signed_out = reply.failure is not None and reply.failure.error_type is ErrorType.UNAUTHORIZED
            if not signed_out or not await self._credentials.renewed(used, waiting):
                return reply

    async def _try_undo(self, entry: Compensation, again: bool) -> UndoReply:
        action = entry.scope.action
        if not action.reversible and entry.landing in (Landing.APPLIED, Landing.OTHERWISE):
            return UndoReply(
                outcome=StepRollbackOutcome.IRREVERSIBLE,
                message=say("undo.irreversible", entry.scope.profile.locale, title=action.title),
                manual=entry.manual,
            )
        try:
            return await self._calls.undo(entry.request(self._credentials.current, again=again))
        except ActivityError as error:
            workflow.logger.error("step %d could not be undone: %s", entry.step, type(error.cause).__name__)
            return UndoReply(
                outcome=StepRollbackOutcome.FAILED,
                message=say("undo.failed_in_time", entry.scope.profile.locale, title=action.title),
                manual=entry.manual,
            )
