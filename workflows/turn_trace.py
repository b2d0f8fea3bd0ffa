"""The trace of one message: what was understood, what was planned, what was asked back. Told when the turn is over; the
plan that comes of it tells the rest, under the same trace (`workflows/plan_trace.py`)."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.messages import ChatMemory, ChatStart, TurnReply, TurnRequest
    from contracts.tracing import PLANNING, REQUEST, UNDERSTANDING, TracePlace
    from contracts.turn import ClarificationTurn, EscalationTurn, PlanTurn
    from infra.observe import ThisProcess
    from infra.spans import Span, request_name, trace_of
    from infra.traced import shown_arguments
    from reasoning.readable import ReadableWords
    from workflows.ids import request_trace
    from workflows.outcome import Outcome


class TurnTrace:
    """What is told of one message; `began` is when its turn did, `memory` what its chat knew then, `outcome` what
    it comes to, once that is known. Where it answers a question of ours, it tells whose trace that is in."""

    def __init__(self, start: ChatStart, request: TurnRequest, began: datetime, memory: ChatMemory) -> None:
        self.id = self._trace_of(start, request, request.request_key)
        self._follows = None
        if memory.clarifications and memory.turns:
            self._follows = trace_of(self._trace_of(start, request, memory.turns[-1].request_key))
        self._start, self._request, self._began, self._asked_before = start, request, began, memory.clarifications
        self.outcome: Outcome | None = None
        self._asked = self._looked = False
        self._planning_since: datetime | None = None

    @staticmethod
    def _trace_of(start: ChatStart, request: TurnRequest, request_key: str) -> str:
        return request_trace(start.venue_id, start.session_id, request.user_id, request_key)

    def asks(self) -> TracePlace:
        """The model is asked: what is wanted, until something was looked up, and what is to be done after that."""
        self._asked = True
        return self.plans() if self._looked else self.place()

    def looks(self) -> TracePlace:
        """Something is looked up."""
        self._looked = True
        return self.place()

    def plans(self) -> TracePlace:
        """A plan is worked out from here on."""
        self._planning_since = self._planning_since or workflow.now()
        return self.place()

    def place(self) -> TracePlace:
        """What the turn is at."""
        return self._at(UNDERSTANDING if self._planning_since is None else PLANNING)

    def over(self, reply: TurnReply) -> None:
        """The turn is over. What is said of it again, by a retry, is the same."""
        if not workflow.unsafe.is_replaying():
            ThisProcess.observer.spans(self.id, self._spans(reply))

    def _at(self, span: str) -> TracePlace:
        start, user = self._start, self._request.user_id
        return TracePlace(span=span, venue_id=start.venue_id, session_id=start.session_id, user_id=user)

    def _spans(self, reply: TurnReply) -> Iterator[Span]:
        now, whole, outcome = workflow.now(), self._at(REQUEST), self.outcome
        words = ReadableWords([step.action for step in outcome.steps] if outcome is not None else ())
        said = partial(words.shown, self._request.user_message, ())
        if self._asked:
            ended = self._planning_since or now
            fields: dict[str, Any] = {"input": said, "metadata": {"follows": self._follows}}
            yield Span(UNDERSTANDING, "intent_understanding", self._began, ended, place=whole, fields=fields)
        if self._planning_since is not None:
            fields = {"input": said, "output": partial(_planned, outcome, reply)}
            yield Span(PLANNING, "plan_generation", self._planning_since, now, place=whole, fields=fields)
        turn = reply.turn
        if isinstance(turn, ClarificationTurn):
            fields = {"output": partial(self._clarification, turn, words)}
            yield Span("clarification", "clarification", now, now, kind="event", place=whole, fields=fields)
        if isinstance(turn, PlanTurn) and outcome is not None and outcome.steps:
            return  # its plan tells of the whole
        told: dict[str, Any] = {"outcome": turn.type if turn is not None else "error"}
        if isinstance(turn, PlanTurn):
            told["plan_id"] = turn.plan.plan_id
        if isinstance(turn, EscalationTurn):
            told["reason"] = turn.reason
        fields = {"input": said, "output": told}
        if reply.error is not None:
            fields |= {"level": "ERROR", "status_message": reply.error.error_type.value}
        yield Span(REQUEST, request_name(self.id), self._began, now, place=whole, fields=fields)

    def _clarification(self, turn: ClarificationTurn, words: ReadableWords) -> dict[str, Any]:
        lacks = self.outcome.asks_for if self.outcome is not None else None
        return {
            "question": words.shown(turn.question, ()),
            "unclear": lacks.value if lacks is not None else "booking" if turn.candidates else None,
            "candidates": len(turn.candidates),
            "asked_before": self._asked_before,
        }


def _planned(outcome: Outcome | None, reply: TurnReply) -> dict[str, Any]:
    """The actions selected, with what may be shown of their values."""
    steps = outcome.steps if outcome is not None else ()
    return {
        "outcome": reply.turn.type if reply.turn is not None else "error",
        "action_count": len(steps),
        "actions": [
            {
                "action_id": step.action.name,
                "parameters": shown_arguments(step.action, step.parameters),
                "safety_tier": step.action.safety.value,
                "reversible": step.action.reversible,
            }
            for step in steps
        ],
    }
