"""Which part is away, as a failed errand of a chat tells it."""

from temporalio.exceptions import ActivityError, ApplicationError

PART = "away."
"""Before the name of a part, as `[away]` has it: the type of an errand's failure that knows which one was away."""

_SENT_TO = {"reason": "model", "look_up": "venue", "draft": "venue", "claim_confirm": "store"}
"""What an errand that came back with nothing was sent to; the others talk to Temporal."""
_MODEL_TROUBLE = "model_unavailable"
_STORE_TROUBLE = frozenset({"ConnectionError", "TimeoutError", "BusyLoadingError", "StoreAwayError", "StoreAway"})
"""How a failed activity names a Redis that is away: other clients' failures are told by their own words."""


def part_of(error: ActivityError) -> str:
    """Which part is away when an errand failed."""
    if isinstance(error.cause, ApplicationError):
        kind = error.cause.type or ""
        if kind.startswith(PART):
            return kind.removeprefix(PART)
        if kind in _STORE_TROUBLE:
            return "store"
        # The activity ran and failed without naming a part that is away: a fault of this service.
        return "model" if kind == _MODEL_TROUBLE else "service"
    return _SENT_TO.get(error.activity_type, "slow")
