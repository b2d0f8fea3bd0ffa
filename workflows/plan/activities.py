"""How a plan calls its activities: timeouts and retries, each with its reason.

Reads and model calls may be repeated. A write is sent once: if its activity is lost, it is unknown whether the write
was applied, and repeating it would be a guess.
"""

from datetime import timedelta
from typing import TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from contracts import persisted_names, signatures, step_activities
    from contracts.chat_completion import ModelReply, ReasonRequest
    from contracts.errors import MODEL_BUSY
    from contracts.limits import PlanPolicy
    from reasoning import error_messages

R = TypeVar("R", step_activities.SnapshotReply, step_activities.ActReply, step_activities.StepUndoResult)

_ONCE = RetryPolicy(maximum_attempts=1)

_AGAIN = RetryPolicy(initial_interval=timedelta(milliseconds=500), backoff_coefficient=2, maximum_attempts=3)
"""Three attempts about a second apart: enough for a short failure, short enough for a waiting operator."""

_UNTIL_DONE = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=30))
"""For what must happen in the end: compensations and housekeeping, limited by schedule-to-close."""

_HOUSEKEEPING = timedelta(seconds=10)

_LOOK = timedelta(seconds=6)
"""For checking whether a plan can be undone. It is short because an operator waits for the answer."""

WORKFLOW_TASK = timedelta(seconds=5)
"""The workflow task timeout: how long a chat or a plan waits for a worker that died or hangs during a task. A hanging
worker may delay a task twice, from its sticky queue and from the shared one. A task takes milliseconds, but a busy
machine may delay one for a second or two, and a timed-out task is only repeated. A short timeout is safe, because a
command takes effect by its commit, not by how fast it is processed."""

CLAIM = timedelta(seconds=2)
"""The timeout of one Redis call. It is short because an operator waits, and because it is the only way to detect a
worker that dies during the call."""

CLAIM_AGAIN = RetryPolicy(initial_interval=timedelta(milliseconds=500), maximum_interval=timedelta(seconds=2))
"""Retries often, because a command stays open for seconds only and could expire although Redis is available again."""


def requested_wait(error: ActivityError) -> float | None:
    """Return the seconds that a busy model asks its callers to wait; None for any other error."""
    cause = error.cause
    if not isinstance(cause, ApplicationError) or cause.type != MODEL_BUSY:
        return None
    return float(cause.details[0]) if cause.details else 0.0


class PlanActivities:
    """The activities of one plan, with its timeouts."""

    def __init__(self, policy: PlanPolicy) -> None:
        self._policy = policy
        self._budget = timedelta(seconds=policy.call_timeout)
        self._heartbeat = timedelta(seconds=policy.heartbeat)
        self._venue_queue = policy.venue_queue or None

    async def reason(self, request: ReasonRequest, summary: str) -> ModelReply:
        """Call the model once. Raises `ActivityError` if the model stays unavailable, or asks its callers to wait."""
        return await workflow.execute_activity(
            signatures.reason,
            request,
            task_queue=self._policy.model_queue or None,
            start_to_close_timeout=timedelta(seconds=self._policy.model_timeout),
            heartbeat_timeout=self._heartbeat,
            retry_policy=_AGAIN,
            summary=summary,
        )

    async def snapshot(self, request: step_activities.SnapshotRequest) -> step_activities.SnapshotReply:
        """Read the state before acting. Raises `ActivityError` if the venue stays unavailable."""
        reply = await workflow.execute_activity(
            signatures.take_snapshot,
            request,
            task_queue=self._venue_queue,
            start_to_close_timeout=self._budget,
            heartbeat_timeout=self._heartbeat,
            retry_policy=_AGAIN,
            summary=f"read before {request.scope.action.name}",
        )
        return _as_known(reply)

    async def act(self, request: step_activities.ActRequest) -> step_activities.ActReply:
        """Send one write once. Raises `ActivityError` if the activity was lost: the outcome is then unknown."""
        try:
            reply = await workflow.execute_activity(
                signatures.act,
                request,
                task_queue=self._venue_queue,
                # A write that is not started in time was certainly not sent, and the confirmed state is then read
                # again.
                schedule_to_start_timeout=timedelta(seconds=self._policy.start_within),
                # The lock, two reads, the write and its read-back, each with its own timeout: the venue's answer would
                # be lost with an activity that timed out. A lost worker is detected by its missing heartbeat.
                start_to_close_timeout=self._budget * 4 + timedelta(seconds=15),
                heartbeat_timeout=self._heartbeat,
                retry_policy=_ONCE,
                summary=request.scope.action.name,
            )
        except ActivityError as error:
            reply = step_activities.ActReply.model_validate(_reply_in(error))
        return _as_known(reply)

    async def read_back(self, request: step_activities.ActRequest, timeout: float) -> step_activities.ActReply:
        """Return whether a write was applied, reading for up to `timeout` seconds."""
        reply = await workflow.execute_activity(
            signatures.read_back,
            request,
            task_queue=self._venue_queue,
            start_to_close_timeout=self._budget + timedelta(seconds=timeout + 15),
            heartbeat_timeout=self._heartbeat,
            retry_policy=_AGAIN,
            summary=f"did {request.scope.action.name} land?",
        )
        return _as_known(reply)

    async def undo(self, request: step_activities.StepUndoRequest) -> step_activities.StepUndoResult:
        """Run one compensation, retried until it succeeds, is rejected or times out; or preview its result for a
        waiting operator."""
        timeout = _LOOK if request.look_only else timedelta(seconds=self._policy.rollback_timeout)
        name = request.scope.action.name
        try:
            reply = await workflow.execute_activity(
                signatures.undo_step,
                request,
                task_queue=self._venue_queue,
                # Each of its calls has its own timeout, and a lost worker is detected by its missing heartbeat.
                schedule_to_close_timeout=timeout,
                heartbeat_timeout=self._heartbeat,
                retry_policy=_AGAIN if request.look_only else _UNTIL_DONE,
                summary=f"can {name} be undone?" if request.look_only else f"undo {name}",
            )
        except ActivityError as error:
            reply = step_activities.StepUndoResult.model_validate(_reply_in(error))
        return _as_known(reply)

    async def request_prompt_slot(self, call: step_activities.PromptSlotRequest) -> None:
        """Request or release the session's prompt slot."""
        await workflow.execute_activity(
            signatures.request_prompt_slot,
            call,
            start_to_close_timeout=_HOUSEKEEPING,
            schedule_to_close_timeout=_HOUSEKEEPING * 6,
            retry_policy=_UNTIL_DONE,
            summary="give back the chat's one question" if call.release else "may this plan ask its operator?",
        )

    async def claim(self, call: step_activities.CommitCommand) -> bool:
        """Return whether this command is committed. Waits without limit, because its caller's own wait has ended and
        only the store knows the outcome."""
        reply = await workflow.execute_activity(
            signatures.commit_command,
            call,
            start_to_close_timeout=CLAIM,
            retry_policy=CLAIM_AGAIN,
            summary="may this word take effect?",
        )
        return reply.granted

    async def wipe_token(self, reference: str) -> None:
        """Wipe the operator's token. Never raises, because the plan is otherwise done and the vault's TTL removes the
        token, too."""
        await workflow.execute_activity(
            signatures.wipe_token,
            reference,
            start_to_close_timeout=_HOUSEKEEPING,
            schedule_to_close_timeout=_HOUSEKEEPING * 6,
            retry_policy=_UNTIL_DONE,
            summary="forget the operator's token",
        )


def _as_known(reply: R) -> R:
    """Return a reply in which a sign-in failure of this service itself has its own message."""
    if reply.failure is None:
        return reply
    return reply.model_copy(update={"failure": error_messages.signed_out(reply.failure)})


def _reply_in(error: ActivityError) -> object:
    """Return the reply in the failure of a write that was not applied as asked. Such an activity fails so that the
    history shows it. Any other error is raised again."""
    cause = error.cause
    if isinstance(cause, ApplicationError) and cause.type == persisted_names.NOT_DONE and cause.details:
        return cause.details[0]
    raise error
