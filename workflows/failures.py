"""Why a plan stops, in an operator's words: every `PlanFailure` that execution ends with."""

from collections.abc import Sequence

from temporalio import workflow
from temporalio.exceptions import ActivityError, TimeoutError, TimeoutType

with workflow.unsafe.imports_passed_through():
    from contracts.effects import DraftedStep
    from contracts.enums import ErrorType
    from contracts.errors import VenueFailure
    from contracts.plan import PlanFailure
    from language.catalogue import say


class Failures:
    """The failures of one plan's steps."""

    def __init__(self, steps: Sequence[DraftedStep], locale: str) -> None:
        self._steps = steps
        self._locale = locale

    def of_venue(self, number: int, failure: VenueFailure, kind: ErrorType, why: str) -> PlanFailure:
        """A step did not work out at the venue."""
        suggestions = failure.suggestions
        if failure.alternatives:
            suggestions = (self._say("next.instead", options=list(failure.alternatives)), *suggestions)
        title = self._steps[number - 1].action.title
        return PlanFailure(
            step=number,
            error_type=kind,
            message=self._say("plan.step_failed", step=number, title=title, why=why),
            suggestions=suggestions,
            retry_after_seconds=failure.retry_after_seconds,
        )

    def gave_up(self, number: int, refusal: VenueFailure | None) -> PlanFailure:
        """The model did not get it right; in the venue's words, where the venue refused the step."""
        if refusal is not None:
            return self.of_venue(number, refusal, refusal.error_type, in_full(refusal))
        return self._bad(number, self._say("plan.gave_up", step=number), "next.one_message")

    def refused(self, number: int, reason: str, refusal: VenueFailure | None) -> PlanFailure:
        """The model says that it cannot be done as confirmed."""
        if refusal is not None:
            return self.gave_up(number, refusal)
        return self._bad(number, self._say("plan.refused", why=_bare(reason)), "next.new_request")

    def widened(self, number: int, reason: str) -> PlanFailure:
        """The model would do more or other than was confirmed."""
        return self._bad(number, self._say("plan.widened", why=_bare(reason)), "next.new_request")

    def no_assistant(self, number: int) -> PlanFailure:
        """The model stayed away."""
        return PlanFailure(
            step=number,
            error_type=ErrorType.SERVER_ERROR,
            message=self._say("plan.no_assistant"),
            suggestions=(self._say("next.server_error"),),
        )

    def no_answer(self, number: int, key: str, refusal: VenueFailure | None) -> PlanFailure:
        """A question was not answered, or could not be asked; `key` is the message that says which."""
        message = self._say(key)
        return PlanFailure(
            step=number,
            error_type=ErrorType.TIMEOUT,
            message=f"{message} {refusal.message}" if refusal else message,
            suggestions=(self._say("next.missing_detail"),),
        )

    def cancelled(self, number: int | None) -> PlanFailure:
        """The operator stopped the plan, before step `number` or after the last one."""
        return PlanFailure(
            step=number,
            error_type=ErrorType.CONFLICT,
            message=self._say("plan.cancelled_before" if number else "plan.cancelled"),
            suggestions=(),
        )

    def _bad(self, number: int, message: str, what_next: str) -> PlanFailure:
        return PlanFailure(
            step=number, error_type=ErrorType.BAD_REQUEST, message=message, suggestions=(self._say(what_next),)
        )

    def _say(self, key: str, **values: object) -> str:
        return say(key, self._locale, **values)


def in_full(failure: VenueFailure) -> str:
    """What a venue's refusal means, with its own words where they say more."""
    message = failure.message
    if failure.error_type is ErrorType.BAD_REQUEST and failure.detail and failure.detail not in message:
        return f"{message} ({failure.detail})"
    return message


def never_started(error: ActivityError) -> bool:
    """Whether no worker took the call up in time: then it certainly was not sent."""
    cause = error.cause
    return isinstance(cause, TimeoutError) and cause.type is TimeoutType.SCHEDULE_TO_START


def _bare(reason: str) -> str:
    return reason.strip().rstrip(".")
