"""Messages that request exactly what a scripted model is about to propose, because a value that the message lacks, and
a request that no step covers, never reach a plan."""

from typing import Any

_WORDS = {
    "new_date": "move to {}",
    "new_start_time": "move to {}",
    "guest_count": "{} guests",
    "phone": "phone {}",
    "email": "email {}",
    "note": "note: {}",
}
_ALONE = {"cancel_booking": "cancel the booking"}
"""Actions that need words of their own whatever their values."""


def asking(whom: str, *calls: tuple[str, dict[str, Any]]) -> str:
    """Return a message about `whom` that asks for these calls and nothing else."""
    wants: list[str] = []
    for action, arguments in calls:
        wants += [_ALONE[action]] if action in _ALONE else []
        wants += [_WORDS[name].format(value) for name, value in arguments.items() if name in _WORDS]
    return f"{whom}: {', '.join(wants)}"
