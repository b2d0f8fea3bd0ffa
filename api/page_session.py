"""A browser's short session: who sits before the page, kept on our side. The browser holds an HttpOnly cookie that says
nothing by itself; the operator's token and the service key never reach it.

A session is opened by a ticket that the host's backend was given for its operator, good once and for a minute, or, in
`iq dev`, for the demo operator. What a page asks is asked as its own user at its own venue, whatever it writes.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from ipaddress import ip_address
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response
from pydantic import Field, ValidationError

from clients.errors import UnansweredError, refuse
from contracts.base import Frozen
from contracts.enums import ServiceErrorType
from contracts.names import Identifier
from infra.claims import AWAY
from infra.vault import TokenMissingError, Vault
from language.catalogue import say

COOKIE = "iq_page"
TICKET_SECONDS = 60.0

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class PageSession(Frozen):
    """Who sits before a page, and with which token the venue is asked. A `ticket` opens a session and is none."""

    kind: Literal["ticket", "session"]
    token: str = Field(repr=False)
    user_id: Identifier
    venue_id: Identifier
    name: str = ""
    until: float = Field(default=0, description="When a session is over, in seconds since 1970")


class PageSessions:
    """Sessions and tickets in the vault, encrypted; `lifetime` of a session in seconds."""

    def __init__(self, vault: Vault, lifetime: float) -> None:
        self._vault = vault
        self.lifetime = lifetime

    async def ticket(self, session: PageSession) -> str:
        """A ticket for it. Raises `UnansweredError`."""
        return await self._keep(session.model_copy(update={"kind": "ticket"}), TICKET_SECONDS)

    async def open(self, session: PageSession) -> str:
        """What the cookie holds from now on. Raises `UnansweredError`."""
        kept = {"kind": "session", "until": time.time() + self.lifetime}
        return await self._keep(session.model_copy(update=kept), self.lifetime)

    async def redeem(self, ticket: str) -> PageSession | None:
        """What a ticket was given for, once; None for what is no ticket or was used. Raises `UnansweredError`."""
        try:
            # Looked at before it is taken: a reference to something else stays what it is.
            found = _read(await self._vault.get(ticket))
            if found is not None and found.kind == "ticket":
                found = _read(await self._vault.take(ticket))
        except TokenMissingError:
            return None
        except AWAY:
            raise UnansweredError("store") from None
        return found if found is not None and found.kind == "ticket" else None

    async def find(self, reference: str) -> PageSession | None:
        """Whose session it is; None when it is over. Raises `UnansweredError`."""
        try:
            found = _read(await self._vault.get(reference))
        except TokenMissingError:
            return None
        except AWAY:
            raise UnansweredError("store") from None
        return found if found is not None and found.kind == "session" else None

    async def close(self, reference: str) -> None:
        """End a session. Raises `UnansweredError`."""
        if await self.find(reference) is None:
            return
        try:
            await self._vault.wipe(reference)
        except AWAY:
            raise UnansweredError("store") from None

    async def _keep(self, session: PageSession, seconds: float) -> str:
        try:
            return await self._vault.put(session.model_dump_json(), seconds)
        except AWAY:
            raise UnansweredError("store") from None


def _read(kept: str) -> PageSession | None:
    # The vault holds plans' tokens, too: one of those is no session.
    try:
        return PageSession.model_validate_json(kept)
    except ValidationError:
        return None


def set_cookie(request: Request, response: Response, reference: str, lifetime: float, name: str = COOKIE) -> None:
    """Hand the browser its cookie. Beyond this machine it travels over HTTPS alone."""
    response.set_cookie(
        name,
        reference,
        max_age=int(lifetime),
        path="/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https" or not at_this_machine(request),
    )


def at_this_machine(request: Request) -> bool:
    """Whether the browser calls us by a loopback name: any other may be a stranger's that was pointed at us."""
    return (request.url.hostname or "") in _LOOPBACK


def from_this_machine(request: Request) -> bool:
    """Whether the call comes from a loopback address, as far as whoever hands it on tells; a socket of this machine's
    own has none."""
    if request.client is None:
        return True
    try:
        address = ip_address(request.client.host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def from_our_page(request: Request) -> bool:
    """Whether a browser says that one of our own pages sent this (Fetch Metadata, and `Origin` of RFC 6454)."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host", "-")


def origin_of(url: str) -> str:
    """The origin of an address, as a browser writes it (RFC 6454)."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


async def page_session(request: Request) -> PageSession | None:
    """The session of a page that asks with its cookie alone; None for every other caller. Raises `RequestError`:
    forbidden for what another site's page sent, or what is asked in another's name."""
    reference = request.cookies.get(COOKIE)
    if not reference or "authorization" in request.headers or "x-service-key" in request.headers:
        return None
    sessions: PageSessions = request.app.state.page_sessions
    found = await sessions.find(reference)
    if found is None:
        return None
    if request.method not in _READING and not from_our_page(request):
        raise refuse(ServiceErrorType.FORBIDDEN, say("refuse.foreign_page"))
    await _as_itself(request, found)
    return found


async def _as_itself(request: Request, page: PageSession) -> None:
    """Refuse what a page asks for somebody else, or of another venue."""
    given: list[Mapping[str, Any]] = [request.query_params]
    if request.method not in _READING and await request.body():
        body = await request.json()
        given += [body] if isinstance(body, dict) else []
    users = [g["user_id"] for g in given if "user_id" in g]
    venues = [g["venue_id"] for g in given if g.get("venue_id") is not None]
    default = request.app.state.services.registries.registry.default_venue.profile.venue_id
    names_none = not venues and "plan_id" not in request.path_params and default != page.venue_id
    if any(user != page.user_id for user in users) or names_none or any(v != page.venue_id for v in venues):
        raise refuse(ServiceErrorType.FORBIDDEN, say("refuse.foreign_name"), say("refuse.signed_out_next"))


PageDep = Annotated[PageSession | None, Depends(page_session)]


async def still_there(request: Request, page: PageDep) -> Callable[[], Awaitable[bool]]:
    """Whether a page is signed in as it was when it asked; every other caller is until it goes."""
    sessions: PageSessions = request.app.state.page_sessions
    reference = request.cookies.get(COOKIE, "")

    async def look() -> bool:
        try:
            return page is None or await sessions.find(reference) is not None
        except UnansweredError:
            return True

    return look


StillDep = Annotated[Callable[[], Awaitable[bool]], Depends(still_there)]
