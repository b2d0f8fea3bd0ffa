"""The chat workflow: the memory of a session and the turn of each message.

There is one workflow per venue and session. It belongs to the first user who writes in it. Turns run one at a time; the
answer to each request is remembered, so that a retried HTTP request gets the same turn, also across continue-as-new and
an idle close. A plan is created only for a message that its caller has not aborted. The chat grants the session's
prompt slot and stays open while a plan holds or awaits it.

Update: `handle_request`. Signals: `request_prompt_slot`, `staff_reply`,
`draft_begun`. Queries: `session`, `transcript`, `debug`.
"""

import asyncio
from datetime import timedelta
from functools import partial

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from contracts import signatures
    from contracts.chat_completion import ChatMessage
    from contracts.chat_messages import (
        ChatMemory,
        ChatStart,
        DebugView,
        SessionView,
        TranscriptView,
        TurnReply,
        TurnRequest,
    )
    from contracts.drafting import DraftBegun
    from contracts.enums import OpenQuestion, ServiceErrorType
    from contracts.errors import ServiceError
    from contracts.escalation import StaffReplySignal
    from contracts.persisted_names import Query, Signal, WorkflowType
    from contracts.step_activities import PromptSlotRequest
    from contracts.turn import AnswerTurn, ClarificationTurn, EscalationTurn, PlanTurn, Turn
    from infra.observability.logging import remember_request
    from language.messages.catalogue import activate_locale, translate
    from reasoning import error_messages
    from reasoning.drafting.plan import intent_of
    from workflows.chat import transcript as showing
    from workflows.chat.activities import unavailable_part
    from workflows.chat.child_workflows import make_plan
    from workflows.chat.earlier_plans import learn_created_bookings, refresh_earlier_plans
    from workflows.chat.escalate import StaffReplies, escalate
    from workflows.chat.history import append_turn, expired_after, replay_turn
    from workflows.chat.prompt_slot import PromptSlot
    from workflows.chat.resolved_message import Restated, match_bookings, restated
    from workflows.chat.session import ChatSession
    from workflows.chat.short_replies import drop_waiting, handle_short_reply, turn_text
    from workflows.chat.tracing import TurnTrace, never_answered
    from workflows.chat.turn import TurnRunner
    from workflows.chat.turn_result import TurnRejectedError, TurnResult
    from workflows.chat.turn_transcript import ReasoningLog, TurnShown
    from workflows.plan.activities import requested_wait
    from workflows.update_errors import require_in_time

_BRIEF = timedelta(seconds=5)


@workflow.defn(name=WorkflowType.CONVERSATION)
class ConversationWorkflow:
    """One chat. Its result is its memory, which the next run of the same session restores."""

    @workflow.init
    def __init__(self, start: ChatStart) -> None:
        self._start = start
        self._chat = ChatSession(start)
        self._ready = start.memory is not None
        self._prompt_slot = PromptSlot(self._chat.memory.slot_holder, self._chat.memory.slot_queue)
        self._staff_replies = StaffReplies(self._chat)
        self._one_at_a_time = asyncio.Lock()
        self._turns = 0
        self._shown: TurnShown | None = None
        """The turn that is being worked out."""

    @workflow.run
    async def run(self, start: ChatStart) -> ChatMemory:
        """Serve the session until it is idle for long enough."""
        if not self._ready:
            await self._recall()
        idle = timedelta(seconds=start.policy.idle_after)
        while True:
            seen = self._turns
            try:
                await workflow.wait_condition(
                    partial(self._has_news, seen),
                    timeout=self._prompt_slot.patience(idle),
                    timeout_summary="waits for the next message, then closes or looks who may ask",
                )
            except TimeoutError:
                await self._prompt_slot.release_if_holder_gone()
                if not self._prompt_slot.busy and not self._one_at_a_time.locked():
                    break
            await self._prompt_slot.process()
            self._staff_replies.deliver()
            if self._long and not self._one_at_a_time.locked():
                break
        await workflow.wait_condition(workflow.all_handlers_finished)
        await self._prompt_slot.process()
        self._staff_replies.deliver()
        memory = self._remembering()
        if self._long or self._prompt_slot.busy:
            workflow.continue_as_new(start.model_copy(update={"memory": memory}))
        never_answered(self._start, memory)
        return memory.model_copy(update={"asked": None})

    def _has_news(self, turns_seen: int) -> bool:
        # A long history ends only between turns. Waiting for that here prevents a busy loop.
        between_turns = not self._one_at_a_time.locked()
        return (
            self._prompt_slot.has_news
            or self._staff_replies.has_news
            or self._turns != turns_seen
            or (self._long and between_turns)
        )

    @property
    def _long(self) -> bool:
        info = workflow.info()
        limit = self._start.policy.continue_after_events
        return info.is_continue_as_new_suggested() or info.get_current_history_length() > limit

    async def _recall(self) -> None:
        try:
            before = await workflow.execute_activity(
                signatures.load_chat_memory,
                workflow.info().workflow_id,
                start_to_close_timeout=_BRIEF,
                retry_policy=RetryPolicy(maximum_attempts=3),
            )
        except ActivityError:
            workflow.logger.warning("the chat's earlier messages could not be read; starting without them")
            before = None
        if before is not None:
            self._chat.memory = before
        self._ready = True

    def _remembering(self) -> ChatMemory:
        return self._chat.memory.model_copy(
            update={"slot_holder": self._prompt_slot.holder, "slot_queue": tuple(self._prompt_slot.queue)}
        )

    @workflow.update
    async def handle_request(self, request: TurnRequest) -> TurnReply:
        """Answer one operator message, or the retry of one."""
        activate_locale(self._start.locale, self._start.nouns)
        await workflow.wait_condition(lambda: self._ready)
        async with self._one_at_a_time:
            try:
                return await self._answer(request)
            finally:
                self._turns += 1
                self._shown = None

    @handle_request.validator
    def _in_time(self, request: TurnRequest) -> None:
        activate_locale(self._start.locale, self._start.nouns)
        require_in_time(request.accept_by)

    def _away(self, what: str, unsettled: bool, retry_after: float | None = None) -> ServiceError:
        # The caller itself settles the outcome of a yes or no.
        then = "" if unsettled else "unavailable.no_booking_changed"
        wait = {} if retry_after is None else {"retry_after": retry_after}
        return error_messages.unavailable_error(what, then, **wait)

    async def _answer(self, request: TurnRequest) -> TurnReply:
        if self._chat.memory.owner not in (None, request.user_id):
            message, ways = (translate(f"refuse.foreign_chat{end}") for end in ("", "_next"))
            error = ServiceError(error_type=ServiceErrorType.FORBIDDEN, message=message, suggestions=[ways])
            return TurnReply(error=error)
        if (before := replay_turn(self._chat.memory, request)) is not None:
            return before
        limit, tried = self._start.policy.shown_kept, showing.message_entry(self._chat.memory.transcript, request)
        self._chat.remember(
            owner=request.user_id, transcript=showing.message(self._chat.memory.transcript, request, limit)
        )
        first = tried.at if tried is not None else None
        trace = TurnTrace(self._start, request, workflow.now(), self._chat.memory, first)
        remember_request(workflow.info().workflow_id, trace.id)
        try:
            reply = await self._work_out(request, trace)
        except Exception as error:
            workflow.logger.exception("unexpected in a turn: %s", type(error).__name__)
            reply = TurnReply(error=self._away("service", unsettled=True), unsettled=True)
        if reply.error is not None:
            TurnShown(self._chat, request).over()
            self._chat.remember(transcript=showing.failed(self._chat.memory.transcript, request, limit, reply.error))
        trace.over(reply)
        return reply.model_copy(update={"trace_id": trace.id})

    async def _work_out(self, request: TurnRequest, trace: TurnTrace) -> TurnReply:
        remaining = request.deadline - workflow.now()
        unsettled = bool(request.reply_token)
        try:
            await self._chat.refresh_plans(request)
            await learn_created_bookings(self._chat, request, trace)
            await refresh_earlier_plans(self._chat)
            # Values typed into a plan's fields are for that plan alone, whatever they would mean as a message.
            match = await match_bookings(self._chat, request)
            taken = None if request.edit is not None else await handle_short_reply(self._chat, request, match)
            if taken is not None:
                uncertain = isinstance(taken, PlanTurn) and taken.plan.notice is not None
                if uncertain:
                    self._show(request, taken, turn_text(taken))
                    return TurnReply(turn=taken)
                asked = OpenQuestion.UNDO_OR_CANCEL if isinstance(taken, ClarificationTurn) else None
                said = turn_text(taken)
                result = TurnResult(turn=taken, reply_text=said, is_question=asked is not None, open_question=asked)
                return self._keep(request, taken, result, trace)
            unsettled = False
            if request.reading.reply is not None and request.edit is None:
                await self._chat.claim(request)
            shown, trail = TurnShown(self._chat, request), ReasoningLog(self._chat, request)
            self._shown = shown
            heard = restated(self._chat.memory, request, match)
            idle, in_flux = self._chat.nothing_changed_text(), self._chat.in_flux
            run = TurnRunner(self._start, heard.memory, heard.request, idle, shown, trail, trace, in_flux)
            outcome = await asyncio.wait_for(run.run(), timeout=max(remaining.total_seconds(), 0.1))
            trace.outcome = heard.noted(outcome)
            turn = outcome.turn or await make_plan(self._chat, request, outcome, trace)
            if heard.drops and outcome.turn is not None:
                turn = await drop_waiting(self._chat, request, turn)
            if isinstance(turn, EscalationTurn):
                turn = await escalate(self._chat, request, turn, outcome.escalates)
        except TimeoutError:
            return TurnReply(error=self._away("in_time", unsettled), unsettled=unsettled)
        except TurnRejectedError as refused:
            return TurnReply(error=refused.answer)
        except ActivityError as error:
            workflow.logger.warning("a turn failed: %s", error.cause)
            away = self._away(unavailable_part(error), unsettled, requested_wait(error))
            return TurnReply(error=away, unsettled=unsettled)
        return self._keep(request, turn, outcome, trace, heard)

    def _keep(
        self, request: TurnRequest, turn: Turn, outcome: TurnResult, trace: TurnTrace, restated: Restated | None = None
    ) -> TurnReply:
        policy = self._start.policy
        memory, done = self._chat.memory, self._chat.memory.done
        text = outcome.reply_text or (
            f"Plan: {intent_of(outcome.steps, len(outcome.reads))}" if outcome.steps else turn.type
        )
        read = restated.request if restated is not None else request
        asked = ChatMessage(role="user", content=read.user_message)
        before = 0 if restated is not None and restated.drops else memory.clarifications
        messages = (*memory.messages, asked, ChatMessage(role="assistant", content=text))
        reply = TurnReply(turn=turn)
        self._show(request, turn, text)
        self._chat.memory = self._chat.memory.model_copy(
            update={
                "messages": messages[-policy.messages_kept :],
                "turns": append_turn(memory, request, reply, policy.turns_kept),
                "known_bookings": outcome.merge_known(memory.known_bookings),
                "offered_bookings": outcome.offered,
                "asked_for": outcome.expected_role,
                "open_question": outcome.open_question,
                "last_was_full": outcome.no_room or (memory.last_was_full and turn.type != "plan"),
                "clarifications": before + 1 if outcome.is_question else 0,
                "asked": trace.open_request if outcome.is_question else None,
                "staff_interrupted": isinstance(turn, EscalationTurn)
                or (memory.staff_interrupted and turn.type != "plan"),
                "done": done.model_copy(update={"fresh": False}) if done and outcome.settled else done,
                "expired": expired_after(memory.expired, bool(outcome.settled), isinstance(turn, AnswerTurn)),
                "undone_bookings": () if outcome.settled or outcome.steps else memory.undone_bookings,
            }
        )
        return reply

    def _show(self, request: TurnRequest, turn: Turn, message: str) -> None:
        if not isinstance(turn, PlanTurn):
            TurnShown(self._chat, request).over()
        limit, text, memory = self._start.policy.shown_kept, _read_of(turn, message), self._chat.memory
        shown = showing.answered(memory.transcript, request, limit, turn, text)
        self._chat.remember(
            transcript=shown, plan_references=showing.named((*memory.transcript, *shown[-1:]), memory.plan_references)
        )

    @workflow.signal(name=Signal.REQUEST_PROMPT_SLOT)
    def request_prompt_slot(self, call: PromptSlotRequest) -> None:
        """Receive a plan's request or release of the prompt slot."""
        self._prompt_slot.receive(call)

    @workflow.signal(name=Signal.STAFF_REPLY)
    def staff_reply(self, says: StaffReplySignal) -> None:
        """Receive a staff reply to an escalated message."""
        self._staff_replies.receive(says)

    @workflow.signal(name=Signal.DRAFT_BEGUN)
    def draft_begun(self, begun: DraftBegun) -> None:
        """Show the reads that the plan under construction begins with."""
        if self._shown is not None:
            self._shown.begun(begun)

    @workflow.query(name=Query.SESSION)
    def session(self) -> SessionView:
        """Return the state of this chat, without the text of any message."""
        return SessionView(
            owner=self._chat.memory.owner,
            pending_plan_id=self._chat.memory.pending_plan_id,
            prompt_plan_id=self._prompt_slot.holder,
            ready=self._ready,
        )

    @workflow.query(name=Query.DEBUG)
    def debug(self) -> DebugView:
        """Return the last reasoning steps of this chat, for engineers and never for operators."""
        return DebugView(owner=self._chat.memory.owner, entries=self._chat.memory.internal)

    @workflow.query(name=Query.TRANSCRIPT)
    def transcript(self, after: int) -> TranscriptView:
        """Return the transcript of this chat after a number (0 for all)."""
        shown, named = self._chat.memory.transcript, self._chat.memory.plan_references
        return TranscriptView(
            plan_references=showing.named(shown, named),
            owner=self._chat.memory.owner,
            entries=tuple(entry for entry in shown if entry.number > after),
            last=shown[-1].number if shown else 0,
            ready=self._ready,
        )


def _read_of(turn: Turn, text: str) -> str:
    """Return the displayed text of a turn; for a plan, its intent."""
    return turn.plan.intent if isinstance(turn, PlanTurn) and not turn.message else turn_text(turn) or text
