"""`iq mcp`: the API's MCP tools over stdin and stdout, for clients that start a program.

It has no state and no logic: each call is forwarded to the API's `/mcp`, on a connection of its own, so that the API
may be restarted meanwhile. A question in the response is put to the client's user through the client's protocol.
"""

import logging
from collections.abc import Mapping
from typing import Any

from httpx2 import AsyncClient, HTTPError, Timeout
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CONNECTION_CLOSED,
    REQUEST_TIMEOUT,
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitResult,
    ErrorData,
    InputRequiredResult,
    InputResponse,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from api.mcp.elicitation import shows_forms
from api.mcp.tool_list import INSTRUCTIONS, NAME, TOOLS
from infra.config.settings import Settings

log = logging.getLogger(__name__)

Context = ServerRequestContext[dict[str, Any], Any]

_PROTOCOL = "2026-07-28"
_PATIENCE = Timeout(10.0, read=120.0)
"""Seconds: the API answers a call within one, and sends a keep-alive every fifteen."""
_ROUNDS = 20
"""Questions in one call."""


class SettingsMissingError(OSError):
    """A setting that is required before any call."""


async def run(settings: Settings) -> None:
    """Serve the client until it disconnects. Raises `SettingsMissingError`."""
    facade = Facade(settings)
    server = create_server(facade)
    log.info("calls go to %s", facade.url)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


class Facade:
    """The API that calls are forwarded to."""

    def __init__(self, settings: Settings) -> None:
        missing = [f"IQ_MCP_{name.upper()}" for name in ("token", "user") if not getattr(settings, f"mcp_{name}")]
        if missing:
            raise SettingsMissingError(
                f"{' and '.join(missing)} must be set in the environment: the operator's token, and who it is"
            )
        self.url = f"{settings.mcp_url.rstrip('/')}/mcp"
        self._headers: Mapping[str, str] = {
            "Authorization": f"Bearer {settings.mcp_token}",
            "X-User-Id": str(settings.mcp_user),
            **({"X-Venue-Id": settings.mcp_venue} if settings.mcp_venue else {}),
            **({"X-Service-Key": settings.service_keys[0]} if settings.service_keys else {}),
        }

    async def call(self, ctx: Context, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        """Run one round of a call. Raises `HTTPError`, `OSError`, or a group of them: no response came."""
        http = AsyncClient(headers=dict(self._headers), timeout=_PATIENCE)
        report = ctx.session.report_progress if ctx.meta and ctx.meta.get("progress_token") is not None else None
        shows = _never if shows_forms(ctx.session.client_capabilities) else None
        async with (
            http,
            Client(
                streamable_http_client(self.url, http_client=http), mode=_PROTOCOL, elicitation_callback=shows
            ) as client,
        ):
            try:
                return await client.session.call_tool(
                    params.name,
                    params.arguments,
                    progress_callback=report,
                    input_responses=params.input_responses,
                    request_state=params.request_state,
                    allow_input_required=True,
                )
            except MCPError as error:
                if error.error.code in (CONNECTION_CLOSED, REQUEST_TIMEOUT):
                    raise ConnectionError from error
                return _refused(error.error.message)


def create_server(facade: Facade) -> Server[dict[str, Any]]:
    """Return the server on stdin and stdout."""

    async def list_tools(ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=TOOLS)

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        for _ in range(_ROUNDS):
            try:
                result = await facade.call(ctx, params)
            except (HTTPError, OSError, ExceptionGroup) as error:
                log.warning("%s did not answer: %s", facade.url, type(error).__name__)
                return _refused(
                    f"{facade.url} did not answer. The outcome of this call is not known: look with get_plan. If the "
                    f"facade is elsewhere, set IQ_MCP_URL."
                )
            if isinstance(result, CallToolResult) or ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
                return result
            answers: dict[str, InputResponse] = {
                name: await _answer(ctx, request)
                for name, request in (result.input_requests or {}).items()
                if isinstance(request, ElicitRequest)
            }
            params = params.model_copy(
                update={"input_responses": answers, "request_state": result.request_state},
            )
        return _refused("The same call asked too many questions. Look at the plan with get_plan.")

    return Server(
        NAME,
        version="1",
        title="Booking updates",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _answer(ctx: Context, asked: ElicitRequest) -> ElicitResult:
    """Return the user's answer to a question. A client that cannot ask its user counts as not agreed."""
    try:
        related = ServerMessageMetadata(related_request_id=ctx.request_id)
        return await ctx.session.send_request(asked, ElicitResult, metadata=related)
    except (MCPError, NoBackChannelError, ValidationError) as error:
        log.info("a question was not answered: %s", type(error).__name__)
        return ElicitResult(action="cancel")


async def _never(context: Any, params: Any) -> ErrorData:
    """Replaces the user of the forwarded connection; questions come back as results and are asked by this server."""
    raise NotImplementedError


def _refused(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=message)], is_error=True)
