"""What activities are asked to do and what they answer: the shapes that stand in workflow histories.

Every field here is compatibility data: a running plan's history must still load after a deploy, so fields are added
with defaults and never renamed.
"""

from enum import StrEnum

from pydantic import Field

from contracts.action import AtomicAction
from contracts.base import Frozen, Instant, Json
from contracts.booking import BookingSummary
from contracts.enums import PlanStatus, StepRollbackOutcome
from contracts.errors import ServiceError, VenueFailure
from contracts.plan import ExecutionPlan, PreviewLine, StepCondition
from contracts.tracing import TracePlace
from contracts.venue import VenueProfile, Word


class Ground(Frozen):
    """One thing that a step stands on: an answer that its snapshot reads.

    `key` tells which (steps that read the same share it), `covers` and `ignore` are dotted paths inside it, `digest`
    is the hash of what they cover.
    """

    key: str
    covers: tuple[str, ...]
    ignore: tuple[str, ...] = ()
    digest: str


class DraftedStep(Frozen):
    """One step as it is frozen into a plan.

    `grounds` is what it stands on, as the operator was shown it; empty where a placeholder must be resolved first.
    `required`, `depends_on` and `when` are as in `PlannedAction`.
    `in_place_of`: it is wanted now that there was no room for something else.
    `shown_by` is the look-up that shows what the step makes anew, with the parameter that takes its id.
    Plans from before have `subject` and `digest` instead: one thing for the whole snapshot.
    """

    action: AtomicAction
    parameters: dict[str, Json]
    preview: tuple[PreviewLine, ...] = ()
    confirm_label: str | None = None
    subject: str | None = None
    digest: str | None = None
    grounds: tuple[Ground, ...] = ()
    booking: BookingSummary | None = None
    personal: tuple[str, ...] = Field(default=(), description="Names and the like that no trace may show")
    required: bool = True
    depends_on: tuple[int, ...] = ()
    when: StepCondition | None = None
    in_place_of: bool = False
    shown_by: tuple[str, str] | None = None


class Expectation(Frozen):
    """What a step's ground must still hash to. `key` names the read; empty in plans from before, for all of it."""

    step: int
    key: str = ""
    covers: tuple[str, ...]
    ignore: tuple[str, ...]
    digest: str


class StepScope(Frozen):
    """What every venue effect of a step needs: whose venue, which token, which action with which values. `keys` are of
    what it stands on: nobody else of ours writes there at the same time."""

    profile: VenueProfile
    token_ref: str
    action: AtomicAction
    parameters: dict[str, Json]
    idempotency_key: str
    trace_id: str = ""
    place: TracePlace | None = None
    keys: tuple[str, ...] = ()
    in_place_of: bool = False


class ActRequest(Frozen):
    """Send one write, once, or find out whether it landed.

    `moved` are the expectations of all steps on the same ground, which this write may change; `step` is the number of
    the one that writes, 0 in plans from before. For a read-back: `until` is how long the write may still take effect,
    None when it certainly cannot; `accepted` that the venue has taken it, so that it is never reported as not made.
    """

    scope: StepScope
    before: Json = None
    step: int = 0
    moved: tuple[Expectation, ...] = ()
    until: Instant | None = None
    accepted: bool = False


class Moved(Frozen):
    """What a step's ground hashes to after a write; `digest` is None where it could not be read, or where another
    change than the plan's own may be in it."""

    step: int
    key: str
    digest: str | None


class SnapshotRequest(Frozen):
    """Read what a step will change; `expectations` are of this step and later ones on the same ground.

    `unseen` are this plan's earlier writes on that ground that were accepted and could not be looked at: what is found
    must show them. `show` asks for the preview, when the values are not those the operator was shown.
    """

    scope: StepScope
    expectations: tuple[Expectation, ...] = ()
    unseen: tuple[ActRequest, ...] = ()
    show: bool = False


class SnapshotReply(Frozen):
    """The state before acting. `drifted` lists steps whose ground has changed since the operator confirmed; `manual`
    is what a person would do to reverse the step by hand; `moved` is how the unseen writes are found to have left their
    grounds; `grounds`, `subject` and `digest` as in `DraftedStep`.
    `no_room`: the failure is that a look which is a step of the plan finds no room any more."""

    before: Json = None
    subject: str | None = None
    digest: str | None = None
    grounds: tuple[Ground, ...] = ()
    manual: str = ""
    drifted: tuple[int, ...] = ()
    moved: tuple[Moved, ...] = ()
    preview: tuple[PreviewLine, ...] | None = None
    failure: VenueFailure | None = None
    no_room: bool = False


class Landing(StrEnum):
    """Whether a write took effect; `otherwise`: it did, and not as asked."""

    APPLIED = "applied"
    NOT_APPLIED = "not_applied"
    OTHERWISE = "otherwise"
    UNKNOWN = "unknown"


class ActReply(Frozen):
    """What became of a write.

    `observation` is for the model, `output` what later steps may refer to, `response` the venue's whole answer where
    undoing needs it. `moved` are the moved expectations (`digests`, by step, in plans from before); `left` is what the
    write left, whole where undoing needs it, `left_digest` the hash of what matters of it and `left_whole` of all of
    it, None when nobody could look; `accepted` that the venue took a write that nobody has seen. `evidence` says how
    the outcome is known; `can_land_for` is for how many seconds a call of unknown outcome may still take effect. `sent`
    is False where nothing reached the venue; `unprocessed` True where the refusal proves that nothing was processed.
    """

    landing: Landing
    observation: Json = None
    output: Json = None
    response: Json = None
    summary: str = ""
    digests: dict[int, str] = Field(default_factory=dict)
    moved: tuple[Moved, ...] = ()
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


class LaterStep(Frozen):
    """A step of the same plan that was carried out later and could not be undone."""

    step: int
    title: str


class FoundBefore(Frozen):
    """What a step of the plan found when it was carried out."""

    scope: StepScope
    before: Json = None


class UndoRequest(Frozen):
    """Reverse one applied step, or find that nothing needs reversing.

    `applied` is False when the write's outcome was never established, `otherwise` True when it did not do what was
    asked. `output` is the venue's answer, `left`, its hashes and `accepted` are as in `ActReply`. `sent`: an earlier
    activity may have sent the compensation. `look_only` sends nothing: it tells what would become of it, when what the
    plan's own later writes left is what is `expected`. `later` is the plan's own later step that could not be undone:
    then `expected` is how that one left what this step stands on. `undone_with`: an earlier step was undone since this
    one could not be; look whether this one went back with it, so that what it stands on is `expected`, as before the
    plan. `earlier` is what that earlier step found.
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
    expected: tuple[Expectation, ...] = ()
    later: LaterStep | None = None
    undone_with: bool = False
    earlier: FoundBefore | None = None


class UndoReply(Frozen):
    """What became of a reversal, or would. `manual` tells a person what to do when it did not work; `seen` is False
    when it was accepted and nothing can be read that would show it. `sent`: whether a compensation may have been
    sent."""

    outcome: StepRollbackOutcome
    message: str
    manual: str = ""
    seen: bool = True
    sent: bool = False
    failure: VenueFailure | None = None


class SlotCall(Frozen):
    """A plan's request for, or release of, its session's one question slot. Venue and session let it wake a closed
    chat."""

    conversation_id: str
    venue_id: str
    session_id: str
    locale: str = "en"
    words: dict[str, dict[str, Word]] = Field(default_factory=dict)
    plan_id: str
    release: bool = False


class AssentCall(Frozen):
    """Say the operator's typed word to a plan of the chat: confirm, drop, stop, undo, or `text` as the answer to its
    question. `attempt` is the ticket under which the facade has opened that word (`infra.claims`); without one, the
    activity opens it."""

    plan_id: str
    user_id: str
    request_id: str
    token_ref: str = ""
    locale: str = "en"
    words: dict[str, dict[str, Word]] = Field(default_factory=dict)
    superseded_by: str | None = None
    deadline: Instant
    attempt: str = ""
    text: str = ""


class MarkCall(Frozen):
    """Whose plan is about to be started."""

    venue_id: str
    user_id: str


class MarkReply(Frozen):
    """What the plan is labelled with; None where the cluster does not know the label, which would stop the start.
    `since_is_known`: whether it may be labelled, too, with since when it is busy with what."""

    mark: str | None = None
    since_is_known: bool = False


class ClaimCall(Frozen):
    """A word (confirm, answer, cancel, undo) asks to take effect; `attempt` is its ticket (`infra.claims`). `until` is
    no longer heeded: it compared two machines' clocks. `by` is the plan that it is said to, kept beside the claim so
    that whoever tells of the word names the right one."""

    attempt: str
    until: Instant | None = None
    by: str = ""


class ClaimReply(Frozen):
    """Whether the word takes effect. Once said, it is said for good."""

    granted: bool


class AssentReply(Frozen):
    """The plan after it was confirmed or dropped, or why not."""

    plan: ExecutionPlan | None = None
    error: ServiceError | None = None


class MadeThing(Frozen):
    """What a step made anew, by the venue's id; steps count from 1 as they were drafted."""

    step: int
    booking_id: str


class PlanState(Frozen):
    """Whether a plan still runs, as the Temporal service tells; `status` None where it is unknown. `phase` is what it
    is busy with; None where it is unknown, as in answers from before. `uncertain`: a step of it may stand, and nobody
    knows. `undone`: its operator has taken it back. `made` is what its steps made anew. `ended`: when its workflow
    closed, None while it runs, and where that is unknown."""

    open: bool
    status: PlanStatus | None = None
    phase: str | None = None
    uncertain: bool = False
    undone: bool = False
    made: tuple[MadeThing, ...] = ()
    ended: Instant | None = None

    @property
    def at_work(self) -> bool:
        """Whether it carries out what was confirmed."""
        return self.open and self.status in (PlanStatus.CONFIRMED, PlanStatus.EXECUTING)

    @property
    def asks(self) -> bool:
        """Whether it waits for the answer to a question."""
        return self.open and self.phase == "asking"

    @property
    def going_back(self) -> bool:
        """Whether it undoes what it did."""
        return self.open and (self.phase or "").startswith("rollback")

    @property
    def may_ask(self) -> bool:
        """Whether it can hold the question slot: one that is done has no more questions, though it stays open to be
        undone."""
        return self.open and (self.phase in (None, "asking") or self.at_work)
