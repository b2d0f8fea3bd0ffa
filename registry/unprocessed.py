"""`unprocessed: true`, checked: it may stand only beside what no first copy of the same request can cause.

A gateway may send a request twice and pass on the second answer. Then "no room", an overlap, a duplicate or a conflict
is true, and the reason is our own first request. A validation error is about the request itself.
"""

from contracts.action import AtomicAction
from contracts.enums import ErrorType
from registry.findings import Findings
from registry.overlay import ErrorOverlay, OverlayFile

_CONFLICTS = (409, 412)
_REASON = "may be caused by a first copy of the same request, so it does not prove that nothing was done"
_HINT = "leave `unprocessed` out (looks then tell), or keep it for validation errors, by a rule with their own `code`"


def check_unprocessed(action: AtomicAction, overlay: OverlayFile, findings: Findings) -> None:
    """Add an error for each rule that declares a want of room or a conflict unprocessed."""
    of_room = {code for code, _ in action.room.needs} if action.room is not None else set()
    for index, rule in enumerate(overlay.errors):
        if rule.unprocessed and (why := _why(rule, of_room)):
            findings.error(("errors", index, "unprocessed"), f"{why} {_REASON}", _HINT)


def _why(rule: ErrorOverlay, of_room: set[str]) -> str:
    codes = rule.code if isinstance(rule.code, list) else [rule.code]
    if rule.type is ErrorType.CONFLICT:
        return "a conflict"
    if rule.status in _CONFLICTS:
        return f"a {rule.status}"
    room = [code for code in codes if code in of_room] if rule.type is None else []
    return f"{room[0]}, which is of `room`," if room else ""
