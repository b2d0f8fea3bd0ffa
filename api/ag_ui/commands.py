"""Commands to a plan beside answers and messages: `forwardedProps.command`.

A command answers no interrupt, so a client may send one while an interrupt is open. The run then ends with that
interrupt again.
"""

from collections.abc import AsyncGenerator

from ag_ui.core import BaseEvent

from api.ag_ui.event_mapping import SharedState
from api.ag_ui.messages import MessageHistory
from api.ag_ui.plan_stream import PlanCursor, PlanFollower
from api.ag_ui.request import CancelCommand, RunRequest, SkipCommand, UndoCommand, WatchPlan, command_id
from api.routes.plans import PlanAccess, plan_id_of
from api.shutdown import shielded
from clients.commands import PlanCommands
from clients.errors import api_error
from clients.temporal.chats import ChatClient
from contracts.chat_messages import PlanView
from contracts.commands import CancelPlan, PlanCommand, SkipStep, UndoPlan
from contracts.enums import ServiceErrorType as E
from language.messages.catalogue import translate
from workflows.workflow_ids import chat_workflow


class AgUiCommands:
    """The command of one run. `about` is the plan that it names, once the plan is known to be the caller's own."""

    def __init__(
        self,
        request: RunRequest,
        venue_id: str,
        by: PlanAccess,
        commands: PlanCommands,
        chats: ChatClient,
        following: PlanFollower,
        transcript: MessageHistory,
        state: SharedState,
    ) -> None:
        self._request, self._venue_id, self._access, self._commands, self._chats = (
            request,
            venue_id,
            by,
            commands,
            chats,
        )
        self._follower, self._transcript, self._state = following, transcript, state
        self.about: str | None = None

    async def events(
        self, command: WatchPlan | SkipCommand | CancelCommand | UndoCommand
    ) -> AsyncGenerator[BaseEvent, None]:
        """Yield the events of a command and its outcome. Raises `ApiError`."""
        done = self._watched(command) if isinstance(command, WatchPlan) else self._commanded(command)
        async for event in done:
            yield event

    async def _commanded(self, command: SkipCommand | CancelCommand | UndoCommand) -> AsyncGenerator[BaseEvent, None]:
        # The same run sent again is the same command.
        request_id = command_id(self._request.run_id, command.model_dump_json())
        order = _command(command, self._request.user_id, request_id)
        view = await self._own(command.plan_id, order)
        plan_id = view.plan.plan_id
        events_before = len((await self._access.plans.events(plan_id, 0)).events)
        result = await shielded(self._commands.execute(view, order, self._access.token))
        if result.plan.notice:
            for event in self._transcript.text(f"{plan_id}:notice:{request_id}", result.plan.notice):
                yield event
        if result.certain and not isinstance(command, SkipCommand):
            part = PlanCursor(
                plan_id, events_before, reopened=isinstance(command, UndoCommand) and view.plan.rollback is None
            )
            async for event in self._follower.events(part):
                yield event

    async def _watched(self, command: WatchPlan) -> AsyncGenerator[BaseEvent, None]:
        chat = chat_workflow(self._venue_id, self._request.thread_id)
        view, transcript = await self._chats.session(chat), await self._chats.transcript(chat, 0)
        if transcript is not None and not self._request.messages:
            self._transcript.restore(transcript.entries)
        waiting = [view.prompt_plan_id, view.pending_plan_id] if view else []
        last = transcript.plan_references[-1].plan_id if transcript is not None and transcript.plan_references else None
        plan_id = next((one for one in (command.plan_id, *waiting, last) if one is not None), None)
        if plan_id is None:
            return
        plan = (await self._own(plan_id)).plan
        async for event in self._follower.events(await self._follower.part_of(plan)):
            yield event

    async def _own(self, plan_id: str, command: PlanCommand | None = None) -> PlanView:
        """Return the caller's own plan, of this thread. Raises `ApiError`."""
        view = await self._access.get_own(plan_id_of(plan_id), self._request.user_id, command)
        if (view.plan.session_id, view.plan.venue_id) != (self._request.thread_id, self._venue_id):
            raise api_error(E.NOT_FOUND, translate("refuse.no_plan"), translate("refuse.no_plan_next"))
        self.about = view.plan.plan_id
        return view


def _command(command: SkipCommand | CancelCommand | UndoCommand, user_id: str, request_id: str) -> PlanCommand:
    if isinstance(command, SkipCommand):
        return SkipStep(user_id=user_id, request_id=request_id, step=command.step)
    return (CancelPlan if isinstance(command, CancelCommand) else UndoPlan)(user_id=user_id, request_id=request_id)
