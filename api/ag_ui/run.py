"""One run: RUN_STARTED, what comes of what was asked, and its end.

The answers to interrupts come first, then a message or a command. A run ends by what waits in its thread then: as
AG-UI has it, never as a success while something waits. Where the thread waits for something that nobody answered, what
would change anything is refused before anything is said.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Coroutine
from typing import Any, TypeVar

from ag_ui.core import (
    PROTOCOL_VERSION,
    BaseEvent,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
)
from fastapi import Response

from api.ag_ui.asked import Asked, Cancel, Skip, Undo, Watch, word_id
from api.ag_ui.following import Following, Part
from api.ag_ui.interrupts import interrupt_of, waiting_in, waiting_point
from api.ag_ui.settling import Answered, Settling
from api.ag_ui.shared_state import SharedState
from api.ag_ui.transcript import Transcript
from api.plans import Caller, plan_id_of
from api.requests import Hearing
from clients.chats import ChatClient
from clients.errors import RequestError, refuse
from clients.watching import Watching
from clients.words import Kind, Said, Word, Words
from contracts.enums import PlanStatus, RollbackTrigger, ShortReply
from contracts.enums import ServiceErrorType as E
from contracts.events import EventKind
from contracts.plan import ExecutionPlan
from contracts.turn import ClarificationTurn, PlanTurn, Turn
from language.catalogue import say
from language.replies import read_reply
from reasoning import wording
from registry import Pack
from workflows.ids import chat_workflow

log = logging.getLogger(__name__)

T = TypeVar("T")

_LONGEST = 590.0
"""Seconds: a run says by itself that it ends here, a little before its stream is cut (`api/streaming.py`)."""

_UNDER_WAY: set[asyncio.Task[Any]] = set()


async def whole(doing: Coroutine[Any, Any, T]) -> T:
    """Do something to its end, though whoever waits for it goes: a word that is being settled is settled."""
    task = asyncio.create_task(doing)
    _UNDER_WAY.add(task)
    task.add_done_callback(_put_away)
    return await asyncio.shield(task)


def _put_away(task: asyncio.Task[Any]) -> None:
    _UNDER_WAY.discard(task)
    if not task.cancelled():
        task.exception()


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
        hearing: Hearing,
    ) -> None:
        self._asked, self._pack, self._by, self._words = asked, pack, by, words
        self._chats, self._hearing = chats, hearing
        self._chat = chat_workflow(pack.profile.venue_id, asked.thread_id)
        self._transcript, self._state = Transcript(asked.messages), SharedState()
        until = time.monotonic() + _LONGEST
        self._following = Following(by.plans, watching, self._transcript, self._state, until)
        self._settling = Settling(asked, pack.profile.venue_id, by, words)
        self._about: str | None = None

    async def events(self) -> AsyncGenerator[BaseEvent, None]:
        """The run, from its start to its end."""
        asked = self._asked
        yield RunStartedEvent(thread_id=asked.thread_id, run_id=asked.run_id, protocol_version=PROTOCOL_VERSION)
        try:
            async for event in self._told():
                yield event
            for event in await self._end():
                yield event
        except RequestError as refused:
            yield _error(refused)
        except Exception:
            log.exception("unexpected in a run")
            yield _error(RequestError(wording.unavailable("service")))

    async def _told(self) -> AsyncGenerator[BaseEvent, None]:
        answers = await self._settling.judge()
        await self._refuse_what_does_not_fit(answers)
        parts = []
        for answer in answers:
            if self._left_to_the_message(answer):
                continue
            said = Said(answer.view.plan) if answer.settled else await whole(self._settling.say(answer))
            self._about = answer.point.plan_id
            if said.plan.notice:
                for event in self._transcript.text(f"{answer.point.interrupt_id}:notice", said.plan.notice):
                    yield event
            if said.certain:
                parts.append(Part(answer.point.plan_id, answer.after))
        for part in parts:
            async for event in self._following.told(part):
                yield event
        if self._asked.said is not None:
            async for event in self._message():
                yield event
        elif self._asked.command is not None:
            async for event in self._command(self._asked.command):
                yield event

    def _left_to_the_message(self, answer: Answered) -> bool:
        """Whether a plan that waits, and is abandoned together with a new message, is what that message makes of it."""
        return self._asked.said is not None and answer.abandons and answer.point.prompt_id is None

    async def _refuse_what_does_not_fit(self, answers: list[Answered]) -> None:
        """Raises `RequestError`: nothing was said to anybody."""
        said = self._asked.said
        if said is not None and answers:
            if not all(answer.abandons for answer in answers):
                raise refuse(E.INVALID_REQUEST, say("ag_ui.answer_and_message"), say("ag_ui.answer_or_message"))
            read = read_reply(said.text)
            if read is not None and read.kind in (ShortReply.YES, ShortReply.YES_CANCEL):
                raise refuse(E.INVALID_REQUEST, say("ag_ui.yes_and_cancelled"), say("ag_ui.yes_next"))
        answered = {answer.point.plan_id for answer in answers}
        waiting = await waiting_in(self._chats, self._by.plans, self._chat)
        left = {name: plan for name, plan in waiting.items() if plan.plan_id not in answered}
        if not left or not (any(not a.settled for a in answers) or (said and not await self._was_answered())):
            return
        plan = next(iter(left.values()))
        raise refuse(E.CONFLICT, say("ag_ui.waits", ids=list(left)), say("ag_ui.waits_next"), plan=plan)

    async def _was_answered(self) -> bool:
        """Whether the chat has answered this very message: then it is told again, and not said."""
        shown = await self._chats.shown(self._chat, 0)
        request_id = self._asked.said.request_id if self._asked.said else ""
        kinds = {entry.kind for entry in shown.entries if entry.request_id == request_id} if shown else set()
        return bool(kinds & {"plan", "clarification", "answer", "escalation"})

    async def _message(self) -> AsyncGenerator[BaseEvent, None]:
        said = self._asked.said
        assert said is not None
        body, response = self._asked.body(), Response()
        turn = await whole(self._hearing.turn(self._pack, body, said.request_id, self._by.token, response, True))
        for event in self._state.turn(turn):
            yield event
        for event in self._transcript.text(f"told:{said.request_id}", _words_of(turn)):
            yield event
        if not isinstance(turn, PlanTurn):
            return
        self._about = turn.plan.plan_id
        if turn.plan.notice is not None:
            for event in (
                *self._state.plan(turn.plan),
                *self._transcript.text(f"notice:{said.request_id}", turn.plan.notice),
            ):
                yield event
            return
        plan = await self._following.plan(turn.plan.plan_id)
        if waiting_point(plan) is None:
            async for event in self._following.told(await self._part_of(plan)):
                yield event
        for event in self._state.plan(plan if waiting_point(plan) else await self._following.plan(plan.plan_id)):
            yield event

    async def _part_of(self, plan: ExecutionPlan) -> Part:
        """What of a plan's story is told to whoever asks for it as it stands: from its confirmation, or its undo."""
        events = (await self._by.plans.events(plan.plan_id, 0)).events
        ended = next((e.number for e in events if e.kind is EventKind.SEPARATE_MESSAGE), None)
        if ended is not None and any(e.number > ended for e in events):
            return Part(plan.plan_id, ended, anew=True)
        return Part(plan.plan_id)

    async def _command(self, command: Watch | Skip | Cancel | Undo) -> AsyncGenerator[BaseEvent, None]:
        if isinstance(command, Watch):
            async for event in self._watch(command):
                yield event
            return
        plan_id, user = plan_id_of(command.plan_id), self._asked.user_id
        kind = {Skip: Kind.SKIP, Cancel: Kind.CANCEL, Undo: Kind.UNDO}[type(command)]
        word = Word(kind, user, word_id(self._asked.run_id, command.model_dump_json()))
        view = await self._by.own(plan_id, user, word)
        if (view.plan.session_id, view.plan.venue_id) != (self._asked.thread_id, self._pack.profile.venue_id):
            raise refuse(E.NOT_FOUND, say("refuse.no_plan"), say("refuse.no_plan_next"))
        self._about = plan_id
        before = len((await self._by.plans.events(plan_id, 0)).events)
        if isinstance(command, Skip):
            said = await whole(self._words.skip(view, word, command.step))
        elif isinstance(command, Cancel):
            said = await whole(self._words.cancel(view, word))
        else:
            said = await whole(self._words.undo(view, word, self._by.token))
        if said.plan.notice:
            for event in self._transcript.text(f"{word.request_id}:notice", said.plan.notice):
                yield event
        if said.certain and not isinstance(command, Skip):
            async for event in self._following.told(Part(plan_id, before, anew=isinstance(command, Undo))):
                yield event
        for event in self._state.plan(await self._following.plan(plan_id)):
            yield event

    async def _watch(self, command: Watch) -> AsyncGenerator[BaseEvent, None]:
        shown = await self._chats.shown(self._chat, 0)
        if shown is not None and not self._asked.messages:
            self._transcript.restore(shown.entries)
        named = plan_id_of(command.plan_id) if command.plan_id else None
        last = shown.named[-1].plan_id if shown and shown.named else None
        plan_id = named or last
        if plan_id is None:
            return
        view = await self._by.own(plan_id, self._asked.user_id)
        if (view.plan.session_id, view.plan.venue_id) != (self._asked.thread_id, self._pack.profile.venue_id):
            raise refuse(E.NOT_FOUND, say("refuse.no_plan"), say("refuse.no_plan_next"))
        self._about = plan_id
        async for event in self._following.told(await self._part_of(view.plan)):
            yield event

    async def _end(self) -> list[BaseEvent]:
        """The end of the run, by how its thread stands."""
        asked = self._asked
        waiting = await waiting_in(self._chats, self._by.plans, self._chat)
        plan = await self._following.plan(self._about) if self._about is not None else None
        point = waiting_point(plan) if plan is not None else None
        if plan is not None and point is not None:
            waiting = {point.interrupt_id: plan, **waiting}
        interrupts = [found for one in waiting.values() if (found := interrupt_of(one)) is not None]
        shown = plan or next(iter(waiting.values()), None)
        told = list(self._state.plan(shown)) if shown is not None else []
        finished = RunFinishedEvent(thread_id=asked.thread_id, run_id=asked.run_id)
        if interrupts:
            finished.outcome = RunFinishedInterruptOutcome(interrupts=interrupts)
            return [self._state.snapshot(), self._transcript.snapshot(), finished]
        if plan is not None and _stopped(plan):
            finished.outcome = RunFinishedCancelledOutcome()
        else:
            finished.outcome = RunFinishedSuccessOutcome()
            finished.result = {"plan_id": plan.plan_id, "status": plan.status.value} if plan is not None else None
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
    more = {k: v for k, v in answer.model_dump(mode="json", exclude_none=True).items() if k != "message"}
    return RunErrorEvent(
        message=" ".join([answer.message, *answer.suggestions]), code=answer.error_type.value, metadata={"iq": more}
    )
