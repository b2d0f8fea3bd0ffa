"""Errors of calls to a venue, as steps and look-ups meet them."""

from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from language.messages.catalogue import translate


class VenueError(Exception):
    """A call that did not succeed. `sent` is False when the request certainly never reached the venue; `unprocessed` is
    True when the overlay declares that the venue refuses so before it does anything."""

    def __init__(self, failure: VenueFailure, *, sent: bool, unprocessed: bool = False) -> None:
        super().__init__(f"{failure.error_type} {failure.status or ''}".strip())
        self.failure = failure
        self.sent = sent
        self.unprocessed = unprocessed

    @property
    def may_have_landed(self) -> bool:
        """Whether a write that failed so may have taken effect, or still may: its status proves nothing."""
        return self.sent and not self.unprocessed


class HeldBackError(VenueError):
    """A write was ready, and its last check did not hold: nothing was sent."""


def store_unavailable_error() -> VenueError:
    """Nothing was sent, because the store of tokens or of locks does not answer."""
    return own_error("store_away", "store_away")


def own_error(message: str, way_on: str) -> VenueError:
    """Nothing was sent, because of a part of this service."""
    suggestions = (translate(f"next.{way_on}"),)
    failure = VenueFailure(
        error_type=ErrorType.NETWORK, message=translate(f"failure.{message}"), suggestions=suggestions
    )
    return VenueError(failure, sent=False)


def credentials_error(status: int | None = None) -> VenueError:
    """The service's own credentials are missing or not taken: nothing was done, and no operator can mend it."""
    message, suggestion = translate("failure.shut_out"), translate("next.shut_out")
    # No `unauthorized`: a plan would wait for its operator to sign in, who has nothing to do with it.
    failure = VenueFailure(error_type=ErrorType.SERVER_ERROR, status=status, message=message, suggestions=(suggestion,))
    return VenueError(failure, sent=status is not None)


def malformed_response_error(why: str) -> VenueError:
    """A call that the venue answered with nothing that can be made use of: what became of it is not known."""
    message, suggestion = translate("failure.unreadable"), translate("next.unreadable")
    failure = VenueFailure(
        error_type=ErrorType.SERVER_ERROR, message=message, detail=f"the answer is {why}", suggestions=(suggestion,)
    )
    return VenueError(failure, sent=True)
