"""When a plan's execution stops before its end, and how a step that did not work out is recorded."""

from typing import NoReturn

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.effects import Landing
    from contracts.enums import ErrorType, StepStatus
    from contracts.errors import VenueFailure
    from contracts.plan import PlanFailure
    from language.catalogue import say
    from reasoning import wording
    from workflows import failures
    from workflows.cancellation import Cancellation
    from workflows.record import PlanRecord
    from workflows.step_run import StepRun


class StoppedError(Exception):
    """The plan ends here, for this reason."""

    def __init__(self, failure: PlanFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Stopping:
    """What may stop one plan."""

    def __init__(self, record: PlanRecord, cancellation: Cancellation) -> None:
        self._record = record
        self._cancellation = cancellation
        self._winding_down = False
        self.first: StoppedError | None = None
        """What stopped the plan first, where several steps were carried out together."""

    @property
    def over(self) -> bool:
        """Whether nothing is to be sent any more: somebody wants the plan to end, or a step beside has stopped it."""
        return self._cancellation.requested or self._winding_down

    def wind_down(self, stopped: StoppedError | None) -> None:
        """A step has stopped the plan while others are carried out beside it; None where that was unexpected."""
        self._winding_down = True
        self.first = self.first or stopped

    def if_over(self, run: StepRun | None) -> None:
        """Raises `StoppedError` where nothing is to be sent any more."""
        if self._cancellation.requested:
            raise StoppedError(failures.cancelled(run))
        if self._winding_down:
            unexpected = PlanFailure(error_type=ErrorType.SERVER_ERROR, message=say("plan.unexpected"))
            raise StoppedError(self.first.failure if self.first else unexpected)

    def fail(self, run: StepRun, failure: VenueFailure, landing: Landing) -> NoReturn:
        """Record a step that did not work out. Always raises `StoppedError`."""
        if landing is Landing.UNKNOWN:
            failure = _uncertain(failure)
            self._record.result(run, StepStatus.UNKNOWN, failure.message, failure.error_type)
            raise StoppedError(failures.uncertain(run, failure))
        why = failures.in_full(failure)
        self._record.result(run, StepStatus.FAILED, why, failure.error_type)
        raise StoppedError(failures.of_venue(run, failure, why))


def _uncertain(failure: VenueFailure) -> VenueFailure:
    """The failure of a step that may have been carried out: never with the advice to repeat it. A client must still see
    that the operator is to sign in again."""
    message, suggestions = wording.failure_words(ErrorType.UNKNOWN_OUTCOME)
    if failure.error_type is not ErrorType.UNAUTHORIZED:
        return VenueFailure(error_type=ErrorType.UNKNOWN_OUTCOME, message=message, suggestions=suggestions)
    return VenueFailure(
        error_type=ErrorType.UNAUTHORIZED,
        message=f"{message} {failure.message}",
        suggestions=(say("refuse.sign_in_rejected_next"), *suggestions),
    )
