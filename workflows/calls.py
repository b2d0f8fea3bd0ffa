"""How each effect is called: time-outs and retries, each with its reason.

Reads and model calls may be repeated. A write is sent once: when its call is lost, nobody knows whether it landed, and
repeating it would be a guess.
"""

from datetime import timedelta
from typing import TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from contracts import effects, signatures
    from contracts.model import ModelReply, ReasonRequest
    from contracts.policy import PlanPolicy
    from reasoning import wording

R = TypeVar("R", effects.SnapshotReply, effects.ActReply, effects.UndoReply)

_ONCE = RetryPolicy(maximum_attempts=1)

_AGAIN = RetryPolicy(initial_interval=timedelta(milliseconds=500), backoff_coefficient=2, maximum_attempts=3)
"""Three tries about a second apart: enough for a blip, short enough for an operator who waits."""

_UNTIL_DONE = RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=30))
"""For what must happen in the end: reversals and housekeeping, bounded by schedule-to-close."""

_HOUSEKEEPING = timedelta(seconds=10)

_LOOK = timedelta(seconds=6)
"""For looking whether a plan can be undone: an operator waits for the answer."""

WORKFLOW_TASK = timedelta(seconds=5)
"""How long a chat or a plan waits for a worker that died or stands still in the middle of a task; one that stands still
may take a task twice, from its own queue and from the shared one. A task itself takes milliseconds, but a busy machine
may hold one up for a second or two, and one that is timed out is only done again. Nothing is unsafe about a short one:
a word takes effect by its claim, not by how fast it is taken up."""

CLAIM = timedelta(seconds=2)
"""One look into Redis. Short, since an operator waits: a worker that dies with it is noticed by this alone."""

CLAIM_AGAIN = RetryPolicy(initial_interval=timedelta(milliseconds=500), maximum_interval=timedelta(seconds=2))
"""A word stays open for seconds only: asked less often, one could close though the store is back."""


class Calls:
    """The effects of one plan, with that plan's patience."""

    def __init__(self, policy: PlanPolicy) -> None:
        self._policy = policy
        self._budget = timedelta(seconds=policy.call_timeout)
        self._heartbeat = timedelta(seconds=policy.heartbeat)
        self._venue_queue = policy.venue_queue or None

    async def reason(self, request: ReasonRequest, summary: str) -> ModelReply:
        """One model call. Raises `ActivityError` when the model stays away."""
        return await workflow.execute_activity(
            signatures.reason,
            request,
            task_queue=self._policy.model_queue or None,
            start_to_close_timeout=timedelta(seconds=self._policy.model_timeout),
            heartbeat_timeout=self._heartbeat,
            retry_policy=_AGAIN,
            summary=summary,
        )

    async def snapshot(self, request: effects.SnapshotRequest) -> effects.SnapshotReply:
        """The state before acting. Raises `ActivityError` when the venue stays away."""
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

    async def act(self, request: effects.ActRequest) -> effects.ActReply:
        """One write, sent once. Raises `ActivityError` when the call was lost: the outcome is then unknown."""
        try:
            reply = await workflow.execute_activity(
                signatures.act,
                request,
                task_queue=self._venue_queue,
                # What does not start in time is certainly not sent; what the operator confirmed is then read anew.
                schedule_to_start_timeout=timedelta(seconds=self._policy.start_within),
                start_to_close_timeout=self._budget + timedelta(seconds=15),
                heartbeat_timeout=self._heartbeat,
                retry_policy=_ONCE,
                summary=request.scope.action.name,
            )
        except ActivityError as error:
            reply = effects.ActReply.model_validate(_told(error))
        return _as_known(reply)

    async def read_back(self, request: effects.ActRequest, patience: float) -> effects.ActReply:
        """Whether a write landed; looks for up to `patience` seconds."""
        reply = await workflow.execute_activity(
            signatures.read_back,
            request,
            task_queue=self._venue_queue,
            start_to_close_timeout=self._budget + timedelta(seconds=patience + 15),
            heartbeat_timeout=self._heartbeat,
            retry_policy=_AGAIN,
            summary=f"did {request.scope.action.name} land?",
        )
        return _as_known(reply)

    async def undo(self, request: effects.UndoRequest) -> effects.UndoReply:
        """One reversal, retried until it succeeds, is refused, or its time is up; or a look at what it would do, for
        somebody who waits."""
        patience = _LOOK if request.look_only else timedelta(seconds=self._policy.rollback_within)
        name = request.scope.action.name
        try:
            reply = await workflow.execute_activity(
                signatures.undo_step,
                request,
                task_queue=self._venue_queue,
                # Each of its calls has its own time-out, and a lost worker is noticed by its missing heartbeat.
                schedule_to_close_timeout=patience,
                heartbeat_timeout=self._heartbeat,
                retry_policy=_AGAIN if request.look_only else _UNTIL_DONE,
                summary=f"can {name} be undone?" if request.look_only else f"undo {name}",
            )
        except ActivityError as error:
            reply = effects.UndoReply.model_validate(_told(error))
        return _as_known(reply)

    async def question_slot(self, call: effects.SlotCall) -> None:
        """Ask for, or give back, the session's question slot."""
        await workflow.execute_activity(
            signatures.question_slot,
            call,
            start_to_close_timeout=_HOUSEKEEPING,
            schedule_to_close_timeout=_HOUSEKEEPING * 6,
            retry_policy=_UNTIL_DONE,
            summary="give back the chat's one question" if call.release else "may this plan ask its operator?",
        )

    async def claim(self, call: effects.ClaimCall) -> bool:
        """Whether this word takes effect. Waits for the answer as long as it takes: its caller has been told by
        then, and only the answer tells what."""
        reply = await workflow.execute_activity(
            signatures.claim_confirm,
            call,
            start_to_close_timeout=CLAIM,
            retry_policy=CLAIM_AGAIN,
            summary="may this word take effect?",
        )
        return reply.granted

    async def wipe_token(self, reference: str) -> None:
        """Forget the operator's token. Never raises into a plan that is otherwise done: the vault's TTL ends it too."""
        await workflow.execute_activity(
            signatures.wipe_token,
            reference,
            start_to_close_timeout=_HOUSEKEEPING,
            schedule_to_close_timeout=_HOUSEKEEPING * 6,
            retry_policy=_UNTIL_DONE,
            summary="forget the operator's token",
        )


def _as_known(reply: R) -> R:
    """A reply with its failure as it is known."""
    if reply.failure is None:
        return reply
    return reply.model_copy(update={"failure": wording.signed_out(reply.failure)})


def _told(error: ActivityError) -> object:
    """The reply of a write that did not do what was asked: it fails, so that a history shows it. Raises the error
    again where it is no such reply."""
    cause = error.cause
    if isinstance(cause, ApplicationError) and cause.type == signatures.NOT_DONE and cause.details:
        return cause.details[0]
    raise error
