"""`/page/…`: signing in to the chat page, and what it needs to know at its start. `/v1/tickets`: how a host signs its
operator in.

A host that has its own sign-in asks for a ticket from its backend, with the service key and the operator's token, and
lets the operator's browser post it as a form to `/page/enter`. Nothing secret is ever part of an address.
"""

import time
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from api.auth import OwnToken, TokenCache
from api.errors import documented, error_response
from api.injected import PageSessionsDep, RegistriesDep, SettingsDep, TokenCheck
from api.page_session import COOKIE, TICKET_SECONDS, PageSession, at_this_machine, from_our_page, origin_of, set_cookie
from api.requests import pack_of
from api.staff_session import is_engineer
from clients.errors import RequestError, UnansweredError, refuse
from contracts.base import Edge
from contracts.enums import ServiceErrorType as E
from contracts.errors import ServiceError
from contracts.names import Identifier
from contracts.venue import Word
from infra.settings import Settings
from language.catalogue import say
from language.nouns import noun
from registry import Pack

router = APIRouter(prefix="/page", tags=["page"])
tickets = APIRouter(prefix="/tickets", tags=["page"])

_TRIES = 3
_NOUNS = ("booking", "guest")


@dataclass(frozen=True)
class Demo:
    """Whom `iq dev` signs a visitor in as, and what there is to try: requests that the sandbox's bookings are there
    for."""

    token: str
    tries: tuple[str, ...]
    user_id: str = "demo"


class PageVenue(Edge):
    """The venue whose bookings a page changes. `words` is what it calls them (`booking`) and who comes (`guest`), in
    its language."""

    venue_id: str
    name: str
    locale: str
    time_zone: str
    currency: str | None
    words: dict[str, Word]


class PageState(Edge):
    """Who is signed in, and what a page needs at its start. Signed out: `way` is how to sign in, by `sign_in_url` where
    the host has one. `engineer` is there where the same browser is signed in to the pages of the staff, too,
    and may read how this page's chats were reasoned."""

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


class TicketBody(Edge):
    """For whom a ticket is."""

    user_id: Identifier
    venue_id: Identifier | None = None
    name: str = ""


class Ticket(Edge):
    """Good once, for `expires_in` seconds: post it to `/page/enter` as the form field `ticket`."""

    ticket: str
    expires_in: int


@router.get("/session", response_model_exclude_none=True, summary="Who is signed in to the page")
async def look(
    request: Request,
    sessions: PageSessionsDep,
    settings: SettingsDep,
    registries: RegistriesDep,
    tokens: TokenCheck,
) -> PageState:
    """Also how to sign in for whoever is not, or whose token the venue accepts no longer."""
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
    """Only beside `iq dev`, and only at this machine: everybody else is signed in by the host's ticket."""
    demo: Demo | None = request.app.state.demo
    if demo is None or not at_this_machine(request) or not from_our_page(request):
        raise refuse(E.FORBIDDEN, say("refuse.no_demo"), say("refuse.no_ticket_next"))
    pack = pack_of(registries, None)
    session = PageSession(
        kind="session", token=demo.token, user_id=demo.user_id, venue_id=pack.profile.venue_id, name="Demo"
    )
    set_cookie(request, response, await sessions.open(session), sessions.lifetime)
    return _state(session, pack, settings, sessions.lifetime, demo, engineer=await is_engineer(request))


@router.delete("/session", status_code=204, summary="Sign out")
async def leave(request: Request, sessions: PageSessionsDep) -> Response:
    """The session is over, wherever its cookie went, and its streams end within seconds. After a 503 this browser has
    lost its cookie, and what the cookie stood for ends by itself."""
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


@router.post("/enter", status_code=303, responses=documented(E.UNAUTHORIZED), summary="Sign in with a ticket")
async def enter(
    request: Request,
    sessions: PageSessionsDep,
    settings: SettingsDep,
    ticket: Annotated[str, Form(max_length=200)],
) -> Response:
    """A form that the host's page posts; it leads on to the chat page. Where `IQ_SIGN_IN_URL` says which page that is,
    no other site's is heard: it could sign somebody in as somebody else."""
    origin = request.headers.get("origin")
    if settings.sign_in_url and origin and origin != origin_of(settings.sign_in_url) and not from_our_page(request):
        raise refuse(E.FORBIDDEN, say("refuse.foreign_page"))
    found = await sessions.redeem(ticket)
    if found is None:
        raise refuse(E.UNAUTHORIZED, say("refuse.no_ticket"), say("refuse.no_ticket_next"))
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
async def give(
    body: TicketBody, token: OwnToken, tokens: TokenCheck, sessions: PageSessionsDep, registries: RegistriesDep
) -> Ticket:
    """For the host's backend, with the service key and the operator's token, which the venue must accept."""
    pack = pack_of(registries, body.venue_id)
    await tokens.admit(pack, token)
    session = PageSession(
        kind="ticket", token=token, user_id=body.user_id, venue_id=pack.profile.venue_id, name=body.name
    )
    return Ticket(ticket=await sessions.ticket(session), expires_in=int(TICKET_SECONDS))


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
    # A venue that does not answer has not said no.
    try:
        await tokens.admit(pack, token)
    except RequestError as refused:
        return refused.kind is not E.UNAUTHORIZED
    except UnansweredError:
        return True
    return True


def _examples(pack: Pack) -> tuple[str, ...]:
    """What the pack's own actions give as an example, one each."""
    writes = [a for a in pack.actions.values() if not a.read_only]
    return tuple(a.examples[0].say for a in writes if a.examples)[:_TRIES]
