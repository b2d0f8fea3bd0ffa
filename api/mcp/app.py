"""`/mcp`: the Model Context Protocol over streamable HTTP.

Authentication is checked here, before anything is read: a foreign web page (`Origin`), a backend without the service
key and a caller without an operator are rejected. Each tool checks what its call may do.
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

from api.auth.credentials import check_service_key
from api.errors import explained
from api.mcp.auth import McpCaller, McpServices, authenticate
from api.mcp.errors import ErrorExplainer, refusal
from api.mcp.server import create_server
from clients.errors import ApiError, api_error
from contracts.enums import ServiceErrorType as E
from language.messages.catalogue import translate

PATH = "/mcp"

_SESSIONS = 1000
"""Sessions of the handshake protocols that one API process holds. Each belongs to a venue's operator, whose token opens
it."""


class McpApp:
    """An ASGI application. It answers while `open` lasts."""

    def __init__(self, parts: McpServices) -> None:
        self._parts = parts
        self._manager: StreamableHTTPSessionManager | None = None

    def route(self) -> Route:
        """Return the route of the application, with CORS for the origins that may call it."""
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
        """Serve until the application stops."""
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
        """Authenticate a request and handle it, or answer with the error."""
        request = Request(scope)
        try:
            caller = await self._admitted(request)
        except ApiError as refused:
            await refusal(refused.answer)(scope, receive, send)
            return
        except RequestValidationError as wrong:
            await refusal(explained(wrong))(scope, receive, send)
            return
        assert self._manager is not None
        # A session can be used only by its opener.
        identity = AuthenticatedUser(AccessToken(token="", client_id=caller.mark, scopes=[]))
        await self._manager.handle_request({**scope, "user": identity}, receive, ErrorExplainer(send))

    async def _admitted(self, request: Request) -> McpCaller:
        settings = self._parts.services.settings
        origin = request.headers.get("origin")
        if origin is not None and origin not in settings.mcp_origins:
            raise api_error(
                E.FORBIDDEN, translate("mcp.foreign_origin", origin=origin[:200]), translate("mcp.foreign_origin_next")
            )
        await check_service_key(request, request.headers.get("x-service-key"))
        caller = await authenticate(self._parts, request)
        if request.method == "POST" and _opens_a_session(request):
            await self._parts.tokens.verify(caller.pack, caller.token)
        return caller


def _opens_a_session(request: Request) -> bool:
    """Return whether the request begins a session, as the handshake protocols do."""
    if "mcp-session-id" in request.headers:
        return False
    return request.headers.get("mcp-protocol-version") in (None, *HANDSHAKE_PROTOCOL_VERSIONS)
