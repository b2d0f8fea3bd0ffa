"""A mode of reasoning: a pure pair. `prompt` builds the model's prompt, `read` interprets its answer; neither calls the
model. Tools are in the form of the chat completions protocol.

Every mode checks the calls of a reply within limits. Calls over the limit are reported to the model as a problem.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from contracts import limits
from contracts.action import AtomicAction
from contracts.base import Json
from contracts.chat_completion import ChatMessage, ModelReply, ReasonRequest, ToolCall
from contracts.enums import ParameterRole
from contracts.venue import VenueKnowledge, VenueProfile
from reasoning.critique.assessment import strip_assessment
from reasoning.modes import reply_filter
from reasoning.modes.prompts import ASK, REFUSE


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """What a model may call. `actions` are all that it may name, `sent` those whose schemas (`tools`) it gets; `others`
    lists the rest, a line a resource. `check` returns what is wrong with a call's arguments, in words that a model can
    act on. `knowledge` is what may be stated about the venue. `fit` converts arguments to the types of the action, if
    that loses nothing."""

    profile: VenueProfile
    actions: Mapping[str, AtomicAction]
    visible: Sequence[AtomicAction]
    tools: Sequence[dict[str, Json]]
    others: str
    check: Callable[[AtomicAction, dict[str, Json]], list[str]]
    knowledge: VenueKnowledge = field(default_factory=VenueKnowledge)
    fit: Callable[[AtomicAction, dict[str, Json]], dict[str, Json]] = lambda _, given: given


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model receives: the system prompt and the tools. `purpose` names the purpose in recorded calls. `messages`
    are the transcript messages to send; None for all of them. `version` identifies the version of the text."""

    purpose: str
    system: str
    tools: list[dict[str, Json]]
    messages: tuple[ChatMessage, ...] | None = None
    version: str = ""


class Mode(Protocol):
    """The pair of functions; each mode module implements it."""

    def prompt(self, request: ReasonRequest, offer: ToolOffer) -> Prompt:
        """Return the prompt."""

    def read(self, request: ReasonRequest, offer: ToolOffer, completion: ModelReply) -> ModelReply:
        """Return the reply, checked and bounded. An invalid answer becomes problems in words, never an exception."""


Form = Callable[[AtomicAction, dict[str, Json]], dict[str, Json]]

_BUILTIN = frozenset({ASK, REFUSE})


def parse_reply(completion: ModelReply, profile: VenueProfile, read: Callable[[ToolCall], ToolCall]) -> ModelReply:
    """Return the reply, each call read by `read`."""
    calls = [read(call) for call in completion.tool_calls]
    reads = [c for c in calls if c.kind == "read" and not c.problems]
    for call in reads[limits.LOOK_UPS :]:
        text = f"Not looked up: make at most {limits.LOOK_UPS} look-ups in one reply."
        calls[calls.index(call)] = call.model_copy(update={"problems": (text,)})
    text = strip_assessment(completion.text)
    reply = completion.model_copy(
        update={"text": text, "tool_calls": tuple(calls), "quick_actions": profile.quick_actions}
    )
    return reply.model_copy(
        update={"statement": reply_filter.strip_effect_claims(reply_filter.operator_text(reply), profile.locale)}
    )


def parse_call(
    written: ToolCall, offer: ToolOffer, confirmed: Mapping[str, Json], form: Form = lambda _, given: given
) -> ToolCall:
    """Return a call, checked. Confirmed values fill what it omits; `form` converts its values before the check."""
    action, builtin = offer.actions.get(written.name), written.name in _BUILTIN
    arguments, problems = dict(written.arguments), list(written.problems)
    if action is None:
        arguments = {k: strip_assessment(v) if builtin and isinstance(v, str) else v for k, v in arguments.items()}
        problems += limits.validate_question(arguments) if builtin else []
        kind = "builtin" if builtin else "unknown"
        return written.model_copy(update={"arguments": arguments, "problems": tuple(problems), "kind": kind})
    arguments = form(action, offer.fit(action, {k: v for k, v in arguments.items() if v is not None}))
    problems = problems or offer.check(action, {**confirmed, **arguments})
    return written.model_copy(
        update={
            "arguments": arguments,
            "kind": "read" if action.read_only else "write",
            "problems": tuple(limits.sanitize_text(problem, limits.PROBLEM) for problem in problems),
            "bookings": tuple(p.name for p in action.with_role(ParameterRole.BOOKING)),
        }
    )
