"""`/staff/session`: the sign-in to the staff pages with the service key, and the initial state of those pages."""

import time
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from api.auth.credentials import is_service_key
from api.auth.page_session import is_same_origin, set_cookie
from api.auth.staff_session import STAFF_COOKIE, StaffName, StaffSession, StaffSessions, refuse_strangers
from api.dependencies import FromState, RegistriesDep, SettingsDep
from api.errors import documented, error_response
from clients.errors import ServiceUnavailableError, api_error
from clients.registry import Registries
from contracts.base import StrictModel
from contracts.enums import ServiceErrorType as E
from contracts.errors import ServiceError
from infra.config.settings import Settings
from language.messages.catalogue import translate

StaffSessionsDep = Annotated[StaffSessions, Depends(FromState(lambda app: app.staff_sessions))]

router = APIRouter(prefix="/staff", tags=["staff"])


class StaffVenue(StrictModel):
    """A venue whose staff may sign in here."""

    venue_id: str
    name: str


class StaffState(StrictModel):
    """Who is signed in, for how many seconds, and whether signing in takes the service key. `venues` is for a person
    who is signed in."""

    signed_in: bool
    name: str | None = None
    needs_key: bool
    expires_in: int = 0
    locale: str
    time_zone: str
    venues: list[StaffVenue] = Field(default_factory=list)


class SignInBody(StrictModel):
    """The service key, empty where none is configured, and a name for the audit log and the operator."""

    name: StaffName
    key: str = Field(default="", max_length=1000, repr=False)


@router.get(
    "/session", responses=documented(E.SERVICE_UNAVAILABLE), summary="Who is signed in to the pages of the staff"
)
async def get_staff(
    request: Request, sessions: StaffSessionsDep, settings: SettingsDep, registries: RegistriesDep
) -> StaffState:
    """Return who is signed in, no person after the end of the session, and how to sign in."""
    found = await sessions.find(request.cookies.get(STAFF_COOKIE, ""))
    return _state(found, settings, registries)


@router.post(
    "/session",
    responses=documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.RATE_LIMITED, E.SERVICE_UNAVAILABLE),
    summary="Sign in with the service key",
)
async def enter(
    body: SignInBody,
    request: Request,
    response: Response,
    sessions: StaffSessionsDep,
    settings: SettingsDep,
    registries: RegistriesDep,
) -> StaffState:
    """Open a short session in an HttpOnly cookie. Only our own pages may request it; without a key only where none is
    configured, and on this machine."""
    if not is_same_origin(request):
        raise api_error(E.FORBIDDEN, translate("refuse.foreign_page"))
    refuse_strangers(request, settings)
    if not await is_service_key(request, body.key):
        # Without the hint about headers for backends, because a person typed the key.
        raise api_error(E.UNAUTHORIZED, translate("refuse.service_key"))
    reference = await sessions.open(body.name, body.key)
    set_cookie(request, response, reference, sessions.lifetime, STAFF_COOKIE)
    return _state(await sessions.find(reference), settings, registries)


@router.delete(
    "/session",
    status_code=204,
    responses=documented(E.FORBIDDEN, E.SERVICE_UNAVAILABLE),
    summary="Sign out of the pages of the staff",
)
async def leave(request: Request, sessions: StaffSessionsDep) -> Response:
    """End the session, for every copy of its cookie. After a 503 this browser has lost its cookie, and the session
    expires by itself."""
    if not is_same_origin(request):
        raise api_error(E.FORBIDDEN, translate("refuse.foreign_page"))
    response: Response = Response(status_code=204)
    try:
        await sessions.close(request.cookies.get(STAFF_COOKIE, ""))
    except ServiceUnavailableError:
        error = ServiceError(error_type=E.SERVICE_UNAVAILABLE, message=translate("refuse.half_signed_out"))
        response = error_response(error)
    response.delete_cookie(STAFF_COOKIE, path="/")
    return response


def _state(session: StaffSession | None, settings: Settings, registries: Registries) -> StaffState:
    registry = registries.registry
    profile = registry.default_venue.profile
    state = StaffState(
        signed_in=session is not None,
        needs_key=settings.service_key is not None,
        locale=profile.locale,
        time_zone=profile.time_zone,
    )
    if session is None:
        return state
    venues = [StaffVenue(venue_id=p.profile.venue_id, name=p.profile.name) for p in registry.packs]
    remaining = max(0, int(session.until - time.time()))
    return state.model_copy(update={"name": session.name, "expires_in": remaining, "venues": venues})
