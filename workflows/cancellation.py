"""Whether somebody wants a plan to end: one flag, seen by everything that waits."""

from dataclasses import dataclass


@dataclass(slots=True)
class Cancellation:
    """`superseded_by` is the plan that replaces this one, if one does."""

    requested: bool = False
    superseded_by: str | None = None
