"""`POST /v1/ag-ui`: a run, as server-sent events; `GET /v1/ag-ui/capabilities`: what may be asked of one.

What is refused before a run begins is an HTTP error like any other. Afterwards it is a RUN_ERROR, whose `code` is the
same `error_type`.
"""

import time
from typing import Annotated

from ag_ui.core import BaseEvent
from ag_ui.core.capabilities import AgentCapabilities
from ag_ui.encoder import EventEncoder
from fastapi import APIRouter, Depends, Response
from sse_starlette import EventSourceResponse

from api.ag_ui.asked import Asked, asked
from api.ag_ui.capabilities import CAPABILITIES
from api.ag_ui.run import Run
from api.auth import OwnToken
from api.errors import documented
from api.injected import (
    ChatsDep,
    LimitsDep,
    PlansDep,
    RegistriesDep,
    SayingsDep,
    SessionsDep,
    SettingsDep,
    ShownDep,
    SignInDep,
    StreamsDep,
    TokenCheck,
    WatchingDep,
    WordsDep,
)
from api.plans import Caller
from api.requests import Hearing, pack_of
from clients.errors import UnansweredError, refuse
from contracts.enums import ServiceErrorType as E
from language.catalogue import say
from workflows.ids import chat_workflow

router = APIRouter(prefix="/ag-ui", tags=["ag-ui"])

_ERRORS = documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.RATE_LIMITED, E.SERVICE_UNAVAILABLE)

_ENCODER = EventEncoder()
_SOONER = 10.0
"""Seconds before its stream would be cut: a run says by itself that it ends there."""


async def caller(
    plans: PlansDep,
    registries: RegistriesDep,
    sign_in: SignInDep,
    tokens: TokenCheck,
    shown: ShownDep,
    words: WordsDep,
    token: OwnToken,
) -> Caller:
    """Who asks. No page does: what its session allows is told by fields that a run's input does not have."""
    return Caller(plans, registries, sign_in, words, tokens, shown, token, None, None)


async def hearing(settings: SettingsDep, sayings: SayingsDep, tokens: TokenCheck, registries: RegistriesDep) -> Hearing:
    """How a message is heard."""
    return Hearing(settings, sayings, tokens, registries)


@router.get("/capabilities", summary="What an AG-UI run can do")
async def capabilities() -> AgentCapabilities:
    """AG-UI 1.0's `AgentCapabilities`."""
    return CAPABILITIES


@router.post("", response_class=EventSourceResponse, responses=_ERRORS, summary="An AG-UI run")
async def run(
    asked: Annotated[Asked, Depends(asked)],
    by: Annotated[Caller, Depends(caller)],
    hearing: Annotated[Hearing, Depends(hearing)],
    words: WordsDep,
    chats: ChatsDep,
    watching: WatchingDep,
    sessions: SessionsDep,
    limits: LimitsDep,
    streams: StreamsDep,
) -> Response:
    """One run of a thread, which is a session. A message is a turn as by `POST /v1/requests`; `resume` answers what
    waits: a plan to confirm, a question. Closing the stream stops nothing: the same run asked for again is told again
    and goes on."""
    pack = pack_of(by.registries, asked.venue_id)
    await by.tokens.admit(pack, by.token)
    if asked.said is not None:
        await limits.count(venue=pack.profile.venue_id, user=asked.user_id)
    try:
        view = await chats.session(chat_workflow(pack.profile.venue_id, asked.thread_id))
    except UnansweredError as away:
        raise UnansweredError(away.part, "away.unseen_chat") from None
    if view is not None and view.owner not in (None, asked.user_id):
        raise refuse(E.FORBIDDEN, say("refuse.foreign_chat"), say("refuse.foreign_chat_next"))
    whose = streams.make_room(asked.user_id, by.token)
    until = time.monotonic() + streams.longest - _SOONER
    one = Run(asked, pack, by, words, chats, watching, sessions, hearing, until)
    return streams.answer(whose, one.events(), _written, _stays, line_end="\n")


def _written(event: BaseEvent) -> bytes:
    return _ENCODER.encode(event).encode()


async def _stays() -> bool:
    return True
