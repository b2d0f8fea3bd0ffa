"""One chat: the memory of a session and the turn that each message gets.

One workflow per venue and session. It belongs to the first user who speaks in it. Turns run one at a time; the answer
to each request is remembered, so that a retried HTTP request gets the same turn, also across continue-as-new and an
idle close. A plan is made only of a message whose caller has not given it up. It grants the session's question slot and
stays while a plan holds or awaits it.

Update: `handle_request`. Signals: `question_slot`, `person_says`. Queries: `session`, `shown`, `debug`.
"""

import asyncio
from datetime import timedelta
from functools import partial
from uuid import UUID, uuid5

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.effects import SlotCall
    from contracts.enums import PlanStatus, ServiceErrorType
    from contracts.errors import ServiceError
    from contracts.escalation import PersonSays
    from contracts.messages import (
        ChatMemory,
        ChatStart,
        DebugView,
        PlanStart,
        SessionView,
        ShownView,
        TurnReply,
        TurnRequest,
    )
    from contracts.model import ChatMessage
    from contracts.turn import AnswerTurn, ClarificationTurn, EscalationTurn, PlanTurn, Turn
    from infra import log_ids
    from language.catalogue import say, speak
    from reasoning import wording
    from reasoning.drafting import intent_of, plan_of
    from workflows import shown as showing
    from workflows.away import part_of
    from workflows.chat import Chat
    from workflows.chat_words import drop_waiting, dropped, reply_of, spoken_in, take_reply
    from workflows.earlier import look_at_earlier
    from workflows.escalating import escalate
    from workflows.made import know_what_was_made
    from workflows.outcome import Outcome, RefusedError
    from workflows.people import People
    from workflows.refusals import refuse_late
    from workflows.remembered import answered_before, expired_after, served, with_turn
    from workflows.restated import Restated, restated
    from workflows.slot import QuestionSlot
    from workflows.starting import start_plan
    from workflows.trail import Trail
    from workflows.turn_shown import TurnShown
    from workflows.turn_trace import TurnTrace, never_answered
    from workflows.turns import TurnRun

_NAMESPACE = UUID("6f1c7a52-6d0b-4c0e-9a53-0a0a4f2f7a10")
_BRIEF = timedelta(seconds=5)

QUESTION_SLOT = "question_slot"
"""The signal by which a plan asks for the question slot: whoever starts a chat with it can only name it."""
PERSON_SAYS = "person_says"
"""The signal by which a person's answer comes in, likewise."""


@workflow.defn(name="Conversation")
class ConversationWorkflow:
    """One chat. Its result is its memory, which the next run of the same session takes up."""

    @workflow.init
    def __init__(self, start: ChatStart) -> None:
        self._start = start
        self._chat = Chat(start)
        self._ready = start.memory is not None
        self._slot = QuestionSlot(self._chat.memory.slot_holder, self._chat.memory.slot_queue)
        self._people = People(self._chat)
        self._one_at_a_time = asyncio.Lock()
        self._turns = 0

    @workflow.run
    async def run(self, start: ChatStart) -> ChatMemory:
        """Serve the session until it has been quiet for long enough."""
        if not self._ready:
            await self._recall()
        idle = timedelta(seconds=start.policy.idle_after)
        while True:
            seen = self._turns
            try:
                await workflow.wait_condition(
                    partial(self._has_news, seen),
                    timeout=self._slot.patience(idle),
                    timeout_summary="waits for the next message, then closes or looks who may ask",
                )
            except TimeoutError:
                await self._slot.free_if_dead()
                if not self._slot.busy and not self._one_at_a_time.locked():
                    break
            await self._slot.work()
            self._people.work()
            if self._long and not self._one_at_a_time.locked():
                break
        await workflow.wait_condition(workflow.all_handlers_finished)
        await self._slot.work()
        self._people.work()
        memory = self._remembering()
        if self._long or self._slot.busy:
            workflow.continue_as_new(start.model_copy(update={"memory": memory}))
        never_answered(self._start, memory)
        return memory.model_copy(update={"asked": None})

    def _has_news(self, turns_seen: int) -> bool:
        # A long history ends only between turns; waiting for that here, or this loop would spin.
        between_turns = not self._one_at_a_time.locked()
        return (
            self._slot.has_news or self._people.has_news or self._turns != turns_seen or (self._long and between_turns)
        )

    @property
    def _long(self) -> bool:
        info = workflow.info()
        limit = self._start.policy.continue_after_events
        return info.is_continue_as_new_suggested() or info.get_current_history_length() > limit

    async def _recall(self) -> None:
        try:
            before = await workflow.execute_activity(
                signatures.recall_chat,
                workflow.info().workflow_id,
                start_to_close_timeout=_BRIEF,
                retry_policy=RetryPolicy(maximum_attempts=3),
            )
        except ActivityError:
            workflow.logger.warning("what was said before could not be recalled; starting afresh")
            before = None
        if before is not None:
            self._chat.memory = before
        self._ready = True

    def _remembering(self) -> ChatMemory:
        return self._chat.memory.model_copy(
            update={"slot_holder": self._slot.holder, "slot_queue": tuple(self._slot.queue)}
        )

    @workflow.update
    async def handle_request(self, request: TurnRequest) -> TurnReply:
        """Answer one operator message, or the retry of one."""
        speak(self._start.locale, self._start.words)
        await workflow.wait_condition(lambda: self._ready)
        async with self._one_at_a_time:
            try:
                return await self._answer(request)
            finally:
                self._turns += 1

    @handle_request.validator
    def _in_time(self, request: TurnRequest) -> None:
        speak(self._start.locale, self._start.words)
        refuse_late(request.accept_by)

    def _away(self, what: str, unsettled: bool) -> ServiceError:
        # What became of a yes or no is settled by whoever sent it.
        return wording.unavailable(what, "" if unsettled else "away.no_booking_changed")

    async def _answer(self, request: TurnRequest) -> TurnReply:
        if self._chat.memory.owner not in (None, request.user_id):
            message, ways = (say(f"refuse.foreign_chat{end}") for end in ("", "_next"))
            error = ServiceError(error_type=ServiceErrorType.FORBIDDEN, message=message, suggestions=[ways])
            return TurnReply(error=error)
        if (before := served(self._chat.memory, request)) is not None:
            return before
        kept, tried = self._start.policy.shown_kept, showing.said_under(self._chat.memory.shown, request)
        self._chat.remember(owner=request.user_id, shown=showing.said(self._chat.memory.shown, request, kept))
        first = tried.at if tried is not None else None
        trace = TurnTrace(self._start, request, workflow.now(), self._chat.memory, first)
        log_ids.remember(workflow.info().workflow_id, trace.id)
        try:
            reply = await self._work_out(request, trace)
        except Exception as error:
            workflow.logger.exception("unexpected in a turn: %s", type(error).__name__)
            unsettled = bool(request.attempt or request.ticket)
            reply = TurnReply(error=self._away("service", unsettled), unsettled=unsettled)
        if reply.error is not None:
            TurnShown(self._chat, request).over()
            self._chat.remember(shown=showing.failed(self._chat.memory.shown, request, kept, reply.error))
        trace.over(reply)
        return reply.model_copy(update={"trace_id": trace.id})

    async def _work_out(self, request: TurnRequest, trace: TurnTrace) -> TurnReply:
        left = request.deadline - workflow.now()
        unsettled = bool(request.attempt)
        try:
            await self._chat.look_at_plans(request)
            await know_what_was_made(self._chat, request, trace)
            await look_at_earlier(self._chat)
            # What is typed into a plan's fields is a word to that plan alone, whatever it would be as a message.
            taken = None if request.edit is not None else await take_reply(self._chat, request)
            if taken is not None:
                uncertain = isinstance(taken, PlanTurn) and taken.plan.notice is not None
                if uncertain:
                    self._show(request, taken, spoken_in(taken))
                    return TurnReply(turn=taken)
                asks = isinstance(taken, ClarificationTurn)
                return self._keep(request, taken, Outcome(turn=taken, told=spoken_in(taken), asked=asks), trace)
            if request.ticket:
                unsettled = False
                if reply_of(request) is not None and request.edit is None:
                    await self._chat.claim(request)
            shown, trail = TurnShown(self._chat, request), Trail(self._chat, request)
            heard = restated(self._start, self._chat.memory, request)
            run = TurnRun(self._start, heard.memory, heard.request, self._chat.nothing_new(), shown, trail, trace)
            outcome = await asyncio.wait_for(run.work_out(), timeout=max(left.total_seconds(), 0.1))
            trace.outcome = heard.noted(outcome)
            turn = outcome.turn or await self._make_plan(request, outcome, trace)
            if heard.drops and outcome.turn is not None:
                turn = await drop_waiting(self._chat, request, turn)
            if isinstance(turn, EscalationTurn):
                turn = await escalate(self._chat, request, turn, outcome.escalates)
        except TimeoutError:
            return TurnReply(error=self._away("in_time", unsettled), unsettled=unsettled)
        except RefusedError as refused:
            return TurnReply(error=refused.answer)
        except ActivityError as error:
            workflow.logger.warning("a turn failed: %s", error.cause)
            return TurnReply(error=self._away(part_of(error), unsettled), unsettled=unsettled)
        return self._keep(request, turn, outcome, trace, heard)

    async def _make_plan(self, request: TurnRequest, outcome: Outcome, trace: TurnTrace) -> Turn:
        """Start the drafted plan's workflow; a plan that still waits for confirmation gives way to it."""
        assert outcome.profile is not None
        start, policy = self._start, self._start.policy.plan
        name = f"{start.venue_id}\n{start.session_id}\n{request.user_id}\n{request.request_key}"
        plan = plan_of(
            outcome.steps,
            plan_id=str(uuid5(_NAMESPACE, name)),
            session_id=start.session_id,
            user_id=request.user_id,
            venue_id=start.venue_id,
            now=workflow.now(),
            confirm_within=policy.confirm_within,
            looks=outcome.looks,
        )
        if request.ticket:
            await self._chat.claim(request)
        old = self._chat.memory.pending_plan_id
        if old is not None:
            # What waits does not give way to a plan that there has been already.
            if workflow.patched("answered-once") and (await self._chat.state(plan.plan_id)).status is not None:
                raise RefusedError(answered_before())
            refused = await self._replace(request, old, plan.plan_id)
            if refused is not None:
                return refused
        await start_plan(
            PlanStart(
                plan=plan,
                steps=outcome.steps,
                profile=outcome.profile,
                conversation_id=workflow.info().workflow_id,
                transcript=(ChatMessage(role="user", content=request.user_message),),
                policy=policy,
                trace_id=trace.id,
                reasoning=outcome.reasoning,
                confidence=outcome.confidence,
                mode=outcome.mode,
                requested_at=trace.requested_at,
                clarifications=self._chat.memory.clarifications,
                asked=trace.open_request.said,
                planned_in=trace.planning,
            )
        )
        self._chat.remember(
            pending_plan_id=plan.plan_id,
            pending_steps=outcome.steps,
            pending_plan=plan,
            pending_said=outcome.said,
            expired=None,
            mode=outcome.mode,
        )
        return PlanTurn(plan=plan, message=outcome.remark)

    async def _replace(self, request: TurnRequest, old: str, new: str) -> Turn | None:
        """Drop the plan that a new one replaces; what to say instead when it has been confirmed meanwhile. Two plans
        for one change are never left to be confirmed. Raises `RefusedError` when it is not certain that it is gone."""
        try:
            reply = await self._chat.tell(signatures.drop_pending, request, old, superseded_by=new)
        except ActivityError:
            if not request.settled_words:
                raise
            raise RefusedError(self._perhaps_gone()) from None
        if not request.settled_words:
            return None
        if reply.error is not None:
            raise RefusedError(reply.error)
        if reply.plan is not None and reply.plan.notice is not None:
            raise RefusedError(self._perhaps_gone())
        if reply.plan is None or dropped(reply.plan) or reply.plan.status is PlanStatus.EXPIRED:
            return None
        self._chat.forget_pending(running=old)
        return AnswerTurn(message=say("plan.went_ahead"))

    def _perhaps_gone(self) -> ServiceError:
        return wording.unavailable("slow", "word.drop_unknown")

    def _keep(
        self, request: TurnRequest, turn: Turn, outcome: Outcome, trace: TurnTrace, heard: Restated | None = None
    ) -> TurnReply:
        policy = self._start.policy
        memory, done = self._chat.memory, self._chat.memory.done
        told = outcome.told or (f"Plan: {intent_of(outcome.steps, len(outcome.looks))}" if outcome.steps else turn.type)
        read = heard.request if heard is not None else request
        asked = ChatMessage(role="user", content=read.user_message)
        before = 0 if heard is not None and heard.drops else memory.clarifications
        messages = (*memory.messages, asked, ChatMessage(role="assistant", content=told))
        reply = TurnReply(turn=turn)
        self._show(request, turn, told)
        self._chat.memory = self._chat.memory.model_copy(
            update={
                "messages": messages[-policy.messages_kept :],
                "turns": with_turn(memory, request, reply, policy.turns_kept),
                "known": outcome.spoken_of(memory.known),
                "offered": outcome.offered,
                "asked_for": outcome.asks_for,
                "no_room": outcome.no_room or (memory.no_room and turn.type != "plan"),
                "clarifications": before + 1 if outcome.asked else 0,
                "asked": trace.open_request if outcome.asked else None,
                "interrupted": isinstance(turn, EscalationTurn) or (memory.interrupted and turn.type != "plan"),
                "done": done.model_copy(update={"fresh": False}) if done and outcome.settled else done,
                "expired": expired_after(memory.expired, bool(outcome.settled), isinstance(turn, AnswerTurn)),
                "taken_back": () if outcome.settled or outcome.steps else memory.taken_back,
            }
        )
        return reply

    def _show(self, request: TurnRequest, turn: Turn, told: str) -> None:
        if not isinstance(turn, PlanTurn):
            TurnShown(self._chat, request).over()
        kept, text, memory = self._start.policy.shown_kept, _read_of(turn, told), self._chat.memory
        shown = showing.answered(memory.shown, request, kept, turn, text)
        self._chat.remember(shown=shown, named=showing.named((*memory.shown, *shown[-1:]), memory.named))

    @workflow.signal(name=QUESTION_SLOT)
    def question_slot(self, call: SlotCall) -> None:
        """A plan asks for the question slot or gives it back."""
        self._slot.receive(call)

    @workflow.signal(name=PERSON_SAYS)
    def person_says(self, says: PersonSays) -> None:
        """A person has answered what was handed to them."""
        self._people.receive(says)

    @workflow.query(name="session")
    def session(self) -> SessionView:
        """What is going on in this chat; no text of any message."""
        return SessionView(
            owner=self._chat.memory.owner,
            pending_plan_id=self._chat.memory.pending_plan_id,
            prompt_plan_id=self._slot.holder,
            ready=self._ready,
        )

    @workflow.query(name="debug")
    def debug(self) -> DebugView:
        """The last steps of reasoning in this chat; for engineers, never for operators."""
        return DebugView(owner=self._chat.memory.owner, entries=self._chat.memory.internal)

    @workflow.query(name="shown")
    def shown(self, after: int) -> ShownView:
        """What was shown in this chat, after a number (0 for all)."""
        shown, named = self._chat.memory.shown, self._chat.memory.named
        return ShownView(
            named=showing.named(shown, named),
            owner=self._chat.memory.owner,
            entries=tuple(entry for entry in shown if entry.number > after),
            last=shown[-1].number if shown else 0,
            ready=self._ready,
        )


def _read_of(turn: Turn, told: str) -> str:
    """What the operator reads of a turn; of a plan what it is to do."""
    return turn.plan.intent if isinstance(turn, PlanTurn) and not turn.message else spoken_in(turn) or told
