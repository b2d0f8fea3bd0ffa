"""Things to tap: what a button shows, and the message that tapping it sends."""

from contracts.base import Frozen


class QuickAction(Frozen):
    """A button: `label` is shown, `say` is what tapping it sends, complete by itself."""

    label: str
    say: str
