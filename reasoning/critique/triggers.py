"""Decides when a reply gets a critique, and what may follow from it. Code decides both; the model only answers in
between. Source: guided reasoning, "Critique Trigger Check" and "Decision Tree".

The checklist is what must hold of a call before it takes effect; the critique of a plan (a second model call) and the
guard (before each write) share it. Source: guided reasoning, "Self-Critique Checklist".
"""

from collections.abc import Collection, Iterable, Sequence
from enum import Enum, StrEnum

from contracts.action import AtomicAction
from contracts.chat_completion import Critique, ParsedAssessment, ToolCall
from contracts.enums import CritiqueDecision, CritiqueTrigger, EscalationReason, SafetyTier

SURE = 7
"""From this confidence on a reply is not doubted."""

LEAST = 6
"""Below this confidence nothing proceeds: the operator is asked, or the message is escalated."""


class CallKind(Enum):
    """What a reply calls, as far as it can take effect. A reply with a look-up does nothing else."""

    NONE = "none"
    READS = "reads"
    CHANGES = "changes"


def classify_calls(calls: Iterable[ToolCall]) -> CallKind:
    """Return what kind of calls these are."""
    kinds = {call.kind for call in calls}
    return CallKind.READS if "read" in kinds else CallKind.CHANGES if "write" in kinds else CallKind.NONE


def destructive(action: AtomicAction) -> bool:
    """Return whether the overlay declares a change dangerous or irreversible."""
    return not action.read_only and (action.safety is not SafetyTier.NORMAL or not action.reversible)


def triggers(
    calls: CallKind, *, destroys: bool, lacks: bool, assessed: ParsedAssessment
) -> tuple[CritiqueTrigger, ...]:
    """Return why a reply needs a critique; empty if it needs none.

    `destroys` and `lacks` are what code knows: a call is destructive, or lacks a required parameter. The model may add
    to both and clear neither. `tests/unit/reasoning/test_critique.py` has the truth table.
    """
    judged = assessed.assessment
    if calls is CallKind.NONE:
        return ()
    reasons = {
        CritiqueTrigger.LOW_CONFIDENCE: judged is not None and judged.confidence < SURE,
        CritiqueTrigger.NOT_ASSURED: not assessed.trusted,
    }
    if calls is CallKind.CHANGES:
        reasons |= {
            CritiqueTrigger.DESTRUCTIVE: destroys or (judged is not None and judged.is_destructive),
            CritiqueTrigger.MISSING_PARAMETERS: lacks or (judged is not None and bool(judged.missing_params)),
            CritiqueTrigger.NEEDS_CONFIRMATION: judged is not None and judged.needs_confirmation,
        }
    return tuple(reason for reason in CritiqueTrigger if reasons.get(reason))


def below_threshold(assessed: ParsedAssessment | None) -> bool:
    """Return whether a reply's confidence is so low that it may only lead to a question."""
    return assessed is not None and assessed.assessment is not None and assessed.assessment.confidence < LEAST


def resolve(critique: Critique, assessed: ParsedAssessment | None) -> tuple[CritiqueDecision, EscalationReason | None]:
    """Return what follows from a critique, and the reason for an escalation if it is one. A question that only asks for
    confirmation is dropped: the plan that is shown next asks for it, and a look-up needs none."""
    if critique.decision is CritiqueDecision.ESCALATE:
        return CritiqueDecision.ESCALATE, EscalationReason.CRITIQUE
    if critique.decision is CritiqueDecision.ASK_USER and not critique.only_confirmation:
        return CritiqueDecision.ASK_USER, None
    if below_threshold(assessed):
        return CritiqueDecision.ESCALATE, EscalationReason.LOW_CONFIDENCE
    return CritiqueDecision.PROCEED, None


class CheckItem(StrEnum):
    """One point of the checklist."""

    EXISTS = "exists"
    ENABLED = "enabled"
    CONFIGURED = "configured"
    COMPLETE = "complete"
    VALID = "valid"
    UNAMBIGUOUS = "unambiguous"
    FITTING = "fitting"
    REQUESTED = "requested"
    CONFIRMED = "confirmed"


QUESTIONS: dict[CheckItem, str] = {
    CheckItem.EXISTS: "Does each tool exist?",
    CheckItem.ENABLED: "Is it enabled for this venue?",
    CheckItem.CONFIGURED: "Is the integration it needs configured?",
    CheckItem.COMPLETE: "Are all required parameters given?",
    CheckItem.VALID: "Are their formats valid (e-mail address, phone number, day, time)?",
    CheckItem.UNAMBIGUOUS: "Is every value free of a second reading that should be asked about?",
    CheckItem.FITTING: "Is this the correct tool for what the operator said, and nothing more than that?",
    CheckItem.REQUESTED: "Did the operator ask for this explicitly, not just imply it?",
    CheckItem.CONFIRMED: "Is a destructive action confirmed?",
}
"""The points as a model is asked them, where code has not decided."""

_SETTLED: dict[CheckItem, str] = {
    CheckItem.EXISTS: "Each tool exists.",
    CheckItem.ENABLED: "Each is enabled for this venue.",
    CheckItem.CONFIGURED: "The integration is configured.",
    CheckItem.COMPLETE: "All required parameters are given.",
    CheckItem.VALID: "All values have a valid form.",
    CheckItem.UNAMBIGUOUS: "The operator's words support each value and identify the booking.",
    CheckItem.REQUESTED: "The operator's words ask for each of these changes.",
    CheckItem.CONFIRMED: (
        "A confirmation follows: the operator is shown the plan and must confirm it. Do not ask for one."
    ),
}

_BY_FORM = (CheckItem.EXISTS, CheckItem.ENABLED, CheckItem.CONFIGURED, CheckItem.COMPLETE, CheckItem.VALID)
"""What the registry has decided by the time that a call is read."""


def decided_by_code(
    *, drafted: bool, lacking: Sequence[str] = ()
) -> tuple[dict[CheckItem, str], tuple[CheckItem, ...]]:
    """Return (what code has decided, with how; what is left to judge) of calls. `drafted`: each value was grounded, and
    the plan was checked for completeness. `lacking` names missing required parameters."""
    done = [*_BY_FORM, CheckItem.CONFIRMED, *((CheckItem.UNAMBIGUOUS, CheckItem.REQUESTED) if drafted else ())]
    fields = {point: _SETTLED[point] for point in CheckItem if point in done}
    if lacking:
        fields[CheckItem.COMPLETE] = f"NOT given: {', '.join(lacking)}. So this cannot be carried out as it is."
        fields.pop(CheckItem.VALID)
    return fields, remaining(fields)


def remaining(items: Collection[CheckItem]) -> tuple[CheckItem, ...]:
    """Return the points that are not among these."""
    return tuple(point for point in CheckItem if point not in items)
