"""A plan's part of its request's trace: the confirmation, the steps, the prompts, the rollback and the root span. Each
span is recorded once, at its end, from the plan's state alone, so every worker that replays the plan derives the same
spans.

A replay records nothing. Spans recorded by a lost worker may be lost with it, so they are recorded once more at the end
of the plan, as the same spans.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts.chat_messages import PlanStart
    from contracts.enums import PlanStatus, RollbackOutcome, RollbackState, RollbackTrigger, StepStatus
    from contracts.plan import ActionResult, BlockingPrompt, ExecutionPlan, PlannedAction
    from contracts.trace_context import CONFIRMATION, EXECUTION, REQUEST, ROLLBACK, UNDO, TraceContext, step_key
    from contracts.usage import seconds_to_confirm
    from infra.observability.observer import ProcessObserver, Span, SpanKind, request_name
    from infra.redaction.trace_redaction import redact_arguments
    from language.redaction.vocabulary import asked_for
    from reasoning.trace_vocabulary import ReadableWords

_OUTCOMES = {PlanStatus.COMPLETED: "success", PlanStatus.FAILED: "fail", PlanStatus.ROLLED_BACK: "rollback"}
"""The specification's values; any other end is recorded as the plan's status."""


def place_in_plan(start: PlanStart, span: str) -> TraceContext:
    """Return the trace context of an activity of a plan."""
    plan = start.plan
    return TraceContext(
        span=span, venue_id=plan.venue_id, session_id=plan.session_id, user_id=plan.user_id, plan_id=plan.plan_id
    )


class PlanTrace:
    """The recorded spans of one plan."""

    def __init__(self, start: PlanStart) -> None:
        self._start = start
        self._trace_context = place_in_plan(start, REQUEST)
        self._actions = {step.action.name: step.action for step in start.steps}
        self._words = ReadableWords(self._actions.values())
        self._sent: set[str] = set()
        self._perhaps_lost: list[Span] = []
        self._executing_since: datetime | None = None
        self._rolling_since: datetime | None = None
        self._asking: tuple[BlockingPrompt, datetime] | None = None
        self._asked = 0

    def changed(self, plan: ExecutionPlan, now: datetime) -> None:
        """Record the spans that have ended with this state of the plan."""
        self._tell(self._over(plan, now))

    def cut_off(self, plan: ExecutionPlan, now: datetime) -> None:
        """Record the end of a plan after an unexpected error of ours."""
        wrong = _wrong("unexpected")
        undoing = plan.status is PlanStatus.COMPLETED
        key, above = (UNDO, REQUEST) if undoing else (ROLLBACK, EXECUTION)
        since = self._rolling_since or now
        unfinished = self._span(key, "rollback", since, now, above=above, output={"outcome": "unfinished"}, **wrong)
        rollback = [unfinished] if self._rolling_since else []
        self._tell([*rollback, *self._left_out(plan, now), *self._end(plan, now, wrong)])

    def _tell(self, spans: Iterable[Span]) -> None:
        new = [span for span in spans if span.key not in self._sent]
        self._sent |= {span.key for span in new}
        if workflow.unsafe.is_replaying():
            self._perhaps_lost += new
            return
        if any(span.key == REQUEST for span in new):
            new, self._perhaps_lost = [*self._perhaps_lost, *new], []
        ProcessObserver.observer.spans(self._start.trace_id, new)

    def _over(self, plan: ExecutionPlan, now: datetime) -> Iterator[Span]:
        if plan.status is not PlanStatus.PENDING_CONFIRMATION:
            yield self._confirmation(plan, now)
        if plan.status is PlanStatus.EXECUTING and self._executing_since is None:
            self._executing_since = now
            yield self._span("execution-begins", "execution_started", now, now, above=EXECUTION, kind="event")
        yield from self._answered(plan.blocking_prompt, now)
        for result in plan.results:
            yield self._step(plan.actions[result.step - 1], result)
        yield from self._rolled_back(plan, now)
        if plan.status.terminal and (plan.rollback is None or plan.rollback.state is RollbackState.DONE):
            yield from self._left_out(plan, now)
            yield from self._end(plan, now)

    def _confirmation(self, plan: ExecutionPlan, now: datetime) -> Span:
        fields: dict[str, Any] = {"outcome": plan.status.value, "actions": len(plan.actions)}
        if plan.confirmed_at is not None:
            took = seconds_to_confirm(self._start.requested_at or plan.created_at, plan.confirmed_at)
            fields |= {"outcome": "accepted", "seconds_to_confirm": took}
        elif plan.superseded_by is not None:
            fields |= {"outcome": "modified", "superseded_by": plan.superseded_by}
        return self._span(CONFIRMATION, "user_confirmation", plan.created_at, plan.confirmed_at or now, output=fields)

    def _answered(self, prompt: BlockingPrompt | None, now: datetime) -> Iterator[Span]:
        """Yield the span of a prompt that is no longer open, answered or not."""
        if self._asking is not None and prompt != self._asking[0]:
            (asked, since), self._asking = self._asking, None
            self._asked += 1
            attributes = partial(self._question, asked)
            yield self._span(
                f"clarification-{self._asked}", "clarification", since, now, above=EXECUTION, output=attributes
            )
        if prompt is not None and self._asking is None:
            self._asking = prompt, now

    def _question(self, asked: BlockingPrompt) -> dict[str, Any]:
        unclear = [role.value for role in asked_for(asked.question, self._start.profile.locale)]
        return {"question": self._words.shown(asked.question, ()), "unclear": unclear, "choices": len(asked.choices)}

    def _step(self, action: PlannedAction, result: ActionResult) -> Span:
        error = result.error_type.value if result.error_type is not None else None
        wrong = result.status in (StepStatus.FAILED, StepStatus.UNKNOWN)
        return self._span(
            step_key(action.step),
            action.action_id,
            result.started_at,
            result.finished_at,
            above=self._start.planned_in if action.read_only else EXECUTION,
            kind="tool",
            input=partial(self._arguments, action),
            output={"status": result.status.value, "error_type": error},
            **(_wrong(error or result.status.value) if wrong else {}),
        )

    def _arguments(self, action: PlannedAction) -> dict[str, Any]:
        return redact_arguments(self._actions.get(action.action_id), action.parameters)

    def _rolled_back(self, plan: ExecutionPlan, now: datetime) -> Iterator[Span]:
        report = plan.rollback_report
        if plan.rollback is not None and self._rolling_since is None:
            self._rolling_since = now
        if report is None:
            return
        key, above = (UNDO, REQUEST) if report.trigger is RollbackTrigger.UNDO else (ROLLBACK, EXECUTION)
        fields = {
            "trigger": report.trigger.value,
            "outcome": report.outcome.value,
            "steps": [{"step": r.step, "action_id": r.action_id, "outcome": r.outcome.value} for r in report.steps],
            "left_to_people": len(report.manual_steps),
        }
        wrong = _wrong("partial") if report.outcome is RollbackOutcome.PARTIAL else {}
        yield self._span(key, "rollback", self._rolling_since or now, now, above=above, output=fields, **wrong)

    def _left_out(self, plan: ExecutionPlan, now: datetime) -> Iterator[Span]:
        """Yield the steps without a known result."""
        for action in plan.actions if plan.confirmed_at is not None else ():
            if not any(result.step == action.step for result in plan.results):
                fields = {"status": action.status.value}
                yield self._span(
                    step_key(action.step), action.action_id, now, now, above=EXECUTION, kind="event", output=fields
                )

    def _end(self, plan: ExecutionPlan, now: datetime, broken: dict[str, Any] | None = None) -> Iterator[Span]:
        error = plan.failure.error_type.value if plan.failure is not None else None
        wrong = broken or (_wrong(error) if error is not None else {})
        fields: dict[str, Any] = {"outcome": _OUTCOMES.get(plan.status, plan.status.value), "error_type": error}
        if plan.confirmed_at is not None:
            steps = [{"step": a.step, "action_id": a.action_id, "status": a.status.value} for a in plan.actions]
            began = self._executing_since or plan.confirmed_at
            yield self._span(EXECUTION, "execution", began, now, output={**fields, "steps": steps}, **wrong)
        text = self._start.request or (self._start.transcript[0].content if self._start.transcript else "")
        yield self._span(
            REQUEST,
            request_name(self._start.trace_id),
            self._start.requested_at or plan.created_at,
            now,
            input=partial(self._words.shown, text, ()),
            output=fields,
            metadata={"clarifications": self._start.clarifications, "mode": self._start.mode},
            **wrong,
        )

    def _span(
        self,
        key: str,
        name: str,
        began: datetime,
        ended: datetime,
        *,
        above: str = REQUEST,
        kind: SpanKind = "span",
        **fields: Any,
    ) -> Span:
        return Span(key, name, began, ended, above, kind, self._trace_context, fields)


def _wrong(what: str) -> dict[str, Any]:
    return {"level": "ERROR", "status_message": what}
