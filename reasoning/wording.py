"""Errors and questions in an operator's words, from the message catalogue, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from math import ceil
from typing import TYPE_CHECKING

from contracts.enums import ErrorType, ParameterRole, PlanStatus, RollbackOutcome, ServiceErrorType
from contracts.errors import ServiceError, VenueFailure
from contracts.plan import ExecutionPlan
from language.catalogue import messages, say, spoken
from language.invisible import foreign_letters
from language.labels import day_label, time_label

if TYPE_CHECKING:
    from reasoning.grounding import Doubt


def failure_words(
    kind: ErrorType, retry_after: float | None = None, words: str = "", *, anew: bool = False
) -> tuple[str, tuple[str, ...]]:
    """(message, suggestions) for a failed venue call; `retry_after` in seconds, `words` the venue's own. `anew`: the
    call was to make something that there has never been."""
    if anew and kind is ErrorType.NOT_FOUND:
        return say("failure.not_found_anew"), (say("next.not_found_anew"),)
    seconds = ceil(retry_after) if retry_after else None
    message = say(f"failure.{kind}", seconds=seconds, words=words)
    suggestions = [say(f"next.{kind}", seconds=seconds)]
    if f"next.{kind}_2" in messages("en"):
        suggestions.append(say(f"next.{kind}_2"))
    return message, tuple(suggestions)


def changed_since() -> VenueFailure:
    """A conflict that we see ourselves: what the operator confirmed is not there any more."""
    return _ours(ErrorType.CONFLICT, "booking_changed", "changed_since", "changed_since")


def busy() -> VenueFailure:
    """Another plan of ours writes to the same thing: ours was not sent."""
    return _ours(ErrorType.CONFLICT, "busy", "busy", "conflict")


def not_started() -> VenueFailure:
    """No worker was free to send a step: it certainly was not sent."""
    return _ours(ErrorType.TIMEOUT, "not_started", "not_started", "moment")


def held_back() -> VenueFailure:
    """A write that was ready did not leave, since what it is made of was read too long ago or its lock was lost."""
    return _ours(ErrorType.TIMEOUT, "held_back", "held_back", "moment")


def refused_though_there() -> VenueFailure:
    """A venue answered that there is no such thing, and a look has shown it."""
    return _ours(ErrorType.NOT_FOUND, "refused_though_there", "refused_though_there", "moment")


def signed_out(failure: VenueFailure) -> VenueFailure:
    """A failure for want of a sign-in, as it is known: only a venue that has answered refuses one. Else this service
    had none to ask with: its store has lost or forgotten it, or it is sealed with a key that is gone."""
    if failure.error_type is not ErrorType.UNAUTHORIZED or failure.status is not None:
        return failure
    return failure.model_copy(update={"message": say("failure.sign_in_gone")})


def not_shown(failure: VenueFailure) -> VenueFailure:
    """A write that was sent, and whose answer says nothing of what was done: no look has shown it."""
    if failure.error_type not in _SAYS_NOTHING:
        return failure
    message = say("failure.not_shown", why=failure.message)
    again = failure_words(failure.error_type, failure.retry_after_seconds)[1]
    others = (one for one in failure.suggestions if one not in again)
    return failure.model_copy(update={"message": message, "suggestions": (say("next.unknown_outcome"), *others)})


def worker_lost() -> VenueFailure:
    """The process that was to send a step was lost, and nothing came of it."""
    return _ours(ErrorType.TIMEOUT, "worker_lost", "worker_lost", "moment")


def _ours(kind: ErrorType, code: str, why: str, then: str) -> VenueFailure:
    message, suggestion = say(f"failure.{why}"), say(f"next.{then}")
    return VenueFailure(error_type=kind, code=code, message=message, suggestions=(suggestion,))


_SAYS_NOTHING = frozenset({ErrorType.NETWORK, ErrorType.TIMEOUT, ErrorType.SERVER_ERROR, ErrorType.RATE_LIMITED})
"""What is answered, or not, also of a write that is still being carried out."""

_SERVICE = {
    ErrorType.UNAUTHORIZED: ServiceErrorType.UNAUTHORIZED,
    ErrorType.FORBIDDEN: ServiceErrorType.FORBIDDEN,
    ErrorType.NOT_FOUND: ServiceErrorType.NOT_FOUND,
    ErrorType.CONFLICT: ServiceErrorType.CONFLICT,
    ErrorType.RATE_LIMITED: ServiceErrorType.RATE_LIMITED,
}


def service_error(failure: VenueFailure) -> ServiceError:
    """A failed look-up as the error of a whole request."""
    failure = signed_out(failure)
    return ServiceError(
        error_type=_SERVICE.get(failure.error_type, ServiceErrorType.SERVICE_UNAVAILABLE),
        message=failure.message,
        suggestions=list(failure.suggestions),
        retry_after_seconds=failure.retry_after_seconds,
    )


def unavailable(what: str, then: str = "") -> ServiceError:
    """Which part did not answer, by its name in `[away]`, and, by the whole key of a sentence, what that means for
    what was asked. Without one nothing is said of what was changed."""
    message = say(f"away.{what}")
    return ServiceError(
        error_type=ServiceErrorType.SERVICE_UNAVAILABLE,
        message=f"{message} {say(then)}" if then else message,
        suggestions=[say("next.moment")],
        retry_after_seconds=5,
    )


def already(status: PlanStatus) -> str:
    """That a plan is past what was asked of it."""
    return say("refuse.already", status=say(f"status.{status}"))


def cannot_undo(plan: ExecutionPlan) -> str:
    """That a plan cannot be undone, or not before it has ended, that it is undone already, and which of its steps has
    no way back."""
    if plan.rollback is not None:
        return _going_back(plan)
    if plan.confirmed_at is None:
        return say("refuse.not_yet_undone")
    if not plan.status.terminal:
        return say("refuse.cannot_undo_yet")
    titles = [step.title for step in plan.actions if not step.reversible]
    if plan.status is not PlanStatus.COMPLETED or not titles:
        return say("refuse.cannot_undo")
    return say("refuse.cannot_undo_steps", titles=list(dict.fromkeys(titles)))


def _going_back(plan: ExecutionPlan) -> str:
    """That what a plan has changed was, or is just being, undone."""
    report = plan.rollback_report
    if report is None:
        return say("refuse.undo_running")
    if report.outcome is RollbackOutcome.PARTIAL:
        return say("refuse.undone_in_part")
    return say("refuse.undone_already") if plan.undone else already(plan.status)


def way_on(plan: ExecutionPlan) -> str:
    """What can be done with a plan as it stands, where a word to it was refused."""
    if plan.status.terminal or plan.stopping:
        return say("refuse.way_ended")
    if plan.blocking_prompt is not None:
        return say("refuse.way_asking")
    return say("refuse.way_pending" if plan.status is PlanStatus.PENDING_CONFIRMATION else "refuse.way_running")


def rephrase(quick: Sequence[str]) -> str:
    """Advice after too many questions in a row."""
    return say("ask.rephrase", ways=list(quick))


def doubt(found: Doubt, today: date | None = None) -> str:
    """The question for a value that the operator's words do not bear out; a day of another year than that of `today`
    says its year."""
    if found.invisible:
        return say("ask.invisible", name=found.told or found.parameter, codes=list(found.invisible))
    if found.mixed_script:
        letters = foreign_letters(found.mixed_script)
        return say("ask.mixed_script", name=found.told or found.parameter, word=found.mixed_script, letters=letters)
    options = [value_words(found.role, option, today) for option in found.options]
    could_be = say("ask.could_be", options=options) if len(options) > 1 else ""
    key = f"ask.{found.role}" if f"ask.{found.role}" in messages("en") else "ask.other"
    question = say(key, could_be=could_be, name=found.told or found.parameter)
    over = found.role is ParameterRole.DATE and today is not None and len(options) == 1 and _is_over(found, today)
    return f"{say('knowable.passed', when=options[0])} {question}" if over else question


def _is_over(found: Doubt, today: date) -> bool:
    try:
        return date.fromisoformat(found.options[0]) < today
    except ValueError:
        return False


def value_words(role: ParameterRole | None, value: str, today: date | None = None) -> str:
    """A parameter's value as the operator reads it: "Saturday 28 November" for a day (YYYY-MM-DD), "4pm" or "16:00" by
    the language for a time (HH:MM); any other value as it is."""
    try:
        if role is ParameterRole.DATE:
            return day_label(date.fromisoformat(value), spoken(), today=today)
        return time_label(time.fromisoformat(value), spoken()) if role is ParameterRole.TIME else value
    except ValueError:
        return value
