"""One run: RUN_STARTED, what comes of what was asked, and its end.

The answers to interrupts come first, then a message or a command. A run ends by what waits in its thread then: as
AG-UI has it, never as a success while something waits. Where the thread waits for something that nobody answered, what
would change anything is refused before anything is said.
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

from api.ag_ui.asked import Asked, OperatorMessage
from api.ag_ui.commands import Commands
from api.ag_ui.following import Following, Part
from api.ag_ui.interrupts import interrupt_of, waiting_in, waiting_point
from api.ag_ui.settling import Answered, Settling
from api.ag_ui.shared_state import SharedState
from api.ag_ui.transcript import Transcript
from api.patience import patiently
from api.plans import Caller
from api.requests import Hearing
from api.under_way import begun, whole
from api.working import Working
from clients.chats import ChatClient
from clients.errors import RequestError, UnansweredError, refuse
from clients.session_watching import SessionWatching
from clients.watching import Watching
from clients.words import Words
from contracts.enums import PlanStatus, RollbackTrigger, ShortReply
from contracts.enums import ServiceErrorType as E
from contracts.plan import ExecutionPlan
from contracts.turn import ClarificationTurn, PlanTurn, Turn
from language.catalogue import say
from language.replies import read_reply
from reasoning import wording
from registry import Pack
from workflows.ids import chat_workflow

log = logging.getLogger(__name__)

_TURNS = frozenset({"plan", "clarification", "answer", "escalation"})


class Run:
    """One run of one thread, for its operator."""

    def __init__(
        self,
        asked: Asked,
        pack: Pack,
        by: Caller,
        words: Words,
        chats: ChatClient,
        watching: Watching,
        sessions: SessionWatching,
        hearing: Hearing,
        until: float,
    ) -> None:
        """`until`: the moment of the monotonic clock at which the run says that it ends."""
        venue_id = pack.profile.venue_id
        self._asked, self._pack, self._by, self._chats, self._hearing = asked, pack, by, chats, hearing
        self._chat = chat_workflow(venue_id, asked.thread_id)
        self._transcript, self._state = Transcript(asked.messages), SharedState()
        self._working = Working(chats, sessions, self._chat, asked.user_id)
        self._following = Following(by.plans, watching, self._transcript, self._state, until)
        self._settling = Settling(asked, venue_id, by, words)
        self._commands = Commands(asked, venue_id, by, words, chats, self._following, self._transcript, self._state)
        self._about: str | None = None

    async def events(self) -> AsyncGenerator[BaseEvent, None]:
        """The run, from its start to its end."""
        asked = self._asked
        yield RunStartedEvent(thread_id=asked.thread_id, run_id=asked.run_id, protocol_version=PROTOCOL_VERSION)
        try:
            async for event in self._told():
                yield event
            for event in await self._from_people():
                yield event
            for event in await self._end():
                yield event
        except RequestError as refused:
            yield self._refused(refused)
        except Exception:
            log.exception("unexpected in a run")
            yield self._refused(RequestError(wording.unavailable("service")))

    def _refused(self, error: RequestError) -> RunErrorEvent:
        self._hearing.sayings.observer.count("refusal", error_type=error.kind.value)
        return _error(error)

    async def _told(self) -> AsyncGenerator[BaseEvent, None]:
        asked = self._asked
        answers = await self._settling.judge()
        self._refuse_contradictions(answers)
        await self._refuse_what_waits(answers)
        async for event in self._answered([a for a in answers if not self._left_to_the_message(a)]):
            yield event
        if asked.said is not None:
            async for event in self._message(asked.said):
                yield event
        elif asked.command is not None:
            async for event in self._commands.told(asked.command):
                yield event
            self._about = self._commands.about

    def _left_to_the_message(self, answer: Answered) -> bool:
        """Whether a plan that is to be confirmed is abandoned for a new message: it becomes what that makes of it."""
        return self._asked.said is not None and answer.cancelled and answer.point.prompt_id is None

    def _refuse_contradictions(self, answers: list[Answered]) -> None:
        """Raises `RequestError`: a message stands against the answers that came with it."""
        said = self._asked.said
        if said is None or not answers:
            return
        if not all(answer.cancelled for answer in answers):
            raise refuse(E.INVALID_REQUEST, say("ag_ui.answer_and_message"), say("ag_ui.answer_or_message"))
        read = read_reply(said.text)
        if read is not None and read.kind in (ShortReply.YES, ShortReply.YES_CANCEL):
            raise refuse(E.INVALID_REQUEST, say("ag_ui.yes_and_cancelled"), say("ag_ui.yes_next"))

    async def _refuse_what_waits(self, answers: list[Answered]) -> None:
        """Raises `RequestError`: something of the thread waits that `resume` does not name, and the run would change
        something. A run that only tells again what was settled or said before changes nothing."""
        answered = {answer.point.plan_id for answer in answers}
        waiting = await self._waiting()
        left = {name: plan for name, plan in waiting.items() if plan.plan_id not in answered}
        if not left:
            return
        said = self._asked.said
        if any(not answer.settled for answer in answers) or (said is not None and not await self._was_answered(said)):
            plan = next(iter(left.values()))
            raise refuse(E.CONFLICT, say("ag_ui.waits", ids=list(left)), say("ag_ui.waits_next"), plan=plan)

    async def _was_answered(self, said: OperatorMessage) -> bool:
        """Whether the chat has answered this very message."""
        shown = await self._chats.shown(self._chat, 0)
        return shown is not None and any(e.request_id == said.request_id and e.kind in _TURNS for e in shown.entries)

    async def _answered(self, answers: list[Answered]) -> AsyncGenerator[BaseEvent, None]:
        """Say every answer that is open, then tell what comes of them: of what goes on last, which the run's end is
        about."""
        parts = []
        for answer in sorted(answers, key=lambda one: one.yes or one.text is not None):
            self._about = answer.point.plan_id
            if not answer.settled:
                said = await whole(self._settling.say(answer))
                if said.plan.notice:
                    for event in self._transcript.text(f"{answer.point.interrupt_id}:notice", said.plan.notice):
                        yield event
                if not said.certain:
                    continue
            parts.append(Part(answer.point.plan_id, answer.after, answered=answer.point))
        for part in parts:
            async for event in self._following.told(part):
                yield event

    async def _message(self, said: OperatorMessage) -> AsyncGenerator[BaseEvent, None]:
        """Say the message, and tell its turn, and what goes on because of it: the run's end is about that."""
        self._about = None
        body, after = self._asked.body(said), await self._working.last()
        hearing = self._hearing.turn(self._pack, body, said.request_id, self._by.token, Response(), named=True)
        working = begun(hearing)
        async for entry in self._working.told(working, said.request_id, after):
            yield CustomEvent(name="iq.working", value={"phase": entry.phase, "text": entry.text})
        turn = await asyncio.shield(working)
        for event in (*self._state.turn(turn), *self._transcript.text(f"told:{said.request_id}", _words_of(turn))):
            yield event
        if not isinstance(turn, PlanTurn):
            return
        self._about = turn.plan.plan_id
        if turn.plan.notice is not None:
            for event in self._transcript.text(f"notice:{said.request_id}", turn.plan.notice):
                yield event
            return
        async for event in self._following.told(await self._following.part_of(turn.plan)):
            yield event

    async def _from_people(self) -> list[BaseEvent]:
        """What people have said meanwhile. It is no part of what was asked: a chat that does not answer in time tells
        it in the next run."""
        try:
            shown = await self._chats.shown(self._chat, 0)
        except RequestError:
            return []
        return list(self._transcript.people(shown.entries)) if shown is not None else []

    async def _waiting(self) -> dict[str, ExecutionPlan]:
        try:
            return await waiting_in(self._chats, self._by.plans, self._chat)
        except UnansweredError as away:
            raise UnansweredError(away.part, "away.unseen_chat") from None

    async def _end(self) -> list[BaseEvent]:
        """The end of the run, by how its thread stands. Raises `RequestError`."""
        waiting = await patiently(self._waiting)
        plan = await self._following.plan(self._about) if self._about is not None else None
        point = waiting_point(plan) if plan is not None else None
        if plan is not None and point is not None:
            # Its chat may not have heard of it yet.
            waiting = {point.interrupt_id: plan, **waiting}
        shown = plan or next(iter(waiting.values()), None)
        told = list(self._state.plan(shown)) if shown is not None else []
        finished = RunFinishedEvent(thread_id=self._asked.thread_id, run_id=self._asked.run_id)
        interrupts = [found for one in waiting.values() if (found := interrupt_of(one)) is not None]
        if interrupts:
            finished.outcome = RunFinishedInterruptOutcome(interrupts=interrupts)
            return [self._state.snapshot(), self._transcript.snapshot(), finished]
        finished.outcome = RunFinishedSuccessOutcome()
        if plan is not None and _stopped(plan):
            finished.outcome = RunFinishedCancelledOutcome()
        elif plan is not None:
            finished.result = {"plan_id": plan.plan_id, "status": plan.status.value}
        return [*told, self._transcript.snapshot(), finished]


def _stopped(plan: ExecutionPlan) -> bool:
    """Whether it ended because somebody wanted it to."""
    report = plan.rollback_report
    return plan.status is PlanStatus.CANCELLED or (report is not None and report.trigger is RollbackTrigger.CANCELLED)


def _words_of(turn: Turn) -> str:
    if isinstance(turn, PlanTurn):
        return turn.message or turn.plan.intent or say("ag_ui.confirm")
    return turn.question if isinstance(turn, ClarificationTurn) else turn.message


def _error(refused: RequestError) -> RunErrorEvent:
    answer = refused.answer
    told = answer.model_dump(mode="json", exclude_none=True, exclude={"message"})
    message = " ".join([answer.message, *answer.suggestions])
    return RunErrorEvent(message=message, code=answer.error_type.value, metadata={"iq": told})
