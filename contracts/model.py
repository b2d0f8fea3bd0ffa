"""What a model is asked and what it answers, as it stands in workflow histories: compatibility data like all of
`contracts/effects.py`."""

from typing import Literal

from pydantic import Field

from contracts.action import AtomicAction
from contracts.assessment import Assessed
from contracts.base import Frozen, Instant, Json
from contracts.booking import BookingSummary
from contracts.enums import AiMode, CritiqueTrigger
from contracts.plan import PlannedAction
from contracts.tracing import TracePlace
from contracts.venue import VenueProfile


class ToolCall(Frozen):
    """One action a model wants run. `problems` says what is wrong with the arguments, in words a model can act on;
    `kind` tells what the name stands for. `extras` is what else came with it, such as a signature: it goes back with
    it, unread."""

    id: str
    name: str
    arguments: dict[str, Json] = Field(default_factory=dict)
    kind: Literal["read", "write", "builtin", "unknown"] = "unknown"
    problems: tuple[str, ...] = ()
    bookings: tuple[str, ...] = Field(default=(), description="Arguments that name a booking")
    template: str = Field(default="", description="The template that it comes of")
    filled: dict[str, Json] = Field(
        default_factory=dict, description="Values that nobody confirmed and that the operator's answers bear out"
    )
    extras: dict[str, Json] = Field(default_factory=dict)


class ChatMessage(Frozen):
    """One message of a model's transcript. `extras`: see `ModelReply`."""

    role: Literal["user", "assistant", "tool"]
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    extras: dict[str, Json] = Field(default_factory=dict)


class PlanningContext(Frozen):
    """What the planner knows beside the transcript: bookings already resolved in this chat (the one spoken of
    last comes last), candidates offered by the last question, the plan awaiting confirmation, and the one that has just
    failed; `taken_back` are the ids of what a plan was about that has just been undone, `open` is how many of our
    questions in a row the request under way has met with."""

    known: tuple[BookingSummary, ...] = ()
    offered: tuple[BookingSummary, ...] = ()
    pending: tuple[PlannedAction, ...] = ()
    failed: tuple[PlannedAction, ...] = ()
    taken_back: tuple[str, ...] = ()
    open: int = 0


class GivenAnswer(Frozen):
    """What the operator answered to a running plan's question, and which parameter the question was about (None when
    it named none)."""

    text: str
    parameter: str | None = None


class ReasonRequest(Frozen):
    """One model call. With `goal`, it carries out that confirmed plan with `actions` only; without, it plans with
    the registry's actions. `now` is the venue's clock, `answers` what the operator answered in the step under way.
    `mode` is that of the turn's first call, None for the first call itself, which goes by what the venue is set to;
    `fetched` are the keys of further context that a reply of this turn has asked for."""

    venue_id: str
    now: Instant
    messages: tuple[ChatMessage, ...]
    context: PlanningContext = PlanningContext()
    goal: tuple[PlannedAction, ...] | None = None
    intent: str = ""
    actions: tuple[AtomicAction, ...] = ()
    answers: tuple[GivenAnswer, ...] = ()
    profile: VenueProfile | None = None
    trace_id: str = ""
    place: TracePlace | None = None
    personal: tuple[str, ...] = Field(default=(), description="Names and the like that no trace may show")
    mode: AiMode | None = None
    fetched: tuple[str, ...] = ()
    plan_id: str = ""


class ModelWords(Frozen):
    """What a model says to the operator: `plain` without what it claims to have done ("" when nothing is left).
    `only_asks`: it was all questions."""

    plain: str
    only_asks: bool


class ModelReply(Frozen):
    """What a model answered. Token counts are 0 where the endpoint does not tell. `judged`: values that nobody
    confirmed were held against the operator's answers (`ToolCall.filled`). `words`: what it says to the operator
    (`reasoning.saying`); None in replies from before. `mode` is the one that it was asked in; `assessed` what it says
    of itself, in adaptive mode; `wants` the keys of further context that it asks for and that there are, `unknown`
    those that there are not. `triggers` tell why its calls are to be looked at a second time. `quoted` names the
    entries of the venue's profile that its words are; `withheld` is what the model said in their place; `left`: its
    words are what is left of those, and still its own. `extras` is what else the message had, such as its reasoning:
    some endpoints refuse a next turn without it."""

    text: str = ""
    words: ModelWords | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    quick_actions: tuple[str, ...] = ()
    judged: bool = False
    mode: AiMode = AiMode.STANDARD
    assessed: Assessed | None = None
    wants: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    triggers: tuple[CritiqueTrigger, ...] = ()
    quoted: tuple[str, ...] = ()
    withheld: str = ""
    left: bool = False
    extras: dict[str, Json] = Field(default_factory=dict)

    @property
    def message(self) -> ChatMessage:
        """Its place in the transcript. What goes back is what belongs to calls: there are endpoints that take no
        reasoning back where nothing was called."""
        extras = self.extras if self.tool_calls else {}
        return ChatMessage(role="assistant", content=self.text, tool_calls=self.tool_calls, extras=extras)


class WrittenCall(Frozen):
    """One call as a model wrote it: `arguments` is text, JSON at best. `extras`: see `ToolCall`."""

    id: str
    name: str
    arguments: str
    extras: dict[str, Json] = Field(default_factory=dict)


class Completion(Frozen):
    """A chat completion, within bounds and not yet understood: the first `calls` of so many `made`. Token counts are 0
    where the endpoint does not tell."""

    text: str = ""
    calls: tuple[WrittenCall, ...] = ()
    made: int = 0
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    extras: dict[str, Json] = Field(default_factory=dict)
