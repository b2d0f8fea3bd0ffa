"""The activities of one turn, which share its remaining time.

Finds the unavailable part in the error of a chat's activity.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, ApplicationError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.booking import BookingSummary
    from contracts.chat_completion import Critique, CritiqueRequest, ModelReply, ReasonRequest, ToolCall
    from contracts.chat_messages import ChatStart, TurnRequest
    from contracts.drafting import DraftReply, DraftRequest, LookUpReply, LookUpRequest
    from contracts.errors import MODEL_BUSY
    from workflows.chat.tracing import TurnTrace

A = TypeVar("A")
R = TypeVar("R")

_TWICE = RetryPolicy(initial_interval=timedelta(milliseconds=300), maximum_attempts=2)
"""One retry, because an operator is waiting; then the failure is reported."""

_TO_SAY_SO = timedelta(milliseconds=700)
"""Reserved at the end of a turn, so that it can still be escalated before its time limit."""

_SHORTEST = timedelta(milliseconds=500)
"""A critique with less time than this is not started."""


class TurnActivities:
    """Calls the activities of one turn, each with its position in the turn's trace."""

    def __init__(self, start: ChatStart, request: TurnRequest, trace: TurnTrace) -> None:
        self._start, self._request, self._trace = start, request, trace
        self._policy = start.policy.plan
        self._heartbeat = timedelta(seconds=self._policy.heartbeat)

    async def reason(self, request: ReasonRequest) -> ModelReply:
        """Return the model's next reply. Raises `ActivityError`."""
        traced = request.model_copy(update={"trace_id": self._trace.id, "trace_context": self._trace.asks()})
        return await self._call(signatures.reason, traced, "what does the operator want?")

    async def draft(self, request: DraftRequest) -> DraftReply:
        """Return the drafted steps of a plan. Raises `ActivityError`."""
        traced = request.model_copy(update={"trace_id": self._trace.id, "trace_context": self._trace.plans()})
        return await self._call(signatures.draft, traced, "draft the plan")

    async def _call(self, activity: Callable[[A], Awaitable[R]], request: A, summary: str) -> R:
        """Call an activity that may use the rest of the turn. Raises `ActivityError`."""
        remaining = max(self._request.deadline - workflow.now(), timedelta(milliseconds=100))
        of_model = activity is signatures.reason
        return await workflow.execute_activity(
            activity,
            request,
            task_queue=(self._policy.model_queue if of_model else self._policy.venue_queue) or None,
            start_to_close_timeout=remaining,
            heartbeat_timeout=self._heartbeat,
            retry_policy=_TWICE,
            summary=summary,
        )

    async def read(self, call: ToolCall, known: tuple[BookingSummary, ...]) -> LookUpReply:
        """Return the result of one look-up, including matching bookings that the chat knows. Raises `ActivityError`."""
        request = LookUpRequest(
            venue_id=self._start.venue_id,
            token_ref=self._request.token_ref,
            call=call,
            now=workflow.now(),
            trace_id=self._trace.id,
            trace_context=self._trace.looks(),
            known=known,
        )
        reply = await self._call(signatures.look_up, request, call.name)
        if reply.candidates is not None:
            self._trace.found(len(reply.candidates))
        return reply

    @property
    def late(self) -> bool:
        """Return whether there is no time left for a critique."""
        return self._left < _SHORTEST

    @property
    def _left(self) -> timedelta:
        return self._request.deadline - workflow.now() - _TO_SAY_SO

    async def critique(self, request: CritiqueRequest) -> Critique:
        """Return a critique. It is tried twice within the remaining time, each with half of it. Raises
        `ActivityError`."""
        return await workflow.execute_activity(
            signatures.critique,
            request.model_copy(update={"trace_id": self._trace.id, "trace_context": self._trace.plans()}),
            task_queue=self._policy.model_queue or None,
            start_to_close_timeout=max(self._left / 2, _SHORTEST),
            schedule_to_close_timeout=self._left,
            heartbeat_timeout=self._heartbeat,
            retry_policy=_TWICE,
            summary="may this go on?",
        )


PART = "unavailable."
"""The prefix of a part's name in an error type (as in `[away]`), for an activity that knows the unavailable part."""

_SENT_TO = {"reason": "model", "look_up": "venue", "draft": "venue", "commit_command": "store"}
"""The part that an activity calls, for activities that timed out. The others call Temporal."""
_MODEL_TROUBLE = "model_unavailable"
_STORE_TROUBLE = frozenset({"ConnectionError", "TimeoutError", "BusyLoadingError", "StoreAwayError"})
"""Error types of an unavailable Redis. Other clients raise errors of their own."""


def unavailable_part(error: ActivityError) -> str:
    """Return the unavailable part behind an activity error."""
    if isinstance(error.cause, ApplicationError):
        kind = error.cause.type or ""
        if kind.startswith(PART):
            return kind.removeprefix(PART)
        if kind in _STORE_TROUBLE:
            return "store"
        # The activity failed without naming an unavailable part, so it is a fault of this service.
        return "model" if kind == _MODEL_TROUBLE else MODEL_BUSY if kind == MODEL_BUSY else "service"
    return _SENT_TO.get(error.activity_type, "slow")
