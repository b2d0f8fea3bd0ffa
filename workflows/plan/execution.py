"""Execution of a confirmed plan: reason → guard → snapshot → act → observe, until every step is done.

The model decides how the next step is called; the guard decides whether that is what was confirmed. Execution returns
normally if all went well, else it ends with a `PlanFailure`.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import Enum
from typing import NoReturn

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts import limits
    from contracts.action import ActionParameter
    from contracts.base import Json
    from contracts.chat_completion import AnswerGiven, ChatMessage, ModelReply, ReasonRequest, ToolCall
    from contracts.chat_messages import PlanStart
    from contracts.enums import ErrorType, PlanStatus, StepStatus
    from contracts.errors import VenueFailure
    from contracts.plan import PlanFailure, PlannedAction
    from contracts.step_activities import ActReply, StepScope, WriteOutcome
    from contracts.trace_context import EXECUTION, step_key
    from language.messages.catalogue import translate
    from reasoning.drafting import new_bookings, step_order
    from reasoning.execution import guard
    from reasoning.modes.prompts import ASK, REFUSE
    from workflows.plan import failures
    from workflows.plan.activities import PlanActivities, requested_wait
    from workflows.plan.commands import CommandCommits
    from workflows.plan.credentials import Credentials
    from workflows.plan.failures import PlanCancellation, PlanStoppedError, StopControl
    from workflows.plan.preconditions import Preconditions
    from workflows.plan.prompts import NoAnswerError, Prompts
    from workflows.plan.saga import Saga
    from workflows.plan.scheduler import StepScheduler
    from workflows.plan.state import PlanRecord
    from workflows.plan.step import StepState, runs_of
    from workflows.plan.tracing import place_in_plan
    from workflows.plan.write import StepWriter

_GO_ON = "Carry out the confirmed plan: call its next step."


_OPEN = (StepStatus.PENDING, StepStatus.RUNNING)


class _Round(Enum):
    """How one round of the loop ended."""

    DONE = "the step is done"
    TO_MEND = "the model has something to mend"
    ASKED = "the operator was asked, which is no mistake"


class PlanExecution:
    """The execution of one confirmed plan."""

    def __init__(
        self,
        start: PlanStart,
        record: PlanRecord,
        calls: PlanActivities,
        saga: Saga,
        questions: Prompts,
        credentials: Credentials,
        cancellation: PlanCancellation,
        commands: CommandCommits,
    ) -> None:
        self._start = start
        self._commands = commands
        self._record = record
        self._activities = calls
        self._prompts = questions
        self._credentials = credentials
        self._names = frozenset(s.action.name for s in start.steps)
        guests = {s.booking.guest_name for s in start.steps if s.booking}
        self._personal = tuple(sorted(guests.union(*(s.personal for s in start.steps)) - {""}))
        self._behind = sum(action.read_only for action in start.plan.actions)
        self._runs = runs_of(start.steps, self._behind)
        self.preconditions = Preconditions(self._runs)
        self._waits: dict[int, datetime] = {}
        self._stop_control = StopControl(record, cancellation)
        self._writer = StepWriter(start, record, calls, saga, credentials, self.preconditions, self._stop_control)
        self._transcript = [*start.transcript, ChatMessage(role="user", content=_GO_ON)]
        together = start.profile.parallel_steps
        self._scheduler = StepScheduler(self._runs, record, saga, self._stop_control, together=together)
        self._one_question = asyncio.Lock()
        self._done: dict[int, str] = {}
        self.changes: list[str] = []

    async def run(self) -> None:
        """Carry out every step that is not skipped. Raises `PlanStoppedError`."""
        declined = await self._scheduler.run(self._finish)
        # A cancel that was accepted while the last step acted must count, too.
        self._stop_control.raise_if_stopped(None)
        if declined and not self._done:
            raise PlanStoppedError(declined[-1])
        replaced = self._fallback_texts()
        lines = [replaced.get(failure.step, failure.message) for failure in declined]
        self.changes = [*lines, *(text for _, text in sorted(self._done.items()))]

    def _fallback_texts(self) -> dict[int | None, str]:
        """Return the final message of each step whose fallback was carried out. It replaces the venue's text, which may
        ask for what the fallback did."""
        done = [run.drafted.when for run in self._runs if run.number in self._done and run.drafted.when is not None]
        steps = [self._behind + when.step for when in done if when.ended == "failed"]
        titles = {run.number: run.action.title for run in self._runs}
        return {step: translate("plan.made_up_for", step=step, title=titles[step]) for step in steps}

    def _skipped(self, run: StepState) -> bool:
        return self._record.plan.actions[run.number - 1].status is StepStatus.SKIPPED

    async def _finish(self, run: StepState, alone: bool) -> None:
        """Carry out one step. A step beside others has a transcript of its own, which is then appended to the
        plan's."""
        run.transcript = self._transcript if alone else [*self._transcript]
        begun = len(run.transcript)
        try:
            await self._bring_about(run, alone=alone)
        except PlanStoppedError:
            self._record_refusal(run)
            self._transcript += () if alone else run.transcript[begun:]
            raise
        self._transcript += () if alone else run.transcript[begun:]

    def _record_refusal(self, run: StepState) -> None:
        """Record the failure of a step that was attempted, so that it does not count as never started, whatever
        prevented another attempt."""
        if run.refusal is not None and self._record.plan.actions[run.number - 1].status is StepStatus.RUNNING:
            self._record.record_result(run, StepStatus.FAILED, failures.in_full(run.refusal), run.refusal.error_type)

    async def _bring_about(self, run: StepState, *, alone: bool) -> None:
        to_mend = 0
        telling = self._record.events
        telling.at_step = run.number
        telling.progress("preparing", run.number)
        while (ended := await self._run_round(run, to_mend, alone=alone)) is not _Round.DONE:
            to_mend += ended is _Round.TO_MEND
            if to_mend >= self._start.policy.max_corrections:
                self._give_up(run, failures.gave_up(run))

    async def _run_round(self, run: StepState, mended: int, *, alone: bool) -> _Round:
        """Run one round of the loop, after `mended` rounds that the model had to correct."""
        self._stop_control.raise_if_stopped(run)
        call = await self._next_call(run, alone=alone) if not self._can_run_directly(run) else self._direct_call(run)
        await self._commands.settled()
        self._stop_control.raise_if_stopped(run)
        if self._skipped(run):
            return self._passed_over(run, call)
        if call is None:
            return _Round.TO_MEND
        if call.problems and call.name in (ASK, REFUSE):
            return self._retry_with(run, call, {"error": " ".join(call.problems)})
        if call.name == ASK:
            return await self._ask(run, call)
        if call.name == REFUSE:
            self._give_up(run, failures.refused(run, str(call.arguments.get("message", ""))))
        answered, outputs = bool(self._prompts.taken), self._outputs()
        verdict = guard.judge(call, run.action, run.confirmed, self._names, outputs, answered=answered)
        match verdict:
            case guard.Correct(problem):
                run.unfit = True
                return self._retry_with(run, call, {"error": problem})
            case guard.ExceedsPlan() if self._called_early(run, call):
                return self._retry_with(
                    run, call, {"error": "That is a later step of the plan: call the next one first."}
                )
            case guard.ExceedsPlan(reason):
                raise PlanStoppedError(failures.widened(run, reason))
            case guard.Allow(parameters):
                last_attempt = mended + 1 >= self._start.policy.max_corrections
                return await self._carry_out(run, call, parameters, last_attempt=last_attempt)

    async def _next_call(self, run: StepState, *, alone: bool) -> ToolCall | None:
        """Return the model's next call; None if it called nothing."""
        if guard.ends_with_own(run.transcript):
            run.transcript.append(ChatMessage(role="user", content=_GO_ON))
        request = ReasonRequest(
            venue_id=self._start.profile.venue_id,
            now=workflow.now(),
            messages=limits.trimmed_transcript(run.transcript),
            goal=tuple(self._goal(None if alone else run)),
            intent=self._start.plan.intent,
            actions=tuple({s.action.name: s.action for s in self._start.steps}.values()),
            answers=tuple(run.answers),
            profile=self._start.profile,
            trace_id=self._start.trace_id,
            trace_context=place_in_plan(self._start, EXECUTION),
            personal=self._personal,
            mode=self._start.mode,
            plan_id=self._record.plan.plan_id,
        )
        reply = await self._patient_reply(run, request)
        if reply is None:
            return None
        self._mark_executing()
        if not reply.tool_calls:
            run.transcript += [
                reply.message,
                ChatMessage(role="user", content=_GO_ON),
            ]
            return None
        call, *others = reply.tool_calls
        run.transcript.append(reply.message)
        for extra in others:
            self._observe(run, extra, {"error": "One call at a time: call this again when it is its turn."})
        return call

    async def _patient_reply(self, run: StepState, request: ReasonRequest) -> ModelReply | None:
        """Return the model's reply; None if the step was skipped meanwhile. A busy model is waited for: a plan is never
        stopped because its model asked for patience, except by its operator. Raises `PlanStoppedError`."""
        while True:
            try:
                return await self._activities.reason(request, f"step {run.number}: what next?")
            except ActivityError as error:
                wait = requested_wait(error)
                if wait is None:
                    workflow.logger.warning("the model did not answer: %s", error.cause)
                    raise PlanStoppedError(failures.no_assistant(run)) from None
            self._record.events.progress("assistant_busy", run.number)
            self._note_wait(run, workflow.now() + timedelta(seconds=wait))
            with contextlib.suppress(TimeoutError):
                summary = "waits as long as the model asks its callers to"
                await workflow.wait_condition(
                    lambda: self._stop_control.stopped or self._skipped(run), timeout=wait, timeout_summary=summary
                )
            self._note_wait(run, None)
            self._stop_control.raise_if_stopped(run)
            if self._skipped(run):
                return None

    def _note_wait(self, run: StepState, until: datetime | None) -> None:
        """Show until when the plan waits for its model: with parallel steps, the last of their waits."""
        self._waits = {step: at for step, at in self._waits.items() if step != run.number}
        if until is not None:
            self._waits[run.number] = until
        self._record.update(assistant_busy_until=max(self._waits.values(), default=None))

    def _can_run_directly(self, run: StepState) -> bool:
        """Return whether a step leaves the model nothing to decide, at a venue that then skips the model. After any
        surprise, the model decides."""
        if self._start.profile.executor != "direct_when_certain" or run.sent_directly or run.answers:
            return False
        return guard.certain(run.action, run.confirmed, self._outputs())

    def _direct_call(self, run: StepState) -> ToolCall:
        """Return the call that the model would have made. It is in the transcript as the model's own, so that a model
        that is called later knows what was sent."""
        run.sent_directly = True
        self._mark_executing()
        call = guard.direct_call(run.number, run.action, run.confirmed)
        run.transcript.append(ChatMessage(role="assistant", tool_calls=(call,)))
        return call

    def _mark_executing(self) -> None:
        if self._record.plan.status is PlanStatus.CONFIRMED:
            self._record.transition(PlanStatus.EXECUTING)

    def _outputs(self) -> dict[int, Json]:
        return {r.index: r.output for r in self._runs}

    async def _carry_out(
        self, run: StepState, call: ToolCall, parameters: dict[str, Json], *, last_attempt: bool
    ) -> _Round:
        run.started = workflow.now()
        self._record.step(run.number, StepStatus.RUNNING)
        scope = StepScope(
            profile=self._start.profile,
            token_ref=self._credentials.current,
            action=run.action,
            parameters=parameters,
            idempotency_key=f"{self._record.plan.plan_id}-{run.number}",
            trace_id=self._start.trace_id,
            trace_context=place_in_plan(self._start, step_key(run.number)),
            is_fallback=run.drafted.is_fallback,
        )
        answer = await self._writer.send(run, scope)
        self.preconditions.on_write(run, answer)
        if answer.write_outcome is WriteOutcome.APPLIED:
            text = self._summary_of(run, parameters, answer)
            run.output = answer.output
            self._done[run.number] = text
            self._record.record_result(
                run, StepStatus.COMPLETED, text, made=new_bookings.created_id(run.action, answer.output)
            )
            self._observe(run, call, {"status": "done", "result": answer.observation})
            return _Round.DONE
        failure = answer.failure or VenueFailure(error_type=ErrorType.UNKNOWN_OUTCOME, message=answer.evidence)
        correctable = failure.error_type is ErrorType.BAD_REQUEST and answer.write_outcome is WriteOutcome.NOT_APPLIED
        if correctable and not guard.may_be_sent_again(run.action, answer):
            correctable, failure = False, failures.not_repeated(failure, answer)
        if correctable and not last_attempt:
            run.refusal = failure
            words = failure.detail or failure.message
            return self._retry_with(run, call, {"error": words, "status": failure.status, "code": failure.code})
        if answer.write_outcome is WriteOutcome.NOT_APPLIED and not run.drafted.required:
            run.tolerated = self._goes_on(run, failure)
            self._observe(run, call, {"error": failure.message, "status": "not done: go on with the next step"})
        self._stop_control.fail(run, failure, answer.write_outcome)

    def _goal(self, only: StepState | None) -> Iterator[PlannedAction]:
        """Yield the steps with the model's numbers, without the reads made before. With `only`, other open steps are
        left out, because they are carried out in parallel."""
        for action in self._record.plan.actions[self._behind :]:
            if only is not None and action.step != only.number and action.status in _OPEN:
                continue
            yield action.model_copy(update={"step": action.step - self._behind}) if self._behind else action

    def _called_early(self, run: StepState, call: ToolCall) -> bool:
        """Return whether a later step was called before its turn."""
        later = [r.confirmed for r in self._runs if r.number > run.number and r.action.name == run.action.name]
        return guard.is_later_step(call, run.action, later)

    def _goes_on(self, run: StepState, failure: VenueFailure) -> bool:
        """Return whether the plan can continue without a step that failed this way."""
        conditions = [other.drafted.when for other in self._runs]
        alternative = next((c for c in conditions if c and c.step == run.index and c.ended == "failed"), None)
        return step_order.tolerates(failure, alternative)

    def _summary_of(self, run: StepState, parameters: dict[str, Json], reply: ActReply) -> str:
        """Return what a step changed, as text, with every value that came from the operator's answers."""
        text = reply.summary or run.action.title
        filled = [
            translate(
                "plan.value",
                name=parameter.display_name if (parameter := run.action.parameter(name)) else name,
                value=value,
            )
            for name, value in parameters.items()
            if name not in run.confirmed
        ]
        return f"{text} {translate('plan.filled_in', values=filled)}" if filled else text

    async def _ask(self, run: StepState, call: ToolCall) -> _Round:
        choices, about = call.arguments.get("choices"), self._asked_about(run, call)
        question = str(call.arguments.get("question") or "") or translate("plan.what_to_fill_in")
        if about is not None:
            question = translate("plan.question_about", question=question, name=about.display_name)
        try:
            async with self._one_question:
                self._stop_control.raise_if_stopped(run)
                self._record.events.at_step = run.number
                answer = await self._prompts.ask(
                    question,
                    tuple(str(c) for c in choices) if isinstance(choices, list) else (),
                    lambda: self._skipped(run) or self._stop_control.stopped,
                )
        except NoAnswerError as why:
            self._stop_control.raise_if_stopped(run)
            if self._skipped(run):
                return self._passed_over(run, call)
            raise PlanStoppedError(failures.no_answer(run, why.key)) from None
        run.answers.append(AnswerGiven(text=answer.text, parameter=about.name if about else None))
        self._observe(run, call, {"operator": answer.text})
        return _Round.ASKED

    def _asked_about(self, run: StepState, call: ToolCall) -> ActionParameter | None:
        """Return the parameter that a question states it is about, if the step has it and its value was not
        confirmed."""
        about = call.arguments.get("parameter")
        known = isinstance(about, str) and about not in run.confirmed
        return run.action.parameter(str(about)) if known else None

    def _give_up(self, run: StepState, failure: PlanFailure) -> NoReturn:
        """Stop because the model cannot carry out the step. The venue's rejection remains the step's failure, if there
        was one."""
        if run.refusal is not None:
            run.tolerated = not run.drafted.required and self._goes_on(run, run.refusal)
        raise PlanStoppedError(failure)

    def _passed_over(self, run: StepState, call: ToolCall | None) -> _Round:
        """Handle a step that the operator skipped before it started."""
        if call is not None:
            self._observe(run, call, {"status": "skipped by the operator: go on with the next step"})
        return _Round.DONE

    def _retry_with(self, run: StepState, call: ToolCall, problem: Json) -> _Round:
        self._observe(run, call, problem)
        return _Round.TO_MEND

    def _observe(self, run: StepState, call: ToolCall, result: Json) -> None:
        """Append a call's result to the transcript."""
        text = limits.truncate_json(result, limits.STEP_RESULT)
        run.transcript.append(ChatMessage(role="tool", content=text, tool_call_id=call.id))
