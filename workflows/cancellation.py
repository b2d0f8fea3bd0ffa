"""Whether somebody wants a plan to end: one flag, seen by everything that waits."""

from dataclasses import dataclass


@dataclass(slots=True)
class Cancellation:
    """Set once, by a cancel of the operator's or of Temporal's."""

    requested: bool = False
