"""A mode of reasoning: a pure pair. `prompt` says what a model is asked, `read` what its answer means; who asks it is
none of theirs. Tools are in the form of the chat completions protocol."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.model import ChatMessage, Completion, ModelReply, ReasonRequest
from contracts.venue import VenueKnowledge, VenueProfile


@dataclass(frozen=True, slots=True)
class Offer:
    """What a model may call. `actions` are all that it may name, `sent` those whose schemas (`tools`) it gets; `others`
    tells of the rest, a line a resource. `check` tells what is wrong with a call's arguments, in words that a model can
    act on. `knowledge` is what may be said of the venue. `fit` gives arguments in the types that the action wants,
    where that loses nothing."""

    profile: VenueProfile
    actions: Mapping[str, AtomicAction]
    sent: Sequence[AtomicAction]
    tools: Sequence[dict[str, Json]]
    others: str
    check: Callable[[AtomicAction, dict[str, Json]], list[str]]
    knowledge: VenueKnowledge = field(default_factory=VenueKnowledge)
    fit: Callable[[AtomicAction, dict[str, Json]], dict[str, Json]] = lambda _, given: given


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked: the system prompt and the tools. `purpose` names what for, where calls are recorded.
    `messages` are those of the transcript that it is sent; None for all of them. `version` tells its text from those
    before and after it."""

    purpose: str
    system: str
    tools: list[dict[str, Json]]
    messages: tuple[ChatMessage, ...] | None = None
    version: str = ""


class Mode(Protocol):
    """The pair; a module of this room is one."""

    def prompt(self, request: ReasonRequest, offer: Offer) -> Prompt:
        """What to ask."""

    def read(self, request: ReasonRequest, offer: Offer, completion: Completion) -> ModelReply:
        """What was answered, checked and bounded. Nonsense becomes problems in words, never an exception."""
