"""How a plan ends early or is undone: runs the saga and records the result."""

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
    from language.messages.catalogue import translate
    from workflows.plan import failures
    from workflows.plan.saga import Saga
    from workflows.plan.state import PlanRecord
    from workflows.plan.stop import PlanCancellation


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
