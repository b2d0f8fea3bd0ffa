"""One run: RUN_STARTED, the events of the requested work, and the run's end.

Answers to interrupts come first, then a message or a command. A run ends with the interrupts that are open in its
thread. As AG-UI requires, it never succeeds while one is open. If an interrupt has no answer, a request that would
change anything is rejected before any command is sent.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator

from ag_ui.core import (
    PROTOCOL_VERSION,
    BaseEvent,
    CustomEvent,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
)
from fastapi import Response

from api.ag_ui.commands import AgUiCommands
from api.ag_ui.event_mapping import SharedState
from api.ag_ui.interrupts import interrupt_of, open_interrupt, waiting_in
from api.ag_ui.messages import MessageHistory
from api.ag_ui.plan_stream import PlanCursor, PlanFollower
from api.ag_ui.request import OperatorMessage, RunRequest
from api.ag_ui.resume import ResumeAnswer, ResumeHandler
from api.routes.messages import TurnHandler
from api.routes.plans import PlanAccess
from api.shutdown import shielded, spawn
from api.sse import patiently
from api.turns import TurnProgress
from clients.commands import PlanCommands
from clients.errors import ApiError, api_error, service_unavailable
from clients.streams.plan import PlanStreams
from clients.streams.session import SessionStreams
from clients.temporal.chats import ChatClient
from contracts.enums import PlanStatus, RollbackTrigger, ShortReply
from contracts.enums import ServiceErrorType as E
from contracts.plan import ExecutionPlan
from contracts.turn import ClarificationTurn, PlanTurn, Turn
from language.messages.catalogue import translate
from language.replies.short_replies import match_short_reply
from reasoning import error_messages
from registry import Pack
from workflows.workflow_ids import chat_workflow

log = logging.getLogger(__name__)

_TURNS = frozenset({"plan", "clarification", "answer", "escalation"})


class Run:
    """One run of one thread, for its operator."""

    def __init__(
        self,
        request: RunRequest,
        pack: Pack,
        by: PlanAccess,
        commands: PlanCommands,
        chats: ChatClient,
        watching: PlanStreams,
        sessions: SessionStreams,
        hearing: TurnHandler,
        until: float,
    ) -> None:
        """Create the run. `until`: the deadline on the monotonic clock, at which the run ends itself."""
        venue_id = pack.profile.venue_id
        self._request, self._pack, self._access, self._chats, self._hearing = request, pack, by, chats, hearing
        self._chat = chat_workflow(venue_id, request.thread_id)
        self._transcript, self._state = MessageHistory(request.messages), SharedState()
        self._working = TurnProgress(chats, sessions, self._chat, request.user_id)
        self._follower = PlanFollower(by.plans, watching, self._transcript, self._state, until)
        self._settling = ResumeHandler(request, venue_id, by, commands)
        self._commands = AgUiCommands(
            request, venue_id, by, commands, chats, self._follower, self._transcript, self._state
        )
        self._about: str | None = None

    async def events(self) -> AsyncGenerator[BaseEvent, None]:
        """Yield the run's events, from start to end."""
        request = self._request
        yield RunStartedEvent(thread_id=request.thread_id, run_id=request.run_id, protocol_version=PROTOCOL_VERSION)
        try:
            async for event in self._events():
                yield event
            for event in await self._from_people():
                yield event
            for event in await self._end():
                yield event
        except ApiError as refused:
            yield self._refused(refused)
        except Exception:
            log.exception("unexpected in a run")
            yield self._refused(ApiError(error_messages.unavailable_error("service")))

    def _refused(self, error: ApiError) -> RunErrorEvent:
        self._hearing.turns.observer.count("refusal", error_type=error.kind.value)
        return _error(error)

    async def _events(self) -> AsyncGenerator[BaseEvent, None]:
        request = self._request
        answers = await self._settling.validate()
        self._refuse_contradictions(answers)
        await self._refuse_what_waits(answers)
        async for event in self._answered([a for a in answers if not self._left_to_the_message(a)]):
            yield event
        if request.message is not None:
            async for event in self._message(request.message):
                yield event
        elif request.command is not None:
            async for event in self._commands.events(request.command):
                yield event
            self._about = self._commands.about

    def _left_to_the_message(self, answer: ResumeAnswer) -> bool:
        """Return whether a plan that waits for confirmation is left to a new message, which then replaces it."""
        return self._request.message is not None and answer.cancelled and answer.point.prompt_id is None

    def _refuse_contradictions(self, answers: list[ResumeAnswer]) -> None:
        """Raise `ApiError` if the message contradicts the answers that came with it."""
        message = self._request.message
        if message is None or not answers:
            return
        if not all(answer.cancelled for answer in answers):
            raise api_error(
                E.INVALID_REQUEST, translate("ag_ui.answer_and_message"), translate("ag_ui.answer_or_message")
            )
        read = match_short_reply(message.text)
        if read is not None and read.kind in (ShortReply.YES, ShortReply.YES_CANCEL):
            raise api_error(E.INVALID_REQUEST, translate("ag_ui.yes_and_cancelled"), translate("ag_ui.yes_next"))

    async def _refuse_what_waits(self, answers: list[ResumeAnswer]) -> None:
        """Raise `ApiError` if an interrupt of the thread is open that `resume` does not name, and the run would change
        something. A run that only repeats settled answers or messages changes nothing."""
        answered = {answer.point.plan_id for answer in answers}
        waiting = await self._waiting()
        left = {name: plan for name, plan in waiting.items() if plan.plan_id not in answered}
        if not left:
            return
        message = self._request.message
        if any(not answer.settled for answer in answers) or (
            message is not None and not await self._was_answered(message)
        ):
            plan = next(iter(left.values()))
            raise api_error(
                E.CONFLICT, translate("ag_ui.waits", ids=list(left)), translate("ag_ui.waits_next"), plan=plan
            )

    async def _was_answered(self, message: OperatorMessage) -> bool:
        """Return whether the chat has answered this very message."""
        transcript = await self._chats.transcript(self._chat, 0)
        return transcript is not None and any(
            e.request_id == message.request_id and e.kind in _TURNS for e in transcript.entries
        )

    async def _answered(self, answers: list[ResumeAnswer]) -> AsyncGenerator[BaseEvent, None]:
        """Send every open answer, then yield the events of their plans. The run's end is about the last plan that
        continues."""
        parts = []
        for answer in sorted(answers, key=lambda one: one.yes or one.text is not None):
            self._about = answer.point.plan_id
            if not answer.settled:
                result = await shielded(self._settling.apply(answer))
                if result.plan.notice:
                    for event in self._transcript.text(f"{answer.point.interrupt_id}:notice", result.plan.notice):
                        yield event
                if not result.certain:
                    continue
            parts.append(PlanCursor(answer.point.plan_id, answer.after, answered=answer.point))
        for part in parts:
            async for event in self._follower.events(part):
                yield event

    async def _message(self, message: OperatorMessage) -> AsyncGenerator[BaseEvent, None]:
        """Send the message, and yield its turn and the events of the plan that continues because of it. The run's end
        is about that plan."""
        self._about = None
        body, after = self._request.body(message), await self._working.position()
        hearing = self._hearing.turn(self._pack, body, message.request_id, self._access.token, Response(), named=True)
        working = spawn(hearing)
        async for entry in self._working.stream(working, message.request_id, after):
            yield CustomEvent(name="iq.working", value={"phase": entry.phase, "text": entry.text})
        turn = await asyncio.shield(working)
        for event in (*self._state.turn(turn), *self._transcript.text(f"reply:{message.request_id}", _words_of(turn))):
            yield event
        if not isinstance(turn, PlanTurn):
            return
        self._about = turn.plan.plan_id
        if turn.plan.notice is not None:
            for event in self._transcript.text(f"notice:{message.request_id}", turn.plan.notice):
                yield event
            return
        async for event in self._follower.events(await self._follower.part_of(turn.plan)):
            yield event

    async def _from_people(self) -> list[BaseEvent]:
        """Return the staff replies since the last run. They are optional: if the chat does not answer in time, the next
        run sends them."""
        try:
            transcript = await self._chats.transcript(self._chat, 0)
        except ApiError:
            return []
        return list(self._transcript.people(transcript.entries)) if transcript is not None else []

    async def _waiting(self) -> dict[str, ExecutionPlan]:
        with service_unavailable("unavailable.unseen_chat"):
            return await waiting_in(self._chats, self._access.plans, self._chat)

    async def _end(self) -> list[BaseEvent]:
        """Return the events that end the run, by the state of its thread. Raises `ApiError`."""
        waiting = await patiently(self._waiting)
        plan = await self._follower.plan(self._about) if self._about is not None else None
        point = open_interrupt(plan) if plan is not None else None
        if plan is not None and point is not None:
            # Its chat may not know of the plan yet.
            waiting = {point.interrupt_id: plan, **waiting}
        shown = plan or next(iter(waiting.values()), None)
        items = list(self._state.plan(shown)) if shown is not None else []
        finished = RunFinishedEvent(thread_id=self._request.thread_id, run_id=self._request.run_id)
        interrupts = [found for one in waiting.values() if (found := interrupt_of(one)) is not None]
        if interrupts:
            finished.outcome = RunFinishedInterruptOutcome(interrupts=interrupts)
            return [self._state.snapshot(), self._transcript.snapshot(), finished]
        finished.outcome = RunFinishedSuccessOutcome()
        if plan is not None and _stopped(plan):
            finished.outcome = RunFinishedCancelledOutcome()
        elif plan is not None:
            finished.result = {"plan_id": plan.plan_id, "status": plan.status.value}
        return [*items, self._transcript.snapshot(), finished]


def _stopped(plan: ExecutionPlan) -> bool:
    """Return whether the plan ended because its operator wanted it to."""
    report = plan.rollback_report
    return plan.status is PlanStatus.CANCELLED or (report is not None and report.trigger is RollbackTrigger.CANCELLED)


def _words_of(turn: Turn) -> str:
    if isinstance(turn, PlanTurn):
        return turn.message or turn.plan.intent or translate("ag_ui.confirm")
    return turn.question if isinstance(turn, ClarificationTurn) else turn.message


def _error(refused: ApiError) -> RunErrorEvent:
    answer = refused.answer
    fields = answer.model_dump(mode="json", exclude_none=True, exclude={"message"})
    message = " ".join([answer.message, *answer.suggestions])
    return RunErrorEvent(message=message, code=answer.error_type.value, metadata={"iq": fields})
