"""The messages to the two workflows, and their inputs.

Workflow histories hold them: from 1.0 on fields are added with defaults, and never renamed.
"""

from enum import StrEnum
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from contracts.base import FrozenModel, Instant, QuickAction
from contracts.booking import BookingSummary
from contracts.chat_completion import ChatMessage, InternalMessage
from contracts.enums import AiMode, OpenQuestion, ParameterRole, PlanStatus, StepStatus
from contracts.errors import ServiceError
from contracts.limits import ChatPolicy, PlanPolicy
from contracts.message_reading import MessageReading
from contracts.plan import ExecutionPlan
from contracts.step_activities import CreatedBooking, DraftedStep
from contracts.trace_context import PLANNING
from contracts.turn import Turn
from contracts.venue import Noun, VenueProfile


class EditedValue(FrozenModel):
    """A value that the operator typed into a plan: `parameter` of its step `step` (from 1)."""

    step: int
    parameter: str
    value: str | bool | int | float


class PlanEdit(FrozenModel):
    """Values typed into a plan that waits: the operator's own words, each for its place."""

    plan_id: str
    values: tuple[EditedValue, ...]


class TurnRequest(FrozenModel):
    """One operator message. `request_key` distinguishes a retry from a new message. A request that reaches a worker
    after `accept_by` is rejected, and the turn must be done by `deadline`.

    `reading` is what code reads in the message by word lists (`contracts.message_reading`). `reply_token` is the commit
    token of a short reply that may decide about a plan (`infra.stores.command_store`).

    `commit_token` is the commit token of the message itself: a plan is made or replaced by it only after the chat has
    committed it. `shown_plan_id` is the plan of this chat that its operator was shown last, where the API knows it; a
    bare yes confirms no other one.

    `edit` are values that the operator typed into the plan itself; `user_message` then has the same as text.
    """

    request_key: str
    request_id: str
    user_id: str
    user_message: str
    token_ref: str
    accept_by: Instant
    deadline: Instant
    reply_token: str = ""
    commit_token: str
    shown_plan_id: str | None = None
    reading: MessageReading = MessageReading()
    edit: PlanEdit | None = None


class TurnReply(FrozenModel):
    """A turn, or why there is none. A failed turn is not remembered, so a retry runs again. `unsettled`: it may have
    been a yes or no whose effect the chat does not know. `trace_id` is that of the request that the message belongs
    to."""

    turn: Turn | None = None
    error: ServiceError | None = None
    unsettled: bool = False
    trace_id: str = ""

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.turn is None) == (self.error is None):
            raise ValueError("exactly one of turn and error")
        return self


class RememberedTurn(FrozenModel):
    """A served request and its answer, recorded so that a retry gets the same. `message` is a hash of the message, by
    which another message under the same id is distinguished from a retry."""

    request_key: str
    turn: Turn
    message_hash: str


class Phase(StrEnum):
    """The phase of work on a message."""

    READING = "reading"
    LOOKING_UP = "looking_up"
    DRAFTING = "drafting"
    CHECKING = "checking"


class TranscriptEntry(FrozenModel):
    """One line of a chat's transcript: a message of either side, or progress in between. Numbered from 1 over the
    chat's whole life. `kind` is the type of the turn; `message` for the operator's own message, `progress` for work in
    progress (with its `phase`), `error` for a message that failed, `person` for a staff reply, and `lapsed` for its
    timeout, whose `reference` is that of the escalation. `initiated`, `step_started`, `step_result` and `complete` are
    as in `contracts.events`: the reads that begin a run, which its plan continues, and the end of a run without a plan.
    `plan_id` is the plan it is about; `choices` are the labels of the choices, `actions` the same with the message that
    each sends."""

    number: int
    at: Instant
    kind: Literal[
        "message",
        "progress",
        "plan",
        "clarification",
        "answer",
        "escalation",
        "error",
        "person",
        "lapsed",
        "initiated",
        "step_started",
        "step_result",
        "complete",
    ]
    text: str
    plan_id: str | None = None
    choices: tuple[str, ...] = ()
    request_id: str | None = None
    phase: Phase | None = None
    actions: tuple[QuickAction, ...] = ()
    step: int | None = None
    name: str | None = None
    step_status: StepStatus | None = None
    reasoning: str | None = None
    confidence: int | None = None
    reference: str | None = None


class PlanReference(FrozenModel):
    """A plan that a chat has named, and the entry that did so first."""

    plan_id: str
    number: int
    at: Instant


class LastShortReply(FrozenModel):
    """The last bare yes or no, and the plan it was meant for: a retry is meant for the same one."""

    request_key: str
    plan_id: str


class PreviousPlan(FrozenModel):
    """The last confirmed plan of a chat, as drafted, and the operator's messages for it, latest first. `status` is the
    last known one. `fresh`: the chat has had no other subject since. `uncertain`: the outcome of a step is unknown.
    `undone`: its operator has undone it. `made` are the bookings it created, which its steps hold as their booking once
    the chat has read them."""

    plan_id: str
    steps: tuple[DraftedStep, ...]
    fresh: bool = True
    messages: tuple[str, ...] = ()
    status: PlanStatus | None = None
    uncertain: bool = False
    undone: bool = False
    created: tuple[CreatedBooking, ...] = ()

    @property
    def failed(self) -> bool:
        """Return whether the plan ended without success; a completed plan that was undone has not failed."""
        return not self.undone and self.status in (PlanStatus.FAILED, PlanStatus.ROLLED_BACK)

    @property
    def can_be_undone(self) -> bool:
        """Return whether its changes exist, as far as the chat knows, so that "cancel that" may mean to undo them."""
        there = not self.undone and self.status in (PlanStatus.COMPLETED, None)
        return there and any(step.action.reversible for step in self.steps)


class OpenRequest(FrozenModel):
    """A request that waits for the answer to a question: its trace, its first message, and when that arrived."""

    trace_id: str
    began: Instant
    first_message: str = ""


class ChatMemory(FrozenModel):
    """Everything a chat carries across continue-as-new and an idle close. `pending_plan` is the waiting plan, as
    drafted, `pending_messages` the operator's messages for it. `running_plan_id` is the last confirmed plan, until its
    workflow has closed; `done` is the same plan as long as the chat has no other subject. `expired` is the last plan if
    it expired, `fresh` until another change is mentioned. `earlier` are plans confirmed before `done` that may still be
    undone, and `undone_bookings` the bookings of the one that was, as long as the chat has no other subject. `no_room`:
    there was no availability for the last request. `internal` are the last steps of reasoning, for engineers; `mode` is
    that of the last plan. `heard` are the escalations with a staff reply. `interrupted`: staff were called, or replied,
    since a plan was shown last. `asked` is the request that the last question was about, `open_question` that question
    if code recognises its answer. `retry_plan_id` is the last plan that "try again" led to."""

    owner: str | None = None
    messages: tuple[ChatMessage, ...] = ()
    turns: tuple[RememberedTurn, ...] = ()
    transcript: tuple[TranscriptEntry, ...] = ()
    plan_references: tuple[PlanReference, ...] = ()
    known_bookings: tuple[BookingSummary, ...] = ()
    offered_bookings: tuple[BookingSummary, ...] = ()
    clarifications: int = 0
    asked_for: ParameterRole | None = None
    open_question: OpenQuestion | None = None
    pending_plan_id: str | None = None
    pending_steps: tuple[DraftedStep, ...] = ()
    pending_plan: ExecutionPlan | None = None
    pending_messages: tuple[str, ...] = ()
    retry_plan_id: str | None = None
    done: PreviousPlan | None = None
    expired: PreviousPlan | None = None
    earlier_plans: tuple[PreviousPlan, ...] = ()
    undone_bookings: tuple[str, ...] = ()
    running_plan_id: str | None = None
    given_word: LastShortReply | None = None
    slot_holder: str | None = None
    slot_queue: tuple[str, ...] = ()
    last_was_full: bool = False
    internal: tuple[InternalMessage, ...] = ()
    mode: AiMode | None = None
    delivered_replies: tuple[str, ...] = ()
    staff_interrupted: bool = False
    asked: OpenRequest | None = None


class ChatStart(FrozenModel):
    """The input of a chat; `memory` is set when it continues an earlier run."""

    venue_id: str
    session_id: str
    locale: str = "en"
    nouns: dict[str, dict[str, Noun]] = Field(default_factory=dict)
    policy: ChatPolicy = ChatPolicy()
    memory: ChatMemory | None = None


class SessionView(FrozenModel):
    """What waits for the operator of a chat. `ready` is False while the chat still restores its memory."""

    owner: str | None
    pending_plan_id: str | None
    prompt_plan_id: str | None
    ready: bool = True


class TranscriptView(FrozenModel):
    """The entries of a transcript after a number, and their owner. `last` is the newest entry's number; `named` are
    the plans it has named, including those of dropped entries. `ready` is False while the chat still restores its
    memory."""

    owner: str | None
    entries: tuple[TranscriptEntry, ...] = ()
    last: int = 0
    ready: bool = True
    plan_references: tuple[PlanReference, ...] = ()


class DebugView(FrozenModel):
    """The last steps of reasoning in a chat, oldest first, for engineers."""

    owner: str | None
    entries: tuple[InternalMessage, ...] = ()


class PlanStart(FrozenModel):
    """The input of a plan: its public form, the frozen steps, and its owner. `reasoning` explains in words why these
    steps, `confidence` (1 to 10) how sure code is of them. `mode` is that of the turn that drafted it,
    `requested_at` when the first message of its request came, `clarifications` how many questions in a row came before
    it, `asked` that first message, `planned_in` the key of the span of its planning."""

    plan: ExecutionPlan
    steps: tuple[DraftedStep, ...] = Field(min_length=1)
    profile: VenueProfile
    conversation_id: str
    transcript: tuple[ChatMessage, ...] = ()
    policy: PlanPolicy = PlanPolicy()
    trace_id: str = ""
    reasoning: str = ""
    confidence: int = 5
    mode: AiMode | None = None
    requested_at: Instant | None = None
    clarifications: int = 0
    request: str = ""
    planned_in: str = PLANNING


class ConfirmRequest(FrozenModel):
    """The operator's one confirmation. `token_ref` is the vault's reference to the operator's token. `attempt` is the
    commit token that the plan claims before the command takes effect (`infra.stores.command_store`), as with the other
    commands."""

    user_id: str
    request_id: str
    token_ref: str
    commit_token: str


CONFIRMATION: Final = "confirmation"
"""The value of `waits_for` for a pending plan."""


class CancelRequest(FrozenModel):
    """Drop a pending plan, or stop one that runs; `superseded_by` names the plan that replaces a pending one. With
    `waits_for` it is an answer to what the plan waits for (`CONFIRMATION`, or the id of its question), and counts only
    while the plan still waits for that."""

    user_id: str
    superseded_by: str | None = None
    waits_for: str | None = None
    commit_token: str


class SkipRequest(FrozenModel):
    """Leave out a step that has not started; the operator may do without it."""

    user_id: str
    step: int
    commit_token: str


class PromptAnswer(FrozenModel):
    """The operator's answer to a blocking prompt. `answer_id` distinguishes it from another answer of the same request,
    to report whether and as what it was accepted. `prompt_id` None means "the open one", allowed while the plan has
    asked only once. The answer is accepted once its `attempt` is committed."""

    answer_id: str
    user_id: str
    text: str
    prompt_id: str | None = None
    commit_token: str


class PlanView(FrozenModel):
    """A plan as the query shows it, with what the API needs to judge a request. `committing`: a command to it is
    being committed right now."""

    plan: ExecutionPlan
    prompts_asked: int = 0
    taken_answers: tuple[str, ...] = ()
    confirm_request_id: str | None = None
    token_ref: str | None = None
    committing: bool = False


class TokenRenewed(FrozenModel):
    """The operator has a new token that the venue accepts; `token_ref` is the vault's reference to it."""

    user_id: str
    token_ref: str


class UndoRequest(FrozenModel):
    """Reverse a completed plan within its undo window, with a token of its own."""

    user_id: str
    token_ref: str
    commit_token: str
