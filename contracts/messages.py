"""What is said to the two workflows, and what they start from.

Like the effects, these stand in histories: add fields with defaults, never rename.
"""

from enum import StrEnum
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from contracts.aside import Aside
from contracts.assessment import InternalMessage
from contracts.base import Frozen, Instant
from contracts.booking import BookingSummary
from contracts.effects import DraftedStep, MadeThing
from contracts.enums import AiMode, ParameterRole, PlanStatus, ShortReply, StepStatus
from contracts.errors import ServiceError
from contracts.model import ChatMessage
from contracts.plan import ExecutionPlan
from contracts.policy import ChatPolicy, PlanPolicy
from contracts.quick import QuickAction
from contracts.tracing import PLANNING
from contracts.turn import Turn
from contracts.venue import VenueProfile, Word


class EditedValue(Frozen):
    """A value that the operator typed into a plan: `parameter` of its step `step` (from 1)."""

    step: int
    parameter: str
    value: str | bool | int | float


class PlanEdit(Frozen):
    """Values typed into a plan that waits: the operator's own words, each for its place."""

    plan_id: str
    values: tuple[EditedValue, ...]


class TurnRequest(Frozen):
    """One operator message. `request_key` tells a retry from a new message; a request that reaches a worker after
    `accept_by` is refused, and the turn must be worked out by `deadline`.

    `attempt` is the ticket of a bare yes or no (`infra.claims`). With `settled_words` the chat keeps a pending plan
    until it is known to be confirmed or gone; requests from before that are served as they were.

    `reply` is what the message means where code understands it by itself, `judged` whether that was looked at
    (`language.replies`): the lists behind it change with deploys, and a replay must not judge anew. For the same reason
    `chose_undo` tells whether it would answer "undo the change, or cancel the booking?" by the first, and
    `wants_change` whether it asks for a change; both are None in requests from before, which the chat judges itself.
    `points_back` tells whether it leans on a day or an hour of the message before ("put her in then").

    `ticket` is that of the message itself, whatever it says: a plan is made of it, or replaced by it, only once the
    chat has claimed it. `shown_plan_id` is the plan of this chat that its operator was shown last, where the facade
    knows it; a bare yes confirms no other one.

    `edit` are values that the operator typed into the plan itself; `user_message` then says the same in words.

    `wants_person`: it asks that a person answers; it is handed on, whatever a model would say to it.

    `after_drop` is what is left of a message behind words that drop all that was asked for before, else "".

    `aside` is what the words beside a short reply say of the plan it is for: where that is not so, it is no such reply.

    `for_whom` names for whom a message gives a value: where that is another booking than a running plan's, the message
    is no answer to that plan's question.
    """

    request_key: str
    request_id: str
    user_id: str
    user_message: str
    token_ref: str
    accept_by: Instant
    deadline: Instant
    attempt: str = ""
    settled_words: bool = False
    ticket: str = ""
    shown_plan_id: str | None = None
    reply: ShortReply | None = None
    judged: bool = False
    chose_undo: bool | None = None
    wants_change: bool | None = None
    points_back: bool = False
    aside: Aside = Aside()
    for_whom: Aside = Aside()
    edit: PlanEdit | None = None
    wants_person: bool = False
    after_drop: str = ""


class TurnReply(Frozen):
    """A turn, or why there is none. A failed turn is not remembered, so a retry runs anew. `unsettled`: it may have
    been a yes or no whose effect the chat does not know. `trace_id` is the request's that the message belongs to."""

    turn: Turn | None = None
    error: ServiceError | None = None
    unsettled: bool = False
    trace_id: str = ""

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.turn is None) == (self.error is None):
            raise ValueError("exactly one of turn and error")
        return self


class RememberedTurn(Frozen):
    """A served request and its answer, kept so that a retry gets the same. `said` is a hash of all that it said, by
    which another message under its id is told from a retry; those from before have none, and pass for one."""

    request_key: str
    turn: Turn
    said: str = ""


class Phase(StrEnum):
    """What goes on while a message is worked out."""

    READING = "reading"
    LOOKING_UP = "looking_up"
    DRAFTING = "drafting"
    CHECKING = "checking"


class ShownEntry(Frozen):
    """One line of a chat as its operator saw it: what was said by either side, and what went on in between. Numbered
    from 1 over the chat's whole life. `kind` is the type of the turn; `said` for the operator's own words,
    `progress` for what goes on (with its `phase`), `error` for a message that came to nothing, `person` for what a
    person answered, and `lapsed` where nobody did in time, whose `reference` is that of the escalation.
    `initiated`, `step_started`, `step_result` and `complete` are as in `contracts.events`: the looks that begin a
    run, which its plan goes on with, and the end of a run that no plan comes of. `plan_id` is the plan that it was
    about; `choices` are the labels of what was to pick from, `actions` the same with what picking one says."""

    number: int
    at: Instant
    kind: Literal[
        "said",
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


class NamedPlan(Frozen):
    """A plan that a chat has named, and the entry that did so first."""

    plan_id: str
    number: int
    at: Instant


class GivenWord(Frozen):
    """The bare yes or no that was said last, and the plan it was meant for: a retry is meant for the same one."""

    request_key: str
    plan_id: str


class DonePlan(Frozen):
    """The plan that was confirmed last in a chat, as it was drafted, and what the operator had said for it, latest
    first. `status` as it was last seen; `fresh` while nothing else has been spoken of since; `uncertain` where a step
    may stand, and nobody knows; `undone` where its operator has taken it back; `made` is what it made anew, which its
    steps hold as their booking once the chat has looked at it."""

    plan_id: str
    steps: tuple[DraftedStep, ...]
    fresh: bool = True
    said: tuple[str, ...] = ()
    status: PlanStatus | None = None
    uncertain: bool = False
    undone: bool = False
    made: tuple[MadeThing, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether it ended without doing what was asked; what was done and then taken back is over and done with."""
        return not self.undone and self.status in (PlanStatus.FAILED, PlanStatus.ROLLED_BACK)

    @property
    def can_be_undone(self) -> bool:
        """Whether what it did is there, as far as the chat has seen, so that "cancel that" may mean to take it back."""
        there = not self.undone and self.status in (PlanStatus.COMPLETED, None)
        return there and any(step.action.reversible for step in self.steps)


class OpenRequest(Frozen):
    """A request that was asked back about, and waits for the answer: its trace, its first message, when that came."""

    trace_id: str
    began: Instant
    said: str = ""


class ChatMemory(Frozen):
    """Everything a chat carries across continue-as-new and an idle close. `pending_plan` is the plan that waits, as it
    was drafted, `pending_said` what the operator had said for it; `running_plan_id` is the plan that was confirmed
    last, until its workflow has closed, `done` the same plan as long as the chat speaks of nothing else; `expired` is
    the last plan where it ran out of time, `fresh` until another change is spoken of; `earlier` are plans confirmed
    before `done` that may still be taken back, and `taken_back` the bookings of the one that was, as long as the chat
    speaks of nothing else; `no_room` tells that there was no room for what was asked for last; `internal` are the last
    steps of reasoning, for engineers; `mode` is that of the last plan; `heard` are the escalations that a person has
    answered; `interrupted` tells that people have been called, or have spoken, since a plan was shown last; `asked` is
    the request that the last question was about."""

    owner: str | None = None
    messages: tuple[ChatMessage, ...] = ()
    turns: tuple[RememberedTurn, ...] = ()
    shown: tuple[ShownEntry, ...] = ()
    named: tuple[NamedPlan, ...] = ()
    known: tuple[BookingSummary, ...] = ()
    offered: tuple[BookingSummary, ...] = ()
    clarifications: int = 0
    asked_for: ParameterRole | None = None
    pending_plan_id: str | None = None
    pending_steps: tuple[DraftedStep, ...] = ()
    pending_plan: ExecutionPlan | None = None
    pending_said: tuple[str, ...] = ()
    done: DonePlan | None = None
    expired: DonePlan | None = None
    earlier: tuple[DonePlan, ...] = ()
    taken_back: tuple[str, ...] = ()
    running_plan_id: str | None = None
    given_word: GivenWord | None = None
    slot_holder: str | None = None
    slot_queue: tuple[str, ...] = ()
    no_room: bool = False
    internal: tuple[InternalMessage, ...] = ()
    mode: AiMode | None = None
    heard: tuple[str, ...] = ()
    interrupted: bool = False
    asked: OpenRequest | None = None


class ChatStart(Frozen):
    """What a chat is started with; `memory` is set when it continues an earlier run."""

    venue_id: str
    session_id: str
    locale: str = "en"
    words: dict[str, dict[str, Word]] = Field(default_factory=dict)
    policy: ChatPolicy = ChatPolicy()
    memory: ChatMemory | None = None


class SessionView(Frozen):
    """What waits for the operator of a chat. `ready` is False while the chat still recalls what was said before."""

    owner: str | None
    pending_plan_id: str | None
    prompt_plan_id: str | None
    ready: bool = True


class ShownView(Frozen):
    """What was shown in a chat after a number, and to whom it belongs; `last` is the newest entry's number, `named` are
    the plans it has named, those of entries that fell off included. `ready` is False while the chat still recalls what
    was said before."""

    owner: str | None
    entries: tuple[ShownEntry, ...] = ()
    last: int = 0
    ready: bool = True
    named: tuple[NamedPlan, ...] = ()


class DebugView(Frozen):
    """The last steps of reasoning in a chat, oldest first, for engineers."""

    owner: str | None
    entries: tuple[InternalMessage, ...] = ()


class PlanStart(Frozen):
    """What a plan is started with: its public face, the frozen steps, and whom it belongs to. `reasoning` says in words
    why these steps, `confidence` (1 to 10) how sure code is of them. `mode` is that of the turn that drafted it,
    `requested_at` when the first message of its request came, `clarifications` how many questions in a row came before
    it, `asked` that first message, `planned_in` the key of the span of its planning. `since_is_known`: the cluster
    knows the label for since when the plan is busy with what."""

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
    asked: str = ""
    planned_in: str = PLANNING
    since_is_known: bool = False


class ConfirmRequest(Frozen):
    """The operator's one confirmation. `token_ref` is the vault's reference to the operator's token. `attempt` is the
    ticket that the plan claims before the word takes effect (`infra.claims`); messages from before that have none, and
    are refused after `deadline` instead. The same holds for the other words."""

    user_id: str
    request_id: str
    token_ref: str
    deadline: Instant
    attempt: str = ""


CONFIRMATION: Final = "confirmation"
"""What a pending plan waits for."""


class CancelRequest(Frozen):
    """Drop a pending plan, or stop one that runs; `superseded_by` names the plan that replaces a pending one. With
    `waits_for` it is an answer to what the plan waits for (`CONFIRMATION`, or the id of its question), and counts only
    while the plan still waits for that."""

    user_id: str
    deadline: Instant
    superseded_by: str | None = None
    waits_for: str | None = None
    attempt: str = ""


class SkipStep(Frozen):
    """Leave out a step that has not started; the operator may do without it."""

    user_id: str
    step: int
    deadline: Instant
    attempt: str = ""


class Answer(Frozen):
    """The operator's answer to a blocking prompt. `answer_id` tells whether it was taken, and what it said from another
    answer of the same request; `prompt_id` None means "the one that is open", allowed while the plan has asked only
    once. With an `attempt` it is taken once that is granted."""

    answer_id: str
    user_id: str
    text: str
    prompt_id: str | None = None
    token_ref: str | None = None
    attempt: str = ""


class PlanView(Frozen):
    """A plan as the query shows it, with what the facade needs to judge a request."""

    plan: ExecutionPlan
    prompts_asked: int = 0
    taken_answers: tuple[str, ...] = ()
    confirm_request_id: str | None = None
    token_ref: str | None = None


class SignedIn(Frozen):
    """The operator has a token again that the venue accepts; `token_ref` is the vault's reference to it."""

    user_id: str
    token_ref: str


class UndoPlan(Frozen):
    """Reverse a completed plan within its undo window, with a token of its own."""

    user_id: str
    token_ref: str
    deadline: Instant
    attempt: str = ""
