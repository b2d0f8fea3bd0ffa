"""`/v1/sessions/{id}/debug`: the reasoning of a chat, for engineers. It requires the service key, sent along or used at
a sign-in to the staff pages. An operator's token or a page's session is not accepted."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request

from api.auth.credentials import ServiceKey, check_service_key
from api.auth.page_session import COOKIE as OPERATORS
from api.auth.staff_session import is_engineer
from api.dependencies import ChatsDep, RegistriesDep
from api.errors import documented
from api.routes.messages import pack_of
from clients.errors import api_error, service_unavailable
from contracts.base import StrictModel
from contracts.chat_completion import InternalMessage
from contracts.enums import ServiceErrorType as E
from contracts.identifiers import Identifier
from language.messages.catalogue import translate
from workflows.workflow_ids import chat_workflow


async def engineer(request: Request, x_service_key: ServiceKey = None) -> None:
    """Accept a caller that sends the service key or has signed in with it. Without a configured key all callers are
    rejected, because an engineer could not be distinguished from an operator. Raises `ApiError`: forbidden,
    unauthorized; `ServiceUnavailableError`."""
    settings = request.app.state.services.settings
    if not settings.service_key:
        raise api_error(E.FORBIDDEN, translate("refuse.no_engineers"), translate("refuse.no_engineers_next"))
    if x_service_key is None:
        if await is_engineer(request):
            return
        if OPERATORS in request.cookies:
            raise api_error(E.FORBIDDEN, translate("refuse.staff_only"), translate("refuse.staff_only_next"))
    await check_service_key(request, x_service_key)


router = APIRouter(prefix="/sessions/{session_id}/debug", tags=["sessions"], dependencies=[Depends(engineer)])


class Reasoning(StrictModel):
    """The last steps of a chat's reasoning, oldest first, by number over its whole life."""

    session_id: str
    venue_id: str
    entries: list[InternalMessage]


@router.get("", responses=documented(E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.SERVICE_UNAVAILABLE))
async def get_debug(
    session_id: Annotated[Identifier, Path()],
    registries: RegistriesDep,
    chats: ChatsDep,
    venue_id: Annotated[Identifier | None, Query()] = None,
    after: Annotated[int, Query(ge=0, description="The number of the last entry that was had")] = 0,
) -> Reasoning:
    """Each assessment, context fetch, critique and decision of a chat."""
    venue = pack_of(registries, venue_id).profile.venue_id
    with service_unavailable("unavailable.unseen_chat"):
        view = await chats.debug(chat_workflow(venue, session_id))
    if view is None:
        raise api_error(E.NOT_FOUND, translate("refuse.no_chat"), translate("refuse.no_chat_next"))
    entries = [entry for entry in view.entries if entry.number > after]
    return Reasoning(session_id=session_id, venue_id=venue, entries=entries)
