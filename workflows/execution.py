"""Carrying out a confirmed plan: reason → guard → snapshot → act → observe, until every step is done.

The model decides how the next step is called; the guard decides whether that is what was confirmed. Ends without a word
when all went well, else with a `PlanFailure`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NoReturn

from temporalio import workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts.base import Json
    from contracts.effects import ActReply, ActRequest, Expectation, Landing, SnapshotReply, SnapshotRequest, StepScope
    from contracts.enums import ErrorType, PlanStatus, StepStatus
    from contracts.errors import VenueFailure
    from contracts.messages import PlanStart
    from contracts.model import ChatMessage, GivenAnswer, ReasonRequest, ToolCall
    from contracts.plan import PlanFailure, PreviewLine
    from infra import bounds
    from language.catalogue import say
    from language.effects import without_effect_claims
    from reasoning import guard, placeholders, wording
    from reasoning.prompting import ASK, REFUSE
    from workflows.calls import Calls
    from workflows.credentials import Credentials
    from workflows.failures import Failures, in_full, never_started
    from workflows.grounds import Grounds
    from workflows.questions import NoAnswerError, Questions
    from workflows.record import PlanRecord
    from workflows.saga import Saga

_GO_ON = "Carry out the confirmed plan: call its next step."
_OBSERVATION_LIMIT = 2000
"""Characters of one observation that a model gets to see: answers dominate histories otherwise."""


_STARTS = 3
"""How often a write that no worker started in time is tried anew, each time on a fresh snapshot."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A write that was tried: what was there before, and what became of it."""

    before: Json
    answer: ActReply


class StoppedError(Exception):
    """The plan ends here, for this reason."""

    def __init__(self, failure: PlanFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Execution:
    """One confirmed plan being carried out."""

    def __init__(
        self, start: PlanStart, record: PlanRecord, calls: Calls, saga: Saga, questions: Questions,
        credentials: Credentials, cancelled: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._start = start
        self._record = record
        self._calls = calls
        self._saga = saga
        self._questions = questions
        self._credentials = credentials
        self._cancelled = cancelled
        self._locale = start.profile.locale
        self._names = frozenset(s.action.name for s in start.steps)
        guests = {s.booking.guest_name for s in start.steps if s.booking}
        self._personal = tuple(sorted(guests.union(*(s.personal for s in start.steps)) - {""}))
        self._grounds = Grounds(start.steps)
        self._failures = Failures(start.steps, self._locale)
        self._outputs: dict[int, Json] = {}
        self._transcript = [*start.transcript, ChatMessage(role="user", content=_GO_ON)]
        self._corrections = 0
        self._answers: list[GivenAnswer] = []
        self._refusal: VenueFailure | None = None
        self.changes: list[str] = []

    async def run(self) -> None:
        """Carry out every step. Raises `StoppedError`."""
        for number in range(1, len(self._start.steps) + 1):
            self._corrections = 0
            self._answers, self._refusal = [], None
            while not await self._try_step(number):
                self._corrections += 1
                if self._corrections >= self._start.policy.corrections:
                    raise StoppedError(self._failures.gave_up(number, self._refusal))
        # A cancel that came while the last step acted was promised to the operator, too.
        self._stop_if_cancelled(None)

    async def _try_step(self, number: int) -> bool:
        """One round of the loop. True when the step is done, False when the model has something to mend."""
        self._stop_if_cancelled(number)
        call, judged = await self._next_call(number)
        self._stop_if_cancelled(number)
        if call is None:
            return False
        if judged and call.problems and call.name in (ASK, REFUSE):
            return self._observe(call, {"error": " ".join(call.problems)})
        if call.name == ASK:
            await self._ask(number, call)
            self._corrections -= 1
            return False
        if call.name == REFUSE:
            reason = without_effect_claims(str(call.arguments.get("message", "")), self._locale)
            raise StoppedError(self._failures.refused(number, reason, self._refusal))
        step = self._start.steps[number - 1]
        answered = bool(self._questions.taken)
        verdict = guard.judge(
            call, step.action, step.parameters, self._names, self._outputs, answered=answered, judged=judged
        )
        match verdict:
            case guard.Mend(problem):
                return self._observe(call, {"error": problem})
            case guard.Widens(reason):
                raise StoppedError(self._failures.widened(number, reason))
            case guard.Go(parameters):
                return await self._carry_out(number, call, parameters)

    async def _next_call(self, number: int) -> tuple[ToolCall | None, bool]:
        """What the model wants next, and whether its values were held against the operator's answers."""
        request = ReasonRequest(
            venue_id=self._start.profile.venue_id,
            now=workflow.now(),
            messages=bounds.trimmed_transcript(self._transcript),
            goal=tuple(self._record.plan.actions),
            intent=self._start.plan.intent,
            actions=tuple({s.action.name: s.action for s in self._start.steps}.values()),
            answers=tuple(self._answers),
            profile=self._start.profile,
            trace_id=self._start.trace_id,
            personal=self._personal,
        )
        try:
            reply = await self._calls.reason(request, f"step {number}: what next?")
        except ActivityError as error:
            workflow.logger.warning("the model did not answer: %s", error.cause)
            raise StoppedError(self._failures.no_assistant(number)) from None
        if self._record.plan.status is PlanStatus.CONFIRMED:
            self._record.move(PlanStatus.EXECUTING)
        if not reply.tool_calls:
            self._transcript += [
                ChatMessage(role="assistant", content=reply.text),
                ChatMessage(role="user", content=_GO_ON),
            ]
            return None, reply.judged
        call, *others = reply.tool_calls
        self._transcript.append(ChatMessage(role="assistant", content=reply.text, tool_calls=reply.tool_calls))
        for extra in others:
            self._observe(extra, {"error": "One call at a time: call this again when it is its turn."})
        return call, reply.judged

    async def _carry_out(self, number: int, call: ToolCall, parameters: dict[str, Json]) -> bool:
        action = self._start.steps[number - 1].action
        started = workflow.now()
        self._record.step(number, StepStatus.RUNNING)
        scope = StepScope(
            profile=self._start.profile,
            token_ref=self._credentials.current,
            action=action,
            parameters=parameters,
            idempotency_key=f"{self._record.plan.plan_id}-{number}",
            trace_id=self._start.trace_id,
        )
        reply = await self._send(number, scope)
        self._grounds.written(number, scope, reply.before, reply.answer)
        answer = reply.answer
        if answer.landing is Landing.APPLIED:
            said = self._told(number, parameters, answer)
            self._outputs[number] = answer.output
            self.changes.append(said)
            self._record.result(number, action, StepStatus.COMPLETED, said, started)
            self._observe(call, {"status": "done", "result": answer.observation})
            return True
        failure = answer.failure or VenueFailure(error_type=ErrorType.UNKNOWN_OUTCOME, message=answer.evidence)
        correctable = failure.error_type is ErrorType.BAD_REQUEST and answer.landing is Landing.NOT_APPLIED
        if correctable and self._corrections + 1 < self._start.policy.corrections:
            self._refusal = failure
            words = failure.detail or failure.message
            return self._observe(call, {"error": words, "status": failure.status, "code": failure.code})
        self._fail(number, failure, answer.landing, started)

    async def _send(self, number: int, scope: StepScope) -> _Sent:
        """Snapshot and write; both anew when nothing came of the write for certain: no worker took it up in time, or it
        was lost with its worker and can no longer land."""
        for _ in range(_STARTS):
            before, scope = await self._snapshot(number, scope)
            request = ActRequest(scope=scope, before=before, moved=self._grounds.expected(1, number))
            reply = await self._act_once(request)
            self._saga.settle(number, reply)
            if reply.started:
                break
            self._stop_if_cancelled(number)
        return _Sent(before, reply)

    def _told(self, number: int, parameters: dict[str, Json], reply: ActReply) -> str:
        """What a step changed, in words, with every value that the operator's answers filled in."""
        step = self._start.steps[number - 1]
        said = reply.summary or step.action.title
        filled = [
            self._say("plan.value", name=name.replace("_", " "), value=value)
            for name, value in parameters.items()
            if name not in step.parameters
        ]
        return f"{said} {self._say('plan.filled_in', values=filled)}" if filled else said

    async def _snapshot(self, number: int, scope: StepScope) -> tuple[Json, StepScope]:
        """What is there before acting, and the scope with the keys of what it stands on."""
        started, drafted = workflow.now(), self._start.steps[number - 1]
        request = SnapshotRequest(
            scope=scope,
            expectations=self._grounds.expected(number, number),
            unseen=self._grounds.unseen(number),
            show=scope.parameters != drafted.parameters,
        )
        try:
            reply = await self._calls.snapshot(request)
            failure = reply.failure
        except ActivityError:
            message, suggestions = wording.failure_words(ErrorType.TIMEOUT, self._locale)
            failure = VenueFailure(error_type=ErrorType.TIMEOUT, message=message, suggestions=suggestions)
        if failure is None and reply.drifted:
            failure = wording.changed_since(self._locale)
        if failure is not None:
            self._fail(number, failure, Landing.NOT_APPLIED, started)
        # Looked at before registering: what was never sent is no concern of a rollback.
        self._stop_if_cancelled(number)
        if self._other_effect(number, reply):
            raise StoppedError(self._failures.widened(number, self._say("plan.other_effect")))
        self._record.show(number, scope.parameters, self._with_lasting(number, reply.preview))
        scope = scope.model_copy(update={"keys": tuple(ground.key for ground in reply.grounds)})
        self._saga.register(number, scope, reply)
        self._grounds.read(number, reply)
        return reply.before, scope

    def _with_lasting(self, number: int, preview: tuple[PreviewLine, ...] | None) -> tuple[PreviewLine, ...] | None:
        if not preview:
            return preview
        drafted = self._start.steps[number - 1].preview
        return preview + tuple(line for line in drafted if line.lasting and line not in preview)

    def _other_effect(self, number: int, reply: SnapshotReply) -> bool:
        """Whether what was filled in changes a line that the operator was shown and confirmed."""
        step = self._start.steps[number - 1]
        if not reply.preview or placeholders.present(step.parameters):
            return False
        now = {(line.field, line.after) for line in reply.preview}
        gone = [line for line in step.preview if (line.field, line.after) not in now]
        if gone and all(line.lasting for line in gone):
            # What no undo brings back may come of reads that only the draft makes.
            return not workflow.patched("lasting-is-no-other-effect")
        return bool(gone)

    async def _act_once(self, request: ActRequest) -> ActReply:
        try:
            reply = await self._calls.act(request)
        except ActivityError as error:
            if never_started(error):
                return ActReply(landing=Landing.NOT_APPLIED, started=False, failure=wording.not_started(self._locale))
            workflow.logger.warning("the write of a step was lost (%s)", type(error.cause).__name__)
            # Its worker may have sent it at any time, so it is given the whole budget of a call to land.
            left = self._start.policy.call_timeout + request.scope.profile.settle_seconds
            lost = ActReply(
                landing=Landing.UNKNOWN,
                can_land_for=left,
                evidence="the call was lost with its worker",
                failure=wording.worker_lost(self._locale),
            )
            seen = await self._find_out(request, lost)
            # What did not land and cannot any more may be tried again: it is not repeated blindly.
            nothing_came_of_it = seen.landing is Landing.NOT_APPLIED and workflow.patched("lost-call-tried-anew")
            return seen.model_copy(update={"started": not nothing_came_of_it})
        if reply.landing is not Landing.UNKNOWN:
            return reply
        return await self._find_out(request, reply)

    async def _find_out(self, request: ActRequest, lost: ActReply) -> ActReply:
        """Read back until the write shows, or can no longer land. Never repeats it, never guesses."""
        workflow.set_current_details("finding out whether the last change was made")
        until = workflow.now() + timedelta(seconds=lost.can_land_for) if lost.can_land_for else None
        try:
            look = request.model_copy(update={"until": until, "accepted": lost.accepted})
            seen = await self._calls.read_back(look, lost.can_land_for)
        except ActivityError:
            seen = ActReply(landing=Landing.UNKNOWN, evidence="the booking could not be read back")
        if seen.landing in (Landing.APPLIED, Landing.OTHERWISE):
            return seen
        kept = {"failure": lost.failure, "accepted": lost.accepted, "response": lost.response}
        return seen.model_copy(update={**kept, "evidence": f"{lost.evidence}; {seen.evidence}"})

    def left_by(self, number: int) -> tuple[Expectation, ...]:
        """How the plan left what a step stands on."""
        return tuple(e for e in self._grounds.expected(number, number) if e.step == number)

    def as_left(self) -> list[tuple[int, tuple[Expectation, ...]]]:
        """For plans from before: for each thing the plan changed, the last step on it and how every step's ground was
        left."""
        return [(number, self._grounds.expected(1, number)) for number in self._grounds.last_steps()]

    async def _ask(self, number: int, call: ToolCall) -> None:
        choices, about = call.arguments.get("choices"), self._asked_about(number, call)
        question = without_effect_claims(str(call.arguments.get("question") or ""), self._locale)
        question = question or self._say("plan.what_to_fill_in")
        if about is not None:
            question = self._say("plan.question_about", question=question, name=about.replace("_", " "))
        try:
            answer = await self._questions.ask(
                question, tuple(str(c) for c in choices) if isinstance(choices, list) else ()
            )
        except NoAnswerError as why:
            self._stop_if_cancelled(number)
            raise StoppedError(self._failures.no_answer(number, why.key, self._refusal)) from None
        self._answers.append(GivenAnswer(text=answer.text, parameter=about))
        self._observe(call, {"operator": answer.text})

    def _asked_about(self, number: int, call: ToolCall) -> str | None:
        """The parameter that a question says it is about, if the step has it and nobody confirmed it."""
        step, about = self._start.steps[number - 1], call.arguments.get("parameter")
        known = isinstance(about, str) and step.action.parameter(about) is not None and about not in step.parameters
        return str(about) if known else None

    def _observe(self, call: ToolCall, result: Json) -> bool:
        """Put a call's result into the transcript; always False, so that a round can end with it."""
        text = bounds.shown(result, _OBSERVATION_LIMIT)
        self._transcript.append(ChatMessage(role="tool", content=text, tool_call_id=call.id))
        return False

    def _stop_if_cancelled(self, number: int | None) -> None:
        if self._cancelled():
            raise StoppedError(self._failures.cancelled(number))

    def _fail(self, number: int, failure: VenueFailure, landing: Landing, started: datetime) -> NoReturn:
        """Record a step that did not work out. Always raises `StoppedError`."""
        action = self._start.steps[number - 1].action
        kind = ErrorType.UNKNOWN_OUTCOME if landing is Landing.UNKNOWN else failure.error_type
        status = StepStatus.UNKNOWN if landing is Landing.UNKNOWN else StepStatus.FAILED
        why = in_full(failure)
        if landing is Landing.UNKNOWN:
            why = wording.failure_words(kind, self._locale)[0]
        self._record.result(number, action, status, why, started, kind)
        raise StoppedError(self._failures.of_venue(number, failure, kind, why))

    def _say(self, key: str, **values: object) -> str:
        return say(key, self._locale, **values)
