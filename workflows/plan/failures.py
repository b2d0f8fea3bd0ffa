"""Why a plan stops, as operator messages (every `PlanFailure` that ends an execution), how its execution stops early,
and how a failed step is recorded."""

from dataclasses import dataclass
from typing import NoReturn

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, TimeoutError, TimeoutType

with workflow.unsafe.imports_passed_through():
    from contracts.enums import ErrorType
    from contracts.errors import VenueFailure
    from contracts.plan import PlanFailure
    from contracts.step_activities import ActReply
    from language.messages.catalogue import translate
    from workflows.plan.step import StepState


def of_venue(run: StepState, failure: VenueFailure, why: str) -> PlanFailure:
    """Return the failure of a step at the venue."""
    suggestions = failure.suggestions
    if failure.alternatives:
        suggestions = (translate("next.instead", options=list(failure.alternatives)), *suggestions)
    return PlanFailure(
        step=run.number,
        error_type=failure.error_type,
        message=translate("plan.step_failed", step=run.number, title=run.action.title, why=why),
        suggestions=suggestions,
        retry_after_seconds=failure.retry_after_seconds,
        quick_actions=failure.quick_actions,
    )


def uncertain(run: StepState, failure: VenueFailure) -> PlanFailure:
    """Return the failure of a step that may have been carried out, which no read could determine."""
    return PlanFailure(
        step=run.number,
        error_type=failure.error_type,
        message=translate("plan.step_uncertain", step=run.number, title=run.action.title, why=failure.message),
        suggestions=failure.suggestions,
    )


def no_longer_uncertain(failure: PlanFailure, title: str) -> PlanFailure:
    """Return the failure of a plan that stopped at an unknown outcome, once its rollback has determined that
    outcome."""
    message = translate("plan.step_was_uncertain", step=failure.step, title=title)
    return failure.model_copy(update={"message": message, "suggestions": ()})


def gave_up(run: StepState) -> PlanFailure:
    """Return the failure for a model that made no valid call. Nothing was sent. If the venue rejected the step, its
    text is used."""
    if run.refusal is not None:
        return of_venue(run, run.refusal, in_full(run.refusal))
    return _bad(run, translate("plan.gave_up", step=run.number, title=run.action.title), "next.one_message")


def refused(run: StepState, reason: str) -> PlanFailure:
    """Return the failure for a model that reports the step as impossible. Its reason is dropped if it has only met our
    own checks, because it may mistake those for the venue's answer."""
    if run.refusal is not None or run.unfit:
        return gave_up(run)
    return _bad(run, translate("plan.refused", why=_bare(reason)), "next.new_request")


def widened(run: StepState, reason: str) -> PlanFailure:
    """Return the failure for a model that would do more or other than was confirmed."""
    return _bad(run, translate("plan.widened", why=_bare(reason)), "next.new_request")


def no_assistant(run: StepState) -> PlanFailure:
    """Return the failure for an unavailable model; in the venue's text, if the venue rejected the step."""
    if run.refusal is not None:
        return gave_up(run)
    return PlanFailure(
        step=run.number,
        error_type=ErrorType.SERVER_ERROR,
        message=translate("plan.no_assistant"),
        suggestions=(translate("next.server_error"),),
    )


def no_answer(run: StepState, key: str) -> PlanFailure:
    """Return the failure for a prompt without answer, or that could not be asked; `key` is the message for
    the reason."""
    message = translate(key)
    return PlanFailure(
        step=run.number,
        error_type=ErrorType.TIMEOUT,
        message=f"{message} {run.refusal.message}" if run.refusal else message,
        suggestions=(translate("next.missing_detail"),),
    )


def cancelled(run: StepState | None) -> PlanFailure:
    """Return the failure for a plan that the operator stopped: before a step, or after one was sent."""
    before = run if run is not None and run.failed_try is None else None
    return PlanFailure(
        step=before.number if before else None,
        error_type=ErrorType.CONFLICT,
        message=_cancelled_before(before) if before else translate("plan.cancelled"),
        suggestions=(),
    )


def _bad(run: StepState, message: str, what_next: str) -> PlanFailure:
    return PlanFailure(
        step=run.number, error_type=ErrorType.BAD_REQUEST, message=message, suggestions=(translate(what_next),)
    )


def in_full(failure: VenueFailure) -> str:
    """Return the meaning of a venue's rejection, with its own text if that adds something."""
    message = failure.message
    if failure.error_type is ErrorType.BAD_REQUEST and failure.detail and failure.detail not in message:
        return f"{message} ({failure.detail})"
    return message


def not_repeated(failure: VenueFailure, refused: ActReply) -> VenueFailure:
    """Return the failure for a rejected value that is not corrected and retried. If the rejection proves nothing, the
    text states that: reads have shown no effect, and a second attempt might apply the write twice."""
    if refused.unprocessed:
        return failure
    message = f"{in_full(failure)} {translate('failure.not_repeated')}"
    return failure.model_copy(update={"message": message, "suggestions": (translate("next.unknown_outcome"),)})


def never_started(error: ActivityError) -> bool:
    """Return whether no worker started the call in time: then it certainly was not sent."""
    cause = error.cause
    return isinstance(cause, TimeoutError) and cause.type is TimeoutType.SCHEDULE_TO_START


def raised(error: ActivityError) -> bool:
    """Return whether the activity raised an unhandled error of its own, so that its worker is alive. A retry would meet
    the same error, and may send the write again each time."""
    cause = error.cause
    return isinstance(cause, ApplicationError) and cause.type not in (None, "CancelledError")


def _cancelled_before(run: StepState) -> str:
    return translate("plan.cancelled_before", step=run.number, title=run.action.title)


def _bare(reason: str) -> str:
    return reason.strip().rstrip(".")


with workflow.unsafe.imports_passed_through():
    from contracts.enums import ErrorType, StepStatus
    from contracts.errors import VenueFailure
    from contracts.plan import PlanFailure
    from contracts.step_activities import WriteOutcome
    from language.messages.catalogue import translate
    from reasoning import error_messages
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
            raise PlanStoppedError(cancelled(run))
        if self._winding_down:
            unexpected = PlanFailure(error_type=ErrorType.SERVER_ERROR, message=translate("plan.unexpected"))
            raise PlanStoppedError(self.first.failure if self.first else unexpected)

    def fail(self, run: StepState, failure: VenueFailure, landing: WriteOutcome) -> NoReturn:
        """Record a failed step. Always raises `PlanStoppedError`."""
        if landing is WriteOutcome.UNKNOWN:
            failure = _uncertain(failure)
            self._record.record_result(run, StepStatus.UNKNOWN, failure.message, failure.error_type)
            raise PlanStoppedError(uncertain(run, failure))
        why = in_full(failure)
        self._record.record_result(run, StepStatus.FAILED, why, failure.error_type)
        raise PlanStoppedError(of_venue(run, failure, why))


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
