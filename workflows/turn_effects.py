"""The effects of one turn, which share what is left of its time."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.assessment import Critique, CritiqueRequest
    from contracts.booking import BookingSummary
    from contracts.drafting import DraftReply, DraftRequest, LookUpReply, LookUpRequest
    from contracts.messages import ChatStart, TurnRequest
    from contracts.model import ModelReply, ReasonRequest, ToolCall
    from workflows.turn_trace import TurnTrace

A = TypeVar("A")
R = TypeVar("R")

_TWICE = RetryPolicy(initial_interval=timedelta(milliseconds=300), maximum_attempts=2)
"""Somebody is waiting with a phone in hand: one more try, then say so."""

_TO_SAY_SO = timedelta(milliseconds=700)
"""Kept back of a turn, so that a person can be called before the turn's time is up."""

_SHORTEST = timedelta(milliseconds=500)
"""A critique that gets less is not begun."""


class TurnEffects:
    """Calls the activities of one turn, each in its place in the turn's trace."""

    def __init__(self, start: ChatStart, request: TurnRequest, trace: TurnTrace) -> None:
        self._start, self._request, self._trace = start, request, trace
        self._policy = start.policy.plan
        self._heartbeat = timedelta(seconds=self._policy.heartbeat)

    async def reason(self, request: ReasonRequest) -> ModelReply:
        """The model's next reply. Raises `ActivityError`."""
        traced = request.model_copy(update={"trace_id": self._trace.id, "place": self._trace.asks()})
        return await self._call(signatures.reason, traced, "what does the operator want?")

    async def draft(self, request: DraftRequest) -> DraftReply:
        """The steps of a plan, frozen. Raises `ActivityError`."""
        traced = request.model_copy(update={"trace_id": self._trace.id, "place": self._trace.plans()})
        return await self._call(signatures.draft, traced, "draft the plan")

    async def _call(self, activity: Callable[[A], Awaitable[R]], request: A, summary: str) -> R:
        """Call an activity that may take what is left of the turn. Raises `ActivityError`."""
        left = max(self._request.deadline - workflow.now(), timedelta(milliseconds=100))
        of_model = activity is signatures.reason
        return await workflow.execute_activity(
            activity,
            request,
            task_queue=(self._policy.model_queue if of_model else self._policy.venue_queue) or None,
            start_to_close_timeout=left,
            heartbeat_timeout=self._heartbeat,
            retry_policy=_TWICE,
            summary=summary,
        )

    async def read(self, call: ToolCall, known: tuple[BookingSummary, ...]) -> LookUpReply:
        """One look-up, of what the chat knows, too. Raises `ActivityError`."""
        request = LookUpRequest(
            venue_id=self._start.venue_id,
            token_ref=self._request.token_ref,
            call=call,
            now=workflow.now(),
            trace_id=self._trace.id,
            place=self._trace.looks(),
            known=known,
        )
        reply = await self._call(signatures.look_up, request, call.name)
        if reply.candidates is not None:
            self._trace.found(len(reply.candidates))
        return reply

    @property
    def late(self) -> bool:
        """Whether there is no time left for a critique."""
        return self._left < _SHORTEST

    @property
    def _left(self) -> timedelta:
        return self._request.deadline - workflow.now() - _TO_SAY_SO

    async def critique(self, request: CritiqueRequest) -> Critique:
        """One critique, tried twice within what is left: each try gets half of it. Raises `ActivityError`."""
        return await workflow.execute_activity(
            signatures.critique,
            request.model_copy(update={"trace_id": self._trace.id, "place": self._trace.plans()}),
            task_queue=self._policy.model_queue or None,
            start_to_close_timeout=max(self._left / 2, _SHORTEST),
            schedule_to_close_timeout=self._left,
            heartbeat_timeout=self._heartbeat,
            retry_policy=_TWICE,
            summary="may this go on?",
        )
