"""A browser's short session on the staff pages (usage, modes, the inbox), opened with the service key
(`api/routes/staff.py`). The cookie is HttpOnly and opaque. The key is sent once, at sign-in, and is never stored.

`staff` accepts callers with the service key, and signed-in staff. It rejects an operator's page, even if no key is
configured, and requests of another site's page.
"""

import hashlib
import hmac
import time
from typing import Annotated, Literal

from fastapi import Depends, Request
from pydantic import Field, StringConstraints

from api.auth.credentials import ServiceKey, check_service_key
from api.auth.page_session import COOKIE as OPERATORS
from api.auth.page_session import BrowserSessions, is_loopback_client, is_loopback_host, is_same_origin
from clients.errors import api_error
from contracts.base import FrozenModel
from contracts.enums import ServiceErrorType as E
from contracts.escalation import BY_MOST
from contracts.identifiers import Seen
from infra.config.settings import Settings
from infra.stores.token_vault import Vault
from language.messages.catalogue import translate

STAFF_COOKIE = "iq_staff"
_READING = frozenset({"GET", "HEAD", "OPTIONS"})

StaffName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=BY_MOST), Seen]
"""The name of a member of staff, as the audit log and the receiver of a reply see it."""


class StaffSession(FrozenModel):
    """The member of staff on a page. `key_mark` is a hash of the key that was used: once that key is no longer valid,
    the session ends."""

    kind: Literal["staff"] = "staff"
    name: StaffName
    key_mark: str
    until: float = Field(description="When it is over, in seconds since 1970")


class StaffSessions(BrowserSessions[StaffSession]):
    """Sessions of staff; each lasts `settings.page_session` seconds."""

    def __init__(self, vault: Vault, settings: Settings) -> None:
        super().__init__(vault, StaffSession, settings.page_session)
        self._settings = settings

    async def open(self, name: str, key: str) -> str:
        """Return the new value of the session's cookie; `key` is the key of the sign-in. Raises
        `ServiceUnavailableError`."""
        mark = _mark(key if self._settings.service_keys else "")
        return await self.keep(StaffSession(name=name, key_mark=mark, until=time.time() + self.lifetime), self.lifetime)

    async def find(self, reference: str) -> StaffSession | None:
        """Return the session; None if it has ended. Raises `ServiceUnavailableError`."""
        found = await self.read(reference)
        keys = self._settings.service_keys or ("",)
        same_key = found is not None and any(hmac.compare_digest(found.key_mark, _mark(key)) for key in keys)
        return found if found is not None and same_key and found.until > time.time() else None


def _mark(key: str) -> str:
    return hashlib.sha256(b"iq staff " + key.encode()).hexdigest()


async def staff(request: Request, x_service_key: ServiceKey = None) -> str:
    """Return the caller's name: of the signed-in member of staff, "" for a caller with the service key. Raises
    `ApiError`: unauthorized, rate_limited; forbidden for an operator's page, and for a request of another site's page
    without the key."""
    settings: Settings = request.app.state.services.settings
    # A browser adds cookies by itself, but never the header with the key. If no key is configured, the header proves
    # nothing.
    if x_service_key is not None and settings.service_key:
        await check_service_key(request, x_service_key)
        return ""
    if request.method not in _READING and _a_browser_sent(request) and not is_same_origin(request):
        raise api_error(E.FORBIDDEN, translate("refuse.foreign_page"))
    found = await signed_in(request)
    if found is not None:
        return found.name
    if OPERATORS in request.cookies:
        raise api_error(E.FORBIDDEN, translate("refuse.staff_only"), translate("refuse.staff_only_next"))
    refuse_strangers(request, settings)
    await check_service_key(request, x_service_key)
    return ""


async def signed_in(request: Request) -> StaffSession | None:
    """Return the staff session of the calling browser; None for other callers. Raises `ServiceUnavailableError`."""
    reference = request.cookies.get(STAFF_COOKIE)
    sessions: StaffSessions = request.app.state.staff_sessions
    return await sessions.find(reference) if reference else None


async def is_engineer(request: Request) -> bool:
    """Return whether the browser's user may read a chat's reasoning: signed in as staff with a key. Always False if no
    key is configured, because then any caller could sign in. Raises `ServiceUnavailableError`."""
    settings: Settings = request.app.state.services.settings
    return bool(settings.service_key) and await signed_in(request) is not None


def refuse_strangers(request: Request, settings: Settings) -> None:
    """Reject remote callers if no key is configured: accept only loopback clients that call a loopback name. Another
    site's page may reach us under its own name (DNS rebinding), and a proxy may forward remote calls. Raises
    `ApiError`: unauthorized."""
    if not settings.service_key and not (is_loopback_host(request) and is_loopback_client(request)):
        raise api_error(E.UNAUTHORIZED, translate("refuse.service_key"), translate("refuse.service_key_next"))


def _a_browser_sent(request: Request) -> bool:
    return any(name in request.headers for name in ("sec-fetch-site", "origin", "cookie"))


StaffDep = Annotated[str, Depends(staff)]
