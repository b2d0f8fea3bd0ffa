"""Carrying out a confirmed plan: reason → guard → snapshot → act → observe, until every step is done.

The model decides how the next step is called; the guard decides whether that is what was confirmed. Ends without a word
when all went well, else with a `PlanFailure`.
"""

import asyncio
from collections.abc import Iterator
from enum import Enum
from typing import NoReturn

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts import bounds
    from contracts.action import ActionParameter
    from contracts.base import Json
    from contracts.effects import ActReply, Expectation, Landing, StepScope
    from contracts.enums import ErrorType, PlanStatus, StepStatus
    from contracts.errors import VenueFailure
    from contracts.messages import PlanStart
    from contracts.model import ChatMessage, GivenAnswer, ReasonRequest, ToolCall
    from contracts.plan import PlanFailure, PlannedAction
    from contracts.tracing import EXECUTION, step_key
    from language.catalogue import say, spoken
    from language.effects import without_effect_claims
    from reasoning import anew, arranging, direct, guard, mending
    from reasoning.prompting import ASK, REFUSE
    from workflows import failures
    from workflows.calls import Calls
    from workflows.cancellation import Cancellation
    from workflows.commands import Commands
    from workflows.credentials import Credentials
    from workflows.grounds import Grounds
    from workflows.plan_trace import place_in_plan
    from workflows.questions import NoAnswerError, Questions
    from workflows.record import PlanRecord
    from workflows.saga import Saga
    from workflows.scheduling import Scheduling
    from workflows.sending import Sending
    from workflows.step_run import StepRun, runs_of
    from workflows.stopping import StoppedError, Stopping

_GO_ON = "Carry out the confirmed plan: call its next step."


_OPEN = (StepStatus.PENDING, StepStatus.RUNNING)


class _Round(Enum):
    """How one round of the loop ended."""

    DONE = "the step is done"
    TO_MEND = "the model has something to mend"
    ASKED = "the operator was asked, which is no mistake"


class Execution:
    """One confirmed plan being carried out."""

    def __init__(
        self,
        start: PlanStart,
        record: PlanRecord,
        calls: Calls,
        saga: Saga,
        questions: Questions,
        credentials: Credentials,
        cancellation: Cancellation,
        commands: Commands,
    ) -> None:
        self._start = start
        self._commands = commands
        self._record = record
        self._calls = calls
        self._questions = questions
        self._credentials = credentials
        self._names = frozenset(s.action.name for s in start.steps)
        guests = {s.booking.guest_name for s in start.steps if s.booking}
        self._personal = tuple(sorted(guests.union(*(s.personal for s in start.steps)) - {""}))
        self._behind = sum(action.read_only for action in start.plan.actions)
        self._runs = runs_of(start.steps, self._behind)
        self.grounds = Grounds(self._runs)
        self._stopping = Stopping(record, cancellation)
        self._sending = Sending(start, record, calls, saga, credentials, self.grounds, self._stopping)
        self._transcript = [*start.transcript, ChatMessage(role="user", content=_GO_ON)]
        together = start.profile.parallel_steps
        self._scheduling = Scheduling(self._runs, record, saga, self._stopping, together=together)
        self._one_question = asyncio.Lock()
        self._done: dict[int, str] = {}
        self.changes: list[str] = []

    async def run(self) -> None:
        """Carry out every step that is not left out. Raises `StoppedError`."""
        declined = await self._scheduling.carry_out(self._finish)
        # A cancel that came while the last step acted was promised to the operator, too.
        self._stopping.if_over(None)
        if declined and not self._done:
            raise StoppedError(declined[-1])
        replaced = self._made_up_for()
        told = [replaced.get(failure.step, failure.message) for failure in declined]
        self.changes = [*told, *(said for _, said in sorted(self._done.items()))]

    def _made_up_for(self) -> dict[int | None, str]:
        """The steps in whose place something else was done, and what is said of them in the end: not what the venue
        said, which may ask for what was done since."""
        done = [run.drafted.when for run in self._runs if run.number in self._done and run.drafted.when is not None]
        steps = [self._behind + when.step for when in done if when.ended == "failed"]
        titles = {run.number: run.action.title for run in self._runs}
        return {step: say("plan.made_up_for", step=step, title=titles[step]) for step in steps}

    def _skipped(self, run: StepRun) -> bool:
        return self._record.plan.actions[run.number - 1].status is StepStatus.SKIPPED

    async def _finish(self, run: StepRun, alone: bool) -> None:
        """Bring one step about; beside others, in a conversation with the model of its own, which the plan's goes on
        with."""
        run.talk = self._transcript if alone else [*self._transcript]
        begun = len(run.talk)
        try:
            await self._bring_about(run, alone=alone)
        except StoppedError:
            self._record_refusal(run)
            self._transcript += () if alone else run.talk[begun:]
            raise
        self._transcript += () if alone else run.talk[begun:]

    def _record_refusal(self, run: StepRun) -> None:
        """A step that was tried is no step that was never begun, whatever has kept it from being tried again."""
        if run.refusal is not None and self._record.plan.actions[run.number - 1].status is StepStatus.RUNNING:
            self._record.result(run, StepStatus.FAILED, failures.in_full(run.refusal), run.refusal.error_type)

    async def _bring_about(self, run: StepRun, *, alone: bool) -> None:
        to_mend = 0
        telling = self._record.telling
        telling.at_step = run.number
        telling.progress("preparing", run.number)
        while (ended := await self._try_step(run, to_mend, alone=alone)) is not _Round.DONE:
            to_mend += ended is _Round.TO_MEND
            if to_mend >= self._start.policy.corrections:
                self._give_up(run, failures.gave_up(run))

    async def _try_step(self, run: StepRun, mended: int, *, alone: bool) -> _Round:
        """One round of the loop, after so many that the model had to mend."""
        self._stopping.if_over(run)
        call, judged = await self._next_call(run, alone=alone) if not self._certain(run) else self._own_call(run)
        await self._commands.settled()
        self._stopping.if_over(run)
        if self._skipped(run):
            return self._passed_over(run, call)
        if call is None:
            return _Round.TO_MEND
        if judged and call.problems and call.name in (ASK, REFUSE):
            return self._to_mend(run, call, {"error": " ".join(call.problems)})
        if call.name == ASK:
            return await self._ask(run, call)
        if call.name == REFUSE:
            reason = without_effect_claims(str(call.arguments.get("message", "")), spoken())
            self._give_up(run, failures.refused(run, reason))
        answered, outputs = bool(self._questions.taken), self._outputs()
        verdict = guard.judge(call, run.action, run.confirmed, self._names, outputs, answered=answered, judged=judged)
        match verdict:
            case guard.Mend(problem):
                run.unfit = True
                return self._to_mend(run, call, {"error": problem})
            case guard.Widens() if self._too_soon(run, call):
                return self._to_mend(run, call, {"error": "That is a later step of the plan: call the next one first."})
            case guard.Widens(reason):
                raise StoppedError(failures.widened(run, reason))
            case guard.Go(parameters):
                last_try = mended + 1 >= self._start.policy.corrections
                return await self._carry_out(run, call, parameters, last_try=last_try)

    async def _next_call(self, run: StepRun, *, alone: bool) -> tuple[ToolCall | None, bool]:
        """What the model wants next, and whether its values were held against the operator's answers."""
        if direct.ends_with_own(run.talk):
            run.talk.append(ChatMessage(role="user", content=_GO_ON))
        request = ReasonRequest(
            venue_id=self._start.profile.venue_id,
            now=workflow.now(),
            messages=bounds.trimmed_transcript(run.talk),
            goal=tuple(self._goal(None if alone else run)),
            intent=self._start.plan.intent,
            actions=tuple({s.action.name: s.action for s in self._start.steps}.values()),
            answers=tuple(run.answers),
            profile=self._start.profile,
            trace_id=self._start.trace_id,
            place=place_in_plan(self._start, EXECUTION),
            personal=self._personal,
            mode=self._start.mode,
            plan_id=self._record.plan.plan_id,
        )
        try:
            reply = await self._calls.reason(request, f"step {run.number}: what next?")
        except ActivityError as error:
            workflow.logger.warning("the model did not answer: %s", error.cause)
            raise StoppedError(failures.no_assistant(run)) from None
        self._begun()
        if not reply.tool_calls:
            run.talk += [
                reply.message,
                ChatMessage(role="user", content=_GO_ON),
            ]
            return None, reply.judged
        call, *others = reply.tool_calls
        run.talk.append(reply.message)
        for extra in others:
            self._observe(run, extra, {"error": "One call at a time: call this again when it is its turn."})
        return call, reply.judged

    def _certain(self, run: StepRun) -> bool:
        """Whether a step leaves a model nothing to decide, at a venue that then asks none. Once there was a surprise it
        is the model's."""
        if self._start.profile.executor != "direct_when_certain" or run.tried or run.answers:
            return False
        return direct.certain(run.action, run.confirmed, self._outputs())

    def _own_call(self, run: StepRun) -> tuple[ToolCall, bool]:
        """The call that a model would have made. It stands in the conversation with the model as its own, so that one
        who is asked after all knows what was sent."""
        run.tried = True
        self._begun()
        call = direct.call(run.number, run.action, run.confirmed)
        run.talk.append(ChatMessage(role="assistant", tool_calls=(call,)))
        return call, True

    def _begun(self) -> None:
        if self._record.plan.status is PlanStatus.CONFIRMED:
            self._record.move(PlanStatus.EXECUTING)

    def _outputs(self) -> dict[int, Json]:
        return {r.place: r.output for r in self._runs}

    async def _carry_out(self, run: StepRun, call: ToolCall, parameters: dict[str, Json], *, last_try: bool) -> _Round:
        run.started = workflow.now()
        self._record.step(run.number, StepStatus.RUNNING)
        scope = StepScope(
            profile=self._start.profile,
            token_ref=self._credentials.current,
            action=run.action,
            parameters=parameters,
            idempotency_key=f"{self._record.plan.plan_id}-{run.number}",
            trace_id=self._start.trace_id,
            place=place_in_plan(self._start, step_key(run.number)),
            in_place_of=run.drafted.in_place_of,
        )
        answer = await self._sending.send(run, scope)
        self.grounds.written(run, answer)
        if answer.landing is Landing.APPLIED:
            said = self._told(run, parameters, answer)
            run.output = answer.output
            self._done[run.number] = said
            self._record.result(run, StepStatus.COMPLETED, said, made=anew.made_by(run.action, answer.output))
            self._observe(run, call, {"status": "done", "result": answer.observation})
            return _Round.DONE
        failure = answer.failure or VenueFailure(error_type=ErrorType.UNKNOWN_OUTCOME, message=answer.evidence)
        correctable = failure.error_type is ErrorType.BAD_REQUEST and answer.landing is Landing.NOT_APPLIED
        if correctable and not mending.may_be_sent_again(run.action, answer):
            correctable, failure = False, failures.not_repeated(failure, answer)
        if correctable and not last_try:
            run.refusal = failure
            words = failure.detail or failure.message
            return self._to_mend(run, call, {"error": words, "status": failure.status, "code": failure.code})
        if answer.landing is Landing.NOT_APPLIED and not run.drafted.required:
            run.declined = self._goes_on(run, failure)
            self._observe(run, call, {"error": failure.message, "status": "not done: go on with the next step"})
        self._stopping.fail(run, failure, answer.landing)

    def _goal(self, only: StepRun | None) -> Iterator[PlannedAction]:
        """The steps as a model counts them: without the looks, which were made before; `only` this one of those that
        are open, where others are carried out beside it."""
        for action in self._record.plan.actions[self._behind :]:
            if only is not None and action.step != only.number and action.status in _OPEN:
                continue
            yield action.model_copy(update={"step": action.step - self._behind}) if self._behind else action

    def _too_soon(self, run: StepRun, call: ToolCall) -> bool:
        """Whether a step that is still to come was called before its turn. Plans from before took that for another."""
        later = [r.confirmed for r in self._runs if r.number > run.number and r.action.name == run.action.name]
        return guard.too_soon(call, run.action, later) and workflow.patched("later-step-is-no-other")

    def _goes_on(self, run: StepRun, failure: VenueFailure) -> bool:
        """Whether the plan can do without a step that failed so. Plans from before did without more."""
        conditions = [other.drafted.when for other in self._runs]
        alternative = next((c for c in conditions if c and c.step == run.place and c.ended == "failed"), None)
        after = arranging.goes_on(failure, alternative)
        if after is arranging.went_on(failure, alternative) or workflow.patched("refusals-by-what-they-are-for"):
            return after
        return not after

    def _told(self, run: StepRun, parameters: dict[str, Json], reply: ActReply) -> str:
        """What a step changed, in words, with every value that the operator's answers filled in."""
        said = reply.summary or run.action.title
        filled = [
            say("plan.value", name=parameter.told if (parameter := run.action.parameter(name)) else name, value=value)
            for name, value in parameters.items()
            if name not in run.confirmed
        ]
        return f"{said} {say('plan.filled_in', values=filled)}" if filled else said

    def as_left(self) -> list[tuple[StepRun, tuple[Expectation, ...]]]:
        """For plans from before: for each thing the plan changed, the last step on it and how every step's ground was
        left."""
        return [(run, self.grounds.expected(1, run)) for run in self.grounds.last_steps()]

    async def _ask(self, run: StepRun, call: ToolCall) -> _Round:
        choices, about = call.arguments.get("choices"), self._asked_about(run, call)
        question = without_effect_claims(str(call.arguments.get("question") or ""), spoken())
        question = question or say("plan.what_to_fill_in")
        if about is not None:
            question = say("plan.question_about", question=question, name=about.told)
        try:
            async with self._one_question:
                self._stopping.if_over(run)
                self._record.telling.at_step = run.number
                answer = await self._questions.ask(
                    question,
                    tuple(str(c) for c in choices) if isinstance(choices, list) else (),
                    lambda: self._skipped(run) or self._stopping.over,
                )
        except NoAnswerError as why:
            self._stopping.if_over(run)
            if self._skipped(run):
                return self._passed_over(run, call)
            raise StoppedError(failures.no_answer(run, why.key)) from None
        run.answers.append(GivenAnswer(text=answer.text, parameter=about.name if about else None))
        self._observe(run, call, {"operator": answer.text})
        return _Round.ASKED

    def _asked_about(self, run: StepRun, call: ToolCall) -> ActionParameter | None:
        """The parameter that a question says it is about, if the step has it and nobody confirmed it."""
        about = call.arguments.get("parameter")
        known = isinstance(about, str) and about not in run.confirmed
        return run.action.parameter(str(about)) if known else None

    def _give_up(self, run: StepRun, failure: PlanFailure) -> NoReturn:
        """The model cannot bring the step about; the venue's refusal of it stands, if there was one."""
        if run.refusal is not None:
            run.declined = not run.drafted.required and self._goes_on(run, run.refusal)
        raise StoppedError(failure)

    def _passed_over(self, run: StepRun, call: ToolCall | None) -> _Round:
        """The operator has skipped the step before it started."""
        if call is not None:
            self._observe(run, call, {"status": "skipped by the operator: go on with the next step"})
        return _Round.DONE

    def _to_mend(self, run: StepRun, call: ToolCall, problem: Json) -> _Round:
        self._observe(run, call, problem)
        return _Round.TO_MEND

    def _observe(self, run: StepRun, call: ToolCall, result: Json) -> None:
        """Put a call's result into the conversation with the model."""
        text = bounds.shown(result, bounds.STEP_RESULT)
        run.talk.append(ChatMessage(role="tool", content=text, tool_call_id=call.id))
