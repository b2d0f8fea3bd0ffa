"""One turn of a chat: reason → look up → draft → a `Turn`. Changes nothing: what must happen is handed back as an
`Outcome`, so that a turn that runs out of time leaves no trace.
"""

import asyncio
import re
from datetime import date
from zoneinfo import ZoneInfo

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from contracts import bounds
    from contracts.booking import BookingSummary, FoundBookings
    from contracts.drafting import Arrangement, DraftReply, DraftRequest
    from contracts.enums import ErrorType, EscalationReason, ShortReply
    from contracts.errors import VenueFailure
    from contracts.messages import ChatMemory, ChatStart, Phase, PlanEdit, TurnRequest
    from contracts.model import ChatMessage, ModelReply, ModelWords, ReasonRequest, ToolCall
    from contracts.quick import QuickAction
    from contracts.turn import AnswerTurn, ClarificationTurn
    from language import effects
    from language.catalogue import say
    from language.small_talk import small_talk
    from reasoning import bookings, wording
    from reasoning.drafting import planned
    from reasoning.editing import arranged_again, edited_calls, misfit
    from reasoning.planning import arrangements_of
    from reasoning.prompting import ARRANGE, ASK, REFUSE
    from reasoning.saying import plain_words
    from workflows.outcome import Outcome, RefusedError
    from workflows.remembered import (
        bookings_of,
        just_failed,
        not_tried_again,
        open_request,
        planning_context,
        spoken_of,
        tried_again,
        with_bookings,
    )
    from workflows.second_look import Asks, Goes, Hands, SecondLook, Verdict, handed, in_venues_words
    from workflows.trail import Trail
    from workflows.turn_effects import TurnEffects
    from workflows.turn_shown import TurnShown
    from workflows.turn_trace import TurnTrace


class TurnRun:
    """Works out one operator message against what the chat remembers. `nothing_new` is what is said where nothing
    comes of it, `shown` what its chat shows meanwhile, `trail` what engineers may read of its reasoning, `trace` what
    they see of its calls."""

    def __init__(
        self,
        start: ChatStart,
        memory: ChatMemory,
        request: TurnRequest,
        nothing_new: str,
        shown: TurnShown,
        trail: Trail,
        trace: TurnTrace,
    ) -> None:
        self._start = start
        self._memory = memory
        self._request = request
        self._nothing_new = nothing_new
        self._messages = [*memory.messages, ChatMessage(role="user", content=request.user_message)]
        self._failed = memory.done if just_failed(memory) else None
        earlier = self._failed.said if self._failed is not None else ()
        self._said = (request.user_message, *open_request(memory, request.points_back), *earlier)
        self._found: list[FoundBookings] = []
        self._quick: tuple[str, ...] = ()
        self._again: list[BookingSummary] = []
        self._looked = False
        self._refused_look: VenueFailure | None = None
        self._shown: list[str] = []
        self._arranging: tuple[ToolCall, ...] = ()
        self._insists = self._declared = False
        self._chat_shows = shown
        self._phase: Phase | None = None
        self._today: date | None = None
        self._effects = TurnEffects(start, request, trace)
        rounds = start.policy.context_rounds
        self._guided = SecondLook(start.venue_id, self._effects, trail, rounds)
        self._no_such_tool = False

    def _enter(self, *phases: Phase) -> None:
        for phase in phases:
            if phase is not self._phase:
                self._phase = phase
                self._chat_shows.phase(phase)

    async def work_out(self) -> Outcome:
        """Reason and look things up until there is something to say or to do. Raises `RefusedError`,
        `ActivityError`."""
        outcome = await self._worked_out()
        if self._refused_look is not None and not self._looked and not outcome.steps and outcome.escalates is None:
            # A model that was refused its only look may say that nothing was found.
            raise RefusedError(wording.service_error(self._refused_look))
        self._guided.ended(outcome)
        return outcome

    async def _worked_out(self) -> Outcome:
        if self._request.edit is not None:
            return await self._edited(self._request.edit)
        if self._request.wants_person:
            return self._hands(Hands(EscalationReason.ASKED))
        if self._request.reply is ShortReply.RETRY:
            last = tried_again(self._memory)
            steps = last.steps if last is not None else ()
            if last is not None and last is not self._failed:
                self._said = (*self._said, *last.said)
            self._declared = True
            # What they are of was settled when they were first planned, whatever has been looked at since.
            self._again = bookings_of(steps)
            again = await self._draft(edited_calls(steps, ()), arranged_again(steps)) if steps else None
            if again is not None and again.steps and last is not None and last.uncertain:
                again.remark = f"{say('plan.look_before_again')} {again.remark}".strip()
            return again or self._answer("", ModelWords(plain=not_tried_again(self._memory), only_asks=False))
        for _ in range(self._start.policy.look_ups):
            reply = await self._reason()
            self._quick = reply.quick_actions
            if not reply.tool_calls:
                unsure = None if reply.text.rstrip().endswith("?") else self._guided.unasked(reply)
                return self._say(reply) if unsure is None else self._hands(unsure)
            outcome = await self._follow(reply)
            if outcome is not None:
                return outcome
        return self._advise()

    async def _edited(self, edit: PlanEdit) -> Outcome:
        """The plan that waits with values that were typed into it. What does not fit leaves it as it is."""
        pending = self._memory.pending_steps if edit.plan_id == self._memory.pending_plan_id else ()
        self._said = (self._request.user_message, *self._memory.pending_said)
        shown = self._memory.pending_plan.actions if self._memory.pending_plan is not None else ()
        behind = sum(action.read_only for action in shown)
        calls = edited_calls(pending, edit.values, behind)
        outcome = await self._draft(calls, arranged_again(pending)) if calls else None
        if outcome is None:
            why = misfit(pending, edit.values, self._today, behind)
            told = say("edit.does_not_fit", why=why) if pending else say("edit.not_waiting")
            return Outcome(turn=AnswerTurn(message=told), told=told, offered=self._memory.offered)
        return outcome

    async def _follow(self, reply: ModelReply) -> Outcome | None:
        """Act on a reply's calls; None when the model is to go on."""
        for call in reply.tool_calls:
            if call.problems and call.name in (ASK, REFUSE) and workflow.patched("mend-builtin-calls"):
                continue
            if call.name == ASK:
                return self._model_asks(str(call.arguments.get("question") or reply.text), reply.words)
            if call.name == REFUSE:
                unsure = self._guided.unasked(reply)
                message = str(call.arguments.get("message") or reply.text)
                return self._answer(message, reply.words) if unsure is None else self._hands(unsure)
        judged = self._after(await self._guided.at_lack(reply, self._said))
        if judged is not None:
            return judged
        self._messages.append(reply.message)
        reads = [c for c in reply.tool_calls if c.kind == "read" and not c.problems]
        writes = tuple(c for c in reply.tool_calls if c.kind == "write" and not c.problems)
        for call in reply.tool_calls:
            if call.problems or (call.kind in ("unknown", "builtin") and call.name != ARRANGE):
                self._observe(call, {"error": " ".join(call.problems) or f"There is no tool {call.name}."})
        if reads:
            judged = self._after(await self._guided.at_looks(reply, self._said))
            if judged is not None:
                return judged
            await self._look_up(reads)
        elif self._guided.adaptive and any(call.kind == "unknown" for call in reply.tool_calls):
            if self._no_such_tool:
                return self._answer(say("turn.no_such_tool", ways=list(self._quick)))
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
        return self._after(await self._guided.at_plan(reply, outcome.steps, self._said), outcome) or outcome

    def _after(self, verdict: Verdict, drafted: Outcome | None = None) -> Outcome | None:
        """What comes of a second look; None where nothing speaks against going on."""
        match verdict:
            case Hands():
                return self._hands(verdict)
            case Asks(critique):
                words = ModelWords(plain=critique.message, only_asks=critique.only_asks)
                return self._model_asks(critique.message, words, tuple(drafted.settled) if drafted else ())
            case Goes():
                return None

    def _hands(self, verdict: Hands) -> Outcome:
        return handed(verdict, self._nothing_new, self._memory.offered)

    async def _look_up(self, calls: list[ToolCall]) -> None:
        self._shown = []
        self._enter(Phase.LOOKING_UP)
        replies = await asyncio.gather(*(self._effects.read(c, self._memory.known) for c in calls))
        for call, reply in zip(calls, replies, strict=True):
            if reply.failure is not None:
                if reply.failure.error_type not in (ErrorType.NOT_FOUND, ErrorType.BAD_REQUEST):
                    raise RefusedError(wording.service_error(reply.failure))
                self._observe(call, {"error": reply.failure.message, "kind": reply.failure.error_type.value})
                self._refused_look = reply.failure if reply.failure.error_type is ErrorType.BAD_REQUEST else None
                continue
            if reply.candidates is not None:
                asked = tuple(str(v) for v in call.arguments.values())
                self._found.append(FoundBookings(rows=reply.candidates, asked=asked, more=reply.more))
            self._observe(call, reply.observation)
            self._looked = True
            self._shown += [reply.said] if reply.said and reply.said not in self._shown else []

    async def _draft(self, writes: tuple[ToolCall, ...], arranged: tuple[Arrangement, ...] = ()) -> Outcome | None:
        settled = bookings_of(self._memory.pending_steps) if self._request.edit is not None else []
        settled = settled or self._again
        reply = await self._looked_for(writes, tuple(settled), arranged)
        if reply.failure is not None:
            if reply.failure.error_type is ErrorType.NOT_FOUND:
                return self._ask(say("ask.no_match"))
            raise RefusedError(wording.service_error(reply.failure))
        settled = settled or list(reply.settled)
        if reply.question is not None:
            asked = self._ask(reply.question, reply.candidates, quick=reply.quick_actions, about=tuple(settled))
            asked.asks_for, asked.no_room = reply.asks_for, reply.no_room
            return asked
        if reply.problems:
            self._insists = self._insists or reply.difference
            self._today = workflow.now().astimezone(ZoneInfo(reply.profile.time_zone)).date()
            for call in (*writes, *self._arranging):
                self._observe(call, {"error": " ".join(reply.problems)})
            return None
        return Outcome(
            steps=with_bookings(reply, writes, settled),
            profile=reply.profile,
            settled=settled,
            said=self._said,
            remark=reply.remark,
            reasoning=reply.reasoning,
            confidence=reply.confidence,
            looks=reply.looks,
            mode=self._guided.mode or self._memory.mode,
        )

    async def _looked_for(
        self, writes: tuple[ToolCall, ...], settled: tuple[BookingSummary, ...], arranged: tuple[Arrangement, ...]
    ) -> DraftReply:
        """The draft; where looks are steps of it, they are told before they are made."""
        reply = await self._freeze(writes, settled, arranged, looks_later=True)
        if not reply.looks or not reply.steps:
            return reply
        self._chat_shows.begun(reply)
        reply = await self._freeze(writes, settled, arranged)
        self._chat_shows.looked(reply.looks)
        return reply

    def _say(self, reply: ModelReply) -> Outcome:
        text = reply.text
        if (reply.quoted or reply.withheld) and not reply.left:
            return in_venues_words(text, self._quick, self._memory.offered)
        asks = effects.asks_for_change(self._request.user_message)
        if self._shown and not (asks and text.rstrip().endswith("?")):
            return self._tell_shown("" if not asks else self._nothing_new)
        if not text.strip():
            return self._advise()
        says = self._model_asks if text.rstrip().endswith("?") else self._answer
        return says(text, reply.words)

    def _tell_shown(self, idle: str) -> Outcome:
        """What the look-ups showed, in the pack's words and not in a model's. `idle` says that nothing is changed,
        where the words might have asked for a change."""
        quick = [QuickAction(label=q, say=q) for q in self._quick]
        text = "\n".join([*self._shown, *([idle] if idle else [])])
        rows = self._found[-1].rows if self._found else ()
        found = [f.rows[0] for f in self._found if len(f.rows) == 1]
        turn = AnswerTurn(message=text, quick_actions=quick)
        return Outcome(
            turn=turn, told=text, settled=found, offered=rows[: bounds.CANDIDATES_SHOWN] if len(rows) > 1 else ()
        )

    def _model_asks(self, text: str, words: ModelWords | None, about: tuple[BookingSummary, ...] = ()) -> Outcome:
        """A question in a model's words, without what they claim to have done."""
        words = words or plain_words(text, self._start.locale)
        if not words.plain:
            return self._answer("")
        # A statement may claim that something was done. Only the core knows, so it says that nothing is being changed.
        idle = "" if words.only_asks else self._nothing_new
        return self._ask(f"{idle} {words.plain}".strip(), about=about)

    def _ask(
        self,
        question: str,
        candidates: tuple[BookingSummary, ...] = (),
        quick: tuple[QuickAction, ...] = (),
        about: tuple[BookingSummary, ...] = (),
    ) -> Outcome:
        if not candidates and not about and self._found and len(self._found[-1].rows) > 1:
            candidates = self._found[-1].rows
        shown = candidates[: bounds.CANDIDATES_SHOWN]
        if len(candidates) > len(shown):
            at_least = any(found.more or bookings.cut(found.rows) for found in self._found)
            question = f"{question} {say('ask.and_more', more=len(candidates) - len(shown), at_least=at_least)}"
        else:
            question = self._with_rest(question)
        if self._memory.clarifications >= self._start.policy.clarifications:
            return self._advise()
        found = [f.rows[0] for f in self._found if len(f.rows) == 1]
        ways = [QuickAction(label=b.label or b.reference, say=b.reference or b.booking_id) for b in shown]
        turn = ClarificationTurn(question=question, candidates=list(shown), quick_actions=[*quick, *ways])
        # A question that shows no rows leaves those of the one before on the table.
        offered = shown or (() if about else self._memory.offered)
        return Outcome(turn=turn, told=question, offered=offered, settled=[*found, *about], asked=True)

    def _answer(self, message: str, words: ModelWords | None = None) -> Outcome:
        """A model's words, without what they claim to have done; that nothing is, the core says itself."""
        quick = [QuickAction(label=q, say=q) for q in self._quick]
        plain, idle = (words or plain_words(message, self._start.locale)).plain, self._nothing_new
        asked = effects.asks_for_change(self._request.user_message)
        if small_talk(self._request.user_message) and plain:
            claims = self._memory.pending_plan is not None or re.search(r"\d", plain)
            text = f"{plain} {idle}" if claims else plain
            return Outcome(turn=AnswerTurn(message=text, quick_actions=quick), told=text)
        if not plain:
            text = f"{idle} {say('next.say_change')}"
        elif self._looked and not asked and plain == message.strip():
            text = plain
        else:
            text = f"{plain} {idle}"
        text = self._with_rest(text)
        found = [f.rows[0] for f in self._found if len(f.rows) == 1]
        return Outcome(turn=AnswerTurn(message=text, quick_actions=quick), told=text, settled=found)

    def _with_rest(self, text: str) -> str:
        """With what no model says by itself: that what was looked for may stand where nobody has looked."""
        return f"{text} {say('read.not_all')}" if any(found.more for found in self._found) else text

    def _advise(self) -> Outcome:
        return self._answer(wording.rephrase(self._quick))

    def _observe(self, call: ToolCall, result: object) -> None:
        self._messages.append(ChatMessage(role="tool", content=bounds.shown(result), tool_call_id=call.id))

    async def _reason(self) -> ModelReply:
        """The model's next reply, with whatever it asked to see before it."""
        self._enter(Phase.READING if self._phase is None else Phase.DRAFTING)
        while True:
            reply = self._guided.taken(await self._ask_model())
            if reply is not None:
                return reply

    async def _ask_model(self) -> ModelReply:
        request = ReasonRequest(
            venue_id=self._start.venue_id,
            now=workflow.now(),
            messages=bounds.trimmed_transcript(self._messages),
            context=planning_context(self._memory),
            mode=self._guided.mode,
            fetched=self._guided.fetched,
        )
        return await self._effects.reason(request)

    async def _freeze(
        self,
        writes: tuple[ToolCall, ...],
        bookings: tuple[BookingSummary, ...],
        arranged: tuple[Arrangement, ...],
        *,
        looks_later: bool = False,
    ) -> DraftReply:
        done = self._memory.done
        request = DraftRequest(
            venue_id=self._start.venue_id,
            token_ref=self._request.token_ref,
            calls=writes,
            now=workflow.now(),
            said=self._said,
            bookings=bookings,
            found=() if bookings else tuple(self._found),
            offered=() if bookings else self._memory.offered,
            known=() if bookings else self._memory.known,
            spoken=spoken_of(self._memory),
            asked_for=self._memory.asked_for,
            insists=self._insists,
            after_change=done is not None and done.fresh and done.can_be_undone,
            before=self._memory.pending_said,
            edited=self._request.edit is not None,
            arranged=arranged,
            declared=self._declared,
            looks_later=looks_later,
            in_place_of=self._memory.no_room,
            pending=tuple(planned(self._memory.pending_steps or (self._failed.steps if self._failed else ()))),
        )
        if self._phase is not Phase.CHECKING:
            self._enter(*((Phase.CHECKING,) if self._phase is Phase.DRAFTING else (Phase.DRAFTING, Phase.CHECKING)))
        return await self._effects.draft(request)
