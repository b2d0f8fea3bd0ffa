"""A browser's short session on the pages of a venue's staff, opened with the service key (`api/staff.py`). The browser
keeps no key: it holds an HttpOnly cookie that says nothing by itself.

`staff` lets in who sends the service key, and who is signed in so. An operator's page is neither, also where no key is
configured; what another site's page sends is refused.
"""

import hashlib
import hmac
import time
from typing import Literal

from fastapi import Request
from pydantic import Field, ValidationError

from api.auth import ServiceKey, check_service_key
from api.page_session import COOKIE as OPERATORS
from api.page_session import at_this_machine, from_our_page
from clients.errors import UnansweredError, refuse
from contracts.base import Frozen
from contracts.enums import ServiceErrorType as E
from infra.claims import AWAY
from infra.settings import Settings
from infra.vault import TokenMissingError, Vault
from language.catalogue import say

COOKIE = "iq_staff"
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class StaffSession(Frozen):
    """One browser of a venue's staff. `opened_with` is a hash of the service key: with another key it is over."""

    kind: Literal["staff"] = "staff"
    opened_with: str
    until: float = Field(description="When it is over, in seconds since 1970")


class StaffSessions:
    """Sessions in the vault, encrypted; each lasts `settings.page_session` seconds."""

    def __init__(self, vault: Vault, settings: Settings) -> None:
        self._vault = vault
        self._key = hashlib.sha256((settings.service_key or "").encode()).hexdigest()
        self.lifetime = settings.page_session

    async def open(self) -> str:
        """What the cookie holds from now on. Raises `UnansweredError`."""
        session = StaffSession(opened_with=self._key, until=time.time() + self.lifetime)
        try:
            return await self._vault.put(session.model_dump_json(), self.lifetime)
        except AWAY:
            raise UnansweredError("store") from None

    async def find(self, reference: str) -> StaffSession | None:
        """The session; None when it is over. Raises `UnansweredError`."""
        try:
            found = StaffSession.model_validate_json(await self._vault.get(reference))
        except (TokenMissingError, ValidationError):
            # The vault holds tokens and operators' sessions, too: none of those is one.
            return None
        except AWAY:
            raise UnansweredError("store") from None
        return found if hmac.compare_digest(found.opened_with, self._key) else None

    async def close(self, reference: str) -> None:
        """End it. Raises `UnansweredError`."""
        if await self.find(reference) is None:
            return
        try:
            await self._vault.wipe(reference)
        except AWAY:
            raise UnansweredError("store") from None


async def staff(request: Request, x_service_key: ServiceKey = None) -> None:
    """Let in the service itself and the venue's staff. Raises `RequestError`: unauthorized, and forbidden for an
    operator's page and for another site's."""
    settings: Settings = request.app.state.services.settings
    sessions: StaffSessions = request.app.state.staff_sessions
    if request.method not in _READING and _a_browser_sent(request) and not from_our_page(request):
        raise refuse(E.FORBIDDEN, say("refuse.foreign_page"))
    if x_service_key is None:
        reference = request.cookies.get(COOKIE)
        if reference and await sessions.find(reference) is not None:
            return
        if OPERATORS in request.cookies:
            raise refuse(E.FORBIDDEN, say("escalation.operators_page"), say("escalation.operators_page_next"))
        if not settings.service_key and not at_this_machine(request):
            raise refuse(E.UNAUTHORIZED, say("refuse.service_key"))
    check_service_key(settings, x_service_key)


def _a_browser_sent(request: Request) -> bool:
    return any(name in request.headers for name in ("sec-fetch-site", "origin", "cookie"))
