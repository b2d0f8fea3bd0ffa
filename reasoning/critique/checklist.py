"""What must hold of a call before it takes effect. The critique of a plan (a second model call) and the guard (before
each write) share this list. Source: guided reasoning, "Self-Critique Checklist"."""

from collections.abc import Collection, Sequence
from enum import StrEnum


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
    CheckItem.UNAMBIGUOUS: "Each value is borne out by the operator's words, and the booking was singled out by them.",
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
