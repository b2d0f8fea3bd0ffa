"""Turns a write that did not do what was asked into a failed activity, so that it is visible in the history.

The workflow reads the reply from the failure (`workflows.plan.activities`). Temporal stores the failure type in plain
text; everything else of a failure is encrypted, like the reply.
"""

from typing import Any

from temporalio.exceptions import ApplicationError, ApplicationErrorCategory
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from contracts.enums import StepRollbackOutcome
from contracts.persisted_names import NOT_DONE
from contracts.step_activities import ActReply, StepUndoResult, WriteOutcome

_PUT_BACK = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)


class FailedWriteInterceptor(Interceptor):
    """Fails `act` and `undo_step` without retry if their reply reports no effect or a misapplied write."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        """See `temporalio.worker.Interceptor`."""
        return _Shown(next)


class _Shown(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        reply = await super().execute_activity(input)
        why = None
        if (
            isinstance(reply, ActReply)
            and input.fn.__name__ == "act"
            and reply.write_outcome is not WriteOutcome.APPLIED
        ):
            why = reply.failure.message if reply.failure else reply.evidence
        elif isinstance(reply, StepUndoResult) and reply.outcome not in _PUT_BACK and not input.args[0].look_only:
            why = reply.message
        if why is None:
            return reply
        # Expected and reported to the operator, so it is no error of the worker.
        category = ApplicationErrorCategory.BENIGN
        raise ApplicationError(why, reply, type=NOT_DONE, non_retryable=True, category=category)
