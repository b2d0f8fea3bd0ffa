"""What a short reply says of the plan it is for, beside yes or no."""

from contracts.base import Frozen

CANCEL = "cancel"
"""What a step does that cancels; for all others it is the roles of what they set."""


class Aside(Frozen):
    """Words beside a short reply that must be held against the plan (`reasoning.asides`).

    `names` must name the plan's own bookings, `strange` must not name another one; `does` is what every step of the
    plan must do: roles, or "cancel". Empty where nothing is said of it.
    """

    names: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    does: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is said of the plan."""
        return not (self.names or self.strange or self.does)
