"""`/mcp`: the model context protocol over streamable HTTP.

Who is let in is looked at here, before anything is read: a foreign web page (`Origin`), a backend without the service
key, nobody in particular. What a call asks for is looked at by its tool.
"""

import contextlib
from collections.abc import AsyncIterator

from fastapi.exceptions import RequestValidationError
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from api.auth import check_service_key
from api.errors import explained
from api.mcp.caller import Parts, Who, who_asks
from api.mcp.refusing import Explained, refusal
from api.mcp.server import create_server
from clients.errors import RequestError, refuse
from contracts.enums import ServiceErrorType as E
from language.catalogue import say

PATH = "/mcp"

_SESSIONS = 1000
"""Sessions of the handshake protocols that a facade holds. Each is a venue's operator: a token opens it."""


class McpDoor:
    """An ASGI application. It answers while `open` lasts."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._manager: StreamableHTTPSessionManager | None = None

    def route(self) -> Route:
        """Where it is found, by the pages of the origins that may call it, too."""
        origins = list(self._parts.services.settings.mcp_origins)
        reached = CORSMiddleware(
            self,
            origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
            expose_headers=["Mcp-Session-Id"],
        )
        return Route(PATH, reached, include_in_schema=False)

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Serve, until the application stops."""
        manager = StreamableHTTPSessionManager(
            create_server(self._parts),
            max_request_body_size=self._parts.services.settings.max_body,
            max_sessions=_SESSIONS,
        )
        async with manager.run():
            self._manager = manager
            try:
                yield
            finally:
                self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        request = Request(scope)
        try:
            who = await self._admitted(request)
        except RequestError as refused:
            await refusal(refused.answer)(scope, receive, send)
            return
        except RequestValidationError as wrong:
            await refusal(explained(wrong))(scope, receive, send)
            return
        assert self._manager is not None
        # A session is its opener's alone.
        identity = AuthenticatedUser(AccessToken(token="", client_id=who.mark, scopes=[]))
        await self._manager.handle_request({**scope, "user": identity}, receive, Explained(send))

    async def _admitted(self, request: Request) -> Who:
        settings = self._parts.services.settings
        origin = request.headers.get("origin")
        if origin is not None and origin not in settings.mcp_origins:
            raise refuse(E.FORBIDDEN, say("mcp.foreign_origin", origin=origin[:200]), say("mcp.foreign_origin_next"))
        await check_service_key(request, request.headers.get("x-service-key"))
        who = await who_asks(self._parts, request)
        if request.method == "POST" and _opens_a_session(request):
            await self._parts.tokens.admit(who.pack, who.token)
        return who


def _opens_a_session(request: Request) -> bool:
    """Whether something is kept for this request beyond it: the handshake protocols begin so."""
    if "mcp-session-id" in request.headers:
        return False
    return request.headers.get("mcp-protocol-version") in (None, *HANDSHAKE_PROTOCOL_VERSIONS)
