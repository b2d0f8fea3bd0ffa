"""`/staff/session`: signing in to the pages of the staff with the service key."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from api.auth import check_service_key
from api.errors import documented
from api.injected import SettingsDep
from api.page_session import from_our_page, set_cookie
from api.staff_session import STAFF_COOKIE, StaffName, StaffSessions
from clients.errors import refuse
from contracts.base import Edge
from contracts.enums import ServiceErrorType as E
from language.catalogue import say

router = APIRouter(prefix="/staff", tags=["staff"])


async def _sessions(request: Request) -> StaffSessions:
    found: StaffSessions = request.app.state.staff_sessions
    return found


SessionsDep = Annotated[StaffSessions, Depends(_sessions)]


class SignInBody(Edge):
    """The service key, and a name for the audit trail."""

    name: StaffName
    key: str = Field(default="", max_length=1000, repr=False)


class StaffState(Edge):
    """Who is signed in; `needs_key` tells whether signing in takes a key."""

    signed_in: bool
    name: str | None = None
    needs_key: bool


@router.get("/session", summary="Who is signed in to the pages of the staff")
async def look(request: Request, sessions: SessionsDep, settings: SettingsDep) -> StaffState:
    """Nobody, where the session is over."""
    found = await sessions.find(request.cookies.get(STAFF_COOKIE, ""))
    return StaffState(
        signed_in=found is not None, name=found.name if found else None, needs_key=settings.service_key is not None
    )


@router.post(
    "/session",
    status_code=204,
    responses=documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.SERVICE_UNAVAILABLE),
    summary="Sign in with the service key",
)
async def enter(body: SignInBody, request: Request, sessions: SessionsDep, settings: SettingsDep) -> Response:
    """Opens a short session in an HttpOnly cookie. Only a page of ours may ask for it."""
    if not from_our_page(request):
        raise refuse(E.FORBIDDEN, say("refuse.foreign_page"))
    check_service_key(settings, body.key)
    response = Response(status_code=204)
    set_cookie(request, response, await sessions.open(body.name), sessions.lifetime, STAFF_COOKIE)
    return response


@router.delete("/session", status_code=204, summary="Sign out of the pages of the staff")
async def leave(request: Request, sessions: SessionsDep) -> Response:
    """The session is over, wherever its cookie went."""
    if not from_our_page(request):
        raise refuse(E.FORBIDDEN, say("refuse.foreign_page"))
    await sessions.close(request.cookies.get(STAFF_COOKIE, ""))
    response = Response(status_code=204)
    response.delete_cookie(STAFF_COOKIE, path="/")
    return response
