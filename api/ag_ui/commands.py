"""What an operator may want of a plan beside answers and messages: `forwardedProps.command`.

A command answers no interrupt, so one may come while something waits; the run then ends by asking for it again.
"""

from collections.abc import AsyncGenerator

from ag_ui.core import BaseEvent

from api.ag_ui.asked import Asked, Cancel, Skip, Undo, Watch, word_id
from api.ag_ui.following import Following, Part
from api.ag_ui.shared_state import SharedState
from api.ag_ui.transcript import Transcript
from api.plans import Caller, plan_id_of
from api.under_way import whole
from clients.chats import ChatClient
from clients.errors import refuse
from clients.words import Kind, Said, Word, Words
from contracts.enums import ServiceErrorType as E
from contracts.messages import PlanView
from language.catalogue import say
from workflows.ids import chat_workflow

_KINDS = {Skip: Kind.SKIP, Cancel: Kind.CANCEL, Undo: Kind.UNDO}


class Commands:
    """The command of one run. `about` is the plan that it named, once it is known to be the caller's own."""

    def __init__(
        self,
        asked: Asked,
        venue_id: str,
        by: Caller,
        words: Words,
        chats: ChatClient,
        following: Following,
        transcript: Transcript,
        state: SharedState,
    ) -> None:
        self._asked, self._venue_id, self._by, self._words, self._chats = asked, venue_id, by, words, chats
        self._following, self._transcript, self._state = following, transcript, state
        self.about: str | None = None

    async def told(self, command: Watch | Skip | Cancel | Undo) -> AsyncGenerator[BaseEvent, None]:
        """What comes of a command. Raises `RequestError`."""
        done = self._watched(command) if isinstance(command, Watch) else self._said(command)
        async for event in done:
            yield event

    async def _said(self, command: Skip | Cancel | Undo) -> AsyncGenerator[BaseEvent, None]:
        # The same run sent again is the same word.
        request_id = word_id(self._asked.run_id, command.model_dump_json())
        word = Word(_KINDS[type(command)], self._asked.user_id, request_id)
        view = await self._own(command.plan_id, word)
        plan_id = view.plan.plan_id
        told_before = len((await self._by.plans.events(plan_id, 0)).events)
        said = await whole(self._say(command, view, word))
        if said.plan.notice:
            for event in self._transcript.text(f"{plan_id}:notice:{request_id}", said.plan.notice):
                yield event
        if said.certain and not isinstance(command, Skip):
            part = Part(plan_id, told_before, anew=isinstance(command, Undo) and view.plan.rollback is None)
            async for event in self._following.told(part):
                yield event

    async def _say(self, command: Skip | Cancel | Undo, view: PlanView, word: Word) -> Said:
        if isinstance(command, Skip):
            return await self._words.skip(view, word, command.step)
        if isinstance(command, Cancel):
            return await self._words.cancel(view, word)
        return await self._words.undo(view, word, self._by.token)

    async def _watched(self, command: Watch) -> AsyncGenerator[BaseEvent, None]:
        chat = chat_workflow(self._venue_id, self._asked.thread_id)
        view, shown = await self._chats.session(chat), await self._chats.shown(chat, 0)
        if shown is not None and not self._asked.messages:
            self._transcript.restore(shown.entries)
        waiting = [view.prompt_plan_id, view.pending_plan_id] if view else []
        last = shown.named[-1].plan_id if shown is not None and shown.named else None
        plan_id = next((one for one in (command.plan_id, *waiting, last) if one is not None), None)
        if plan_id is None:
            return
        plan = (await self._own(plan_id)).plan
        async for event in self._following.told(await self._following.part_of(plan)):
            yield event

    async def _own(self, plan_id: str, word: Word | None = None) -> PlanView:
        """The caller's own plan, of this thread. Raises `RequestError`."""
        view = await self._by.own(plan_id_of(plan_id), self._asked.user_id, word)
        if (view.plan.session_id, view.plan.venue_id) != (self._asked.thread_id, self._venue_id):
            raise refuse(E.NOT_FOUND, say("refuse.no_plan"), say("refuse.no_plan_next"))
        self.about = view.plan.plan_id
        return view
