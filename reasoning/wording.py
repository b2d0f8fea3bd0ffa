"""What an operator reads when something goes wrong: short, friendly, with a way out.

One place for every sentence, so that the message catalogue can take them over.
"""

from collections.abc import Sequence
from math import ceil

from contracts.enums import ErrorType, ServiceErrorType
from contracts.errors import ServiceError, VenueFailure

_DEFAULTS: dict[ErrorType, tuple[str, tuple[str, ...]]] = {
    ErrorType.BAD_REQUEST: (
        "The booking system did not accept one of the values.",
        ("Check the details and start a new request",),
    ),
    ErrorType.UNAUTHORIZED: ("Your sign-in is no longer valid.", ("Sign in again, then repeat the request",)),
    ErrorType.FORBIDDEN: (
        "You are not allowed to make this change.",
        ("Sign in again with an account that may", "Ask a manager to make the change"),
    ),
    ErrorType.NOT_FOUND: (
        "This booking no longer exists: it may have been changed or deleted.",
        ("Look the booking up again",),
    ),
    ErrorType.CONFLICT: (
        "The booking system reports a conflict: the booking or the session has changed.",
        ("Refresh the booking and try again",),
    ),
    ErrorType.SERVER_ERROR: ("The booking system is temporarily unavailable.", ("Try again in a few minutes",)),
    ErrorType.TIMEOUT: (
        "The booking system did not answer in time: there may be a connection problem.",
        ("Check the connection and try again",),
    ),
    ErrorType.NETWORK: (
        "The booking system could not be reached: there is a connection problem.",
        ("Check the connection and try again",),
    ),
    ErrorType.UNKNOWN_OUTCOME: (
        "It is not certain whether this change was made.",
        ("Look at the booking in the booking system before doing anything else",),
    ),
}


def failure_words(kind: ErrorType, retry_after: float | None = None) -> tuple[str, tuple[str, ...]]:
    """(message, suggestions) for a failed venue call; `retry_after` in seconds."""
    if kind is ErrorType.RATE_LIMITED:
        seconds = ceil(retry_after) if retry_after else 0
        wait = f"{seconds} second{'' if seconds == 1 else 's'}" if seconds else "a minute"
        return f"The booking system is busy. Retry in {wait}.", (f"Retry in {wait}",)
    return _DEFAULTS[kind]


_SERVICE = {
    ErrorType.UNAUTHORIZED: ServiceErrorType.UNAUTHORIZED,
    ErrorType.FORBIDDEN: ServiceErrorType.FORBIDDEN,
    ErrorType.NOT_FOUND: ServiceErrorType.NOT_FOUND,
    ErrorType.CONFLICT: ServiceErrorType.CONFLICT,
    ErrorType.RATE_LIMITED: ServiceErrorType.RATE_LIMITED,
}


def service_error(failure: VenueFailure) -> ServiceError:
    """A failed look-up as the error of a whole request."""
    return ServiceError(
        error_type=_SERVICE.get(failure.error_type, ServiceErrorType.SERVICE_UNAVAILABLE),
        message=failure.message,
        suggestions=list(failure.suggestions),
        retry_after_seconds=failure.retry_after_seconds,
    )


def unavailable(what: str = "The assistant") -> ServiceError:
    """Something we depend on did not answer in time."""
    return ServiceError(
        error_type=ServiceErrorType.SERVICE_UNAVAILABLE,
        message=f"{what} is not available right now. Nothing was changed.",
        suggestions=["Try again in a moment"],
        retry_after_seconds=5,
    )


def rephrase(quick: Sequence[str]) -> str:
    """Advice after too many questions in a row."""
    ways = f" You can also try: {', '.join(quick)}." if quick else ""
    return (
        "I still do not understand what to change. Please say it another way, with the guest's name or booking "
        f"number and the new value in one message.{ways}"
    )
