"""What one message to the service is answered with."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.base import QuickAction, StrictModel
from contracts.booking import BookingSummary
from contracts.plan import ExecutionPlan


class PlanTurn(StrictModel):
    """A plan to confirm."""

    type: Literal["plan"] = "plan"
    plan: ExecutionPlan
    message: str = ""
    quick_actions: list[QuickAction] = Field(default_factory=list)


class ClarificationTurn(StrictModel):
    """One question; `candidates` when it is "which booking?"."""

    type: Literal["clarification"] = "clarification"
    question: str
    candidates: list[BookingSummary] = Field(default_factory=list)
    quick_actions: list[QuickAction] = Field(default_factory=list)


class AnswerTurn(StrictModel):
    """A text answer, with nothing to confirm and no question."""

    type: Literal["answer"] = "answer"
    message: str
    quick_actions: list[QuickAction] = Field(default_factory=list)


class EscalationTurn(StrictModel):
    """Handed to a person; `reason` is the kind of it (an `EscalationReason`), never a model's words, `reference` what
    both sides call it."""

    type: Literal["escalation"] = "escalation"
    message: str
    reason: str
    reference: str = ""
    quick_actions: list[QuickAction] = Field(default_factory=list)


Turn = Annotated[PlanTurn | ClarificationTurn | AnswerTurn | EscalationTurn, Field(discriminator="type")]
