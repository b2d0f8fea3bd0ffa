"""One turn of a chat: reason → look up → draft → a `Turn`. Changes nothing: what must happen is handed back as an
`Outcome`, so that a turn that runs out of time leaves no trace.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from temporalio import workflow
from temporalio.common import RetryPolicy

with workflow.unsafe.imports_passed_through():
    from contracts import bounds, signatures
    from contracts.booking import BookingSummary
    from contracts.effects import DraftedStep, DraftReply, DraftRequest, LookUpReply, LookUpRequest
    from contracts.enums import ErrorType
    from contracts.errors import ServiceError
    from contracts.messages import ChatMemory, ChatStart, TurnRequest
    from contracts.model import ChatMessage, ModelReply, ModelWords, PlanningContext, ReasonRequest, ToolCall
    from contracts.turn import AnswerTurn, ClarificationTurn, QuickAction, Turn
    from contracts.venue import VenueProfile
    from language import effects
    from language.catalogue import say
    from reasoning import placeholders, resolution, wording
    from reasoning.drafting import planned
    from reasoning.prompting import ASK, REFUSE
    from reasoning.saying import plain_words

A = TypeVar("A")
R = TypeVar("R")

_TWICE = RetryPolicy(initial_interval=timedelta(milliseconds=300), maximum_attempts=2)
"""Somebody is waiting with a phone in hand: one more try, then say so."""

_CANDIDATES_SHOWN = 10
_KNOWN_KEPT = 10


class RefusedError(Exception):
    """The turn cannot be served; `answer` is what the API says then."""

    def __init__(self, answer: ServiceError) -> None:
        super().__init__(answer.message)
        self.answer = answer


@dataclass(slots=True)
class Outcome:
    """What a turn comes to: something said, or steps to make a plan of."""

    turn: Turn | None = None
    steps: tuple[DraftedStep, ...] = ()
    profile: VenueProfile | None = None
    told: str = ""
    offered: tuple[BookingSummary, ...] = ()
    settled: list[BookingSummary] = field(default_factory=list)
    asked: bool = False

    def spoken_of(self, known: tuple[BookingSummary, ...]) -> tuple[BookingSummary, ...]:
        """The bookings that the chat has spoken of, the latest last."""
        now = {b.booking_id: b for b in self.settled}
        return (*(b for b in known if b.booking_id not in now), *now.values())[-_KNOWN_KEPT:]


class TurnRun:
    """Works out one operator message against what the chat remembers. `nothing_new` is what is said where nothing
    comes of it."""

    def __init__(self, start: ChatStart, memory: ChatMemory, request: TurnRequest, nothing_new: str) -> None:
        self._start = start
        self._memory = memory
        self._request = request
        self._nothing_new = nothing_new
        self._messages = [*memory.messages, ChatMessage(role="user", content=request.user_message)]
        self._said = (request.user_message, *_open_request(memory))
        self._found: list[resolution.Found] = []
        self._quick: tuple[str, ...] = ()
        self._looked = False

    async def work_out(self) -> Outcome:
        """Reason and look things up until there is something to say or to do. Raises `RefusedError`,
        `ActivityError`."""
        for _ in range(self._start.policy.look_ups):
            reply = await self._reason()
            self._quick = reply.quick_actions
            if not reply.tool_calls:
                return self._say(reply)
            outcome = await self._follow(reply)
            if outcome is not None:
                return outcome
        return self._advise()

    async def _follow(self, reply: ModelReply) -> Outcome | None:
        """Act on a reply's calls; None when the model is to go on."""
        for call in reply.tool_calls:
            if call.problems and call.name in (ASK, REFUSE) and workflow.patched("mend-builtin-calls"):
                continue
            if call.name == ASK:
                return self._model_asks(str(call.arguments.get("question") or reply.text), reply.words)
            if call.name == REFUSE:
                return self._answer(str(call.arguments.get("message") or reply.text), reply.words)
        self._messages.append(ChatMessage(role="assistant", content=reply.text, tool_calls=reply.tool_calls))
        reads = [c for c in reply.tool_calls if c.kind == "read" and not c.problems]
        writes = tuple(c for c in reply.tool_calls if c.kind == "write" and not c.problems)
        for call in reply.tool_calls:
            if call.problems or call.kind in ("unknown", "builtin"):
                self._observe(call, {"error": " ".join(call.problems) or f"There is no tool {call.name}."})
        if reads:
            await self._look_up(reads)
        if len(reads) + len(writes) < len(reply.tool_calls) or reads:
            for call in writes:
                self._observe(call, {"error": "Not planned yet: call every step again in one reply."})
            return None
        return await self._draft(writes)

    async def _look_up(self, calls: list[ToolCall]) -> None:
        replies = await asyncio.gather(*(self._read(c) for c in calls))
        for call, reply in zip(calls, replies, strict=True):
            if reply.failure is not None:
                if reply.failure.error_type not in (ErrorType.NOT_FOUND, ErrorType.BAD_REQUEST):
                    raise RefusedError(wording.service_error(reply.failure))
                self._observe(call, {"error": reply.failure.message, "kind": reply.failure.error_type.value})
                continue
            if reply.candidates is not None:
                asked = tuple(str(v) for v in call.arguments.values())
                self._found.append(resolution.Found(reply.candidates, asked))
            self._observe(call, reply.observation)
            self._looked = True

    async def _draft(self, writes: tuple[ToolCall, ...]) -> Outcome | None:
        settled: list[BookingSummary] = []
        for call in writes:
            for name in call.bookings:
                value = call.arguments.get(name)
                if value is None or placeholders.reference(value) is not None:
                    continue
                verdict = resolution.settle(
                    str(value),
                    said="\n".join(self._said),
                    found=self._found,
                    offered=self._memory.offered,
                    known=self._memory.known,
                )
                match verdict:
                    case resolution.WhichOne(candidates):
                        return self._ask(say("ask.which_booking"), candidates)
                    case resolution.NotSeen():
                        for each in writes:
                            self._observe(each, {"error": f"No booking {value} was looked up: find it first."})
                        return None
                    case resolution.Settled(booking):
                        settled.append(booking)
        reply = await self._freeze(writes, tuple(settled))
        if reply.failure is not None:
            if reply.failure.error_type is ErrorType.NOT_FOUND:
                return self._ask(say("ask.no_match"))
            raise RefusedError(wording.service_error(reply.failure))
        if reply.question is not None:
            return self._ask(reply.question)
        if reply.problems:
            for call in writes:
                self._observe(call, {"error": " ".join(reply.problems)})
            return None
        labelled = {b.booking_id: b for b in settled} | {b.reference: b for b in settled if b.reference}
        steps = tuple(
            s.model_copy(update={"booking": s.booking or _booking_of(s, c, labelled)})
            for s, c in zip(reply.steps, writes, strict=True)
        )
        return Outcome(steps=steps, profile=reply.profile, settled=settled)

    def _say(self, reply: ModelReply) -> Outcome:
        text = reply.text
        if not text.strip():
            return self._advise()
        says = self._model_asks if text.rstrip().endswith("?") else self._answer
        return says(text, reply.words)

    def _model_asks(self, text: str, words: ModelWords | None) -> Outcome:
        """A question in a model's words, without what they claim to have done."""
        words = words or plain_words(text, self._start.locale)
        if not words.plain:
            return self._answer("")
        # A statement may claim that something was done. Only the core knows, so it says that nothing is being changed.
        idle = "" if words.only_asks else self._nothing_new
        return self._ask(f"{idle} {words.plain}".strip())

    def _ask(self, question: str, candidates: tuple[BookingSummary, ...] = ()) -> Outcome:
        if self._memory.clarifications >= self._start.policy.clarifications:
            return self._advise()
        if not candidates and self._found and len(self._found[-1].rows) > 1:
            candidates = self._found[-1].rows
        shown = candidates[:_CANDIDATES_SHOWN]
        found = [f.rows[0] for f in self._found if len(f.rows) == 1]
        turn = ClarificationTurn(
            question=question,
            candidates=list(shown),
            quick_actions=[QuickAction(label=b.label or b.reference, say=b.reference or b.booking_id) for b in shown],
        )
        return Outcome(turn=turn, told=question, offered=shown, settled=found, asked=True)

    def _answer(self, message: str, words: ModelWords | None = None) -> Outcome:
        """A model's words, without what they claim to have done; that nothing is, the core says itself."""
        quick = [QuickAction(label=q, say=q) for q in self._quick]
        plain, idle = (words or plain_words(message, self._start.locale)).plain, self._nothing_new
        asked = effects.asks_for_change(self._request.user_message)
        if not plain:
            text = f"{idle} {say('next.say_change')}"
        elif self._looked and not asked and plain == message.strip():
            text = plain
        else:
            text = f"{plain} {idle}"
        found = [f.rows[0] for f in self._found if len(f.rows) == 1]
        return Outcome(turn=AnswerTurn(message=text, quick_actions=quick), told=text, settled=found)

    def _advise(self) -> Outcome:
        return self._answer(wording.rephrase(self._quick))

    def _observe(self, call: ToolCall, result: object) -> None:
        self._messages.append(ChatMessage(role="tool", content=bounds.shown(result), tool_call_id=call.id))

    async def _effect(self, activity: Callable[[A], Awaitable[R]], request: A, summary: str) -> R:
        """Call an activity that may take what is left of the turn."""
        left = max(self._request.deadline - workflow.now(), timedelta(milliseconds=100))
        return await workflow.execute_activity(
            activity,
            request,
            start_to_close_timeout=left,
            heartbeat_timeout=timedelta(seconds=self._start.policy.plan.heartbeat),
            retry_policy=_TWICE,
            summary=summary,
        )

    async def _reason(self) -> ModelReply:
        request = ReasonRequest(
            venue_id=self._start.venue_id,
            now=workflow.now(),
            messages=bounds.trimmed_transcript(self._messages),
            context=PlanningContext(
                known=self._memory.known,
                offered=self._memory.offered,
                pending=tuple(planned(self._memory.pending_steps)) if self._memory.pending_steps else (),
            ),
            trace_id=self._request.request_id,
        )
        return await self._effect(signatures.reason, request, "what does the operator want?")

    async def _read(self, call: ToolCall) -> LookUpReply:
        request = LookUpRequest(
            venue_id=self._start.venue_id,
            token_ref=self._request.token_ref,
            call=call,
            now=workflow.now(),
            trace_id=self._request.request_id,
        )
        return await self._effect(signatures.look_up, request, call.name)

    async def _freeze(self, writes: tuple[ToolCall, ...], bookings: tuple[BookingSummary, ...]) -> DraftReply:
        request = DraftRequest(
            venue_id=self._start.venue_id,
            token_ref=self._request.token_ref,
            calls=writes,
            now=workflow.now(),
            said=self._said,
            bookings=bookings,
            pending=tuple(planned(self._memory.pending_steps)) if self._memory.pending_steps else (),
            trace_id=self._request.request_id,
        )
        return await self._effect(signatures.draft, request, "draft the plan")


def _open_request(memory: ChatMemory) -> tuple[str, ...]:
    """What the operator said since the request that our last questions were about, latest first."""
    said = [m.content for m in memory.messages if m.role == "user"]
    return tuple(reversed(said[len(said) - min(memory.clarifications, len(said)) :]))


def _booking_of(step: DraftedStep, call: ToolCall, labelled: dict[str, BookingSummary]) -> BookingSummary | None:
    return next((labelled[str(v)] for n in call.bookings if str(v := step.parameters.get(n)) in labelled), None)
