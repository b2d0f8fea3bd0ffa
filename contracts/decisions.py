"""What a person has decided about something that could not be settled by code, and that it was seen to."""

from enum import StrEnum

from contracts.base import Frozen, Instant


class Decision(StrEnum):
    """`applied`, `not_applied`: whether a step of unknown outcome was carried out. `done`: what was left to do by hand
    was seen to. `ended`: the workflow was ended by hand, since its tasks could not run."""

    APPLIED = "applied"
    NOT_APPLIED = "not_applied"
    DONE = "done"
    ENDED = "ended"


class PersonDecision(Frozen):
    """A person's word. `step` is None where it is about the whole; `by` is who decided, a name of the staff's."""

    decision: Decision
    step: int | None = None
    by: str
    at: Instant
