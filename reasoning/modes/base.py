"""A mode of reasoning: a pure pair. `prompt` builds the model's prompt, `read` interprets its answer; neither calls the
model. Tools are in the form of the chat completions protocol."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.chat_completion import ChatMessage, Completion, ModelReply, ReasonRequest
from contracts.venue import VenueKnowledge, VenueProfile


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

    def read(self, request: ReasonRequest, offer: ToolOffer, completion: Completion) -> ModelReply:
        """Return the reply, checked and bounded. An invalid answer becomes problems in words, never an exception."""
