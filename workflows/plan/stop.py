"""How a plan's execution stops early, and how a failed step is recorded."""

from dataclasses import dataclass
from typing import NoReturn

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.enums import ErrorType, StepStatus
    from contracts.errors import VenueFailure
    from contracts.plan import PlanFailure
    from contracts.step_activities import WriteOutcome
    from language.messages.catalogue import translate
    from reasoning import error_messages
    from workflows.plan import failures
    from workflows.plan.state import PlanRecord
    from workflows.plan.step import StepState


@dataclass(slots=True)
class PlanCancellation:
    """Whether the plan is to end. Set once, by the operator's cancel or Temporal's."""

    requested: bool = False


class PlanStoppedError(Exception):
    """The plan ends here, for this reason."""

    def __init__(self, failure: PlanFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class StopControl:
    """The stop conditions of one plan."""

    def __init__(self, record: PlanRecord, cancellation: PlanCancellation) -> None:
        self._record = record
        self._cancellation = cancellation
        self._winding_down = False
        self.first: PlanStoppedError | None = None
        """The first failure that stopped the plan, if steps ran in parallel."""

    @property
    def stopped(self) -> bool:
        """Return whether nothing more is to be sent: the plan was cancelled, or a parallel step has stopped it."""
        return self._cancellation.requested or self._winding_down

    def stop_siblings(self, stopped: PlanStoppedError | None) -> None:
        """Stop the steps that run in parallel to a failed one; None for an unexpected error."""
        self._winding_down = True
        self.first = self.first or stopped

    def raise_if_stopped(self, run: StepState | None) -> None:
        """Raise `PlanStoppedError` if nothing more is to be sent."""
        if self._cancellation.requested:
            raise PlanStoppedError(failures.cancelled(run))
        if self._winding_down:
            unexpected = PlanFailure(error_type=ErrorType.SERVER_ERROR, message=translate("plan.unexpected"))
            raise PlanStoppedError(self.first.failure if self.first else unexpected)

    def fail(self, run: StepState, failure: VenueFailure, landing: WriteOutcome) -> NoReturn:
        """Record a failed step. Always raises `PlanStoppedError`."""
        if landing is WriteOutcome.UNKNOWN:
            failure = _uncertain(failure)
            self._record.record_result(run, StepStatus.UNKNOWN, failure.message, failure.error_type)
            raise PlanStoppedError(failures.uncertain(run, failure))
        why = failures.in_full(failure)
        self._record.record_result(run, StepStatus.FAILED, why, failure.error_type)
        raise PlanStoppedError(failures.of_venue(run, failure, why))


def _uncertain(failure: VenueFailure) -> VenueFailure:
    """Return the failure of a step that may have been carried out. It never advises a retry. A sign-in failure stays
    visible to a client."""
    message, suggestions = error_messages.failure_message(ErrorType.UNKNOWN_OUTCOME)
    if failure.error_type is not ErrorType.UNAUTHORIZED:
        return VenueFailure(error_type=ErrorType.UNKNOWN_OUTCOME, message=message, suggestions=suggestions)
    return VenueFailure(
        error_type=ErrorType.UNAUTHORIZED,
        message=f"{message} {failure.message}",
        suggestions=(translate("refuse.sign_in_rejected_next"), *suggestions),
    )
