"""One turn of a chat: reason → look up → draft → a `Turn`. It changes nothing: effects are returned as a `TurnResult`,
so that a turn that times out has no effect.
"""

import asyncio
import re
from datetime import date
from zoneinfo import ZoneInfo

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts import limits
    from contracts.base import QuickAction
    from contracts.booking import BookingSummary, FoundBookings
    from contracts.chat_completion import ChatMessage, ModelReply, ModelStatement, ReasonRequest, ToolCall
    from contracts.chat_messages import ChatMemory, ChatStart, Phase, PlanEdit, TurnRequest
    from contracts.drafting import DraftReply, DraftRequest, StepDependency
    from contracts.enums import ErrorType, EscalationReason, ShortReply
    from contracts.errors import VenueFailure
    from contracts.message_reading import MessageTrait
    from contracts.turn import AnswerTurn, ClarificationTurn
    from language.messages.catalogue import translate
    from reasoning import error_messages
    from reasoning.drafting import booking_list
    from reasoning.drafting.edits import arranged_again, edited_calls, misfit
    from reasoning.drafting.plan import planned
    from reasoning.modes.planning import arrangements_of
    from reasoning.modes.prompts import ARRANGE, ASK, REFUSE
    from workflows.chat.activities import TurnActivities
    from workflows.chat.critique import AskOperator, CritiqueGate, Escalate, Proceed, Verdict, handed, in_venues_words
    from workflows.chat.history import (
        bookings_of,
        current_bookings,
        last_plan_failed,
        not_tried_again,
        open_request,
        planning_context,
        retry_target,
        with_bookings,
    )
    from workflows.chat.tracing import TurnTrace
    from workflows.chat.turn_result import TurnRejectedError, TurnResult
    from workflows.chat.turn_transcript import ReasoningLog, TurnShown


class TurnRunner:
    """Processes one operator message with the chat's memory. `nothing_new` is the text for a turn without effect,
    `shown` the turn's transcript, `trail` the reasoning log for engineers, `trace` the trace of its calls, `in_flux`
    the bookings that a plan of the chat is still changing."""

    def __init__(
        self,
        start: ChatStart,
        memory: ChatMemory,
        request: TurnRequest,
        nothing_new: str,
        shown: TurnShown,
        trail: ReasoningLog,
        trace: TurnTrace,
        in_flux: tuple[str, ...] = (),
    ) -> None:
        self._start = start
        self._memory = memory
        self._request = request
        self._in_flux = in_flux
        self._nothing_new = nothing_new
        self._messages = [*memory.messages, ChatMessage(role="user", content=request.user_message)]
        self._failed = memory.done if last_plan_failed(memory) else None
        earlier = self._failed.messages if self._failed is not None else ()
        self._operator_messages = (request.user_message, *open_request(memory, request), *earlier)
        self._found: list[FoundBookings] = []
        self._announced: list[ChatMessage] = []
        self._quick: tuple[str, ...] = ()
        self._again: list[BookingSummary] = []
        self._refused_look: VenueFailure | None = None
        self._shown: list[str] = []
        self._arranging: tuple[ToolCall, ...] = ()
        self._looked = self._insists = self._declared = False
        self._chat_shows = shown
        self._phase: Phase | None = None
        self._today: date | None = None
        self._activities = TurnActivities(start, request, trace)
        rounds = start.policy.context_rounds
        self._guided = CritiqueGate(start.venue_id, self._activities, trail, rounds)
        self._no_such_tool = False

    def _enter(self, *phases: Phase) -> None:
        for phase in phases:
            if phase is not self._phase:
                self._phase = phase
                self._chat_shows.phase(phase)

    async def run(self) -> TurnResult:
        """Reason and look things up until there is a reply or a draft. Raises `TurnRejectedError`, `ActivityError`."""
        outcome = await self._run()
        if self._refused_look is not None and not self._looked and not outcome.steps and outcome.escalates is None:
            # If its only look-up was rejected, the model may falsely report that nothing was found.
            raise TurnRejectedError(error_messages.service_error(self._refused_look))
        self._guided.ended(outcome)
        return outcome

    async def _run(self) -> TurnResult:
        if self._request.edit is not None:
            return await self._edited(self._request.edit)
        if self._request.reading.has(MessageTrait.WANTS_PERSON):
            return self._hands(Escalate(EscalationReason.ASKED))
        if self._request.reading.reply is ShortReply.RETRY:
            last = retry_target(self._memory)
            steps = last.steps if last is not None else ()
            if last is not None and last is not self._failed:
                self._operator_messages = (*self._operator_messages, *last.messages)
            self._declared = True
            # Their bookings were resolved when they were first planned, whatever was looked up since.
            self._again = bookings_of(steps)
            again = await self._draft(edited_calls(steps, ()), arranged_again(steps)) if steps else None
            if again is not None and again.steps and last is not None and last.uncertain:
                again.note = f"{translate('plan.look_before_again')} {again.note}".strip()
            return again or self._answer("", ModelStatement(plain=not_tried_again(self._memory), only_asks=False))
        for _ in range(self._start.policy.look_ups):
            reply = await self._reason()
            self._quick = reply.quick_actions
            if not reply.tool_calls:
                unsure = None if reply.text.rstrip().endswith("?") else self._guided.on_text(reply)
                return self._reply(reply) if unsure is None else self._hands(unsure)
            outcome = await self._handle_calls(reply)
            if outcome is not None:
                return outcome
        return self._suggest_rephrasing()

    async def _edited(self, edit: PlanEdit) -> TurnResult:
        """Return the pending plan with edited values. Invalid values leave it unchanged."""
        pending = self._memory.pending_steps if edit.plan_id == self._memory.pending_plan_id else ()
        self._operator_messages = (self._request.user_message, *self._memory.pending_messages)
        shown = self._memory.pending_plan.actions if self._memory.pending_plan is not None else ()
        offset = sum(action.read_only for action in shown)
        calls = edited_calls(pending, edit.values, offset)
        outcome = await self._draft(calls, arranged_again(pending)) if calls else None
        if outcome is None:
            why = misfit(pending, edit.values, self._today, offset)
            text = translate("edit.does_not_fit", why=why) if pending else translate("edit.not_waiting")
            return TurnResult(turn=AnswerTurn(message=text), reply_text=text, offered=self._memory.offered_bookings)
        return outcome

    async def _handle_calls(self, reply: ModelReply) -> TurnResult | None:
        """Process a reply's calls. Returns None if the model must continue."""
        for call in reply.tool_calls:
            if call.problems and call.name in (ASK, REFUSE):
                continue
            if call.name == ASK:
                return self._model_asks(reply.statement)
            if call.name == REFUSE:
                unsure = self._guided.on_text(reply)
                message = str(call.arguments.get("message") or reply.text)
                return self._answer(message, reply.statement) if unsure is None else self._hands(unsure)
        judged = self._after(await self._guided.on_missing(reply, self._operator_messages))
        if judged is not None:
            return judged
        self._messages.append(reply.message)
        reads = [c for c in reply.tool_calls if c.kind == "read" and not c.problems]
        writes = tuple(c for c in reply.tool_calls if c.kind == "write" and not c.problems)
        for call in reply.tool_calls:
            if call.problems or (call.kind in ("unknown", "builtin") and call.name != ARRANGE):
                self._observe(call, {"error": " ".join(call.problems) or f"There is no tool {call.name}."})
        if reads:
            judged = self._after(await self._guided.before_look_ups(reply, self._operator_messages))
            if judged is not None:
                return judged
            await self._look_up(reads, self._messages)
        elif self._guided.adaptive and any(call.kind == "unknown" for call in reply.tool_calls):
            if self._no_such_tool:
                return self._answer(translate("turn.no_such_tool", ways=list(self._quick)))
            self._no_such_tool = True
        self._arranging = tuple(c for c in reply.tool_calls if c.name == ARRANGE and not c.problems)
        if len(reads) + len(writes) + len(self._arranging) < len(reply.tool_calls) or reads or not writes:
            for call in (*writes, *self._arranging):
                self._observe(call, {"error": "Not planned yet: call every step again in one reply."})
            return None
        self._declared = any(call.template for call in self._arranging)
        arranged = tuple(one for call in self._arranging for one in arrangements_of(call.arguments))
        outcome = await self._draft(writes, arranged)
        if outcome is None or not outcome.steps:
            return outcome
        return (
            self._after(await self._guided.before_plan(reply, outcome.steps, self._operator_messages), outcome)
            or outcome
        )

    def _after(self, verdict: Verdict, drafted: TurnResult | None = None) -> TurnResult | None:
        """Return the result of a critique; None if the turn may proceed."""
        match verdict:
            case Escalate():
                return self._hands(verdict)
            case AskOperator(critique):
                statement = ModelStatement(plain=critique.message, only_asks=critique.only_asks)
                return self._model_asks(statement, tuple(drafted.settled) if drafted else ())
            case Proceed():
                return None

    def _hands(self, verdict: Escalate) -> TurnResult:
        return handed(verdict, self._nothing_new, self._memory.offered_bookings)

    async def _look_up(self, calls: list[ToolCall], into: list[ChatMessage]) -> None:
        self._shown = []
        self._enter(Phase.LOOKING_UP)
        replies = await asyncio.gather(*(self._activities.read(c, self._memory.known_bookings) for c in calls))
        for call, reply in zip(calls, replies, strict=True):
            if reply.failure is not None:
                if reply.failure.error_type not in (ErrorType.NOT_FOUND, ErrorType.BAD_REQUEST):
                    raise TurnRejectedError(error_messages.service_error(reply.failure))
                self._observe(call, {"error": reply.failure.message, "kind": reply.failure.error_type.value}, into)
                self._refused_look = reply.failure if reply.failure.error_type is ErrorType.BAD_REQUEST else None
                continue
            if reply.candidates is not None:
                requested = tuple(str(v) for v in call.arguments.values())
                self._found.append(FoundBookings(rows=reply.candidates, asked=requested, more=reply.more))
            self._observe(call, reply.observation, into)
            self._looked = True
            self._shown += [reply.text] if reply.text and reply.text not in self._shown else []

    async def _draft(
        self, writes: tuple[ToolCall, ...], arranged: tuple[StepDependency, ...] = ()
    ) -> TurnResult | None:
        settled = (bookings_of(self._memory.pending_steps) if self._request.edit is not None else []) or self._again
        reply = await self._draft_steps(writes, tuple(settled), arranged)
        self._chat_shows.looked(reply.reads)
        if reply.failure is not None:
            if reply.failure.error_type is ErrorType.NOT_FOUND:
                return self._ask(translate("ask.no_match"))
            raise TurnRejectedError(error_messages.service_error(reply.failure))
        settled = settled or list(reply.resolved_bookings)
        if reply.question is not None:
            asked = self._ask(reply.question, reply.candidates, quick=reply.quick_actions, about=tuple(settled))
            asked.expected_role, asked.no_room = reply.expected_role, reply.no_availability
            asked.open_question = reply.open_question if asked.is_question else None
            return asked
        if reply.problems:
            self._insists = self._insists or reply.difference
            self._today = workflow.now().astimezone(ZoneInfo(reply.profile.time_zone)).date()
            for call in (*writes, *self._arranging):
                self._observe(call, {"error": " ".join(reply.problems)})
            return None
        return TurnResult(
            steps=with_bookings(reply, writes, settled),
            profile=reply.profile,
            settled=settled,
            operator_messages=self._operator_messages,
            note=reply.note,
            reasoning=reply.reasoning,
            confidence=reply.confidence,
            reads=reply.reads,
            mode=self._guided.mode or self._memory.mode,
        )

    def _reply(self, reply: ModelReply) -> TurnResult:
        text = reply.text
        if (reply.quoted or reply.withheld) and not reply.left:
            return in_venues_words(text, self._quick, self._memory.offered_bookings)
        asks = self._request.reading.has(MessageTrait.ASKS_CHANGE)
        if self._shown and not (asks and text.rstrip().endswith("?")):
            return self._tell_shown("" if not asks else self._nothing_new)
        if not text.strip():
            return self._suggest_rephrasing()
        if text.rstrip().endswith("?"):
            return self._model_asks(reply.statement)
        return self._answer(text, reply.statement)

    def _tell_shown(self, idle: str) -> TurnResult:
        """Return the look-up results in the pack's text, not the model's. `idle` states that nothing is changed, if the
        message might have requested a change."""
        quick = [QuickAction(label=q, say=q) for q in self._quick]
        text, rows = "\n".join([*self._shown, *([idle] if idle else [])]), self._found[-1].rows if self._found else ()
        found = [f.rows[0] for f in self._found if len(f.rows) == 1]
        offered = rows[: limits.CANDIDATES_SHOWN] if len(rows) > 1 else ()
        turn = AnswerTurn(message=text, quick_actions=quick)
        return TurnResult(turn=turn, reply_text=text, settled=found, offered=offered)

    def _model_asks(self, statement: ModelStatement, about: tuple[BookingSummary, ...] = ()) -> TurnResult:
        """Return a question in the model's text, without its assertions about effects."""
        if not statement.plain:
            return self._answer("")
        # The model may assert an effect. Only the code knows the truth, so it adds that nothing is being changed.
        idle = "" if statement.only_asks else self._nothing_new
        return self._ask(f"{idle} {statement.plain}".strip(), about=about)

    def _ask(
        self,
        question: str,
        candidates: tuple[BookingSummary, ...] = (),
        quick: tuple[QuickAction, ...] = (),
        about: tuple[BookingSummary, ...] = (),
    ) -> TurnResult:
        # A later look-up that found nothing hides no earlier one.
        last = next((found.rows for found in reversed(self._found) if found.rows), ())
        if not candidates and not about and len(last) > 1:
            candidates = last
        shown = candidates[: limits.CANDIDATES_SHOWN]
        if len(candidates) > len(shown):
            at_least = any(found.more or booking_list.may_be_truncated(found.rows) for found in self._found)
            question = f"{question} {translate('ask.and_more', more=len(candidates) - len(shown), at_least=at_least)}"
        else:
            question = self._with_rest(question)
        if self._memory.clarifications >= self._start.policy.clarifications:
            return self._suggest_rephrasing()
        found = [f.rows[0] for f in self._found if len(f.rows) == 1]
        ways = [QuickAction(label=b.label or b.reference, say=b.reference or b.booking_id) for b in shown]
        turn = ClarificationTurn(question=question, candidates=list(shown), quick_actions=[*quick, *ways])
        # A question without rows keeps the rows of the previous one selectable.
        offered = shown or (() if about else self._memory.offered_bookings)
        return TurnResult(turn=turn, reply_text=question, offered=offered, settled=[*found, *about], is_question=True)

    def _answer(self, message: str, statement: ModelStatement | None = None) -> TurnResult:
        """Return a text of ours, or the model's without its assertions about effects (`statement`). The code itself
        adds that nothing is being changed."""
        quick, idle = [QuickAction(label=q, say=q) for q in self._quick], self._nothing_new
        plain = statement.plain if statement is not None else message
        asked = self._request.reading.has(MessageTrait.ASKS_CHANGE)
        if self._request.reading.has(MessageTrait.SMALL_TALK) and plain:
            claims = self._memory.pending_plan is not None or re.search(r"\d", plain)
            text = f"{plain} {idle}" if claims else plain
            return TurnResult(turn=AnswerTurn(message=text, quick_actions=quick), reply_text=text)
        unchanged = self._looked and not asked and plain == message.strip()
        text = plain if unchanged else f"{plain} {idle}"
        text = self._with_rest(text if plain else f"{idle} {translate('next.say_change')}")
        found = [f.rows[0] for f in self._found if len(f.rows) == 1]
        return TurnResult(turn=AnswerTurn(message=text, quick_actions=quick), reply_text=text, settled=found)

    def _with_rest(self, text: str) -> str:
        """Return the text with a note that the look-up result is incomplete, which no model adds by itself."""
        return f"{text} {translate('read.not_all')}" if any(found.more for found in self._found) else text

    def _suggest_rephrasing(self) -> TurnResult:
        return self._answer(error_messages.rephrase(self._quick))

    def _observe(self, call: ToolCall, result: object, into: list[ChatMessage] | None = None) -> None:
        messages = self._messages if into is None else into
        messages.append(ChatMessage(role="tool", content=limits.truncate_json(result), tool_call_id=call.id))

    async def _reason(self) -> ModelReply:
        """Return the model's next reply, after providing the context that it requested."""
        self._enter(Phase.READING if self._phase is None else Phase.DRAFTING)
        while True:
            request = ReasonRequest(
                venue_id=self._start.venue_id,
                now=workflow.now(),
                messages=limits.trimmed_transcript(self._messages),
                context=planning_context(self._memory, self._announced),
                mode=self._guided.mode,
                fetched=self._guided.fetched,
            )
            reply = await self._activities.reason(request)
            accepted = self._guided.accept(reply)
            if accepted is not None:
                return accepted
            if reply.look_up is not None:
                self._announced.append(ChatMessage(role="assistant", tool_calls=(reply.look_up,)))
                await self._look_up([reply.look_up], self._announced)
                self._enter(Phase.DRAFTING)

    async def _draft_steps(
        self,
        writes: tuple[ToolCall, ...],
        bookings: tuple[BookingSummary, ...],
        arranged: tuple[StepDependency, ...],
    ) -> DraftReply:
        done = self._memory.done
        request = DraftRequest(
            venue_id=self._start.venue_id,
            token_ref=self._request.token_ref,
            calls=writes,
            now=workflow.now(),
            operator_messages=self._operator_messages,
            bookings=bookings,
            found=() if bookings else tuple(self._found),
            offered=() if bookings else self._memory.offered_bookings,
            known=() if bookings else self._memory.known_bookings,
            spoken=current_bookings(self._memory),
            asked_for=self._memory.asked_for,
            insists=self._insists,
            after_change=done is not None and done.fresh and done.can_be_undone,
            before=self._memory.pending_messages,
            edited=self._request.edit is not None,
            arranged=arranged,
            declared=self._declared,
            request_id=self._request.request_id,
            is_fallback=self._memory.last_was_full,
            in_flux=self._in_flux,
            pending=tuple(planned(self._memory.pending_steps or (self._failed.steps if self._failed else ()))),
        )
        if self._phase is not Phase.CHECKING:
            self._enter(Phase.DRAFTING, Phase.CHECKING)
        return await self._activities.draft(request)
