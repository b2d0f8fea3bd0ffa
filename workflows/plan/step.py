"""One step of a plan during its life: what was confirmed, its preconditions, what was sent and the outcome. The
execution, the saga and the record share it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.action import AtomicAction
    from contracts.base import Json
    from contracts.chat_completion import AnswerGiven, ChatMessage
    from contracts.errors import VenueFailure
    from contracts.step_activities import (
        ActReply,
        ActRequest,
        DraftedStep,
        ExpectedState,
        FoundBefore,
        LaterStep,
        SnapshotReply,
        StateFingerprint,
        StepScope,
        StepUndoRequest,
        WriteOutcome,
    )
    from contracts.trace_context import REQUEST, TraceContext

_APPLIED = (WriteOutcome.APPLIED, WriteOutcome.MISAPPLIED)


@dataclass(slots=True, eq=False)
class StepState:
    """The state of one step. `number` counts from 1 over the whole plan, `index` over the drafted steps: reads made
    while drafting come before those.

    `fingerprints` has the current hash of each of its `grounds` by key, None if it could not be read.
    `unseen` is its write while that is unverified.
    `transcript` is the conversation with the model in which it is carried out.
    `unfit`: the model's last call did not pass the checks here.
    `sent_directly`: it was sent without calling the model.
    `refusal`: why its last attempt failed, if another may follow. `sent`: one of its attempts was sent.
    `tolerated`: the venue rejected it without any change, and the plan can continue without it.
    """

    number: int
    drafted: DraftedStep
    grounds: dict[str, StateFingerprint] = field(default_factory=dict)
    fingerprints: dict[str, str | None] = field(default_factory=dict)
    unseen: ActRequest | None = None
    started: datetime | None = None
    scope: StepScope | None = None
    snapshot: SnapshotReply | None = None
    landed: ActReply | None = None
    output: Json = None
    refusal: VenueFailure | None = None
    sent: bool = False
    tolerated: bool = False
    index: int = 0
    answers: list[AnswerGiven] = field(default_factory=list)
    transcript: list[ChatMessage] = field(default_factory=list)
    sent_directly: bool = False
    unfit: bool = False

    @property
    def action(self) -> AtomicAction:
        """Return its action."""
        return self.drafted.action

    @property
    def confirmed(self) -> dict[str, Json]:
        """Return the values that the operator confirmed."""
        return self.drafted.parameters

    @property
    def may_be_applied(self) -> bool:
        """Return whether it was or may have been applied: a sent write that is not known to have had no effect."""
        return self.scope is not None and (
            self.landed is None or self.landed.write_outcome is not WriteOutcome.NOT_APPLIED
        )

    @property
    def is_applied(self) -> bool:
        """Return whether it was applied, as asked or not."""
        return self.landed is not None and self.landed.write_outcome in _APPLIED

    @property
    def failed_try(self) -> VenueFailure | None:
        """Return why an earlier sent attempt failed. That attempt showed no effect then, and may still be
        applied late."""
        return self.refusal if self.sent else None

    @property
    def manual(self) -> str:
        """Return the manual instructions to undo it."""
        return self.snapshot.manual if self.snapshot else ""

    def set_fingerprints(self, grounds: Sequence[StateFingerprint]) -> None:
        """Store the state fingerprints that were read."""
        if grounds:
            self.grounds = {g.key: g for g in grounds}
            self.fingerprints.update({g.key: g.digest for g in grounds})

    def begin_write(self, scope: StepScope, snapshot: SnapshotReply) -> None:
        """Store what is sent next. The outcome of an earlier attempt no longer counts."""
        self.scope, self.snapshot, self.landed = scope, snapshot, None

    def undo_request(
        self, token_ref: str, *, sent: bool = False, within: str = REQUEST, later: "StepState | None" = None
    ) -> StepUndoRequest:
        """Return the request to undo it, traced in the span `within`; `later` is a step that could not be undone."""
        assert self.scope is not None and self.snapshot is not None
        reply = self.landed or ActReply(write_outcome=WriteOutcome.UNKNOWN)
        return StepUndoRequest(
            scope=self.scope.model_copy(update={"token_ref": token_ref, "trace_context": self._place(within)}),
            before=self.snapshot.before,
            output=reply.response,
            applied=self.is_applied,
            otherwise=reply.write_outcome is WriteOutcome.MISAPPLIED,
            left=reply.left,
            left_digest=reply.left_digest,
            left_whole=reply.left_whole,
            accepted=reply.accepted,
            sent=sent,
            expected=self._as_left_by(later) if later is not None else (),
            later=LaterStep(step=later.number, title=later.action.title) if later is not None else None,
        )

    def _as_left_by(self, other: "StepState") -> tuple[ExpectedState, ...]:
        """Return the expected state after another step's write; "" if it was not read."""
        moved = other.landed.changed if other.landed is not None else ()
        left = {one.key: one.digest for one in moved if one.step == self.number}
        return tuple(
            g.expected(self.number).model_copy(update={"digest": left.get(key) or ""})
            for key, g in self.grounds.items()
        )

    def went_back_request(self, token_ref: str, within: str, earlier: "StepState", *, sent: bool) -> StepUndoRequest:
        """Return the request to check whether its state is as the operator saw it before the plan, after `earlier` was
        undone. `sent`: its own compensation may have been sent before."""
        assert earlier.scope is not None and earlier.snapshot is not None
        drafted = tuple(g.expected_undone(self.number) for g in self.drafted.fingerprints)
        found = FoundBefore(scope=earlier.scope, before=earlier.snapshot.before)
        changes = {"look_only": True, "undone_with": True, "expected": drafted, "earlier": found}
        return self.undo_request(token_ref, sent=sent, within=within).model_copy(update=changes)

    def _place(self, within: str) -> TraceContext | None:
        trace = self.scope.trace_context if self.scope is not None else None
        return trace.model_copy(update={"span": within}) if trace is not None else None

    def look_request(self, token_ref: str, expected: tuple[ExpectedState, ...]) -> StepUndoRequest:
        """Return the request to check whether it could be undone."""
        return self.undo_request(token_ref).model_copy(update={"look_only": True, "expected": expected})


def shared(one: StepState, other: StepState) -> bool:
    """Return whether two steps depend on the same state."""
    return not one.grounds.keys().isdisjoint(other.grounds.keys())


def runs_of(steps: Sequence[DraftedStep], offset: int = 0) -> list[StepState]:
    """Return the states of the drafted steps, numbered after `offset` reads."""
    runs = [StepState(offset + index, step, index=index) for index, step in enumerate(steps, 1)]
    for run in runs:
        run.set_fingerprints(run.drafted.fingerprints)
    return runs
