"""The answers to interrupts: first each is judged, and what is wrong with one stops all of them; then those that are
still open are said to their plans, as words like any other (`clients/words.py`).

    open                     the answer is said to the plan
    settled by this answer   nothing is written; the run is told again
    settled by another       a conflict
    none of this thread's    not found

What an interrupt was settled by stands with the plan: whether it was confirmed, and its event for an answered question.
So the same answer is known again, whoever gave it first and by whichever door.
"""

from dataclasses import dataclass
from typing import TypeVar

from ag_ui.core import ResumeEntry
from pydantic import BaseModel, ValidationError

from api.ag_ui.asked import Asked, word_id
from api.ag_ui.interrupts import Approval, Point, Reply, waiting_point
from api.plans import Caller, plan_id_of
from clients.errors import RequestError, refuse
from clients.words import Kind, Said, Word, Words
from contracts.enums import PlanStatus
from contracts.enums import ServiceErrorType as E
from contracts.events import EventKind, PlanEvent
from contracts.messages import CONFIRMATION, PlanView
from contracts.plan import ExecutionPlan
from language.catalogue import say
from reasoning import wording

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Answered:
    """One entry of `resume`, judged. `yes` confirms, `text` answers a question; with neither the plan is to stop, which
    was `cancelled` or said by an answer. `after` is the plan's last event before the part of its story that this is
    about."""

    entry: ResumeEntry
    point: Point
    view: PlanView
    settled: bool
    after: int
    cancelled: bool
    yes: bool = False
    text: str | None = None


class Settling:
    """The answers of one run."""

    def __init__(self, asked: Asked, venue_id: str, by: Caller, words: Words) -> None:
        self._asked, self._venue_id, self._by, self._words = asked, venue_id, by, words

    async def judge(self) -> list[Answered]:
        """Every entry of `resume`. Raises `RequestError`: nothing was said to any plan."""
        ids = [entry.interrupt_id for entry in self._asked.resume]
        if len(set(ids)) < len(ids):
            raise refuse(E.INVALID_REQUEST, say("ag_ui.twice"))
        return [await self._judged(entry) for entry in self._asked.resume]

    async def say(self, answer: Answered) -> Said:
        """Say an answer that is open to its plan. Raises `RequestError`."""
        told = answer.text if answer.text is not None else str(answer.yes)
        request_id, user = word_id(answer.point.interrupt_id, told), self._asked.user_id
        if answer.text is not None:
            word = Word(Kind.ANSWER, user, request_id)
            return await self._words.answer(answer.view, word, answer.text, answer.point.prompt_id)
        if answer.yes:
            return await self._words.confirm(answer.view, Word(Kind.CONFIRM, user, request_id), self._by.token)
        return await self._stop(answer, Word(Kind.CANCEL, user, request_id))

    async def _stop(self, answer: Answered, word: Word) -> Said:
        """A no counts only while the plan waits for it: somebody may have said yes meanwhile, and then it says that."""
        try:
            said = await self._words.cancel(answer.view, word, waits_for=answer.point.prompt_id or CONFIRMATION)
        except RequestError as refused:
            if refused.kind is not E.CONFLICT:
                raise
            return Said((await self._judged(answer.entry)).view.plan)
        confirmed_instead = answer.point.prompt_id is None and said.plan.confirmed_at is not None
        return Said((await self._judged(answer.entry)).view.plan) if confirmed_instead else said

    async def _judged(self, entry: ResumeEntry) -> Answered:
        point = Point.of(entry.interrupt_id)
        if point is None:
            raise _unknown(entry.interrupt_id)
        try:
            view = await self._by.own(plan_id_of(point.plan_id), self._asked.user_id)
        except RequestError as error:
            raise _unknown(entry.interrupt_id) if error.kind is E.NOT_FOUND else error from None
        if (view.plan.session_id, view.plan.venue_id) != (self._asked.thread_id, self._venue_id):
            raise _unknown(entry.interrupt_id)
        if entry.status == "cancelled" and entry.payload is not None:
            raise refuse(E.INVALID_REQUEST, say("ag_ui.cancelled_payload"))
        if point.prompt_id is None:
            return _confirmation(point, entry, view)
        events = (await self._by.plans.events(view.plan.plan_id, 0)).events
        return _question(point, entry, view, events)


def _confirmation(point: Point, entry: ResumeEntry, view: PlanView) -> Answered:
    cancelled = entry.status == "cancelled"
    yes = not cancelled and _payload(Approval, entry).approved
    plan = view.plan
    if waiting_point(plan) == point:
        return Answered(entry, point, view, settled=False, after=1, cancelled=cancelled, yes=yes)
    confirmed = plan.confirmed_at is not None
    if yes != confirmed:
        raise _other_answer(plan)
    return Answered(entry, point, view, settled=True, after=1, cancelled=cancelled, yes=yes)


def _question(point: Point, entry: ResumeEntry, view: PlanView, events: tuple[PlanEvent, ...]) -> Answered:
    about = {event.kind: event for event in events if event.prompt_id == point.prompt_id}
    opened = about.get(EventKind.PROMPT_OPENED)
    if opened is None:
        raise _unknown(entry.interrupt_id)
    text = _payload(Reply, entry).answer if entry.status == "resolved" else None
    if text is not None and opened.choices and text not in opened.choices:
        raise refuse(E.INVALID_REQUEST, say("ag_ui.no_choice", choices=list(opened.choices)))
    given = about.get(EventKind.PROMPT_ANSWERED)
    if given is None and waiting_point(view.plan) == point:
        return Answered(entry, point, view, settled=False, after=opened.number, cancelled=text is None, text=text)
    if text != (given.text if given is not None else None):
        way = say("ag_ui.was_answered", answer=given.text) if given is not None else say("ag_ui.send_cancelled")
        raise refuse(E.CONFLICT, say("refuse.answered"), way, plan=view.plan)
    return Answered(entry, point, view, settled=True, after=opened.number, cancelled=text is None, text=text)


def _payload(model: type[M], entry: ResumeEntry) -> M:
    try:
        return model.model_validate(entry.payload)
    except ValidationError:
        wanted = ", ".join(f"`{name}`" for name in model.model_fields)
        raise refuse(E.INVALID_REQUEST, say("ag_ui.payload", id=entry.interrupt_id, wanted=wanted)) from None


def _unknown(interrupt_id: str) -> RequestError:
    return refuse(E.NOT_FOUND, say("ag_ui.unknown", id=interrupt_id[:100]), say("ag_ui.follow"))


def _other_answer(plan: ExecutionPlan) -> RequestError:
    """Why a plan does not take this answer any more, and which one it takes."""
    if plan.confirmed_at is not None:
        return refuse(E.CONFLICT, wording.already(plan.status), say("ag_ui.was_approved"), plan=plan)
    if plan.superseded_by is not None:
        return refuse(E.CONFLICT, say("event.superseded"), say("ag_ui.send_cancelled"), plan=plan)
    status = PlanStatus.EXPIRED if plan.status is PlanStatus.PENDING_CONFIRMATION else plan.status
    return refuse(E.CONFLICT, wording.already(status), say("ag_ui.send_cancelled"), plan=plan)
