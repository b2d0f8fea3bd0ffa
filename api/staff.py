"""`/staff/session`: signing in to the pages of a venue's staff, with the service key, and what they need to know at
their start."""

import hmac
import time

from fastapi import APIRouter, Request, Response
from pydantic import Field

from api.errors import documented, error_response
from api.injected import RegistriesDep, SettingsDep, StaffSessionsDep
from api.page_session import at_this_machine, from_our_page
from api.staff_session import COOKIE
from clients.errors import UnansweredError, refuse
from clients.registries import Registries
from contracts.base import Edge
from contracts.enums import ServiceErrorType as E
from contracts.errors import ServiceError
from infra.settings import Settings
from language.catalogue import say

router = APIRouter(prefix="/staff", tags=["staff"])


class StaffVenue(Edge):
    """A venue whose staff may sign in here."""

    venue_id: str
    name: str


class StaffState(Edge):
    """Whether this browser is signed in, for how many seconds, and whether signing in takes the service key."""

    signed_in: bool
    needs_key: bool
    expires_in: int = 0
    locale: str
    time_zone: str
    venues: list[StaffVenue] = Field(default_factory=list)


class StaffKey(Edge):
    """The service key; empty where none is configured."""

    key: str = Field(default="", max_length=500, repr=False)


@router.get("/session", summary="Who is signed in to the staff's pages")
async def look(
    request: Request, sessions: StaffSessionsDep, settings: SettingsDep, registries: RegistriesDep
) -> StaffState:
    """Also how to sign in."""
    found = await sessions.find(request.cookies.get(COOKIE, ""))
    return _state(found is not None, found.until - time.time() if found else 0, settings, registries)


@router.post("/session", responses=documented(E.UNAUTHORIZED, E.FORBIDDEN, E.SERVICE_UNAVAILABLE), summary="Sign in")
async def enter(
    body: StaffKey,
    request: Request,
    response: Response,
    sessions: StaffSessionsDep,
    settings: SettingsDep,
    registries: RegistriesDep,
) -> StaffState:
    """With the service key; without one only where none is configured, and at this machine."""
    if not from_our_page(request):
        raise refuse(E.FORBIDDEN, say("refuse.foreign_page"))
    right = hmac.compare_digest((settings.service_key or "").encode(), body.key.encode())
    if not right or not (settings.service_key or at_this_machine(request)):
        raise refuse(E.UNAUTHORIZED, say("refuse.service_key"))
    response.set_cookie(
        COOKIE,
        await sessions.open(),
        max_age=int(sessions.lifetime),
        path="/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https" or not at_this_machine(request),
    )
    return _state(True, sessions.lifetime, settings, registries)


@router.delete("/session", status_code=204, summary="Sign out")
async def leave(request: Request, sessions: StaffSessionsDep) -> Response:
    """The session is over, wherever its cookie went. After a 503 this browser has lost its cookie, and what the cookie
    stood for ends by itself."""
    if not from_our_page(request):
        raise refuse(E.FORBIDDEN, say("refuse.foreign_page"))
    response: Response = Response(status_code=204)
    try:
        await sessions.close(request.cookies.get(COOKIE, ""))
    except UnansweredError:
        error = ServiceError(error_type=E.SERVICE_UNAVAILABLE, message=say("refuse.half_signed_out"))
        response = error_response(error)
    response.delete_cookie(COOKIE, path="/")
    return response


def _state(signed_in: bool, seconds: float, settings: Settings, registries: Registries) -> StaffState:
    registry = registries.registry
    profile = registry.default_venue.profile
    venues = [StaffVenue(venue_id=p.profile.venue_id, name=p.profile.name) for p in registry.packs]
    return StaffState(
        signed_in=signed_in,
        needs_key=bool(settings.service_key),
        expires_in=max(0, int(seconds)),
        locale=profile.locale,
        time_zone=profile.time_zone,
        venues=venues if signed_in else [],
    )
