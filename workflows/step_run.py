"""One step of a plan while it lives: what was confirmed, what it stands on, what it was sent with and what became of
it. The execution, the saga and the record share it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.action import AtomicAction
    from contracts.base import Json
    from contracts.effects import (
        ActReply,
        ActRequest,
        DraftedStep,
        Expectation,
        FoundBefore,
        Ground,
        Landing,
        LaterStep,
        SnapshotReply,
        StepScope,
        UndoRequest,
    )
    from contracts.errors import VenueFailure
    from contracts.model import ChatMessage, GivenAnswer
    from contracts.tracing import REQUEST, TracePlace

_APPLIED = (Landing.APPLIED, Landing.OTHERWISE)


@dataclass(slots=True, eq=False)
class StepRun:
    """What is known of one step; `number` counts from 1 over the whole plan, `place` over what was drafted: looks that
    were made while it was come before.

    `known` is what each of its `grounds` hashes to by now, None when nobody could look, under the ground's key (under
    "" in plans from before, which have one `subject` a step). `unseen` is its write when nobody has seen it yet.
    `talk` is the conversation with the model in which it is carried out.
    `unfit`: what the model last wanted sent did not pass the checks here.
    `tried`: it was sent without asking the model.
    `refusal`: why its last try did not work, where another may follow. `sent`: one of its tries was sent.
    `declined`: the venue would not have it, changed nothing, and the plan can do without.
    """

    number: int
    drafted: DraftedStep
    grounds: dict[str, Ground] = field(default_factory=dict)
    known: dict[str, str | None] = field(default_factory=dict)
    subject: str | None = None
    unseen: ActRequest | None = None
    started: datetime | None = None
    scope: StepScope | None = None
    snapshot: SnapshotReply | None = None
    landed: ActReply | None = None
    output: Json = None
    refusal: VenueFailure | None = None
    sent: bool = False
    declined: bool = False
    place: int = 0
    answers: list[GivenAnswer] = field(default_factory=list)
    talk: list[ChatMessage] = field(default_factory=list)
    tried: bool = False
    unfit: bool = False

    @property
    def action(self) -> AtomicAction:
        """What it does."""
        return self.drafted.action

    @property
    def confirmed(self) -> dict[str, Json]:
        """The values that the operator confirmed."""
        return self.drafted.parameters

    @property
    def may_be_applied(self) -> bool:
        """Whether it did something, or may have: a write that was sent and is not known to have come to nothing."""
        return self.scope is not None and (self.landed is None or self.landed.landing is not Landing.NOT_APPLIED)

    @property
    def surely_applied(self) -> bool:
        """Whether it did something, as asked or not."""
        return self.landed is not None and self.landed.landing in _APPLIED

    @property
    def failed_try(self) -> VenueFailure | None:
        """Why an earlier try that was sent did not work: it showed nothing then, and may take effect late."""
        return self.refusal if self.sent else None

    @property
    def looked_after(self) -> bool:
        """Whether it is known what it left. Not in plans from before."""
        return self.snapshot is not None and (bool(self.snapshot.grounds) or self.snapshot.subject is None)

    @property
    def manual(self) -> str:
        """What a person would do to reverse it by hand."""
        return self.snapshot.manual if self.snapshot else ""

    def stand_on(self, grounds: Sequence[Ground]) -> None:
        """What it stands on was read."""
        if grounds:
            self.grounds = {g.key: g for g in grounds}
            self.known.update({g.key: g.digest for g in grounds})

    def about_to_act(self, scope: StepScope, snapshot: SnapshotReply) -> None:
        """It is sent next, with this; what became of an earlier try no longer counts."""
        self.scope, self.snapshot, self.landed = scope, snapshot, None

    def undo_request(
        self, token_ref: str, *, sent: bool = False, within: str = REQUEST, later: "StepRun | None" = None
    ) -> UndoRequest:
        """What reversing it takes, as a part of the span `within`; `later` could not be undone."""
        assert self.scope is not None and self.snapshot is not None
        reply = self.landed or ActReply(landing=Landing.UNKNOWN)
        return UndoRequest(
            scope=self.scope.model_copy(update={"token_ref": token_ref, "place": self._place(within)}),
            before=self.snapshot.before,
            output=reply.response,
            applied=self.surely_applied,
            otherwise=reply.landing is Landing.OTHERWISE,
            left=reply.left,
            left_digest=reply.left_digest,
            left_whole=reply.left_whole,
            accepted=reply.accepted,
            sent=sent,
            expected=self._as_left_by(later) if later is not None else (),
            later=LaterStep(step=later.number, title=later.action.title) if later is not None else None,
        )

    def _as_left_by(self, other: "StepRun") -> tuple[Expectation, ...]:
        """What this step stands on, as the write of another one left it; "" where nobody looked."""
        moved = other.landed.moved if other.landed is not None else ()
        left = {one.key: one.digest for one in moved if one.step == self.number}
        return tuple(
            Expectation(step=self.number, key=key, covers=g.covers, ignore=g.ignore, digest=left.get(key) or "")
            for key, g in self.grounds.items()
        )

    def went_back_request(self, token_ref: str, within: str, earlier: "StepRun", *, sent: bool) -> UndoRequest:
        """What looking takes, whether what it stands on is as the operator was shown it, before the plan; `earlier` was
        undone since. `sent`: its own compensation may have been sent before."""
        assert earlier.scope is not None and earlier.snapshot is not None
        drafted = tuple(
            Expectation(step=self.number, key=g.key, covers=g.covers, ignore=g.ignore, digest=g.digest)
            for g in self.drafted.grounds
        )
        found = FoundBefore(scope=earlier.scope, before=earlier.snapshot.before)
        changes = {"look_only": True, "undone_with": True, "expected": drafted, "earlier": found}
        return self.undo_request(token_ref, sent=sent, within=within).model_copy(update=changes)

    def _place(self, within: str) -> TracePlace | None:
        place = self.scope.place if self.scope is not None else None
        return place.model_copy(update={"span": within}) if place is not None else None

    def look_request(self, token_ref: str, expected: tuple[Expectation, ...]) -> UndoRequest:
        """What looking takes, whether it could be reversed."""
        return self.undo_request(token_ref).model_copy(update={"look_only": True, "expected": expected})


def shared(one: StepRun, other: StepRun) -> bool:
    """Whether two steps stand on the same thing."""
    return not one.grounds.keys().isdisjoint(other.grounds.keys())


def runs_of(steps: Sequence[DraftedStep], behind: int = 0) -> list[StepRun]:
    """The steps of a plan, as they were drafted, `behind` so many looks."""
    runs = [StepRun(behind + place, step, subject=step.subject, place=place) for place, step in enumerate(steps, 1)]
    for run in runs:
        run.stand_on(run.drafted.grounds)
        if run.subject is not None and run.drafted.digest is not None:
            run.known[""] = run.drafted.digest
    return runs
