"""Whether a step that was refused for a value may be sent again with another one.

What was refused may have been done all the same: a gateway lets a request through and answers for itself, late or not.
So a look that shows nothing is no proof, and a second request may make a second booking.
"""

from contracts.action import AtomicAction
from contracts.effects import ActReply
from contracts.enums import ParameterRole

_SAME_TWICE = frozenset({"PUT", "DELETE"})


def may_be_sent_again(action: AtomicAction, refused: ActReply) -> bool:
    """Whether a second request can do no harm, whatever came of the first. A refusal that proves that nothing was
    processed is enough for a change of what is there; something new must carry a key that it is recognised by."""
    if not refused.sent:
        return True
    if _makes_new(action):
        return refused.unprocessed and (action.marker is not None or action.idempotency_header is not None)
    return refused.unprocessed or action.idempotent or action.operation.method.upper() in _SAME_TWICE


def _makes_new(action: AtomicAction) -> bool:
    reads = action.verify.reads if action.verify is not None else ()
    return bool(reads) or not action.with_role(ParameterRole.BOOKING)
