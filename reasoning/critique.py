"""When a reply is looked at a second time, and what may come of that. Code decides both; a model only answers in
between. Source: guided reasoning, "Critique Trigger Check" and "Decision Tree".
"""

from collections.abc import Iterable
from enum import Enum

from contracts.action import AtomicAction
from contracts.assessment import Assessed, Critique
from contracts.enums import CritiqueDecision, CritiqueTrigger, EscalationReason, SafetyTier
from contracts.model import ToolCall

SURE = 7
"""From this confidence on a reply is not doubted."""

LEAST = 6
"""Below this confidence nothing proceeds: it is asked about, or handed to a person."""


class Calls(Enum):
    """What a reply calls, as far as anything may come of it. Where it looks something up nothing else does."""

    NONE = "none"
    READS = "reads"
    CHANGES = "changes"


def called(calls: Iterable[ToolCall]) -> Calls:
    """What kind of calls these are."""
    kinds = {call.kind for call in calls}
    return Calls.READS if "read" in kinds else Calls.CHANGES if "write" in kinds else Calls.NONE


def destructive(action: AtomicAction) -> bool:
    """Whether the overlay says that a change is dangerous, or that nothing takes it back."""
    return not action.read_only and (action.safety is not SafetyTier.NORMAL or not action.reversible)


def triggers(calls: Calls, *, destroys: bool, lacks: bool, assessed: Assessed) -> tuple[CritiqueTrigger, ...]:
    """Why a reply is looked at a second time; nothing where it is not.

    `destroys` and `lacks` are what code knows: a call is destructive, or lacks a required parameter. The model may add
    to both, and clear neither. The truth table stands in `tests/unit/reasoning/test_critique.py`.
    """
    judged = assessed.assessment
    if calls is Calls.NONE:
        return ()
    reasons = {
        CritiqueTrigger.LOW_CONFIDENCE: judged is not None and judged.confidence < SURE,
        CritiqueTrigger.NOT_ASSURED: not assessed.assured,
    }
    if calls is Calls.CHANGES:
        reasons |= {
            CritiqueTrigger.DESTRUCTIVE: destroys or (judged is not None and judged.is_destructive),
            CritiqueTrigger.MISSING_PARAMETERS: lacks or (judged is not None and bool(judged.missing_params)),
            CritiqueTrigger.NEEDS_CONFIRMATION: judged is not None and judged.needs_confirmation,
        }
    return tuple(reason for reason in CritiqueTrigger if reasons.get(reason))


def too_unsure(assessed: Assessed | None) -> bool:
    """Whether a reply is so little sure of itself that nothing may come of it but a question."""
    return assessed is not None and assessed.assessment is not None and assessed.assessment.confidence < LEAST


def decided(critique: Critique, assessed: Assessed | None) -> tuple[CritiqueDecision, EscalationReason | None]:
    """What comes of a critique, and why a person is called where one is. A question that asks for nothing but a
    confirmation is none: the plan that is shown next asks for it, and a look-up needs none."""
    if critique.decision is CritiqueDecision.ESCALATE:
        return CritiqueDecision.ESCALATE, EscalationReason.CRITIQUE
    if critique.decision is CritiqueDecision.ASK_USER and not critique.only_confirmation:
        return CritiqueDecision.ASK_USER, None
    if too_unsure(assessed):
        return CritiqueDecision.ESCALATE, EscalationReason.LOW_CONFIDENCE
    return CritiqueDecision.PROCEED, None
