"""Reads a venue's answers within limits, and builds the errors of calls to it for steps and look-ups."""

import httpx

from contracts import limits
from contracts.base import Json
from contracts.enums import ErrorType
from contracts.errors import VenueFailure
from infra.http.bounded_body import TooLargeError, UnsupportedEncodingError, read_bounded
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
        """Return whether a write with this error may have taken effect or still may: its status proves nothing."""
        return self.sent and not self.unprocessed


class HeldBackError(VenueError):
    """A write was ready, and its last check did not hold: nothing was sent."""


def store_unavailable_error() -> VenueError:
    """Return the error for an unavailable store of tokens or of locks: nothing was sent."""
    return own_error("store_away", "store_away")


def own_error(message: str, way_on: str) -> VenueError:
    """Return the error for a failed part of this service: nothing was sent."""
    suggestions = (translate(f"next.{way_on}"),)
    failure = VenueFailure(
        error_type=ErrorType.NETWORK, message=translate(f"failure.{message}"), suggestions=suggestions
    )
    return VenueError(failure, sent=False)


def credentials_error(status: int | None = None) -> VenueError:
    """Return the error for missing or rejected credentials of the service: nothing was done. No operator can fix it."""
    message, suggestion = translate("failure.shut_out"), translate("next.shut_out")
    # Not `unauthorized`: a plan would wait for its operator to sign in, which does not help.
    failure = VenueFailure(error_type=ErrorType.SERVER_ERROR, status=status, message=message, suggestions=(suggestion,))
    return VenueError(failure, sent=status is not None)


def malformed_response_error(why: str) -> VenueError:
    """Return the error for an unusable answer of the venue: the outcome of the call is unknown."""
    message, suggestion = translate("failure.unreadable"), translate("next.unreadable")
    failure = VenueFailure(
        error_type=ErrorType.SERVER_ERROR, message=message, detail=f"the answer is {why}", suggestions=(suggestion,)
    )
    return VenueError(failure, sent=True)


async def read_body(response: httpx.Response) -> bytes | str:
    """Return the body; or, as a string, why it cannot be read: it is too long, or compressed in layers."""
    try:
        return await read_bounded(response, limits.ANSWER_BYTES)
    except TooLargeError:
        return "too large"
    except UnsupportedEncodingError as error:
        return str(error)


def parsed_body(raw: bytes | str, response: httpx.Response) -> Json:
    """Return the parsed JSON, the text if it is not JSON, None if it is empty. Raises ValueError for a body over the
    limit."""
    if isinstance(raw, str):
        raise ValueError(raw)
    if not raw:
        return None
    try:
        return limits.sanitize_json(limits.parse_json(raw, limits.ANSWER_DEPTH))
    except limits.TooDeepError:
        raise
    except ValueError:
        return limits.sanitize_text(_text(raw, response.charset_encoding)[:2000], 2000)


def _text(raw: bytes, charset: str | None) -> str:
    try:
        return raw.decode(charset or "utf-8", "replace")
    except LookupError:
        return raw.decode("utf-8", "replace")
