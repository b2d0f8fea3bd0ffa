"""The result of the last attempt of a compensation that was given up: why it failed, and whether a compensation may
have been sent. A failed attempt has this in its details, a timed-out one in its last heartbeat."""

from dataclasses import dataclass

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, TimeoutError

with workflow.unsafe.imports_passed_through():
    from contracts import persisted_names
    from contracts.errors import VenueFailure
    from contracts.step_activities import StepUndoResult


@dataclass(frozen=True, slots=True)
class LastTry:
    """`sent`: whether a compensation may have been sent. `manual`: the manual instructions, as that attempt saw the
    state."""

    sent: bool = True
    failure: VenueFailure | None = None
    manual: str = ""


def last_attempt(error: ActivityError) -> LastTry:
    """Return what is known of the last attempt. If nothing is, a compensation may have been sent."""
    cause, sent = error.cause, None
    while cause is not None:
        if isinstance(cause, TimeoutError) and sent is None:
            sent = persisted_names.NOTHING_SENT not in cause.last_heartbeat_details
        if isinstance(cause, ApplicationError) and cause.details:
            reply = StepUndoResult.model_validate(cause.details[0])
            return LastTry(reply.sent if sent is None else sent, reply.failure, reply.manual)
        cause = cause.__cause__
    return LastTry(sent is not False)
