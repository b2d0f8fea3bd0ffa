"""A worker's roles and their task queues: plans and chats, venue calls, model calls.

One queue serves all three unless `IQ_SPLIT_QUEUES` is set. A queue's name is frozen into a chat and its plans when they
begin. A worker therefore also polls the queues of plans that began before the setting changed.
"""

from enum import StrEnum


class Role(StrEnum):
    """A worker's role. `PLAN` serves the queue of the workflows with all its activities, including those of plans that
    began before the queues were split."""

    PLAN = "plan"
    VENUE = "venue"
    MODEL = "model"


ALL_ROLES = tuple(Role)

VENUE_ACTIVITIES = frozenset({"look_up", "draft", "take_snapshot", "act", "read_back", "undo_step"})
"""Activities that call a venue's API, by their persisted names."""

MODEL_ACTIVITIES = frozenset({"reason", "critique"})
"""Activities that call a model."""


def task_queue_for(base: str, role: Role) -> str:
    """Return the task queue of a role; `base` is the queue of the workflows."""
    return base if role is Role.PLAN else f"{base}-{role}"
