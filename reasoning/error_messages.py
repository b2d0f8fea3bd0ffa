"""Errors and questions in an operator's words, from the message catalogue, in the active locale."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from math import ceil
from typing import TYPE_CHECKING

from contracts.enums import ErrorType, ParameterRole, PlanStatus, RollbackOutcome, ServiceErrorType
from contracts.errors import ServiceError, VenueFailure
from contracts.plan import ExecutionPlan
from language.messages.catalogue import active_locale, messages, translate
from language.messages.formatting import day_label, time_label
from language.text.invisible import foreign_letters

if TYPE_CHECKING:
    from reasoning.grounding.grounding import Ungrounded


def failure_message(
    kind: ErrorType, retry_after: float | None = None, words: str = "", *, creates: bool = False
) -> tuple[str, tuple[str, ...]]:
    """Return (message, suggestions) for a failed venue call; `retry_after` in seconds, `words` the venue's own.
    `creates`: the call was to create something."""
    if creates and kind is ErrorType.NOT_FOUND:
        return translate("failure.not_found_anew"), (translate("next.not_found_anew"),)
    seconds = ceil(retry_after) if retry_after else None
    message = translate(f"failure.{kind}", seconds=seconds, words=words)
    suggestions = [translate(f"next.{kind}", seconds=seconds)]
    if f"next.{kind}_2" in messages("en"):
        suggestions.append(translate(f"next.{kind}_2"))
    return message, tuple(suggestions)


def drift_error() -> VenueFailure:
    """Return the error for a conflict that we detect ourselves: the state that the operator confirmed has changed."""
    return _ours(ErrorType.CONFLICT, "booking_changed", "changed_since", "changed_since")


def lock_error() -> VenueFailure:
    """Return the error for a lock conflict: another plan of ours writes to the same resource, and this write was not
    sent."""
    return _ours(ErrorType.CONFLICT, "busy", "busy", "conflict")


def not_started() -> VenueFailure:
    """Return the error for a step that no worker was free to send. It was certainly not sent."""
    return _ours(ErrorType.TIMEOUT, "not_started", "not_started", "moment")


def held_back() -> VenueFailure:
    """Return the error for a write that was not sent because its data was too old or its lock was lost."""
    return _ours(ErrorType.TIMEOUT, "held_back", "held_back", "moment")


def refused_though_there() -> VenueFailure:
    """Return the error for a "not found" from the venue although a read has shown the resource."""
    return _ours(ErrorType.NOT_FOUND, "refused_though_there", "refused_though_there", "moment")


def signed_out(failure: VenueFailure) -> VenueFailure:
    """Return the error for a failed authentication. Only a venue that has answered rejects a credential. Otherwise this
    service had none to send: its store lost or expired it, or the key that encrypts it is gone."""
    if failure.error_type is not ErrorType.UNAUTHORIZED or failure.status is not None:
        return failure
    return failure.model_copy(update={"message": translate("failure.sign_in_gone")})


def not_shown(failure: VenueFailure) -> VenueFailure:
    """Return the error for a write that was sent, whose answer does not say what was done, and that no read has
    confirmed."""
    if failure.error_type not in _SAYS_NOTHING:
        return failure
    message = translate("failure.not_shown", why=failure.message)
    again = failure_message(failure.error_type, failure.retry_after_seconds)[1]
    others = (one for one in failure.suggestions if one not in again)
    return failure.model_copy(update={"message": message, "suggestions": (translate("next.unknown_outcome"), *others)})


def worker_lost_error() -> VenueFailure:
    """Return the error for a lost worker that was to send a step and had no effect."""
    return _ours(ErrorType.TIMEOUT, "worker_lost", "worker_lost", "moment")


def _ours(kind: ErrorType, code: str, why: str, then: str) -> VenueFailure:
    message, suggestion = translate(f"failure.{why}"), translate(f"next.{then}")
    return VenueFailure(error_type=kind, code=code, message=message, suggestions=(suggestion,))


_SAYS_NOTHING = frozenset({ErrorType.NETWORK, ErrorType.TIMEOUT, ErrorType.SERVER_ERROR, ErrorType.RATE_LIMITED})
"""Answers, or their absence, that are also possible while a write is still running."""

_SERVICE = {
    ErrorType.UNAUTHORIZED: ServiceErrorType.UNAUTHORIZED,
    ErrorType.FORBIDDEN: ServiceErrorType.FORBIDDEN,
    ErrorType.NOT_FOUND: ServiceErrorType.NOT_FOUND,
    ErrorType.CONFLICT: ServiceErrorType.CONFLICT,
    ErrorType.RATE_LIMITED: ServiceErrorType.RATE_LIMITED,
}


def service_error(failure: VenueFailure) -> ServiceError:
    """Return a failed look-up as the error of a whole request."""
    failure = signed_out(failure)
    return ServiceError(
        error_type=_SERVICE.get(failure.error_type, ServiceErrorType.SERVICE_UNAVAILABLE),
        message=failure.message,
        suggestions=list(failure.suggestions),
        retry_after_seconds=failure.retry_after_seconds,
    )


_MOMENT = 5.0
"""Seconds after which a retry is suggested if nothing else is known."""


def unavailable_error(what: str, then: str = "", retry_after: float = _MOMENT) -> ServiceError:
    """Return which part is unavailable, by its name in `[unavailable]`, and what that means for the request, by the
    full key of a sentence. Without a key the error says nothing about changes. `retry_after` in seconds."""
    message = translate(f"unavailable.{what}")
    later = translate("next.rate_limited", seconds=ceil(retry_after)) if retry_after > _MOMENT else None
    return ServiceError(
        error_type=ServiceErrorType.SERVICE_UNAVAILABLE,
        message=f"{message} {translate(then)}" if then else message,
        suggestions=[later or translate("next.moment")],
        retry_after_seconds=max(1, ceil(retry_after)),
    )


def already_text(status: PlanStatus) -> str:
    """Return that the plan is past the state for a command."""
    return translate("refuse.already", status=translate(f"status.{status}"))


def cannot_undo(plan: ExecutionPlan) -> str:
    """Return why a plan cannot be undone: it has not ended, it is undone already, or some of its steps are
    irreversible."""
    if plan.rollback is not None:
        return _going_back(plan)
    if plan.confirmed_at is None:
        return translate("refuse.not_yet_undone")
    if not plan.status.terminal:
        return translate("refuse.cannot_undo_yet")
    titles = [step.title for step in plan.actions if not step.reversible]
    if plan.status is not PlanStatus.COMPLETED or not titles:
        return translate("refuse.cannot_undo")
    return translate("refuse.cannot_undo_steps", titles=list(dict.fromkeys(titles)))


def _going_back(plan: ExecutionPlan) -> str:
    """Return that a plan's changes were rolled back, or are being rolled back."""
    report = plan.rollback_report
    if report is None:
        return translate("refuse.undo_running")
    if report.outcome is RollbackOutcome.PARTIAL:
        return translate("refuse.undone_in_part")
    return translate("refuse.undone_already") if plan.undone else already_text(plan.status)


def next_action_text(plan: ExecutionPlan) -> str:
    """Return what can be done with a plan in its state after a command was rejected."""
    if plan.status.terminal or plan.stopping:
        return translate("refuse.way_ended")
    if plan.blocking_prompt is not None:
        return translate("refuse.way_asking")
    return translate("refuse.way_pending" if plan.status is PlanStatus.PENDING_CONFIRMATION else "refuse.way_running")


def rephrase(quick: Sequence[str]) -> str:
    """Return advice after too many questions in a row."""
    return translate("ask.rephrase", ways=list(quick))


def doubt(found: Ungrounded, today: date | None = None) -> str:
    """Return the question for an ungrounded value. A day in another year than `today` includes the year."""
    if found.invisible:
        return translate("ask.invisible", name=found.label or found.parameter, codes=list(found.invisible))
    if found.mixed_script:
        letters = foreign_letters(found.mixed_script)
        return translate(
            "ask.mixed_script", name=found.label or found.parameter, word=found.mixed_script, letters=letters
        )
    options = [value_words(found.role, option, today) for option in found.options]
    could_be = translate("ask.could_be", options=options) if len(options) > 1 else ""
    key = f"ask.{found.role}" if f"ask.{found.role}" in messages("en") else "ask.other"
    question = translate(key, could_be=could_be, name=found.label or found.parameter)
    over = found.role is ParameterRole.DATE and today is not None and len(options) == 1 and _is_over(found, today)
    return f"{translate('preflight.passed', when=options[0])} {question}" if over else question


def _is_over(found: Ungrounded, today: date) -> bool:
    try:
        return date.fromisoformat(found.options[0]) < today
    except ValueError:
        return False


def value_words(role: ParameterRole | None, value: str, today: date | None = None) -> str:
    """Return a parameter's value as the operator reads it: "Saturday 28 November" for a day (YYYY-MM-DD), "4pm" or
    "16:00" by the language for a time (HH:MM); any other value unchanged."""
    try:
        if role is ParameterRole.DATE:
            return day_label(date.fromisoformat(value), active_locale(), today=today)
        return time_label(time.fromisoformat(value), active_locale()) if role is ParameterRole.TIME else value
    except ValueError:
        return value
