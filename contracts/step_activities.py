"""Requests to activities and their replies, as workflow histories hold them.

From 1.0 on every field here is compatibility data: a running plan's history must still load after a deploy, so fields
are added with defaults and never renamed.
"""

from enum import StrEnum

from pydantic import Field

from contracts.action import AtomicAction
from contracts.base import FrozenModel, Instant, Json
from contracts.booking import BookingSummary
from contracts.commands import NamedCommand
from contracts.enums import PlanStatus, StepRollbackOutcome
from contracts.errors import ServiceError, VenueFailure
from contracts.plan import ExecutionPlan, PreviewLine, StepCondition
from contracts.trace_context import TraceContext
from contracts.venue import Noun, VenueProfile


class StateFingerprint(FrozenModel):
    """One thing that a step depends on: a response that its snapshot reads.

    `key` identifies it (steps that read the same share it), `covers` and `ignore` are dotted paths inside it, `digest`
    is the hash of what they cover. `undone_digest` is the hash without what no undo restores (`not_restored`); None
    where that is all of it.
    """

    key: str
    covers: tuple[str, ...]
    ignore: tuple[str, ...] = ()
    digest: str
    not_restored: tuple[str, ...] = ()
    undone_digest: str | None = None

    def expected(self, step: int) -> "ExpectedState":
        """Return the state that `step` expects while nothing has changed it."""
        return ExpectedState(step=step, key=self.key, covers=self.covers, ignore=self.ignore, digest=self.digest)

    def expected_undone(self, step: int) -> "ExpectedState":
        """Return the state that `step` expects after an undo."""
        if self.undone_digest is None:
            return self.expected(step)
        ignore = (*self.ignore, *self.not_restored)
        return self.expected(step).model_copy(update={"ignore": ignore, "digest": self.undone_digest})


class DraftedStep(FrozenModel):
    """One step as it is frozen into a plan.

    `grounds` is the state it depends on, as the operator was shown it; empty where a placeholder must be resolved
    first. `required`, `depends_on` and `when` are as in `PlannedAction`. `is_fallback`: it is requested because the
    preferred step had no availability. `read_by` is the look-up that shows what the step creates, with the parameter
    that takes its id.
    """

    action: AtomicAction
    parameters: dict[str, Json]
    preview: tuple[PreviewLine, ...] = ()
    confirm_label: str | None = None
    fingerprints: tuple[StateFingerprint, ...] = ()
    booking: BookingSummary | None = None
    personal: tuple[str, ...] = Field(default=(), description="Names and the like that no trace may show")
    required: bool = True
    depends_on: tuple[int, ...] = ()
    when: StepCondition | None = None
    is_fallback: bool = False
    read_by: tuple[str, str] | None = None


class ExpectedState(FrozenModel):
    """What a step's ground must still hash to. `key` names the read."""

    step: int
    key: str
    covers: tuple[str, ...]
    ignore: tuple[str, ...]
    digest: str


class StepScope(FrozenModel):
    """The inputs of every venue activity of a step: the venue, the token, the action and its values. `keys` identify
    what it depends on: no other write of ours runs there at the same time."""

    profile: VenueProfile
    token_ref: str
    action: AtomicAction
    parameters: dict[str, Json]
    idempotency_key: str
    trace_id: str = ""
    trace_context: TraceContext | None = None
    keys: tuple[str, ...] = ()
    is_fallback: bool = False


class ActRequest(FrozenModel):
    """Send one write, once, or find out whether it landed.

    `moved` are the expectations of all steps on the same ground, which this write may change; `step` is the number of
    the one that writes. For a read-back: `until` is how long the write may still take effect,
    None when it certainly cannot; `accepted` that the venue has taken it, so that it is never reported as not made.
    """

    scope: StepScope
    before: Json = None
    step: int = 0
    changed: tuple[ExpectedState, ...] = ()
    until: Instant | None = None
    accepted: bool = False


class ChangedState(FrozenModel):
    """What a step's ground hashes to after a write; `digest` is None where it could not be read, or where another
    change than the plan's own may be in it."""

    step: int
    key: str
    digest: str | None


class SnapshotRequest(FrozenModel):
    """Read what a step will change; `expectations` are of this step and later ones on the same ground.

    `unseen` are this plan's earlier writes on that ground that were accepted and could not be read: the state found
    must show them. `show` asks for the preview, when the values are not those the operator was shown.
    """

    scope: StepScope
    expectations: tuple[ExpectedState, ...] = ()
    unseen: tuple[ActRequest, ...] = ()
    show: bool = False


class SnapshotReply(FrozenModel):
    """The state before acting. `drifted` lists steps whose ground has changed since the operator confirmed; `manual`
    is what a person would do to reverse the step by hand; `moved` is how the unseen writes are found to have left their
    grounds; `grounds` as in `DraftedStep`.
    `no_room`: the failure is that a look which is a step of the plan finds no room any more."""

    before: Json = None
    fingerprints: tuple[StateFingerprint, ...] = ()
    manual: str = ""
    drifted: tuple[int, ...] = ()
    changed: tuple[ChangedState, ...] = ()
    preview: tuple[PreviewLine, ...] | None = None
    failure: VenueFailure | None = None
    no_availability: bool = False


class WriteOutcome(StrEnum):
    """Whether a write took effect; `otherwise`: it did, and not as asked."""

    APPLIED = "applied"
    NOT_APPLIED = "not_applied"
    MISAPPLIED = "otherwise"
    UNKNOWN = "unknown"


class ActReply(FrozenModel):
    """The result of a write.

    `observation` is for the model, `output` what later steps may refer to, `response` the venue's whole response where
    the undo needs it. `moved` are the changed expected states. `left` is the state after the write, whole where the
    undo needs it, `left_digest` the hash of what matters of it and `left_whole` of all of it, None when no read
    succeeded. `accepted`: the venue accepted a write that no read has shown. `evidence` is how the outcome is known;
    `can_land_for` is for how many seconds a call of unknown outcome may still be applied. `sent` is False where nothing
    reached the venue; `unprocessed` True where the error proves that nothing was processed.
    """

    write_outcome: WriteOutcome
    observation: Json = None
    output: Json = None
    response: Json = None
    summary: str = ""
    changed: tuple[ChangedState, ...] = ()
    left: Json = None
    left_digest: str | None = None
    left_whole: str | None = None
    accepted: bool = False
    evidence: str = ""
    can_land_for: float = 0
    sent: bool = True
    unprocessed: bool = False
    started: bool = Field(
        default=True, description="False when nothing came of the call for certain, so it may be tried again"
    )
    failure: VenueFailure | None = None


class LaterStep(FrozenModel):
    """A step of the same plan that was carried out later and could not be undone."""

    step: int
    title: str


class FoundBefore(FrozenModel):
    """What a step of the plan found when it was carried out."""

    scope: StepScope
    before: Json = None


class StepUndoRequest(FrozenModel):
    """Undoes one applied step, or finds that nothing needs an undo.

    `applied` is False when the write's outcome was never established, `otherwise` True when it was misapplied. `output`
    is the venue's response; `left`, its hashes and `accepted` are as in `ActReply`. `sent`: an earlier activity may
    have sent the compensation. `look_only` sends nothing: it reports the result of an undo if the plan's own later
    writes left the `expected` states. `later` is the plan's own later step that could not be undone: then `expected` is
    the state that it left of what this step depends on. `undone_with`: an earlier step was undone because this one
    could not be; check whether that undid this one too, so that what it depends on is `expected`, as before the plan.
    `earlier` is the state that the earlier step found.
    """

    scope: StepScope
    before: Json = None
    output: Json = None
    applied: bool = True
    otherwise: bool = False
    left: Json = None
    left_digest: str | None = None
    left_whole: str | None = None
    accepted: bool = False
    sent: bool = False
    look_only: bool = False
    expected: tuple[ExpectedState, ...] = ()
    later: LaterStep | None = None
    undone_with: bool = False
    earlier: FoundBefore | None = None


class StepUndoResult(FrozenModel):
    """The result of undoing a step, or its preview. `manual` is the instruction for staff if it failed; `seen` is False
    if it was accepted and no read can show it. `sent`: whether a compensation may have been sent."""

    outcome: StepRollbackOutcome
    message: str
    manual: str = ""
    seen: bool = True
    sent: bool = False
    failure: VenueFailure | None = None


class PromptSlotRequest(FrozenModel):
    """A plan's request for, or release of, its session's one question slot. Venue and session let it wake a closed
    chat."""

    conversation_id: str
    venue_id: str
    session_id: str
    locale: str = "en"
    nouns: dict[str, dict[str, Noun]] = Field(default_factory=dict)
    plan_id: str
    release: bool = False


class ChatCommand(FrozenModel):
    """The operator's typed command to a plan of the chat. `token_ref` refers to the operator's token."""

    plan_id: str
    command: NamedCommand
    token_ref: str = ""
    locale: str = "en"
    nouns: dict[str, dict[str, Noun]] = Field(default_factory=dict)


class PlanLookUp(FrozenModel):
    """A plan of the chat to read."""

    plan_id: str
    locale: str = "en"
    nouns: dict[str, dict[str, Noun]] = Field(default_factory=dict)


class OwnerLabelRequest(FrozenModel):
    """The owner of a plan that is about to be started."""

    venue_id: str
    user_id: str


class OwnerLabel(FrozenModel):
    """The label of the plan."""

    mark: str


class CommitCommand(FrozenModel):
    """Requests to commit a command (confirm, answer, cancel, undo); `attempt` is its commit token
    (`infra.stores.command_store`). `by` is the plan that commits it, recorded so that reports about the command name
    the right plan."""

    commit_token: str
    by: str = ""


class CommitResult(FrozenModel):
    """Whether the command takes effect. The result is final."""

    granted: bool


class ChatCommandResult(FrozenModel):
    """The plan after it was confirmed or dropped, or why not. `committing`: a command to it was just being committed,
    so it may have been confirmed or dropped since."""

    plan: ExecutionPlan | None = None
    error: ServiceError | None = None
    committing: bool = False


class CreatedBooking(FrozenModel):
    """A booking that a step created, by the venue's id; steps count from 1 as they were drafted."""

    step: int
    booking_id: str


class PlanState(FrozenModel):
    """Whether a plan still runs, by the Temporal service. `status` is None where it is unknown. `phase` is its current
    activity; None where it is unknown. `uncertain`: the outcome of a step is unknown. `undone`: its operator has undone
    it. `made` is what its steps created. `ended`: when its workflow closed, None while it runs, and where that is
    unknown."""

    open: bool
    status: PlanStatus | None = None
    phase: str | None = None
    uncertain: bool = False
    undone: bool = False
    created_bookings: tuple[CreatedBooking, ...] = ()
    ended: Instant | None = None

    @property
    def at_work(self) -> bool:
        """Return whether the plan carries out what was confirmed."""
        return self.open and self.status in (PlanStatus.CONFIRMED, PlanStatus.EXECUTING)

    @property
    def asks(self) -> bool:
        """Return whether the plan waits for the answer to a question."""
        return self.open and self.phase == "asking"

    @property
    def going_back(self) -> bool:
        """Return whether the plan undoes its steps."""
        return self.open and (self.phase or "").startswith("rollback")

    @property
    def in_flux(self) -> bool:
        """Return whether what the plan changes may still change."""
        return self.at_work or self.going_back

    @property
    def may_ask(self) -> bool:
        """Return whether the plan can hold the question slot: a completed plan has no more questions, although it stays
        open for an undo."""
        return self.open and (self.phase in (None, "asking") or self.at_work)
