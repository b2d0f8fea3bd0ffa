"""What the last try of a reversal left when it was given up: why it did not work, and whether a compensation may have
been sent. A try that fails says so in its details; of one that ran out of time the last heartbeat tells."""

from dataclasses import dataclass

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, TimeoutError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.effects import UndoReply
    from contracts.errors import VenueFailure


@dataclass(frozen=True, slots=True)
class LastTry:
    """`sent`: whether a compensation may have been sent. `manual` is what a person would do, as that try saw it."""

    sent: bool = True
    failure: VenueFailure | None = None
    manual: str = ""


def last_try(error: ActivityError) -> LastTry:
    """What is known of the last try. Where nothing is, a compensation may have been sent."""
    cause, sent = error.cause, None
    while cause is not None:
        if isinstance(cause, TimeoutError) and sent is None:
            sent = signatures.NOTHING_SENT not in cause.last_heartbeat_details
        if isinstance(cause, ApplicationError) and cause.details:
            reply = UndoReply.model_validate(cause.details[0])
            return LastTry(reply.sent if sent is None else sent, reply.failure, reply.manual)
        cause = cause.__cause__
    return LastTry(sent is not False)
