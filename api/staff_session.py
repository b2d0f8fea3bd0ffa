"""A browser's short session on the pages of the staff (usage, modes, the inbox), opened with the service key
(`api/staff.py`): an HttpOnly cookie that says nothing by itself. The key is given once, at sign-in, and is never kept.

`staff` lets in who sends the service key, and who is signed in so. An operator's page is neither, also where no key is
configured; what another site's page sends is refused.
"""

import hashlib
import hmac
import time
from typing import Annotated, Literal

from fastapi import Depends, Request
from pydantic import Field, StringConstraints, ValidationError

from api.auth import ServiceKey, check_service_key
from api.page_session import COOKIE as OPERATORS
from api.page_session import at_this_machine, from_our_page, from_this_machine
from clients.errors import UnansweredError, refuse
from contracts.base import Frozen
from contracts.enums import ServiceErrorType as E
from contracts.escalation import BY_MOST
from contracts.names import Seen
from infra.claims import AWAY
from infra.settings import Settings
from infra.vault import TokenMissingError, Vault
from language.catalogue import say

STAFF_COOKIE = "iq_staff"
_READING = frozenset({"GET", "HEAD", "OPTIONS"})

StaffName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=BY_MOST), Seen]
"""Who somebody on the staff is, as the audit trail and whoever they answer are shown it."""


class StaffSession(Frozen):
    """Who sits before a page of the staff. `key_mark` is a hash of the key that let them in: once
    that key lets nobody in any more, the session is over."""

    kind: Literal["staff"] = "staff"
    name: StaffName
    key_mark: str
    until: float = Field(description="When it is over, in seconds since 1970")


class StaffSessions:
    """Sessions in the vault, encrypted; each lasts `settings.page_session` seconds."""

    def __init__(self, vault: Vault, settings: Settings) -> None:
        self._vault = vault
        self._settings = settings
        self.lifetime = settings.page_session

    async def open(self, name: str, key: str) -> str:
        """What the cookie holds from now on; `key` has let them in. Raises `UnansweredError`."""
        mark = _mark(key if self._settings.service_keys else "")
        session = StaffSession(name=name, key_mark=mark, until=time.time() + self.lifetime)
        try:
            return await self._vault.put(session.model_dump_json(), self.lifetime)
        except AWAY:
            raise UnansweredError("store") from None

    async def find(self, reference: str) -> StaffSession | None:
        """Whose session it is; None when it is over. Raises `UnansweredError`."""
        try:
            found = StaffSession.model_validate_json(await self._vault.get(reference))
        except (TokenMissingError, ValidationError):
            # The vault holds tokens and operators' sessions, too: none of those is one.
            return None
        except AWAY:
            raise UnansweredError("store") from None
        same_key = any(hmac.compare_digest(found.key_mark, _mark(key)) for key in self._keys)
        return found if same_key and found.until > time.time() else None

    @property
    def _keys(self) -> tuple[str, ...]:
        return self._settings.service_keys or ("",)

    async def close(self, reference: str) -> None:
        """End a session. Raises `UnansweredError`."""
        if await self.find(reference) is None:
            return
        try:
            await self._vault.wipe(reference)
        except AWAY:
            raise UnansweredError("store") from None


def _mark(key: str) -> str:
    return hashlib.sha256(b"iq staff " + key.encode()).hexdigest()


async def staff(request: Request, x_service_key: ServiceKey = None) -> str:
    """Who asks: the name of whoever is signed in to a page of the staff, "" for whoever sends the service key. Raises
    `RequestError`: unauthorized, rate_limited; forbidden for an operator's page, and for what another site's page sent
    without the key."""
    settings: Settings = request.app.state.services.settings
    # A key in a header is nothing that a browser adds by itself, as it does a cookie. Where no key is configured, a
    # header that claims one proves nothing.
    if x_service_key is not None and settings.service_key:
        await check_service_key(request, x_service_key)
        return ""
    if request.method not in _READING and _a_browser_sent(request) and not from_our_page(request):
        raise refuse(E.FORBIDDEN, say("refuse.foreign_page"))
    found = await signed_in(request)
    if found is not None:
        return found.name
    if OPERATORS in request.cookies:
        raise refuse(E.FORBIDDEN, say("refuse.staff_only"), say("refuse.staff_only_next"))
    refuse_strangers(request, settings)
    await check_service_key(request, x_service_key)
    return ""


async def signed_in(request: Request) -> StaffSession | None:
    """Who of the staff sits before the browser that asks; None for everybody else. Raises `UnansweredError`."""
    reference = request.cookies.get(STAFF_COOKIE)
    sessions: StaffSessions = request.app.state.staff_sessions
    return await sessions.find(reference) if reference else None


async def is_engineer(request: Request) -> bool:
    """Whether whoever sits before the browser may read how a chat was reasoned: signed in as staff with a key. Where
    none is configured anybody could, so nobody is one. Raises `UnansweredError`."""
    settings: Settings = request.app.state.services.settings
    return bool(settings.service_key) and await signed_in(request) is not None


def refuse_strangers(request: Request, settings: Settings) -> None:
    """Where no key is configured, let in only who calls from this machine, and by a name of it: a page of any other
    site may be pointed at us under its own (DNS rebinding), and a proxy may hand on what comes from elsewhere. Raises
    `RequestError`: unauthorized."""
    if not settings.service_key and not (at_this_machine(request) and from_this_machine(request)):
        raise refuse(E.UNAUTHORIZED, say("refuse.service_key"), say("refuse.service_key_next"))


def _a_browser_sent(request: Request) -> bool:
    return any(name in request.headers for name in ("sec-fetch-site", "origin", "cookie"))


StaffDep = Annotated[str, Depends(staff)]
