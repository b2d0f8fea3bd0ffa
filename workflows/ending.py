"""How a plan ends before its time, or is taken back: the saga, and what is recorded of it."""

from temporalio import workflow

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
    from language.catalogue import say
    from workflows import failures
    from workflows.cancellation import Cancellation
    from workflows.record import PlanRecord
    from workflows.saga import Saga


class Ending:
    """The early end of one plan, and its undoing."""

    def __init__(self, record: PlanRecord, saga: Saga, cancellation: Cancellation) -> None:
        self._record = record
        self._saga = saga
        self._cancellation = cancellation

    async def end_early(self, failure: PlanFailure) -> None:
        """The plan ends here: cancelled or failed where nothing was applied, else failed at once and rolled back."""
        trigger = RollbackTrigger.CANCELLED if self._cancellation.requested else RollbackTrigger.FAILURE
        self._record.stop_steps(self._saga.may_stand)
        if not self._saga.may_stand:
            if self._cancellation.requested:
                self._record.move(PlanStatus.CANCELLED)
            else:
                self._record.move(PlanStatus.FAILED, completed_at=workflow.now(), failure=failure)
            return
        self._record.move(
            PlanStatus.FAILED,
            completed_at=workflow.now(),
            failure=failure,
            rollback=RollbackProgress(state=RollbackState.RUNNING),
        )
        await self.roll_back(trigger)

    async def roll_back(self, trigger: RollbackTrigger) -> None:
        """Undo everything that stands or may stand, and report it."""
        report = await self._saga.roll_back(trigger, self._mark_begun, self._mark_reversed, self._mark_waiting)
        whole = report.outcome is RollbackOutcome.COMPLETE
        self._record.move(
            PlanStatus.ROLLED_BACK,
            failure=self._as_known_now(report),
            summary=say(self._ended_as(whole)),
            completed_at=workflow.now(),
            rollback=RollbackProgress(state=RollbackState.DONE),
            rollback_report=report,
            undo_until=None,
        )

    def _as_known_now(self, report: RollbackReport) -> PlanFailure | None:
        """Why the plan failed; anew, where the undoing has shown what became of a step of which nobody knew."""
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
        self._record.set(rollback=RollbackProgress(state=state))

    def _mark_begun(self, step: int) -> None:
        self._record.telling.progress("undoing_step", step)

    def _mark_reversed(self, row: StepRollback) -> None:
        self._record.telling.reversal(row)
        if row.outcome is StepRollbackOutcome.REVERSED:
            self._record.step(row.step, StepStatus.REVERSED)
