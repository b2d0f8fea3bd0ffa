"""`/v1/sessions/{id}`: the state of a chat, so that IQ can distinguish an answer from a new request."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from fastapi import APIRouter, Depends, Path, Query
from temporalio.client import WorkflowExecutionStatus

from api.auth.credentials import Token
from api.dependencies import ChatsDep, PlansDep, RegistriesDep, TokenCheck
from api.errors import documented
from api.routes.messages import pack_of
from clients.errors import ApiError, api_error, service_unavailable
from clients.streams.session import cursor_after
from clients.temporal.chats import ChatClient
from clients.temporal.plans import PlanClient
from contracts.base import StrictModel
from contracts.chat_messages import SessionView, TranscriptEntry, TranscriptView
from contracts.enums import PlanStatus
from contracts.enums import ServiceErrorType as E
from contracts.identifiers import Identifier
from contracts.plan import BlockingPrompt, ExecutionPlan
from language.messages.catalogue import translate
from workflows.chat.escalate import speaker
from workflows.workflow_ids import chat_workflow

router = APIRouter(prefix="/sessions/{session_id}", tags=["sessions"])

V = TypeVar("V", SessionView, TranscriptView)

_PLANS, _AT_ONCE = 50, 8

_ERRORS = documented(E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.SERVICE_UNAVAILABLE)


class ActivePrompt(BlockingPrompt):
    """The question that waits for an answer, and the plan that asks it."""

    plan_id: str


class SessionMessage(TranscriptEntry):
    """One message of a chat as its operator saw it; `role` is whose it is."""

    role: Literal["user", "assistant", "person"]
    characters: int


class Session(StrictModel):
    """The current state of a chat: what waits for its operator, what was shown, its last plans, and the `cursor` to
    watch on from (`GET /v1/sessions/{id}/events?after=`)."""

    session_id: str
    venue_id: str
    active_prompt: ActivePrompt | None
    pending_plan_id: str | None
    messages: list[SessionMessage]
    plans: list[ExecutionPlan]
    cursor: str


@dataclass(frozen=True)
class SessionAccess:
    """The chat that a caller asks for, whose token the venue accepts."""

    session_id: str
    venue_id: str
    user_id: str
    chats: ChatClient

    @property
    def chat(self) -> str:
        """Return the id of the chat's workflow."""
        return chat_workflow(self.venue_id, self.session_id)

    async def own(self, asking: Awaitable[V | None]) -> V:
        """Return what `asking` reads from the chat, if it is the caller's own. Raises `ApiError`."""
        with service_unavailable("unavailable.unseen_chat"):
            view = await asking
        if view is None or view.owner is None:
            raise api_error(E.NOT_FOUND, translate("refuse.no_chat"), translate("refuse.no_chat_next"))
        if view.owner != self.user_id:
            raise api_error(E.FORBIDDEN, translate("refuse.foreign_chat"))
        return view


async def require_session(
    session_id: Annotated[Identifier, Path()],
    user_id: Annotated[Identifier, Query()],
    registries: RegistriesDep,
    chats: ChatsDep,
    token: Token,
    tokens: TokenCheck,
    venue_id: Annotated[Identifier | None, Query()] = None,
) -> SessionAccess:
    """Return the caller's access to a chat."""
    pack = pack_of(registries, venue_id)
    await tokens.verify(pack, token)
    return SessionAccess(session_id, pack.profile.venue_id, user_id, chats)


AskedDep = Annotated[SessionAccess, Depends(require_session)]


@router.get("", responses=_ERRORS, summary="Look at a chat")
async def get_session(session_access: AskedDep, plans: PlansDep) -> Session:
    """Return what a page shows after a reload: whether a plan of this chat waits for an answer or a confirmation, the
    transcript, its last 50 plans, and earlier ones that may still change or be undone. A plan that is no longer kept is
    left out."""
    view = await session_access.own(session_access.chats.session(session_access.chat))
    transcript = await session_access.own(session_access.chats.transcript(session_access.chat, 0))
    with service_unavailable("unavailable.unseen_chat"):
        asking = await _plan(plans, view.prompt_plan_id)
        pending = await _plan(plans, view.pending_plan_id)
        at_once = asyncio.Semaphore(_AT_ONCE)
        named = [plan.plan_id for plan in transcript.plan_references]
        asks = (_in_turn(plans, p, at_once, index >= len(named) - _PLANS) for index, p in enumerate(named))
        found = [plan for plan in await asyncio.gather(*asks) if plan]
    prompt = asking.blocking_prompt if asking else None
    still_pending = pending is not None and pending.status is PlanStatus.PENDING_CONFIRMATION
    return Session(
        session_id=session_access.session_id,
        venue_id=session_access.venue_id,
        active_prompt=ActivePrompt(plan_id=asking.plan_id, **prompt.model_dump()) if asking and prompt else None,
        pending_plan_id=pending.plan_id if pending and still_pending else None,
        messages=[_message(entry) for entry in _lasting(transcript.entries)],
        plans=found,
        cursor=cursor_after(transcript, found),
    )


def _lasting(entries: Sequence[TranscriptEntry]) -> list[TranscriptEntry]:
    """Return the entries without progress, except for the last one, which may still be current."""
    return [entry for entry in entries if entry.kind != "progress" or entry is entries[-1]]


def _message(entry: TranscriptEntry) -> SessionMessage:
    return SessionMessage(role=speaker(entry), characters=len(entry.text), **dict(entry))


class TranscriptPage(StrictModel):
    """What was shown in a chat, oldest first. `next` is the number to ask on with."""

    entries: list[TranscriptEntry]
    next: int


@router.get("/messages", responses=_ERRORS, response_model_exclude_none=True, summary="What was shown in a chat")
async def messages(
    session_access: AskedDep,
    after: Annotated[int, Query(ge=0, description="The number of the last entry that was had")] = 0,
) -> TranscriptPage:
    """Return the chat's messages and replies, the last 200 entries of seven days; a plan only by its id, whose events
    are at `GET /v1/plans/{id}/events`."""
    view = await session_access.own(session_access.chats.transcript(session_access.chat, after))
    entries = [entry for entry in view.entries if entry.kind != "progress"]
    return TranscriptPage(entries=entries, next=entries[-1].number if entries else after)


async def _in_turn(plans: PlanClient, plan_id: str, at_once: asyncio.Semaphore, late: bool) -> ExecutionPlan | None:
    async with at_once:
        return await _plan(plans, plan_id) if late or await _runs(plans, plan_id) else None


async def _runs(plans: PlanClient, plan_id: str) -> bool:
    try:
        return (await plans.describe(plan_id)).status is WorkflowExecutionStatus.RUNNING
    except ApiError as error:
        if error.kind is E.NOT_FOUND:
            return False
        raise


async def _plan(plans: PlanClient, plan_id: str | None) -> ExecutionPlan | None:
    if plan_id is None:
        return None
    try:
        return (await plans.plan(plan_id)).plan
    except ApiError as error:
        if error.kind is E.NOT_FOUND:
            return None
        raise
