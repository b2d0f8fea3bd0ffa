"""`/v1/sessions/{id}/debug`: how a chat came to what it said, for engineers. The service key opens it, sent along or
given at a sign-in to the pages of the staff: neither an operator's token nor a page's session does."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request

from api.auth import ServiceKey, check_service_key
from api.errors import documented
from api.injected import ChatsDep, RegistriesDep
from api.page_session import COOKIE as OPERATORS
from api.requests import pack_of
from api.staff_session import is_engineer
from clients.errors import UnansweredError, refuse
from contracts.assessment import InternalMessage
from contracts.base import Edge
from contracts.enums import ServiceErrorType as E
from contracts.names import Identifier
from language.catalogue import say
from workflows.ids import chat_workflow


async def engineer(request: Request, x_service_key: ServiceKey = None) -> None:
    """Let in who has the service key, and who has signed in with it. Where none is configured nobody could be told from
    an operator. Raises `RequestError`: forbidden, unauthorized; `UnansweredError`."""
    settings = request.app.state.services.settings
    if not settings.service_key:
        raise refuse(E.FORBIDDEN, say("refuse.no_engineers"), say("refuse.no_engineers_next"))
    if x_service_key is None:
        if await is_engineer(request):
            return
        if OPERATORS in request.cookies:
            raise refuse(E.FORBIDDEN, say("refuse.staff_only"), say("refuse.staff_only_next"))
    await check_service_key(request, x_service_key)


router = APIRouter(prefix="/sessions/{session_id}/debug", tags=["sessions"], dependencies=[Depends(engineer)])


class Reasoning(Edge):
    """The last steps of a chat's reasoning, oldest first, by number over its whole life."""

    session_id: str
    venue_id: str
    entries: list[InternalMessage]


@router.get("", responses=documented(E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.SERVICE_UNAVAILABLE))
async def look(
    session_id: Annotated[Identifier, Path()],
    registries: RegistriesDep,
    chats: ChatsDep,
    venue_id: Annotated[Identifier | None, Query()] = None,
    after: Annotated[int, Query(ge=0, description="The number of the last entry that was had")] = 0,
) -> Reasoning:
    """Each assessment, context fetch, critique and decision of a chat."""
    venue = pack_of(registries, venue_id).profile.venue_id
    try:
        view = await chats.debug(chat_workflow(venue, session_id))
    except UnansweredError as away:
        raise UnansweredError(away.part, "away.unseen_chat") from None
    if view is None:
        raise refuse(E.NOT_FOUND, say("refuse.no_chat"), say("refuse.no_chat_next"))
    entries = [entry for entry in view.entries if entry.number > after]
    return Reasoning(session_id=session_id, venue_id=venue, entries=entries)
