"""`/v1/sessions/{id}`: what goes on in a chat, so that IQ can tell an answer from a new request."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from fastapi import APIRouter, Depends, Path, Query
from temporalio.client import WorkflowExecutionStatus

from api.auth import Token
from api.errors import documented
from api.injected import ChatsDep, PlansDep, RegistriesDep, TokenCheck
from api.requests import pack_of
from clients.chats import ChatClient
from clients.errors import RequestError, UnansweredError, refuse
from clients.plans import PlanClient
from clients.session_watching import cursor_behind
from contracts.base import Edge
from contracts.enums import PlanStatus
from contracts.enums import ServiceErrorType as E
from contracts.messages import SessionView, ShownEntry, ShownView
from contracts.names import Identifier
from contracts.plan import BlockingPrompt, ExecutionPlan
from language.catalogue import say
from workflows.escalating import role_of
from workflows.ids import chat_workflow

router = APIRouter(prefix="/sessions/{session_id}", tags=["sessions"])

V = TypeVar("V", SessionView, ShownView)

_PLANS, _AT_ONCE = 50, 8

_ERRORS = documented(E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.SERVICE_UNAVAILABLE)


class ActivePrompt(BlockingPrompt):
    """The question that waits for an answer, and the plan that asks it."""

    plan_id: str


class Message(ShownEntry):
    """One message of a chat as its operator saw it; `role` is whose it is."""

    role: Literal["user", "assistant", "person"]
    characters: int


class Session(Edge):
    """A chat as it stands: what waits for its operator, what was shown, the last plans of it, and the `cursor` to watch
    on from (`GET /v1/sessions/{id}/events?after=`)."""

    session_id: str
    venue_id: str
    active_prompt: ActivePrompt | None
    pending_plan_id: str | None
    messages: list[Message]
    plans: list[ExecutionPlan]
    cursor: str


@dataclass(frozen=True)
class Asked:
    """Which chat somebody asks for whose token the venue accepts."""

    session_id: str
    venue_id: str
    user_id: str
    chats: ChatClient

    @property
    def chat(self) -> str:
        """Its workflow's id."""
        return chat_workflow(self.venue_id, self.session_id)

    async def own(self, asking: Awaitable[V | None]) -> V:
        """What a chat tells, if it is the caller's own. Raises `RequestError`."""
        try:
            view = await asking
        except UnansweredError as away:
            raise UnansweredError(away.part, "away.unseen_chat") from None
        if view is None or view.owner is None:
            raise refuse(E.NOT_FOUND, say("refuse.no_chat"), say("refuse.no_chat_next"))
        if view.owner != self.user_id:
            raise refuse(E.FORBIDDEN, say("refuse.foreign_chat"))
        return view


async def asked(
    session_id: Annotated[Identifier, Path()],
    user_id: Annotated[Identifier, Query()],
    registries: RegistriesDep,
    chats: ChatsDep,
    token: Token,
    tokens: TokenCheck,
    venue_id: Annotated[Identifier | None, Query()] = None,
) -> Asked:
    """Who asks for which chat."""
    pack = pack_of(registries, venue_id)
    await tokens.admit(pack, token)
    return Asked(session_id, pack.profile.venue_id, user_id, chats)


AskedDep = Annotated[Asked, Depends(asked)]


@router.get("", responses=_ERRORS, summary="Look at a chat")
async def look(asked: AskedDep, plans: PlansDep) -> Session:
    """What a page shows after a reload: whether a plan of this chat waits for an answer or a confirmation, what was
    shown, its last 50 plans, and those before that may still move or be undone. A plan that is no longer kept is left
    out."""
    view = await asked.own(asked.chats.session(asked.chat))
    shown = await asked.own(asked.chats.shown(asked.chat, 0))
    try:
        asking = await _plan(plans, view.prompt_plan_id)
        pending = await _plan(plans, view.pending_plan_id)
        at_once = asyncio.Semaphore(_AT_ONCE)
        named = [plan.plan_id for plan in shown.named]
        asks = (_in_turn(plans, p, at_once, place >= len(named) - _PLANS) for place, p in enumerate(named))
        found = [plan for plan in await asyncio.gather(*asks) if plan]
    except UnansweredError as away:
        raise UnansweredError(away.part, "away.unseen_chat") from None
    prompt = asking.blocking_prompt if asking else None
    still_pending = pending is not None and pending.status is PlanStatus.PENDING_CONFIRMATION
    return Session(
        session_id=asked.session_id,
        venue_id=asked.venue_id,
        active_prompt=ActivePrompt(plan_id=asking.plan_id, **prompt.model_dump()) if asking and prompt else None,
        pending_plan_id=pending.plan_id if pending and still_pending else None,
        messages=[_message(entry) for entry in _lasting(shown.entries)],
        plans=found,
        cursor=cursor_behind(shown, found),
    )


def _lasting(entries: Sequence[ShownEntry]) -> list[ShownEntry]:
    """What stays of a chat: of what went on in between only the last, which may be going on now."""
    return [entry for entry in entries if entry.kind != "progress" or entry is entries[-1]]


def _message(entry: ShownEntry) -> Message:
    return Message(role=role_of(entry), characters=len(entry.text), **dict(entry))


class Shown(Edge):
    """What was shown in a chat, oldest first. `next` is the number to ask on with."""

    entries: list[ShownEntry]
    next: int


@router.get("/messages", responses=_ERRORS, response_model_exclude_none=True, summary="What was shown in a chat")
async def messages(
    asked: AskedDep,
    after: Annotated[int, Query(ge=0, description="The number of the last entry that was had")] = 0,
) -> Shown:
    """What its operator said and was told, the last 200 entries of seven days; a plan by its id, whose events
    `GET /v1/plans/{id}/events` has."""
    view = await asked.own(asked.chats.shown(asked.chat, after))
    entries = [entry for entry in view.entries if entry.kind != "progress"]
    return Shown(entries=entries, next=entries[-1].number if entries else after)


async def _in_turn(plans: PlanClient, plan_id: str, at_once: asyncio.Semaphore, late: bool) -> ExecutionPlan | None:
    async with at_once:
        return await _plan(plans, plan_id) if late or await _runs(plans, plan_id) else None


async def _runs(plans: PlanClient, plan_id: str) -> bool:
    try:
        return (await plans.describe(plan_id)).status is WorkflowExecutionStatus.RUNNING
    except RequestError as error:
        if error.kind is E.NOT_FOUND:
            return False
        raise


async def _plan(plans: PlanClient, plan_id: str | None) -> ExecutionPlan | None:
    if plan_id is None:
        return None
    try:
        return (await plans.plan(plan_id)).plan
    except RequestError as error:
        if error.kind is E.NOT_FOUND:
            return None
        raise
