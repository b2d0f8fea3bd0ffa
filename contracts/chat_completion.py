"""The model's request and reply, its assessment of its own reply, the critique of a plan, and the record of both
(guided reasoning).

Compatibility data like all of `contracts/step_activities.py`, because workflow histories hold it.
"""

from typing import Literal

from pydantic import Field

from contracts.action import AtomicAction
from contracts.base import FrozenModel, Instant, Json
from contracts.booking import BookingSummary
from contracts.enums import AiMode, CritiqueDecision, CritiqueTrigger
from contracts.plan import PlannedAction
from contracts.trace_context import TraceContext
from contracts.venue import VenueProfile


class Assessment(FrozenModel):
    """A model's assessment of its own reply: `confidence` from 1 (hardly) to 10 (surely), the tool it calls with which
    parameters, what it lacks, and which context it wants to see (`policies.*`, `faqs`, `ai_instructions`,
    `contact.full`, `about.full`, `tool_schema:NAME`)."""

    confidence: int = Field(ge=1, le=10)
    tool_call: str | None = None
    tool_params: dict[str, Json] = Field(default_factory=dict)
    missing_params: tuple[str, ...] = ()
    is_destructive: bool = False
    needs_confirmation: bool = False
    needs_more_context: tuple[str, ...] = ()


class ParsedAssessment(FrozenModel):
    """The result of a reply's assessment. `assured` only where it was there, could be read and fits what the reply
    does; `doubts` are, in words for engineers, why not."""

    assessment: Assessment | None = None
    contradictions: tuple[str, ...] = ()

    @property
    def trusted(self) -> bool:
        """Return whether the assessment is trusted."""
        return self.assessment is not None and not self.contradictions


class CritiqueRequest(FrozenModel):
    """A plan, or look-ups, to be judged by a critique before they take effect. `operator_messages` are the operator's,
    latest first. `settled` and `open` are the points of the checklist that code has decided and those left to judge.
    `now` is the venue's local time."""

    venue_id: str
    now: Instant
    operator_messages: tuple[str, ...]
    steps: tuple[PlannedAction, ...]
    triggers: tuple[CritiqueTrigger, ...]
    assessed: ParsedAssessment = ParsedAssessment()
    settled: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    trace_id: str = ""
    trace_context: TraceContext | None = None
    plan_id: str = ""
    mode: AiMode = AiMode.ADAPTIVE
    personal: tuple[str, ...] = Field(default=(), description="Names and the like that no trace may show")


class Critique(FrozenModel):
    """What a critique decided: `reasoning` is for engineers, `message` the question for the operator (ask_user) or the
    reason for a person (escalate)."""

    decision: CritiqueDecision
    reasoning: str = ""
    message: str = ""
    only_confirmation: bool = Field(default=False, description="It asks for nothing but a confirmation")
    only_asks: bool = Field(default=False, description="Its message is all questions")


class InternalMessage(FrozenModel):
    """One step of reasoning as engineers read it, never sent to operators. Numbered from 1 over a chat's whole life."""

    number: int
    at: Instant
    request_id: str
    kind: Literal["assessment", "context", "critique", "decision"]
    mode: AiMode
    text: str
    details: dict[str, Json] = Field(default_factory=dict)


class ToolCall(FrozenModel):
    """One action that a model calls. `problems` are the errors of the arguments, worded for the model; `kind` is what
    the name refers to, `unknown` until the call is checked against its tool. `extras` is the rest of the call, such as
    a signature: it is returned to the model unread."""

    id: str
    name: str
    arguments: dict[str, Json] = Field(default_factory=dict)
    kind: Literal["read", "write", "builtin", "unknown"] = "unknown"
    problems: tuple[str, ...] = ()
    bookings: tuple[str, ...] = Field(default=(), description="Arguments that name a booking")
    template: str = Field(default="", description="The template that it comes of")
    filled: dict[str, Json] = Field(
        default_factory=dict, description="Values that are not confirmed and that the operator's answers support"
    )
    extras: dict[str, Json] = Field(default_factory=dict)


class ChatMessage(FrozenModel):
    """One message of a model's transcript. `extras`: see `ModelReply`."""

    role: Literal["user", "assistant", "tool"]
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    extras: dict[str, Json] = Field(default_factory=dict)


class PlanningContext(FrozenModel):
    """What the planner knows beside the transcript: bookings already resolved in this chat (the one spoken of
    last comes last), candidates offered by the last question, the plan awaiting confirmation, and the one that has just
    failed; `undone_bookings` are the ids of what a plan was about that has just been undone, `open` is how many of our
    questions in a row the request under way has met with. `looked_up` are the look-ups that the model announced in its
    assessment, each a call and its result."""

    known: tuple[BookingSummary, ...] = ()
    offered: tuple[BookingSummary, ...] = ()
    pending: tuple[PlannedAction, ...] = ()
    failed: tuple[PlannedAction, ...] = ()
    undone_bookings: tuple[str, ...] = ()
    open: int = 0
    looked_up: tuple[ChatMessage, ...] = ()


class AnswerGiven(FrozenModel):
    """What the operator answered to a running plan's question, and which parameter the question was about (None when
    it named none)."""

    text: str
    parameter: str | None = None


class ReasonRequest(FrozenModel):
    """One model call. With `goal`, it carries out that confirmed plan with `actions` only; without, it plans with
    the registry's actions. `now` is the venue's clock, `answers` what the operator answered in the current step.
    `mode` is that of the turn's first call, None for the first call itself, which uses the venue's setting;
    `fetched` are the keys of further context that a reply of this turn has asked for."""

    venue_id: str
    now: Instant
    messages: tuple[ChatMessage, ...]
    context: PlanningContext = PlanningContext()
    goal: tuple[PlannedAction, ...] | None = None
    intent: str = ""
    actions: tuple[AtomicAction, ...] = ()
    answers: tuple[AnswerGiven, ...] = ()
    profile: VenueProfile | None = None
    trace_id: str = ""
    trace_context: TraceContext | None = None
    personal: tuple[str, ...] = Field(default=(), description="Names and the like that no trace may show")
    mode: AiMode | None = None
    fetched: tuple[str, ...] = ()
    plan_id: str = ""

    @property
    def all_messages(self) -> tuple[ChatMessage, ...]:
        """Return the messages, and the look-ups of this turn that are in the brief."""
        return (*self.messages, *self.context.looked_up)


class ModelStatement(FrozenModel):
    """A model's text to the operator: `plain` is without its claims of actions done ("" when nothing is left).
    `only_asks`: it has only questions."""

    plain: str
    only_asks: bool


class ModelReply(FrozenModel):
    """The model's reply, within limits; its mode (`reasoning.modes`) checks the calls and sets what is not in the
    completion. Token counts are 0 where the endpoint does not report them. `statement` is its text for the
    operator (`reasoning.modes.reply_filter`). `mode` is the mode of the request; `assessed`
    its own assessment, in adaptive mode. `wants` are the existing keys of further context that it requests, `unknown`
    the others. `look_up` is the search that the assessment announces, to be run beside them. `triggers` are the
    reasons for a critique of its calls. `quoted` names the entries of the venue's profile that its text quotes;
    `withheld` is the model's own text that they replaced; `left`: its text is the rest of that, and still its own.
    `extras` is the rest of the message, such as its reasoning: some endpoints reject a next turn without it."""

    text: str = ""
    statement: ModelStatement = ModelStatement(plain="", only_asks=False)
    tool_calls: tuple[ToolCall, ...] = ()
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    quick_actions: tuple[str, ...] = ()
    mode: AiMode = AiMode.STANDARD
    assessed: ParsedAssessment | None = None
    wants: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    look_up: ToolCall | None = None
    triggers: tuple[CritiqueTrigger, ...] = ()
    quoted: tuple[str, ...] = ()
    withheld: str = ""
    left: bool = False
    extras: dict[str, Json] = Field(default_factory=dict)

    @property
    def message(self) -> ChatMessage:
        """Return the reply as a message of the transcript. Only a reply with calls keeps `extras`, because some
        endpoints reject reasoning without a call."""
        extras = self.extras if self.tool_calls else {}
        return ChatMessage(role="assistant", content=self.text, tool_calls=self.tool_calls, extras=extras)
