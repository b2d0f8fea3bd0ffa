"""A write that did not do what was asked is a failed activity, so that whoever looks at a history sees it.

The workflow finds the reply in the failure (`workflows.calls`). The kinds of failures stand in plain text in Temporal;
everything else of one is encrypted, like the reply itself.
"""

from typing import Any

from temporalio.exceptions import ApplicationError, ApplicationErrorCategory
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from contracts.effects import ActReply, Landing, UndoReply
from contracts.enums import StepRollbackOutcome
from contracts.signatures import NOT_DONE

_PUT_BACK = (StepRollbackOutcome.REVERSED, StepRollbackOutcome.NOT_NEEDED)


class FailedWritesShown(Interceptor):
    """Fails `act` and `undo_step` for good where their reply says that nothing, or something else, was done."""

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        """See `temporalio.worker.Interceptor`."""
        return _Shown(next)


class _Shown(ActivityInboundInterceptor):
    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        reply = await super().execute_activity(input)
        told = None
        if isinstance(reply, ActReply) and input.fn.__name__ == "act" and reply.landing is not Landing.APPLIED:
            told = reply.failure.message if reply.failure else reply.evidence
        elif isinstance(reply, UndoReply) and reply.outcome not in _PUT_BACK and not input.args[0].look_only:
            told = reply.message
        if told is None:
            return reply
        # Expected, and told to the operator: no error of the worker's own.
        category = ApplicationErrorCategory.BENIGN
        raise ApplicationError(told, reply, type=NOT_DONE, non_retryable=True, category=category)
