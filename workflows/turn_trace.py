"""The trace of one message: what was understood, what was planned, what was asked back. Told when the turn is over; the
plan that comes of it tells the rest, under the same trace (`workflows/plan_trace.py`)."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.enums import ParameterRole
    from contracts.messages import ChatMemory, ChatStart, OpenRequest, TurnReply, TurnRequest
    from contracts.tracing import PLANNING, REQUEST, UNDERSTANDING, TracePlace
    from contracts.turn import ClarificationTurn, EscalationTurn, PlanTurn
    from infra.observe import ThisProcess
    from infra.spans import Span, request_name
    from infra.traced import shown_arguments
    from language.asked_for import asked_for
    from reasoning.readable import ReadableWords
    from workflows.ids import request_trace
    from workflows.outcome import Outcome


class TurnTrace:
    """What is told of one message; `began` is when its turn did, `memory` what its chat knew then, `outcome` what
    it comes to, once that is known. An answer to a question of ours belongs to the request that was asked back about,
    and is told in its trace. `tried`: when the same message was said first, where it came to nothing then."""

    def __init__(
        self, start: ChatStart, request: TurnRequest, began: datetime, memory: ChatMemory, tried: datetime | None
    ) -> None:
        own = request_trace(start.venue_id, start.session_id, request.user_id, request.request_key)
        answers = memory.asked if memory.clarifications else None
        self.open_request = answers or OpenRequest(trace_id=own, began=tried or began, said=request.user_message)
        self._answers = answers is not None
        # What was asked of a model in vain stands below the try that asked it.
        self._own = (f":{own}" if answers else "") + (f":{began.isoformat()}" if tried else "")
        self.planning = f"{PLANNING}{self._own}"
        """The key of the span in which it is planned."""
        self._understanding = f"{UNDERSTANDING}{self._own}"
        self._start, self._request, self._began, self._asked_before = start, request, began, memory.clarifications
        self.outcome: Outcome | None = None
        self._asked = self._looked = False
        self._found: int | None = None
        self._planning_since: datetime | None = None

    @property
    def id(self) -> str:
        """What all that is told of its request shares."""
        return self.open_request.trace_id

    @property
    def requested_at(self) -> datetime:
        """When its request began."""
        return self.open_request.began

    def asks(self) -> TracePlace:
        """The model is asked: what is wanted, until something was looked up, and what is to be done after that."""
        self._asked = True
        return self.plans() if self._looked else self.place()

    def looks(self) -> TracePlace:
        """Something is looked up."""
        self._looked = True
        return self.place()

    def found(self, bookings: int) -> None:
        """A look-up for bookings found so many."""
        self._found = (self._found or 0) + bookings

    def plans(self) -> TracePlace:
        """A plan is worked out from here on."""
        self._planning_since = self._planning_since or workflow.now()
        return self.place()

    def place(self) -> TracePlace:
        """What the turn is at."""
        return self._at(self._understanding if self._planning_since is None else self.planning)

    def whole(self) -> TracePlace:
        """What belongs to the request, and to nothing that the turn does for it."""
        return self._at(REQUEST)

    def over(self, reply: TurnReply) -> None:
        """The turn is over. What is said of it again, by a retry, is the same."""
        if not workflow.unsafe.is_replaying():
            ThisProcess.observer.spans(self.id, self._spans(reply))

    def _at(self, span: str) -> TracePlace:
        return _place(self._start, self._request.user_id, span)

    def _spans(self, reply: TurnReply) -> Iterator[Span]:
        now, whole, outcome = workflow.now(), self.whole(), self.outcome
        words = ReadableWords([step.action for step in outcome.steps] if outcome is not None else ())
        said = partial(words.shown, self._request.user_message, ())
        if self._asked:
            ended = self._planning_since or now
            fields: dict[str, Any] = {"input": said, **self._failed(reply)}
            yield Span(self._understanding, "intent_understanding", self._began, ended, place=whole, fields=fields)
        if self._planning_since is not None:
            fields = {"input": said, "output": partial(_planned, outcome, reply)}
            yield Span(self.planning, "plan_generation", self._planning_since, now, place=whole, fields=fields)
        turn = reply.turn
        if isinstance(turn, ClarificationTurn):
            fields = {"output": partial(self._clarification, turn, words)}
            key = f"clarification{self._own}"
            yield Span(key, "clarification", now, now, kind="event", place=whole, fields=fields)
        if self._goes_on(reply):
            return
        told: dict[str, Any] = {"outcome": turn.type if turn is not None else "error"}
        if isinstance(turn, PlanTurn):
            told["plan_id"] = turn.plan.plan_id
        if isinstance(turn, EscalationTurn):
            told["reason"] = turn.reason
        first = partial(words.shown, self.open_request.said, ())
        fields = {"input": first, "output": told, "metadata": {"clarifications": self._asked_before}}
        fields |= self._failed(reply)
        yield Span(REQUEST, request_name(self.id), self.requested_at, now, place=whole, fields=fields)

    def _goes_on(self, reply: TurnReply) -> bool:
        """Whether more comes of its request, so that the whole is told later: by a plan, or once its question is
        answered or the chat closes. A message that failed leaves the question open that it answers."""
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
        """Told by code where it is code that asks; of a model's question, by what was found and by its words."""
        if self.outcome is not None and self.outcome.asks_for is not None:
            return [self.outcome.asks_for.value]
        if turn.candidates or self._found == 0:
            return [ParameterRole.BOOKING.value]
        return [role.value for role in asked_for(turn.question, self._start.locale)]


def never_answered(start: ChatStart, memory: ChatMemory) -> None:
    """The chat closes: a request whose question is still open comes to nothing else."""
    asked = memory.asked
    if asked is None or workflow.unsafe.is_replaying():
        return
    place = _place(start, memory.owner or "", REQUEST)
    fields = {
        "input": partial(ReadableWords(()).shown, asked.said, ()),
        "output": {"outcome": "clarification"},
        "metadata": {"clarifications": memory.clarifications},
    }
    whole = Span(REQUEST, request_name(asked.trace_id), asked.began, workflow.now(), place=place, fields=fields)
    ThisProcess.observer.spans(asked.trace_id, [whole])


def _place(start: ChatStart, user_id: str, span: str) -> TracePlace:
    return TracePlace(span=span, venue_id=start.venue_id, session_id=start.session_id, user_id=user_id)


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
