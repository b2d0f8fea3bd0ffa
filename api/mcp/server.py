"""The MCP server: carries out the calls of tools (`tool_list.py`)."""

import hashlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi.exceptions import RequestValidationError
from mcp.server.lowlevel.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from pydantic import ValidationError

from api.errors import explained
from api.mcp import propose_change, staff_replies, tools
from api.mcp import tools as bookings
from api.mcp.auth import Context, McpServices, authenticate
from api.mcp.context import McpToolContext
from api.mcp.elicitation import ElicitationPendingError
from api.mcp.errors import explain_answers
from api.mcp.results import refused
from api.mcp.tool_list import INSTRUCTIONS, NAME, OFFERED, TOOLS, ToolDefinition
from clients.errors import ApiError, api_error
from contracts.enums import ServiceErrorType
from contracts.limits import exceeds_depth, sanitize_json
from language.messages.catalogue import translate
from reasoning import error_messages

log = logging.getLogger(__name__)

_DEPTH = 5
"""Levels: no tool accepts a nested argument."""

_DOES: dict[str, Callable[[McpToolContext, Any], Awaitable[CallToolResult]]] = {
    "propose_change": propose_change.propose_change,
    "confirm_plan": tools.confirm_plan,
    "answer_question": tools.answer_question,
    "get_plan": tools.get_plan,
    "get_answers": staff_replies.get_answers,
    "cancel_plan": tools.cancel_plan,
    "skip_step": tools.skip_step,
    "undo_plan": tools.undo_plan,
    "find_bookings": bookings.find_bookings,
}


def create_server(parts: McpServices) -> Server[dict[str, Any]]:
    """Return the server. A question to a person is kept by the client, sealed with the ring's keys, so that any API
    process can continue."""

    async def call_tool(ctx: Context, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        offered = OFFERED.get(params.name)
        if offered is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name[:100]}. tools/list tells which there are.")
        try:
            return await _called(parts, offered, ctx, params)
        except ElicitationPendingError as asked:
            return asked.result
        except ApiError as error:
            return counted(error)
        except RequestValidationError as error:
            return counted(ApiError(explained(error)))
        except Exception:
            log.exception("unexpected in %s", params.name)
            return counted(ApiError(error_messages.unavailable_error("service")))

    def counted(error: ApiError) -> CallToolResult:
        parts.services.observer.count("refusal", error_type=error.kind.value)
        return refused(error)

    async def list_tools(ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=TOOLS)

    settings = parts.services.settings
    server: Server[dict[str, Any]] = Server(
        NAME,
        version="1",
        title="Booking updates",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    security = RequestStateSecurity(
        keys=settings.ring().random_bytes(b"iq mcp request state"),
        ttl=max(settings.confirm_timeout, settings.answer_timeout) + 60,
        bind_principal=_principal,
    )
    server.middleware.append(explain_answers)
    server.middleware.append(RequestStateBoundary(security, default_audience=NAME))
    return server


def _principal(ctx: Context) -> str:
    """Return the caller for whom a question was asked; only that caller can answer it."""
    assert ctx.request is not None
    named = ("authorization", "x-user-id", "x-venue-id")
    return hashlib.sha256("\n".join(ctx.request.headers.get(name, "") for name in named).encode()).hexdigest()


async def _called(
    parts: McpServices, offered: ToolDefinition, ctx: Context, params: CallToolRequestParams
) -> CallToolResult:
    assert ctx.request is not None
    caller = await authenticate(parts, ctx.request)
    given = params.arguments or {}
    if exceeds_depth(given, _DEPTH):
        raise api_error(ServiceErrorType.INVALID_REQUEST, translate("refuse.unreadable"))
    try:
        # Use the ids as they were sent, because an id without its invisible characters belongs to another user.
        names = {name: value for name, value in given.items() if name.endswith("_id")}
        args = offered.takes.model_validate({**sanitize_json(given), **names})
    except ValidationError as wrong:
        raise RequestValidationError(wrong.errors()) from None
    return await _DOES[params.name](McpToolContext.of(parts, caller, ctx, params), args)
