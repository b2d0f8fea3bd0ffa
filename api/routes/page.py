"""`/page/…`: the sign-in to the chat page, and the page's initial state. `/v1/tickets`: how a host signs its operator
in.

A host with its own sign-in requests a ticket from its backend, with the service key and the operator's token. The
operator's browser posts the ticket as a form to `/page/enter`. No address ever contains a secret.
"""

import time
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from api.auth.credentials import OwnToken, TokenCache
from api.auth.page_session import (
    COOKIE,
    TICKET_SECONDS,
    PageSession,
    is_loopback_host,
    is_same_origin,
    origin_of,
    set_cookie,
)
from api.auth.staff_session import is_engineer
from api.dependencies import PageSessionsDep, RegistriesDep, SettingsDep, TokenCheck
from api.errors import documented, error_response
from api.routes.messages import pack_of
from clients.errors import ApiError, ServiceUnavailableError, api_error
from contracts.base import StrictModel
from contracts.enums import ServiceErrorType as E
from contracts.errors import ServiceError
from contracts.identifiers import Identifier
from contracts.venue import Noun
from infra.config.settings import Settings
from language.messages.catalogue import translate
from language.messages.nouns import noun
from registry import Pack

router = APIRouter(prefix="/page", tags=["page"])
tickets = APIRouter(prefix="/tickets", tags=["page"])

_TRIES = 3
_NOUNS = ("booking", "guest")


@dataclass(frozen=True)
class Demo:
    """The operator that `iq dev` signs a visitor in as, and example requests that match the sandbox's bookings."""

    token: str
    tries: tuple[str, ...]
    user_id: str = "demo"


class PageVenue(StrictModel):
    """The venue whose bookings a page changes. `words` are its nouns for them (`booking`) and for who comes (`guest`),
    in its language."""

    venue_id: str
    name: str
    locale: str
    time_zone: str
    currency: str | None
    words: dict[str, Noun]


class PageState(StrictModel):
    """Who is signed in, and what a page needs at its start. Signed out: `way` is how to sign in, by `sign_in_url` where
    the host has one. `engineer` is present where the same browser is also signed in to the staff pages,
    and may read the reasoning of this page's chats."""

    signed_in: bool
    user_id: str | None = None
    name: str | None = None
    demo: bool = False
    engineer: bool | None = None
    expires_in: int | None = None
    venue: PageVenue | None = None
    tries: tuple[str, ...] = ()
    temporal_ui: str | None = None
    namespace: str | None = None
    way: str | None = None
    sign_in_url: str | None = None
    locale: str | None = None


class TicketBody(StrictModel):
    """The operator that a ticket is for."""

    user_id: Identifier
    venue_id: Identifier | None = None
    name: str = ""


class PageTicket(StrictModel):
    """Valid once, for `expires_in` seconds: post it to `/page/enter` as the form field `ticket`."""

    ticket: str
    expires_in: int


@router.get("/session", response_model_exclude_none=True, summary="Who is signed in to the page")
async def get_page(
    request: Request,
    sessions: PageSessionsDep,
    settings: SettingsDep,
    registries: RegistriesDep,
    tokens: TokenCheck,
) -> PageState:
    """Return the page's state; without a token, or with one that the venue no longer accepts, how to sign in."""
    found = await sessions.find(request.cookies.get(COOKIE, ""))
    demo: Demo | None = request.app.state.demo
    pack = pack_of(registries, found.venue_id if found else None)
    seconds = found.until - time.time() if found else 0
    if found is None or not await _accepted(tokens, pack, found.token):
        return PageState(
            signed_in=False,
            way="demo" if demo else "host",
            sign_in_url=settings.sign_in_url,
            locale=pack.profile.locale,
        )
    return _state(found, pack, settings, seconds, demo, engineer=await is_engineer(request))


@router.post(
    "/session",
    response_model_exclude_none=True,
    responses=documented(E.FORBIDDEN, E.SERVICE_UNAVAILABLE),
    summary="Sign in as the demo operator",
)
async def enter_demo(
    request: Request,
    response: Response,
    sessions: PageSessionsDep,
    settings: SettingsDep,
    registries: RegistriesDep,
) -> PageState:
    """Sign in the demo operator, only beside `iq dev` and on this machine; otherwise the host's ticket signs in."""
    demo: Demo | None = request.app.state.demo
    if demo is None or not is_loopback_host(request) or not is_same_origin(request):
        raise api_error(E.FORBIDDEN, translate("refuse.no_demo"), translate("refuse.no_ticket_next"))
    pack = pack_of(registries, None)
    session = PageSession(
        kind="session", token=demo.token, user_id=demo.user_id, venue_id=pack.profile.venue_id, name="Demo"
    )
    set_cookie(request, response, await sessions.open(session), sessions.lifetime)
    return _state(session, pack, settings, sessions.lifetime, demo, engineer=await is_engineer(request))


@router.delete("/session", status_code=204, summary="Sign out")
async def sign_out(request: Request, sessions: PageSessionsDep) -> Response:
    """End the session, for every copy of its cookie; its streams end within seconds. After a 503 this browser has lost
    its cookie, and the session expires by itself."""
    if not is_same_origin(request):
        raise api_error(E.FORBIDDEN, translate("refuse.foreign_page"))
    response: Response = Response(status_code=204)
    try:
        await sessions.close(request.cookies.get(COOKIE, ""))
    except ServiceUnavailableError:
        error = ServiceError(error_type=E.SERVICE_UNAVAILABLE, message=translate("refuse.half_signed_out"))
        response = error_response(error)
    response.delete_cookie(COOKIE, path="/")
    return response


@router.post("/enter", status_code=303, responses=documented(E.UNAUTHORIZED), summary="Sign in with a ticket")
async def sign_in(
    request: Request,
    sessions: PageSessionsDep,
    settings: SettingsDep,
    ticket: Annotated[str, Form(max_length=200)],
) -> Response:
    """Sign in by a form that the host's page posts, and redirect to the chat page. Where `IQ_SIGN_IN_URL` names that
    page, a form of another site is rejected, because it could sign in an operator as another user."""
    origin = request.headers.get("origin")
    if settings.sign_in_url and origin and origin != origin_of(settings.sign_in_url) and not is_same_origin(request):
        raise api_error(E.FORBIDDEN, translate("refuse.foreign_page"))
    found = await sessions.redeem(ticket)
    if found is None:
        raise api_error(E.UNAUTHORIZED, translate("refuse.no_ticket"), translate("refuse.no_ticket_next"))
    await sessions.close(request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/", status_code=303)
    set_cookie(request, response, await sessions.open(found), sessions.lifetime)
    return response


@tickets.post(
    "",
    status_code=201,
    responses=documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.NOT_FOUND, E.SERVICE_UNAVAILABLE),
    summary="A ticket that signs an operator in to the page",
)
async def create_ticket(
    body: TicketBody, token: OwnToken, tokens: TokenCheck, sessions: PageSessionsDep, registries: RegistriesDep
) -> PageTicket:
    """Create a ticket for the host's backend, with the service key and the operator's token, which the venue must
    accept."""
    pack = pack_of(registries, body.venue_id)
    await tokens.verify(pack, token)
    session = PageSession(
        kind="ticket", token=token, user_id=body.user_id, venue_id=pack.profile.venue_id, name=body.name
    )
    return PageTicket(ticket=await sessions.ticket(session), expires_in=int(TICKET_SECONDS))


def _state(
    session: PageSession, pack: Pack, settings: Settings, lifetime: float, demo: Demo | None, *, engineer: bool
) -> PageState:
    profile = pack.profile
    language = profile.locale.split("-", maxsplit=1)[0].lower()
    is_demo = demo is not None and session.token == demo.token
    return PageState(
        signed_in=True,
        user_id=session.user_id,
        name=session.name or session.user_id,
        demo=is_demo,
        engineer=engineer or None,
        expires_in=max(0, int(lifetime)),
        venue=PageVenue(
            venue_id=profile.venue_id,
            name=profile.name,
            locale=profile.locale,
            time_zone=profile.time_zone,
            currency=profile.currency or None,
            words={kind: noun(profile.words, kind, language).word for kind in _NOUNS},
        ),
        tries=demo.tries if demo is not None and is_demo else _examples(pack),
        temporal_ui=settings.temporal_ui_url,
        namespace=settings.temporal_namespace,
    )


async def _accepted(tokens: TokenCache, pack: Pack, token: str) -> bool:
    # A venue that does not answer has not rejected the token.
    try:
        await tokens.verify(pack, token)
    except ApiError as refused:
        return refused.kind is not E.UNAUTHORIZED
    except ServiceUnavailableError:
        return True
    return True


def _examples(pack: Pack) -> tuple[str, ...]:
    """Return one example of each of the pack's own actions that can be undone, because a visitor taps it to see what
    happens. An example has everything that its action needs, because it is the first message of a chat."""
    writes = [a for a in pack.actions.values() if not a.read_only and a.reversible]
    needed = {a.name: {p.name for p in a.parameters if p.required} for a in writes}
    whole = [[e.say for e in a.examples if needed[a.name] <= e.call.keys()] for a in writes]
    return tuple(messages[0] for messages in whole if messages)[:_TRIES]
