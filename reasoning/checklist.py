"""What must hold of a call before it takes effect: one list for the critique of a plan, which a second model call
judges, and for the guard, which stands in front of each write. Source: guided reasoning, "Self-Critique Checklist".
"""

from collections.abc import Collection, Sequence
from enum import StrEnum


class Point(StrEnum):
    """One point of the list."""

    EXISTS = "exists"
    ENABLED = "enabled"
    CONFIGURED = "configured"
    COMPLETE = "complete"
    VALID = "valid"
    UNAMBIGUOUS = "unambiguous"
    FITTING = "fitting"
    REQUESTED = "requested"
    CONFIRMED = "confirmed"


QUESTIONS: dict[Point, str] = {
    Point.EXISTS: "Does each tool exist?",
    Point.ENABLED: "Is it enabled for this venue?",
    Point.CONFIGURED: "Is the integration it needs configured?",
    Point.COMPLETE: "Are all required parameters given?",
    Point.VALID: "Are their formats valid (e-mail address, phone number, day, time)?",
    Point.UNAMBIGUOUS: "Is every value free of a second reading that should be asked about?",
    Point.FITTING: "Is this the correct tool for what the operator said, and nothing more than that?",
    Point.REQUESTED: "Did the operator ask for this explicitly, not just imply it?",
    Point.CONFIRMED: "Is a destructive action confirmed?",
}
"""As a model is asked them, where code has not decided."""

_SETTLED: dict[Point, str] = {
    Point.EXISTS: "Each tool exists.",
    Point.ENABLED: "Each is enabled for this venue.",
    Point.CONFIGURED: "The integration is configured.",
    Point.COMPLETE: "All required parameters are given.",
    Point.VALID: "All values have a valid form.",
    Point.UNAMBIGUOUS: "Each value is borne out by the operator's words, and the booking was singled out by them.",
    Point.REQUESTED: "The operator's words ask for each of these changes.",
    Point.CONFIRMED: "A confirmation follows: the operator is shown the plan and must confirm it. Do not ask for one.",
}

_BY_FORM = (Point.EXISTS, Point.ENABLED, Point.CONFIGURED, Point.COMPLETE, Point.VALID)
"""What the registry has decided by the time that a call is read."""


def settled_of(*, drafted: bool, lacking: Sequence[str] = ()) -> tuple[dict[Point, str], tuple[Point, ...]]:
    """(what code has decided, with how; what is left to judge) of calls. `drafted`: each value was held against the
    words, and what they ask for against the plan. `lacking` names required parameters that are not given."""
    done = [*_BY_FORM, Point.CONFIRMED, *((Point.UNAMBIGUOUS, Point.REQUESTED) if drafted else ())]
    told = {point: _SETTLED[point] for point in Point if point in done}
    if lacking:
        told[Point.COMPLETE] = f"NOT given: {', '.join(lacking)}. So this cannot be carried out as it is."
        told.pop(Point.VALID)
    return told, left_open(told)


def left_open(told: Collection[Point]) -> tuple[Point, ...]:
    """The points that are not among these."""
    return tuple(point for point in Point if point not in told)
