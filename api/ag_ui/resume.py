"""The answers to interrupts. All are validated first, and one invalid answer stops all of them. Those that are still
open are then sent to their plans as commands (`clients/commands.py`).

    open                     the answer is sent to the plan
    settled by this answer   nothing is written; the run is sent again
    settled by another       a conflict
    none of this thread's    not found

The plan records how an interrupt was settled: whether it was confirmed, and an event for an answered question. The same
answer is therefore recognised again, from any client and by any front end.
"""

from dataclasses import dataclass
from typing import TypeVar

from ag_ui.core import ResumeEntry
from pydantic import BaseModel, ValidationError

from api.ag_ui.interrupts import Approval, InterruptRef, PromptReply, open_interrupt
from api.ag_ui.request import RunRequest, command_id
from api.routes.plans import PlanAccess, plan_id_of
from clients.commands import PlanCommands
from clients.errors import ApiError, api_error
from contracts.chat_messages import CONFIRMATION, PlanView
from contracts.commands import AnswerPrompt, CancelPlan, ConfirmPlan
from contracts.enums import PlanStatus
from contracts.enums import ServiceErrorType as E
from contracts.events import EventKind, PlanEvent
from contracts.plan import ExecutionPlan
from infra.stores.command_store import CommandResult
from language.messages.catalogue import translate
from reasoning import error_messages

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class ResumeAnswer:
    """One validated entry of `resume`. `yes` confirms, `text` answers a question. With neither the plan is to stop,
    because the client cancelled or the answer was a no. `after` is the last event before the part of the plan that this
    answer is about."""

    entry: ResumeEntry
    point: InterruptRef
    view: PlanView
    settled: bool
    after: int
    cancelled: bool
    yes: bool = False
    text: str | None = None


class ResumeHandler:
    """Handles the answers of one run."""

    def __init__(self, request: RunRequest, venue_id: str, by: PlanAccess, commands: PlanCommands) -> None:
        self._request, self._venue_id, self._access, self._commands = request, venue_id, by, commands

    async def validate(self) -> list[ResumeAnswer]:
        """Return every entry of `resume`, validated. Raises `ApiError`; then no plan has received an answer."""
        ids = [entry.interrupt_id for entry in self._request.resume]
        if len(set(ids)) < len(ids):
            raise api_error(E.INVALID_REQUEST, translate("ag_ui.twice"))
        return [await self._judged(entry) for entry in self._request.resume]

    async def apply(self, answer: ResumeAnswer) -> CommandResult:
        """Send an open answer to its plan. Raises `ApiError`."""
        text = answer.text if answer.text is not None else str(answer.yes)
        request_id, user = command_id(answer.point.interrupt_id, text), self._request.user_id
        if answer.text is not None:
            prompt_id = answer.point.prompt_id
            command = AnswerPrompt(user_id=user, request_id=request_id, text=answer.text, prompt_id=prompt_id)
            return await self._commands.execute(answer.view, command)
        if answer.yes:
            confirm = ConfirmPlan(user_id=user, request_id=request_id)
            return await self._commands.execute(answer.view, confirm, self._access.token)
        waits_for = answer.point.prompt_id or CONFIRMATION
        return await self._stop(answer, CancelPlan(user_id=user, request_id=request_id, waits_for=waits_for))

    async def _stop(self, answer: ResumeAnswer, command: CancelPlan) -> CommandResult:
        """Stop the plan. A no counts only while the plan waits for it: if the plan was confirmed meanwhile, the result
        says so."""
        try:
            result = await self._commands.execute(answer.view, command)
        except ApiError as refused:
            if refused.kind is not E.CONFLICT:
                raise
            return CommandResult((await self._judged(answer.entry)).view.plan)
        confirmed_instead = answer.point.prompt_id is None and result.plan.confirmed_at is not None
        return CommandResult((await self._judged(answer.entry)).view.plan) if confirmed_instead else result

    async def _judged(self, entry: ResumeEntry) -> ResumeAnswer:
        point = InterruptRef.of(entry.interrupt_id)
        if point is None:
            raise _unknown(entry.interrupt_id)
        try:
            view = await self._access.get_own(plan_id_of(point.plan_id), self._request.user_id)
        except ApiError as error:
            raise _unknown(entry.interrupt_id) if error.kind is E.NOT_FOUND else error from None
        if (view.plan.session_id, view.plan.venue_id) != (self._request.thread_id, self._venue_id):
            raise _unknown(entry.interrupt_id)
        if entry.status == "cancelled" and entry.payload is not None:
            raise api_error(E.INVALID_REQUEST, translate("ag_ui.cancelled_payload"))
        if point.prompt_id is None:
            return _confirmation(point, entry, view)
        events = (await self._access.plans.events(view.plan.plan_id, 0)).events
        return _question(point, entry, view, events)


def _confirmation(point: InterruptRef, entry: ResumeEntry, view: PlanView) -> ResumeAnswer:
    cancelled = entry.status == "cancelled"
    yes = not cancelled and _payload(Approval, entry).approved
    plan = view.plan
    if open_interrupt(plan) == point:
        return ResumeAnswer(entry, point, view, settled=False, after=1, cancelled=cancelled, yes=yes)
    confirmed = plan.confirmed_at is not None
    if yes != confirmed:
        raise _other_answer(plan)
    return ResumeAnswer(entry, point, view, settled=True, after=1, cancelled=cancelled, yes=yes)


def _question(point: InterruptRef, entry: ResumeEntry, view: PlanView, events: tuple[PlanEvent, ...]) -> ResumeAnswer:
    about = {event.kind: event for event in events if event.prompt_id == point.prompt_id}
    opened = about.get(EventKind.PROMPT_OPENED)
    if opened is None:
        raise _unknown(entry.interrupt_id)
    text = _payload(PromptReply, entry).answer if entry.status == "resolved" else None
    if text is not None and opened.choices and text not in opened.choices:
        raise api_error(E.INVALID_REQUEST, translate("ag_ui.no_choice", choices=list(opened.choices)))
    given = about.get(EventKind.PROMPT_ANSWERED)
    if given is None and open_interrupt(view.plan) == point:
        return ResumeAnswer(entry, point, view, settled=False, after=opened.number, cancelled=text is None, text=text)
    if text != (given.text if given is not None else None):
        way = (
            translate("ag_ui.was_answered", answer=given.text)
            if given is not None
            else translate("ag_ui.send_cancelled")
        )
        raise api_error(E.CONFLICT, translate("refuse.answered"), way, plan=view.plan)
    return ResumeAnswer(entry, point, view, settled=True, after=opened.number, cancelled=text is None, text=text)


def _payload(model: type[M], entry: ResumeEntry) -> M:
    try:
        return model.model_validate(entry.payload)
    except ValidationError:
        wanted = ", ".join(f"`{name}`" for name in model.model_fields)
        raise api_error(E.INVALID_REQUEST, translate("ag_ui.payload", id=entry.interrupt_id, wanted=wanted)) from None


def _unknown(interrupt_id: str) -> ApiError:
    return api_error(E.NOT_FOUND, translate("ag_ui.unknown", id=interrupt_id[:100]), translate("ag_ui.follow"))


def _other_answer(plan: ExecutionPlan) -> ApiError:
    """Return why a plan no longer takes this answer, and which one it takes."""
    if plan.confirmed_at is not None:
        return api_error(
            E.CONFLICT, error_messages.already_text(plan.status), translate("ag_ui.was_approved"), plan=plan
        )
    if plan.superseded_by is not None:
        return api_error(E.CONFLICT, translate("event.superseded"), translate("ag_ui.send_cancelled"), plan=plan)
    status = PlanStatus.EXPIRED if plan.status is PlanStatus.PENDING_CONFIRMATION else plan.status
    return api_error(E.CONFLICT, error_messages.already_text(status), translate("ag_ui.send_cancelled"), plan=plan)
