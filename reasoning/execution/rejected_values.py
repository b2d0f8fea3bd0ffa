"""Decides whether a step that was rejected for a value may be sent again with another value.

The rejected request may have been applied all the same: a gateway passes a request on and answers for itself, late or
not. A read that shows nothing is therefore no proof, and a second request may create a second booking.
"""

from contracts.action import AtomicAction
from contracts.enums import ParameterRole
from contracts.step_activities import ActReply

_SAME_TWICE = frozenset({"PUT", "DELETE"})


def may_be_sent_again(action: AtomicAction, refused: ActReply) -> bool:
    """Return whether a second request is safe whatever the outcome of the first. A rejection that proves that nothing
    was processed is enough for a change. A creation also needs an idempotency key."""
    if not refused.sent:
        return True
    if _makes_new(action):
        return refused.unprocessed and (action.marker is not None or action.idempotency_header is not None)
    return refused.unprocessed or action.idempotent or action.operation.method.upper() in _SAME_TWICE


def _makes_new(action: AtomicAction) -> bool:
    reads = action.verify.reads if action.verify is not None else ()
    return bool(reads) or not action.with_role(ParameterRole.BOOKING)
