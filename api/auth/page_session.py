"""A browser's short session on the chat page, stored on our side. The browser holds an opaque HttpOnly cookie; the
operator's token and the service key never reach it.

A session is opened by a ticket, which the host's backend requests for its operator (valid once, for a minute), or in
`iq dev` for the demo operator. A page's requests always act for its session's user and venue, whatever they contain.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from ipaddress import ip_address
from typing import Annotated, Any, Generic, Literal, TypeVar
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response
from pydantic import Field, ValidationError

from clients.errors import ServiceUnavailableError, api_error, service_unavailable
from contracts.base import FrozenModel
from contracts.enums import ServiceErrorType
from contracts.identifiers import Identifier
from infra.stores.token_vault import TokenMissingError, Vault
from language.messages.catalogue import translate

COOKIE = "iq_page"
TICKET_SECONDS = 60.0

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


Session = TypeVar("Session", bound=FrozenModel)


class BrowserSessions(Generic[Session]):
    """Browsers' sessions of one model in the token vault, encrypted: the cookie holds an opaque reference. `lifetime`:
    seconds of a session. Every method raises `ServiceUnavailableError`."""

    def __init__(self, vault: Vault, model: type[Session], lifetime: float) -> None:
        self._vault = vault
        self._model = model
        self.lifetime = lifetime

    async def keep(self, session: Session, seconds: float) -> str:
        """Store a session and return its reference."""
        with service_unavailable():
            return await self._vault.put(session.model_dump_json(), seconds)

    async def read(self, reference: str, *, once: bool = False) -> Session | None:
        """Return what was stored; None if it has ended, or is another secret of the vault. `once`: it can then be read
        no more."""
        try:
            with service_unavailable():
                found = await (self._vault.take if once else self._vault.get)(reference)
            return self._model.model_validate_json(found)
        except (TokenMissingError, ValidationError):
            return None

    async def find(self, reference: str) -> Session | None:
        """Return the session of a cookie; None if it has ended."""
        return await self.read(reference)

    async def close(self, reference: str) -> None:
        """End a session."""
        if await self.find(reference) is None:
            return
        with service_unavailable():
            await self._vault.wipe(reference)


class PageSession(FrozenModel):
    """The operator of a page, and the token for the venue. A `ticket` opens a session and is not one itself."""

    kind: Literal["ticket", "session"]
    token: str = Field(repr=False)
    user_id: Identifier
    venue_id: Identifier
    name: str = ""
    until: float = Field(default=0, description="When a session is over, in seconds since 1970")


class PageSessions(BrowserSessions[PageSession]):
    """Sessions and tickets of operators."""

    def __init__(self, vault: Vault, lifetime: float) -> None:
        super().__init__(vault, PageSession, lifetime)

    async def ticket(self, session: PageSession) -> str:
        """Return a ticket for the session. Raises `ServiceUnavailableError`."""
        return await self.keep(session.model_copy(update={"kind": "ticket"}), TICKET_SECONDS)

    async def open(self, session: PageSession) -> str:
        """Return the new value of the session's cookie. Raises `ServiceUnavailableError`."""
        kept = {"kind": "session", "until": time.time() + self.lifetime}
        return await self.keep(session.model_copy(update=kept), self.lifetime)

    async def redeem(self, ticket: str) -> PageSession | None:
        """Return the session of a ticket, once; None if it is no ticket or was used. Raises
        `ServiceUnavailableError`."""
        # Read before it is taken, so that a reference to another secret is not deleted.
        found = await self.read(ticket)
        if found is None or found.kind != "ticket":
            return None
        return await self.read(ticket, once=True)

    async def find(self, reference: str) -> PageSession | None:
        """Return the session; None if it has ended, or is still a ticket. Raises `ServiceUnavailableError`."""
        found = await self.read(reference)
        return found if found is not None and found.kind == "session" else None


def set_cookie(request: Request, response: Response, reference: str, lifetime: float, name: str = COOKIE) -> None:
    """Set the session's cookie. Outside of this machine it is sent over HTTPS only."""
    response.set_cookie(
        name,
        reference,
        max_age=int(lifetime),
        path="/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https" or not is_loopback_host(request),
    )


def is_loopback_host(request: Request) -> bool:
    """Return whether the browser calls a loopback name. Any other name may be a foreign site's that points at us."""
    return (request.url.hostname or "") in _LOOPBACK


def is_loopback_client(request: Request) -> bool:
    """Return whether the call comes from a loopback address, as far as a proxy reports it; a local Unix socket has no
    address."""
    if request.client is None:
        return True
    try:
        address = ip_address(request.client.host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def is_same_origin(request: Request) -> bool:
    """Return whether the browser reports one of our own pages as the origin (Fetch Metadata, and `Origin` of RFC
    6454)."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host", "-")


def origin_of(url: str) -> str:
    """Return the origin of an address, as a browser writes it (RFC 6454)."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


async def page_session(request: Request) -> PageSession | None:
    """Return the session of a page that sends only its cookie; None for every other caller. Raises `ApiError`:
    forbidden for a request of another site's page, or for another user."""
    reference = request.cookies.get(COOKIE)
    if not reference or "authorization" in request.headers or "x-service-key" in request.headers:
        return None
    sessions: PageSessions = request.app.state.page_sessions
    found = await sessions.find(reference)
    if found is None:
        return None
    if request.method not in _READING and not is_same_origin(request):
        raise api_error(ServiceErrorType.FORBIDDEN, translate("refuse.foreign_page"))
    await _as_itself(request, found)
    return found


async def _as_itself(request: Request, page: PageSession) -> None:
    """Reject a page's request for another user or venue."""
    given: list[Mapping[str, Any]] = [request.query_params]
    if request.method not in _READING and await request.body():
        body = await request.json()
        given += [body] if isinstance(body, dict) else []
    users = [g["user_id"] for g in given if "user_id" in g]
    venues = [g["venue_id"] for g in given if g.get("venue_id") is not None]
    default = request.app.state.services.registries.registry.default_venue.profile.venue_id
    names_none = not venues and "plan_id" not in request.path_params and default != page.venue_id
    if any(user != page.user_id for user in users) or names_none or any(v != page.venue_id for v in venues):
        raise api_error(
            ServiceErrorType.FORBIDDEN, translate("refuse.foreign_name"), translate("refuse.signed_out_next")
        )


PageDep = Annotated[PageSession | None, Depends(page_session)]


async def is_still_signed_in(request: Request, page: PageDep) -> Callable[[], Awaitable[bool]]:
    """Return a function that checks whether a page's session still exists. It returns True for other callers, and while
    the vault is unavailable."""
    sessions: PageSessions = request.app.state.page_sessions
    reference = request.cookies.get(COOKIE, "")

    async def look() -> bool:
        try:
            return page is None or await sessions.find(reference) is not None
        except ServiceUnavailableError:
            return True

    return look


StillDep = Annotated[Callable[[], Awaitable[bool]], Depends(is_still_signed_in)]
