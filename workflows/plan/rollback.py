"""How a plan ends early or is undone: runs the saga and records the result. Whether a completed plan can be undone as a
whole is checked before its undo takes effect, because a partial undo is worse than none and the operator waits for the
answer."""

import asyncio
from collections.abc import Sequence

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from contracts.enums import (
        PlanStatus,
        RollbackOutcome,
        RollbackState,
        RollbackTrigger,
        StepRollbackOutcome,
        StepStatus,
    )
    from contracts.plan import PlanFailure, RollbackProgress, RollbackReport, StepRollback
    from language.messages.catalogue import translate
    from workflows.plan import failures
    from workflows.plan.failures import PlanCancellation
    from workflows.plan.saga import Saga
    from workflows.plan.state import PlanRecord


class Rollback:
    """The early end of one plan, and its undo."""

    def __init__(self, record: PlanRecord, saga: Saga, cancellation: PlanCancellation) -> None:
        self._record = record
        self._saga = saga
        self._cancellation = cancellation

    async def fail_early(self, failure: PlanFailure) -> None:
        """End the plan early: cancelled or failed if nothing was applied, else failed at once and then rolled back."""
        trigger = RollbackTrigger.CANCELLED if self._cancellation.requested else RollbackTrigger.FAILURE
        self._record.stop_steps(self._saga.possibly_applied)
        if not self._saga.possibly_applied:
            if self._cancellation.requested:
                self._record.transition(PlanStatus.CANCELLED)
            else:
                self._record.transition(PlanStatus.FAILED, completed_at=workflow.now(), failure=failure)
            return
        self._record.transition(
            PlanStatus.FAILED,
            completed_at=workflow.now(),
            failure=failure,
            rollback=RollbackProgress(state=RollbackState.RUNNING),
        )
        await self.roll_back(trigger)

    async def roll_back(self, trigger: RollbackTrigger) -> None:
        """Undo everything that is or may be applied, and report it."""
        report = await self._saga.roll_back(trigger, self._mark_begun, self._mark_reversed, self._mark_waiting)
        whole = report.outcome is RollbackOutcome.COMPLETE
        self._record.transition(
            PlanStatus.ROLLED_BACK,
            failure=self._as_known_now(report),
            summary=translate(self._ended_as(whole)),
            completed_at=workflow.now(),
            rollback=RollbackProgress(state=RollbackState.DONE),
            rollback_report=report,
            undo_until=None,
        )

    def _as_known_now(self, report: RollbackReport) -> PlanFailure | None:
        """Return why the plan failed, updated if the rollback has determined a step's unknown outcome."""
        plan = self._record.plan
        failure = plan.failure
        uncertain = [result.step for result in plan.results if result.status is StepStatus.UNKNOWN]
        if failure is None or failure.step not in uncertain:
            return failure
        if plan.model_copy(update={"rollback_report": report}).uncertain:
            return failure
        return failures.no_longer_uncertain(failure, plan.actions[failure.step - 1].title)

    def _ended_as(self, whole: bool) -> str:
        if not whole:
            return "plan.not_put_back"
        if not self._saga.all_seen:
            return "plan.put_back_unseen"
        return "plan.put_back_but" if self._saga.lasting else "plan.put_back"

    def _mark_waiting(self, waiting: bool) -> None:
        state = RollbackState.WAITING_FOR_SIGN_IN if waiting else RollbackState.RUNNING
        self._record.update(rollback=RollbackProgress(state=state))

    def _mark_begun(self, step: int) -> None:
        self._record.events.progress("undoing_step", step)

    def _mark_reversed(self, row: StepRollback) -> None:
        self._record.events.reversal(row)
        if row.outcome is StepRollbackOutcome.REVERSED:
            self._record.step(row.step, StepStatus.REVERSED)


with workflow.unsafe.imports_passed_through():
    from contracts.enums import ErrorType, ServiceErrorType, StepRollbackOutcome
    from contracts.errors import VenueFailure
    from contracts.step_activities import StepUndoResult
    from language.messages.catalogue import translate
    from workflows.plan.execution import PlanExecution
    from workflows.plan.saga import Saga, last_attempt
    from workflows.plan.step import StepState
    from workflows.update_errors import refusal

_LOOK = 6.0
"""Seconds in which an undo must have read every booking. The operator waits for it, and the API waits a little longer
(`clients.commands`)."""


async def check_undoable(saga: Saga, execution: PlanExecution, token_ref: str) -> None:
    """Check every booking in parallel. Raises the first rejection."""
    try:
        found = await asyncio.wait_for(saga.preview_undo(execution.preconditions.after_plan, token_ref), _LOOK)
    except TimeoutError:
        raise _not_looked() from None
    except ActivityError as error:
        raise _not_looked(error) from None
    for run, result in found:
        if result.failure is not None:
            raise _cannot(result.failure, run)
    _refuse_if_not_undoable(found)


def _not_looked(error: ActivityError | None = None) -> ApplicationError:
    """Return the error for a check that could not read: the last attempt's failure, else that no answer came
    in time."""
    why = translate("refuse.not_looked")
    suggestions: tuple[str, ...] = ()
    failure = last_attempt(error).failure if error is not None else None
    if failure is not None:
        why, suggestions = failure.message, failure.suggestions
    return refusal(ServiceErrorType.SERVICE_UNAVAILABLE, f"{why} {translate('command.undo_refused')}", *suggestions)


def _cannot(failure: VenueFailure, run: StepState) -> ApplicationError:
    """Return the error for a check that the venue rejected: the operator has to sign in again, or the plan cannot be
    undone."""
    if failure.error_type is ErrorType.UNAUTHORIZED:
        if failure.status is None:
            return refusal(ServiceErrorType.UNAUTHORIZED, failure.message, translate("refuse.sign_in_rejected_next"))
        return refusal(
            ServiceErrorType.UNAUTHORIZED,
            translate("refuse.sign_in_rejected"),
            translate("refuse.sign_in_rejected_next"),
        )
    why = f"{_which(run)}: {failure.message}"
    return refusal(ServiceErrorType.CONFLICT, translate("refuse.cannot_undo_because", why=why), *failure.suggestions)


def _which(run: StepState) -> str:
    booking = run.drafted.booking
    return translate("undo.which", title=run.action.title, whom=booking.reference if booking else "")


def _refuse_if_not_undoable(found: Sequence[tuple[StepState, StepUndoResult]]) -> None:
    not_undoable = [(run, result) for run, result in found if result.outcome is StepRollbackOutcome.FAILED]
    unseen = [look.message for _, look in not_undoable if not look.seen]
    by_hand = [translate("next.by_hand", manual=look.manual) for _, look in not_undoable if look.manual]
    if unseen:
        raise refusal(
            ServiceErrorType.CONFLICT, translate("refuse.cannot_undo_because", why=" ".join(unseen)), *by_hand
        )
    if not_undoable:
        which = [_which(run) for run, _ in not_undoable]
        raise refusal(ServiceErrorType.CONFLICT, translate("refuse.undo_changed", which=which), *by_hand)
