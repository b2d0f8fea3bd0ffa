"""The trace of one message: what was understood, planned and asked. It is recorded when the turn ends; its plan records
the rest in the same trace (`workflows/plan/tracing.py`)."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import ChatMemory, ChatStart, OpenRequest, TurnReply, TurnRequest
    from contracts.enums import ParameterRole
    from contracts.trace_context import PLANNING, REQUEST, UNDERSTANDING, TraceContext
    from contracts.turn import ClarificationTurn, EscalationTurn, PlanTurn
    from infra.observability.observer import ProcessObserver, Span, request_name
    from infra.redaction.trace_redaction import redact_arguments
    from language.redaction.vocabulary import asked_for
    from reasoning.trace_vocabulary import ReadableWords
    from workflows.chat.turn_result import TurnResult
    from workflows.workflow_ids import request_trace


class TurnTrace:
    """The trace of one message. `began` is the start of its turn, `memory` the chat's memory at that time, `outcome`
    the turn's result once it is known. An answer to our question belongs to the trace of the request that the question
    was about. `tried`: when the same message was first sent, if that attempt failed."""

    def __init__(
        self, start: ChatStart, request: TurnRequest, began: datetime, memory: ChatMemory, tried: datetime | None
    ) -> None:
        own = request_trace(start.venue_id, start.session_id, request.user_id, request.request_key)
        answers = memory.asked if memory.clarifications else None
        self.open_request = answers or OpenRequest(
            trace_id=own, began=tried or began, first_message=request.user_message
        )
        self._answers = answers is not None
        # Failed model calls are grouped under the attempt that made them.
        self._own = (f":{own}" if answers else "") + (f":{began.isoformat()}" if tried else "")
        self.planning = f"{PLANNING}{self._own}"
        """The key of the span of its planning."""
        self._understanding = f"{UNDERSTANDING}{self._own}"
        self._start, self._request, self._began, self._asked_before = start, request, began, memory.clarifications
        self.outcome: TurnResult | None = None
        self._asked = self._looked = False
        self._found: int | None = None
        self._planning_since: datetime | None = None

    @property
    def id(self) -> str:
        """Return the trace id of the request."""
        return self.open_request.trace_id

    @property
    def requested_at(self) -> datetime:
        """Return when the request began."""
        return self.open_request.began

    def asks(self) -> TraceContext:
        """Return the context of a model call: understanding before the first look-up, planning after it."""
        self._asked = True
        return self.plans() if self._looked else self.place()

    def looks(self) -> TraceContext:
        """Return the context of a look-up."""
        self._looked = True
        return self.place()

    def found(self, bookings: int) -> None:
        """Record the number of bookings that a look-up found."""
        self._found = (self._found or 0) + bookings

    def plans(self) -> TraceContext:
        """Start the planning phase and return its context."""
        self._planning_since = self._planning_since or workflow.now()
        return self.place()

    def place(self) -> TraceContext:
        """Return the context of the current phase."""
        return self._at(self._understanding if self._planning_since is None else self.planning)

    def whole(self) -> TraceContext:
        """Return the context of the request itself, outside its phases."""
        return self._at(REQUEST)

    def over(self, reply: TurnReply) -> None:
        """Record the spans at the end of the turn. A retry records the same ones."""
        if not workflow.unsafe.is_replaying():
            ProcessObserver.observer.spans(self.id, self._spans(reply))

    def _at(self, span: str) -> TraceContext:
        return _place(self._start, self._request.user_id, span)

    def _spans(self, reply: TurnReply) -> Iterator[Span]:
        now, whole, outcome = workflow.now(), self.whole(), self.outcome
        words = ReadableWords([step.action for step in outcome.steps] if outcome is not None else ())
        shown = partial(words.shown, self._request.user_message, ())
        if self._asked:
            ended = self._planning_since or now
            fields: dict[str, Any] = {"input": shown, **self._failed(reply)}
            yield Span(
                self._understanding, "intent_understanding", self._began, ended, trace_context=whole, fields=fields
            )
        if self._planning_since is not None:
            fields = {"input": shown, "output": partial(_planned, outcome, reply)}
            yield Span(self.planning, "plan_generation", self._planning_since, now, trace_context=whole, fields=fields)
        turn = reply.turn
        if isinstance(turn, ClarificationTurn):
            fields = {"output": partial(self._clarification, turn, words)}
            key = f"clarification{self._own}"
            yield Span(key, "clarification", now, now, kind="event", trace_context=whole, fields=fields)
        if self._goes_on(reply):
            return
        details: dict[str, Any] = {"outcome": turn.type if turn is not None else "error"}
        if isinstance(turn, PlanTurn):
            details["plan_id"] = turn.plan.plan_id
        if isinstance(turn, EscalationTurn):
            details["reason"] = turn.reason
        first = partial(words.shown, self.open_request.first_message, ())
        fields = {"input": first, "output": details, "metadata": {"clarifications": self._asked_before}}
        fields |= self._failed(reply)
        yield Span(REQUEST, request_name(self.id), self.requested_at, now, trace_context=whole, fields=fields)

    def _goes_on(self, reply: TurnReply) -> bool:
        """Return whether the request continues, so that its root span is recorded later: by a plan, or once its
        question is answered or the chat closes. A failed message leaves the question open that it answers."""
        outcome = self.outcome
        if isinstance(reply.turn, PlanTurn):
            return outcome is not None and bool(outcome.steps)
        return isinstance(reply.turn, ClarificationTurn) or (reply.error is not None and self._answers)

    @staticmethod
    def _failed(reply: TurnReply) -> dict[str, Any]:
        error = reply.error
        return {"level": "ERROR", "status_message": error.error_type.value} if error is not None else {}

    def _clarification(self, turn: ClarificationTurn, words: ReadableWords) -> dict[str, Any]:
        return {
            "question": words.shown(turn.question, ()),
            "unclear": self._unclear(turn),
            "candidates": len(turn.candidates),
            "asked_before": self._asked_before,
        }

    def _unclear(self, turn: ClarificationTurn) -> list[str]:
        """Return what was unclear: the expected role for a question by code; for a model's question, by the look-ups
        and its text."""
        if self.outcome is not None and self.outcome.expected_role is not None:
            return [self.outcome.expected_role.value]
        if turn.candidates or self._found == 0:
            return [ParameterRole.BOOKING.value]
        return [role.value for role in asked_for(turn.question, self._start.locale)]


def never_answered(start: ChatStart, memory: ChatMemory) -> None:
    """Record a request whose question is still open when the chat closes."""
    request = memory.asked
    if request is None or workflow.unsafe.is_replaying():
        return
    trace = _place(start, memory.owner or "", REQUEST)
    fields = {
        "input": partial(ReadableWords(()).shown, request.first_message, ()),
        "output": {"outcome": "clarification"},
        "metadata": {"clarifications": memory.clarifications},
    }
    whole = Span(
        REQUEST, request_name(request.trace_id), request.began, workflow.now(), trace_context=trace, fields=fields
    )
    ProcessObserver.observer.spans(request.trace_id, [whole])


def _place(start: ChatStart, user_id: str, span: str) -> TraceContext:
    return TraceContext(span=span, venue_id=start.venue_id, session_id=start.session_id, user_id=user_id)


def _planned(outcome: TurnResult | None, reply: TurnReply) -> dict[str, Any]:
    """Return the selected actions with redacted values."""
    steps = outcome.steps if outcome is not None else ()
    return {
        "outcome": reply.turn.type if reply.turn is not None else "error",
        "action_count": len(steps),
        "actions": [
            {
                "action_id": step.action.name,
                "parameters": redact_arguments(step.action, step.parameters),
                "safety_tier": step.action.safety.value,
                "reversible": step.action.reversible,
            }
            for step in steps
        ],
    }
