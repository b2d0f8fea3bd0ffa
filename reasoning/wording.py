"""Errors and questions in an operator's words, from the message catalogue and in the venue's language."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from contracts.enums import ErrorType, PlanStatus, ServiceErrorType
from contracts.errors import ServiceError, VenueFailure
from language.catalogue import messages, say

if TYPE_CHECKING:
    from reasoning.grounding import Doubt


def failure_words(
    kind: ErrorType, locale: str, retry_after: float | None = None, words: str = ""
) -> tuple[str, tuple[str, ...]]:
    """(message, suggestions) for a failed venue call; `retry_after` in seconds, `words` the venue's own."""
    seconds = ceil(retry_after) if retry_after else None
    message = say(f"failure.{kind}", locale, seconds=seconds, words=words)
    suggestions = [say(f"next.{kind}", locale, seconds=seconds)]
    if f"next.{kind}_2" in messages("en"):
        suggestions.append(say(f"next.{kind}_2", locale))
    return message, tuple(suggestions)


def changed_since(locale: str) -> VenueFailure:
    """A conflict that we see ourselves: what the operator confirmed is not there any more."""
    return _ours(ErrorType.CONFLICT, "booking_changed", locale, "changed_since", "changed_since")


def busy(locale: str) -> VenueFailure:
    """Another plan of ours writes to the same thing: ours was not sent."""
    return _ours(ErrorType.CONFLICT, "busy", locale, "busy", "conflict")


def not_started(locale: str) -> VenueFailure:
    """No worker was free to send a step: it certainly was not sent."""
    return _ours(ErrorType.TIMEOUT, "not_started", locale, "not_started", "moment")


def worker_lost(locale: str) -> VenueFailure:
    """The process that was to send a step was lost, and nothing came of it."""
    return _ours(ErrorType.TIMEOUT, "worker_lost", locale, "worker_lost", "moment")


def _ours(kind: ErrorType, code: str, locale: str, why: str, then: str) -> VenueFailure:
    message, suggestion = say(f"failure.{why}", locale), say(f"next.{then}", locale)
    return VenueFailure(error_type=kind, code=code, message=message, suggestions=(suggestion,))


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


def unavailable(locale: str, what: str, then: str = "") -> ServiceError:
    """Which part did not answer, by its name in `[away]`, and, by the whole key of a sentence, what that means for
    what was asked. Without one nothing is said of what was changed."""
    message = say(f"away.{what}", locale)
    return ServiceError(
        error_type=ServiceErrorType.SERVICE_UNAVAILABLE,
        message=f"{message} {say(then, locale)}" if then else message,
        suggestions=[say("next.moment", locale)],
        retry_after_seconds=5,
    )


def already(status: PlanStatus, locale: str) -> str:
    """That a plan is past what was asked of it."""
    return say("refuse.already", locale, status=say(f"status.{status}", locale))


def rephrase(quick: Sequence[str], locale: str) -> str:
    """Advice after too many questions in a row."""
    return say("ask.rephrase", locale, ways=list(quick))


def doubt(found: Doubt, locale: str) -> str:
    """The question for a value that the operator's words do not bear out."""
    options = list(found.options)
    could_be = say("ask.could_be", locale, options=options) if len(options) > 1 else ""
    key = f"ask.{found.role}" if f"ask.{found.role}" in messages("en") else "ask.other"
    return say(key, locale, could_be=could_be, name=found.parameter.replace("_", " "))
