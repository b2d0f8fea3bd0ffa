"""How a model judges its own reply, how a second call judges a plan, and what is kept of both (guided reasoning).

Compatibility data like all of `contracts/effects.py`: it stands in workflow histories.
"""

from typing import Literal

from pydantic import Field

from contracts.base import Frozen, Instant, Json
from contracts.enums import AiMode, CritiqueDecision, CritiqueTrigger
from contracts.plan import PlannedAction
from contracts.tracing import TracePlace


class Assessment(Frozen):
    """What a model says of its own reply: `confidence` from 1 (hardly) to 10 (surely), the tool it calls with which
    parameters, what it lacks, and which context it wants to see (`policies.*`, `faqs`, `ai_instructions`,
    `contact.full`, `about.full`, `tool_schema:NAME`)."""

    confidence: int = Field(ge=1, le=10)
    tool_call: str | None = None
    tool_params: dict[str, Json] = Field(default_factory=dict)
    missing_params: tuple[str, ...] = ()
    is_destructive: bool = False
    needs_confirmation: bool = False
    needs_more_context: tuple[str, ...] = ()


class Assessed(Frozen):
    """What became of a reply's assessment. `assured` only where it was there, could be read and fits what the reply
    does; `doubts` are, in words for engineers, why not."""

    assessment: Assessment | None = None
    doubts: tuple[str, ...] = ()

    @property
    def assured(self) -> bool:
        """Whether it may be believed."""
        return self.assessment is not None and not self.doubts


class CritiqueRequest(Frozen):
    """A plan, or look-ups, to be judged by a second call before anything comes of them. `said` is what the operator
    said, latest first; `settled` and `open` are the points of the checklist that code has decided and that are left
    to judge; `now` is the venue's clock."""

    venue_id: str
    now: Instant
    said: tuple[str, ...]
    steps: tuple[PlannedAction, ...]
    triggers: tuple[CritiqueTrigger, ...]
    assessed: Assessed = Assessed()
    settled: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    trace_id: str = ""
    place: TracePlace | None = None
    plan_id: str = ""
    mode: AiMode = AiMode.ADAPTIVE
    personal: tuple[str, ...] = Field(default=(), description="Names and the like that no trace may show")


class Critique(Frozen):
    """What a critique decided: `reasoning` is for engineers, `message` the question for the operator (ask_user) or the
    reason for a person (escalate)."""

    decision: CritiqueDecision
    reasoning: str = ""
    message: str = ""
    only_confirmation: bool = Field(default=False, description="It asks for nothing but a confirmation")
    only_asks: bool = Field(default=False, description="Its message is all questions")


class InternalMessage(Frozen):
    """One step of reasoning as engineers read it, never sent to operators. Numbered from 1 over a chat's whole life."""

    number: int
    at: Instant
    request_id: str
    kind: Literal["assessment", "context", "critique", "decision"]
    mode: AiMode
    text: str
    details: dict[str, Json] = Field(default_factory=dict)
