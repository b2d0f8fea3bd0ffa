"""Why a plan stops, in an operator's words: every `PlanFailure` that execution ends with."""

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, TimeoutError, TimeoutType

with workflow.unsafe.imports_passed_through():
    from contracts.effects import ActReply
    from contracts.enums import ErrorType
    from contracts.errors import VenueFailure
    from contracts.plan import PlanFailure
    from language.catalogue import say
    from workflows.step_run import StepRun


def of_venue(run: StepRun, failure: VenueFailure, why: str) -> PlanFailure:
    """A step did not work out at the venue."""
    suggestions = failure.suggestions
    if failure.alternatives:
        suggestions = (say("next.instead", options=list(failure.alternatives)), *suggestions)
    return PlanFailure(
        step=run.number,
        error_type=failure.error_type,
        message=say("plan.step_failed", step=run.number, title=run.action.title, why=why),
        suggestions=suggestions,
        retry_after_seconds=failure.retry_after_seconds,
        quick_actions=failure.quick_actions,
    )


def uncertain(run: StepRun, failure: VenueFailure) -> PlanFailure:
    """A step may have been carried out, and no look could tell."""
    return PlanFailure(
        step=run.number,
        error_type=failure.error_type,
        message=say("plan.step_uncertain", step=run.number, title=run.action.title, why=failure.message),
        suggestions=failure.suggestions,
    )


def no_longer_uncertain(failure: PlanFailure, title: str) -> PlanFailure:
    """A plan stopped since nobody knew of a step whether it was carried out; by its undoing that is known."""
    message = say("plan.step_was_uncertain", step=failure.step, title=title)
    return failure.model_copy(update={"message": message, "suggestions": ()})


def gave_up(run: StepRun) -> PlanFailure:
    """The model did not get it right, and nothing was sent; in the venue's words, where the venue refused the step."""
    if run.refusal is not None:
        return of_venue(run, run.refusal, in_full(run.refusal))
    return _bad(run, say("plan.gave_up", step=run.number, title=run.action.title), "next.one_message")


def refused(run: StepRun, reason: str) -> PlanFailure:
    """The model says that it cannot be done as confirmed. Why, it cannot know where all that it has met with is a check
    of ours: it may take that for the venue's answer."""
    if run.refusal is not None or run.unfit:
        return gave_up(run)
    return _bad(run, say("plan.refused", why=_bare(reason)), "next.new_request")


def widened(run: StepRun, reason: str) -> PlanFailure:
    """The model would do more or other than was confirmed."""
    return _bad(run, say("plan.widened", why=_bare(reason)), "next.new_request")


def no_assistant(run: StepRun) -> PlanFailure:
    """The model stayed away; in the venue's words, where the venue refused the step."""
    if run.refusal is not None:
        return gave_up(run)
    return PlanFailure(
        step=run.number,
        error_type=ErrorType.SERVER_ERROR,
        message=say("plan.no_assistant"),
        suggestions=(say("next.server_error"),),
    )


def no_answer(run: StepRun, key: str) -> PlanFailure:
    """A question was not answered, or could not be asked; `key` is the message that says which."""
    message = say(key)
    return PlanFailure(
        step=run.number,
        error_type=ErrorType.TIMEOUT,
        message=f"{message} {run.refusal.message}" if run.refusal else message,
        suggestions=(say("next.missing_detail"),),
    )


def cancelled(run: StepRun | None) -> PlanFailure:
    """The operator stopped the plan: before a step, or after one was sent."""
    before = run if run is not None and run.failed_try is None else None
    return PlanFailure(
        step=before.number if before else None,
        error_type=ErrorType.CONFLICT,
        message=_cancelled_before(before) if before else say("plan.cancelled"),
        suggestions=(),
    )


def _bad(run: StepRun, message: str, what_next: str) -> PlanFailure:
    return PlanFailure(
        step=run.number, error_type=ErrorType.BAD_REQUEST, message=message, suggestions=(say(what_next),)
    )


def in_full(failure: VenueFailure) -> str:
    """What a venue's refusal means, with its own words where they say more."""
    message = failure.message
    if failure.error_type is ErrorType.BAD_REQUEST and failure.detail and failure.detail not in message:
        return f"{message} ({failure.detail})"
    return message


def not_repeated(failure: VenueFailure, refused: ActReply) -> VenueFailure:
    """A refusal for a value that is not mended. Where it proves nothing, that is said: looks have shown nothing, and a
    second try might make it twice."""
    if refused.unprocessed:
        return failure
    message = f"{in_full(failure)} {say('failure.not_repeated')}"
    return failure.model_copy(update={"message": message, "suggestions": (say("next.unknown_outcome"),)})


def never_started(error: ActivityError) -> bool:
    """Whether no worker took the call up in time: then it certainly was not sent."""
    cause = error.cause
    return isinstance(cause, TimeoutError) and cause.type is TimeoutType.SCHEDULE_TO_START


def raised(error: ActivityError) -> bool:
    """Whether the call raised an error of its own that is not handled there, so its worker lives: a further try would
    meet the same error, and may send the write again each time."""
    cause = error.cause
    return isinstance(cause, ApplicationError) and cause.type not in (None, "CancelledError")


def _cancelled_before(run: StepRun) -> str:
    return say("plan.cancelled_before", step=run.number, title=run.action.title)


def _bare(reason: str) -> str:
    return reason.strip().rstrip(".")
