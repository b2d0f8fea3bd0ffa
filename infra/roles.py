"""What a worker does, and the task queue where it is asked to: plans and chats, calls of venues, calls of models.

One queue serves all three unless `IQ_SPLIT_QUEUES` says otherwise. A queue's name is frozen into a chat and its plans
when they begin; so whoever may be asked by a plan from before goes on polling where it asks.
"""

from enum import StrEnum


class Role(StrEnum):
    """A worker's part. `PLAN` serves the queue of the workflows with all that is asked there, also by plans that began
    before the queues were split."""

    PLAN = "plan"
    VENUE = "venue"
    MODEL = "model"


EVERY = tuple(Role)

VENUE_ACTIVITIES = frozenset({"look_up", "draft", "take_snapshot", "act", "read_back", "undo_step"})
"""Activities that call a venue's API, by their persisted names."""

MODEL_ACTIVITIES = frozenset({"reason", "critique"})
"""Activities that call a model."""


def queue_of(base: str, role: Role) -> str:
    """The task queue of a role; `base` is that of the workflows."""
    return base if role is Role.PLAN else f"{base}-{role}"
