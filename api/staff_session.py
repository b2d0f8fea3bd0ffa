"""A browser's short session for whoever has the service key: an HttpOnly cookie that says nothing by itself. The key is
given once, at sign-in, and is never kept."""

import hashlib
import time
from typing import Annotated, Literal

from fastapi import Depends, Request
from pydantic import Field, StringConstraints, ValidationError

from api.auth import ServiceKey, check_service_key
from api.page_session import COOKIE, from_our_page
from clients.errors import UnansweredError, refuse
from contracts.base import Frozen
from contracts.enums import ServiceErrorType
from infra.claims import AWAY
from infra.settings import Settings
from infra.vault import TokenMissingError, Vault
from language.catalogue import say

STAFF_COOKIE = "iq_staff"
_READING = frozenset({"GET", "HEAD"})

StaffName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
"""Who somebody on the staff is, as the audit trail shows it."""


class StaffSession(Frozen):
    """Who sits before a page of the staff. `key_mark` is a hash of the key that let them in: with another key in its
    place the session is over."""

    kind: Literal["staff"] = "staff"
    name: StaffName
    key_mark: str
    until: float = Field(description="When it is over, in seconds since 1970")


class StaffSessions:
    """Sessions in the vault, encrypted."""

    def __init__(self, vault: Vault, settings: Settings) -> None:
        self._vault = vault
        self._settings = settings
        self.lifetime = settings.page_session

    async def open(self, name: str) -> str:
        """What the cookie holds from now on. Raises `UnansweredError`."""
        session = StaffSession(name=name, key_mark=self._mark(), until=time.time() + self.lifetime)
        try:
            return await self._vault.put(session.model_dump_json(), self.lifetime)
        except AWAY:
            raise UnansweredError("store") from None

    async def find(self, reference: str) -> StaffSession | None:
        """Whose session it is; None when it is over. Raises `UnansweredError`."""
        try:
            found = StaffSession.model_validate_json(await self._vault.get(reference))
        except (TokenMissingError, ValidationError):
            # The vault holds other things, too: one of those is no session.
            return None
        except AWAY:
            raise UnansweredError("store") from None
        return found if found.key_mark == self._mark() and found.until > time.time() else None

    async def close(self, reference: str) -> None:
        """End a session. Raises `UnansweredError`."""
        if await self.find(reference) is None:
            return
        try:
            await self._vault.wipe(reference)
        except AWAY:
            raise UnansweredError("store") from None

    def _mark(self) -> str:
        return hashlib.sha256(b"iq staff " + (self._settings.service_key or "").encode()).hexdigest()


async def staff(request: Request, x_service_key: ServiceKey = None) -> str:
    """Who asks: the name of whoever is signed in to a page of the staff, "" for a backend with the service key. Raises
    `RequestError`: unauthorized; forbidden for an operator's page, or what another site's page sent."""
    reference = request.cookies.get(STAFF_COOKIE, "")
    found = await request.app.state.staff_sessions.find(reference) if reference and x_service_key is None else None
    if found is not None:
        refuse_foreign(request)
        return str(found.name)
    settings: Settings = request.app.state.services.settings
    if x_service_key is None and settings.service_key and COOKIE in request.cookies:
        raise refuse(ServiceErrorType.FORBIDDEN, say("refuse.staff_only"))
    check_service_key(settings, x_service_key)
    if x_service_key is None:
        # Where no key is set, whoever is at this machine is let in: its browser, for another site, is not.
        refuse_foreign(request)
    return ""


def refuse_foreign(request: Request) -> None:
    """Refuse what a browser sends for another site's page. Raises `RequestError`: forbidden."""
    told = {"sec-fetch-site", "origin"} & set(request.headers)
    if request.method not in _READING and told and not from_our_page(request):
        raise refuse(ServiceErrorType.FORBIDDEN, say("refuse.foreign_page"))


StaffDep = Annotated[str, Depends(staff)]
